package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import lovelace.Model;
import lovelace.data.TargetTransform;
import lovelace.model.Provenance;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace merge`: makes one model of all the observations of several models.
@Command(
    name = "merge",
    customSynopsis = {"lovelace merge MODEL MODEL... --model FILE [OPTIONS]"},
    description = {
      "Make one model from the observations of several models, without their data.",
      "The models must have the same columns, transform, kernel and grid: fit them with the "
          + "same --engine, --grid and --bounds. Each table has ranks of its own, so fit the second "
          + "with --transform-from FIRST if the first has --transform ranks.",
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
    requireDifferentFiles();
    try (ModelTarget target = ModelTarget.lock(spec, file, options)) {
      SequencedMap<String, Model> loaded = new LinkedHashMap<>();
      for (Path model : models) loaded.put(model.toString(), target.load(model));
      refuseCopies(loaded);
      requireSameRanks(loaded);
      Model merged = Model.merge(loaded, Models.maker(spec));
      remarkSameRows(loaded, merged);
      report(loaded, merged, target.save(merged, !noCovariance));
    }
    return 0;
  }

  private void requireDifferentFiles() throws IOException {
    for (Path model : models) ModelOptions.requireFile(model);
    for (int i = 0; i < models.size(); i++)
      for (Path other : models.subList(0, i))
        if (Files.isSameFile(models.get(i), other))
          throw new IllegalArgumentException(
              models.get(i).equals(other)
                  ? "'%s' is named twice, so its rows would count twice; name it once"
                      .formatted(other)
                  : "'%s' and '%s' are the same file, so its rows would count twice; name it once"
                      .formatted(other, models.get(i)));
  }

  /// Fails if one file is a copy of another, made by the same fit.
  private static void refuseCopies(SequencedMap<String, Model> loaded) {
    Map<Provenance, String> seen = new HashMap<>();
    loaded.forEach(
        (name, model) -> {
          String same = seen.put(model.provenance(), name);
          if (same != null)
            throw new IllegalArgumentException(
                "'%s' is a copy of '%s', so its rows would count twice; name one of the two"
                    .formatted(name, same));
        });
  }

  /// Fails if two transforms have the same name but differ, as ranks of two tables do.
  private static void requireSameRanks(SequencedMap<String, Model> loaded) {
    String first = loaded.firstEntry().getKey();
    TargetTransform own = loaded.firstEntry().getValue().transform();
    loaded.forEach(
        (name, model) -> {
          TargetTransform other = model.transform();
          if (!other.equals(own) && other.toString().equals(own.toString()))
            throw new IllegalArgumentException(
                "'%1$s' and '%2$s' have %3$s of different tables, so equal targets have different scores; fit '%2$s' again with --transform-from '%1$s', or add its rows to '%1$s' with update"
                    .formatted(first, name, own));
        });
  }

  /// Remarks if two models have the same rows, or if one has the rows of all others. Fingerprints
  /// add up, which shows this.
  private void remarkSameRows(SequencedMap<String, Model> loaded, Model merged) {
    PrintWriter err = spec.commandLine().getErr();
    Map<Rows, String> seen = new HashMap<>();
    loaded.forEach(
        (name, model) -> {
          Rows own = Rows.of(model);
          String same = seen.put(own, name);
          if (same != null)
            err.println(
                "lovelace: '%s' and '%s' have learned rows with the same fingerprint, which now count twice"
                    .formatted(same, name));
          else if (loaded.size() > 2
              && Rows.of(merged).equals(new Rows(2 * own.count, 2 * own.fingerprint)))
            err.println(
                "lovelace: '%s' has learned the rows of all the others, which now count twice"
                    .formatted(name));
        });
  }

  /// Identifies the rows of a model.
  private record Rows(long count, long fingerprint) {
    static Rows of(Model model) {
      return new Rows(model.count(), model.provenance().fingerprint());
    }
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
