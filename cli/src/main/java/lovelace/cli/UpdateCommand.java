package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.Model;
import lovelace.data.Outside;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace update`: adds observations to a model or removes them, without its old data.
@Command(
    name = "update",
    customSynopsis = {"lovelace update MODEL TABLE --model FILE [OPTIONS]"},
    description = {
      "Add the rows of a table to a model.",
      "The rows it has learned before are not needed: the result is the model of all rows "
          + "together. With --forget, remove rows that were added before.",
      "",
      "The parameters and the transform of the target stay as they are: ranks stay those of the "
          + "first fit. Fit again to learn them from all rows.",
      "",
      "Examples:",
      "  lovelace update model.lvl march.csv --model model.lvl",
      "  lovelace update model.lvl wrong.csv --forget --model model.lvl"
    })
final class UpdateCommand implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Mixin private final ModelRows given = new ModelRows();

  @Option(
      names = "--model",
      required = true,
      paramLabel = "FILE",
      description = "The model file to write (required). It may be MODEL itself.")
  @SuppressWarnings("NullAway.Init")
  private Path file;

  @Option(names = "--forget", description = "Remove the rows instead of adding them.")
  private boolean forget = false;

  @Option(
      names = "--outside",
      paramLabel = "error|skip",
      description =
          "What to do with rows outside the model's grid: stop (error) or leave them out (skip) "
              + "(default: error).")
  private Outside outside = Outside.ERROR;

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
    ModelOptions.requireFile(given.model());
    try (Table rows = given.open(); // standard input is read before other processes have to wait
        ModelTarget target = ModelTarget.lock(spec, file, given.models())) {
      Model old = target.load(given.model());
      TableSource source = given.source(rows, old);
      Model revised =
          forget
              ? old.without(source, outside, Models.maker(spec))
              : old.with(source, outside, Models.maker(spec));
      long bytes = target.save(revised, !noCovariance);
      if (!forget && isKnown(old, revised))
        spec.commandLine()
            .getErr()
            .println(
                "lovelace: these rows have the fingerprint of those that the model has learned"
                    + " from, so they now count twice; --forget takes them out again");
      Reading reading = source.reading();
      report(old, revised, source.count(), reading, source.changes(old), bytes);
    }
    return 0;
  }

  /// Whether the added rows are those that the model had. Fingerprints add up, which shows it.
  private static boolean isKnown(Model old, Model revised) {
    long before = old.provenance().fingerprint();
    return revised.count() == 2 * old.count()
        && revised.provenance().fingerprint() - before == before;
  }

  private void report(
      Model old,
      Model revised,
      Table.Count count,
      Reading reading,
      List<String> changes,
      long bytes) {
    PrintWriter print = spec.commandLine().getOut();
    ModelReport report = new ModelReport(revised, bytes);
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>(report.json());
      all.put("model", file.toString());
      all.put("rows_before", old.count());
      all.put("rows_missing", count.skipped());
      all.put("values_missing", reading.json(false));
      all.put("words_unseen", reading.json(true));
      all.put("left_out_changes", changes);
      print.println(Json.of(all));
      return;
    }
    report.print(print);
    for (String change : changes) ModelReport.line(print, "left out", "%s", change);
    for (String note : reading.remarks()) ModelReport.line(print, "note", "%s", note);
    if (count.skipped() > 0)
      ModelReport.line(print, "skipped", "%,d rows that lack a value", count.skipped());
    ModelReport.line(
        print,
        "model",
        "%s, %s: %,d rows, %,d before; parameters are those of %s",
        file,
        ModelReport.size(bytes),
        revised.count(),
        old.count(),
        given.model());
  }
}
