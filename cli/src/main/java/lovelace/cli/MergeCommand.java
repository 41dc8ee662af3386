package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import lovelace.Model;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace merge`: the model of all the observations of several models.
@Command(
    name = "merge",
    customSynopsis = {"lovelace merge MODEL MODEL... --model FILE [OPTIONS]"},
    description = {
      "Make one model from the observations of several models, without their data.",
      "The models must have the same columns, transform, kernel and grid: fit them with the "
          + "same --engine, --grid and --bounds.",
      "",
      "The parameters are those of the first model.",
      "",
      "Examples:",
      "  lovelace merge north.lvl south.lvl --model all.lvl",
      "  lovelace merge parts/*.lvl --model all.lvl --json"
    })
final class MergeCommand implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "MODEL",
      description = "The model files to read, two or more. The first gives the parameters.")
  @SuppressWarnings("NullAway.Init")
  private List<Path> models;

  @Mixin private final ModelOptions options = new ModelOptions();

  @Option(
      names = "--model",
      required = true,
      paramLabel = "FILE",
      description = "The model file to write (required).")
  @SuppressWarnings("NullAway.Init")
  private Path file;

  @Option(
      names = "--no-covariance",
      description =
          "Write a smaller file. Samples and covariances then build their cache when they are "
              + "first needed.")
  private boolean noCovariance = false;

  @Option(
      names = "--json",
      description = "Print the results as JSON on standard output, and nothing else there.")
  private boolean json = false;

  @Override
  public Integer call() throws IOException {
    ModelTarget.check("--model", file);
    if (models.size() < 2)
      throw new IllegalArgumentException(
          "merge needs two models or more, got only '%s'; name the others too"
              .formatted(models.getFirst()));
    for (Path model : models) ModelOptions.requireFile(model);
    try (ModelTarget target = ModelTarget.lock(spec, file, options)) {
      SequencedMap<String, Model> loaded = new LinkedHashMap<>();
      for (Path model : models)
        if (loaded.put(model.toString(), target.load(model)) != null)
          throw new IllegalArgumentException(
              "'%s' is named twice, so its rows would count twice; name it once".formatted(model));
      Model merged = Model.merge(loaded, Models.maker(spec));
      report(loaded, merged, target.save(merged, !noCovariance));
    }
    return 0;
  }

  private void report(SequencedMap<String, Model> models, Model merged, long bytes) {
    PrintWriter print = spec.commandLine().getOut();
    ModelReport report = new ModelReport(merged, bytes);
    String first = models.firstEntry().getKey();
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>(report.json());
      all.put("model", file.toString());
      all.put("merged", List.copyOf(models.keySet()));
      all.put("parameters_of", first);
      print.println(Json.of(all));
      return;
    }
    report.print(print);
    ModelReport.line(
        print,
        "model",
        "%s, %s: %,d rows of %d models; parameters are those of %s",
        file,
        ModelReport.size(bytes),
        merged.count(),
        models.size(),
        first);
  }
}
