package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.Model;
import lovelace.plot.Picture;
import lovelace.plot.Pictures;
import lovelace.posterior.Scores;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace evaluate`: how well a model predicts the targets of a table.
@Command(
    name = "evaluate",
    description = {
      "Score a model's predictions of the target column of a table, in the target's units: RMSE of",
      "the mean, MAE of the median, mean negative log density (NLPD), continuous ranked probability",
      "score (CRPS), interval score at 95 %%, and how many targets lie inside their 50, 90 and 95 %%",
      "intervals.",
      "",
      "Predictions are of observations, noise included. Use rows the model has not learned from.",
      "",
      "Examples:",
      "  lovelace evaluate model.lvl heldout.csv --plot calibration.png",
      "  lovelace evaluate model.lvl heldout.parquet --json"
    })
final class EvaluateCommand implements Callable<Integer> {

  private static final int[] LEVELS = {50, 90, 95};

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Mixin private final ModelRows given = new ModelRows();

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "Draw how often intervals hold their targets: .png, .svg or .html.")
  private @Nullable Path plot;

  @Option(names = "--json", description = "As JSON, numbers in full.")
  private boolean json = false;

  @Override
  public Integer call() throws IOException {
    Path picture = plot;
    if (picture != null) {
      Named.check("--plot", () -> Picture.check(picture));
      Output.checkFolder("--plot", picture);
    }
    Model loaded = given.load();
    try (Table rows = given.open()) {
      TableSource source = given.source(rows, loaded);
      Evaluation evaluation = Evaluation.of(loaded, source, rows.name());
      if (plot != null) Pictures.calibration(evaluation.scores(), loaded.target()).write(plot);
      report(loaded, evaluation, source);
    }
    return 0;
  }

  private void report(Model loaded, Evaluation evaluation, TableSource source) {
    long skipped = source.count().skipped();
    PrintWriter out = spec.commandLine().getOut();
    Scores scores = evaluation.scores();
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("rows", scores.size());
      all.put("rows_outside", evaluation.outside());
      all.put("rows_missing", skipped);
      all.put("values_missing", source.reading().json(false));
      all.put("words_unseen", source.reading().json(true));
      all.put("rmse", scores.rmse());
      all.put("mae", scores.mae());
      all.put("nlpd", scores.nlpd());
      all.put("crps", scores.crps());
      all.put("interval_score", scores.intervalScore(0.95));
      Map<String, Object> coverage = new LinkedHashMap<>();
      for (int level : LEVELS) coverage.put("0." + level, scores.coverage(level / 100.0));
      all.put("coverage", coverage);
      if (plot != null) all.put("plot", plot.toString());
      out.println(Json.of(all));
      return;
    }
    String unit = loaded.target().label();
    ModelReport.line(out, "rows", "%,d", scores.size());
    if (skipped > 0) ModelReport.line(out, "skipped", "%,d rows that lack a value", skipped);
    for (String note : source.reading().remarks()) ModelReport.line(out, "note", "%s", note);
    if (evaluation.outside() > 0)
      ModelReport.line(out, "outside", "%,d rows beyond the model's grid", evaluation.outside());
    ModelReport.line(out, "RMSE", "%.6g   of the mean, in units of %s", scores.rmse(), unit);
    ModelReport.line(out, "MAE", "%.6g   of the median", scores.mae());
    ModelReport.line(out, "NLPD", "%.6g   mean negative log density", scores.nlpd());
    ModelReport.line(out, "CRPS", "%.6g   continuous ranked probability score", scores.crps());
    ModelReport.line(out, "interval", "%.6g   interval score at 95 %%", scores.intervalScore(0.95));
    for (int level : LEVELS)
      ModelReport.line(
          out,
          "inside " + level + " %",
          "%.1f %% of the rows",
          100 * scores.coverage(level / 100.0));
    if (plot != null) ModelReport.line(out, "picture", "%s", plot);
  }
}
