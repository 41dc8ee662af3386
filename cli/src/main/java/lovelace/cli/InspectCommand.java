package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import lovelace.Model;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace inspect`: what a model file holds.
@Command(
    name = "inspect",
    description = {
      "Show what a model file holds: kernel, parameters, grid, likelihood, certificate, origin.",
      "",
      "Example: lovelace inspect model.lvl --json"
    })
final class InspectCommand implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(paramLabel = "MODEL", description = "A model file.")
  @SuppressWarnings("NullAway.Init")
  private Path file;

  @Mixin private final ModelOptions models = new ModelOptions();

  @Option(names = "--json", description = "As JSON, numbers in full.")
  private boolean json = false;

  @Override
  public Integer call() throws IOException {
    Model model = models.load(file);
    ModelReport report = new ModelReport(model, Files.size(file));
    PrintWriter out = spec.commandLine().getOut();
    if (json) out.println(Json.of(report.json()));
    else {
      report.print(out);
      report.printOrigin(out);
    }
    return 0;
  }
}
