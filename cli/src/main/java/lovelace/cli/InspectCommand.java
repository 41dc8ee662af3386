package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import lovelace.Model;
import lovelace.forecast.ForecastFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace inspect`: reports the content of a model file.
@Command(
    name = "inspect",
    customSynopsis = {"lovelace inspect MODEL [OPTIONS]"},
    description = {
      "Show what a model file holds.",
      "Shows kernel, parameters, grid, likelihood, certificate and origin. For a file that "
          + "'lovelace export' wrote, shows what it says about its model. For a file of "
          + "'lovelace forecast --model', shows its series, steps, seasons and weights.",
      "",
      "Examples:",
      "  lovelace inspect model.lvl --json",
      "  lovelace inspect model.onnx",
      "  lovelace inspect sales.lvf"
    })
final class InspectCommand implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(
      paramLabel = "MODEL",
      description =
          "The model file to read, an .onnx file that 'lovelace export' wrote, or a file of "
              + "forecasts.")
  @SuppressWarnings("NullAway.Init")
  private Path file;

  @Mixin private final ModelOptions models = new ModelOptions();

  @Option(
      names = "--json",
      description = "Print the results as JSON on standard output, and nothing else there.")
  private boolean json = false;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (OnnxReport.isOnnx(file)) {
      OnnxReport report = OnnxReport.read(file);
      if (json) out.println(Json.of(report.json()));
      else report.print(out);
      return 0;
    }
    if (ForecastFile.isOne(file)) {
      ForecastJournal.tell(file, spec.commandLine().getErr());
      StoredReport report = StoredReport.read(file);
      if (json) out.println(Json.of(report.json()));
      else report.print(out);
      return 0;
    }
    Model model = models.load(spec, file);
    ModelReport report = new ModelReport(model, Files.size(file));
    if (json) out.println(Json.of(report.json()));
    else {
      report.print(out);
      report.printOrigin(out);
    }
    return 0;
  }
}
