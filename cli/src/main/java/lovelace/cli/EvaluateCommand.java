package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.plot.Picture;
import lovelace.posterior.Scores;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace evaluate`: scores a model's predictions of the targets of a table.
@Command(
    name = "evaluate",
    customSynopsis = {"lovelace evaluate MODEL TABLE [OPTIONS]"},
    description = {
      "Score a model's predictions of the target column of a table, in the units of the "
          + "target.",
      "",
      "Shows the RMSE of the mean, the MAE of the median, the mean negative log density "
          + "(NLPD), the continuous ranked probability score (CRPS), the interval score at 95 %%, "
          + "and how many targets lie inside their 50, 90 and 95 %% intervals. Classes have the "
          + "log score (NLPD), Brier score, area under the ROC curve, error rate and calibration "
          + "instead. For counts, amounts and numbers with outliers, the distance of the targets' "
          + "ranks from uniform replaces the CRPS. For a model of intensity the rows are events, "
          + "and the scores are of their counts in the model's cells.",
      "",
      "Predictions are of observations, noise included. Use rows from which the model has "
          + "not learned.",
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
      description =
          "Draw how often intervals contain their targets, or for classes how often each "
              + "probability came true, to a .png, .svg or .html file.")
  private @Nullable Path plot;

  @Option(
      names = "--json",
      description = "Print the results as JSON on standard output, and nothing else there.")
  private boolean json = false;

  @Override
  public Integer call() throws IOException {
    Path picture = plot;
    if (picture != null) {
      Named.check("--plot", () -> Picture.check(picture));
      Output.checkFolder("--plot", picture);
    }
    Model loaded = given.load(spec);
    try (Table rows = given.open()) {
      TableSource source = given.source(rows, loaded);
      Evaluation evaluation = Evaluation.of(loaded, source, rows.name());
      if (plot != null) evaluation.calibration(loaded).write(plot);
      if (evaluation.isOfKnownRows())
        spec.commandLine()
            .getErr()
            .println(
                "lovelace: the model has learned from these rows, so the scores say how well it"
                    + " fits them; 'lovelace diagnose' predicts each row from the others");
      report(loaded, evaluation, source);
    }
    return 0;
  }

  private void report(Model loaded, Evaluation evaluation, TableSource source) {
    long skipped = source.count().skipped();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("rows", evaluation.scores().size());
      all.put("rows_outside", evaluation.outside());
      all.put("rows_missing", skipped);
      all.put("values_missing", source.reading().json(false));
      all.put("words_unseen", source.reading().json(true));
      if (Classes.suit(loaded.likelihood())) classes(evaluation, all);
      else numbers(evaluation, all);
      if (plot != null) all.put("plot", plot.toString());
      out.println(Json.of(all));
      return;
    }
    if (loaded.window().isPresent())
      ModelReport.line(
          out,
          "cells",
          "%,d of the model's window; scores are of the counts of %,d events in them",
          evaluation.scores().size(),
          source.count().read());
    else ModelReport.line(out, "rows", "%,d", evaluation.scores().size());
    if (skipped > 0) ModelReport.line(out, "skipped", "%,d rows that lack a value", skipped);
    for (String note : source.reading().remarks()) ModelReport.line(out, "note", "%s", note);
    if (evaluation.outside() > 0)
      ModelReport.line(out, "outside", "%,d rows beyond the model's grid", evaluation.outside());
    if (given.lacksExposure(loaded))
      ModelReport.line(out, "exposure", "1 in every row; --exposure COLUMN gives each its own");
    if (Classes.suit(loaded.likelihood())) classes(evaluation, loaded.target(), out);
    else numbers(evaluation, loaded.target().label(), out);
    if (plot != null) ModelReport.line(out, "picture", "%s", plot);
  }

  private static void numbers(Evaluation evaluation, Map<String, Object> all) {
    Scores scores = evaluation.scores();
    all.put("rmse", scores.rmse());
    all.put("mae", scores.mae());
    all.put("nlpd", scores.nlpd());
    if (evaluation.isGaussian()) all.put("crps", scores.crps());
    all.put("interval_score", scores.intervalScore(0.95));
    Map<String, Object> coverage = new LinkedHashMap<>();
    for (int level : LEVELS)
      coverage.put(Double.toString(level / 100.0), scores.coverage(level / 100.0));
    all.put("coverage", coverage);
    if (!evaluation.isGaussian()) all.put("rank_distance", evaluation.residuals().distance());
  }

  private static void numbers(Evaluation evaluation, String unit, PrintWriter out) {
    Scores scores = evaluation.scores();
    String density = evaluation.predictions().discrete() ? "probability" : "density";
    ModelReport.line(out, "RMSE", "%.6g   of the mean, in units of %s", scores.rmse(), unit);
    ModelReport.line(out, "MAE", "%.6g   of the median", scores.mae());
    ModelReport.line(out, "NLPD", "%.6g   mean negative log %s", scores.nlpd(), density);
    if (evaluation.isGaussian())
      ModelReport.line(out, "CRPS", "%.6g   continuous ranked probability score", scores.crps());
    ModelReport.line(out, "interval", "%.6g   interval score at 95 %%", scores.intervalScore(0.95));
    for (int level : LEVELS)
      ModelReport.line(
          out,
          "inside " + level + " %",
          "%.1f %% of the rows",
          100 * scores.coverage(level / 100.0));
    if (!evaluation.isGaussian())
      ModelReport.line(
          out,
          "residuals",
          "%.4f from uniform%s (Kolmogorov–Smirnov); by chance above %.4f once in 20",
          evaluation.residuals().distance(),
          evaluation.predictions().discrete() ? ", randomised" : "",
          1.36 / Math.sqrt(scores.size()));
  }

  private static void classes(Evaluation evaluation, Map<String, Object> all) {
    Scores.Classes scores = evaluation.classes();
    all.put("nlpd", scores.nlpd());
    all.put("brier", scores.brier());
    all.put("area_under_curve", scores.areaUnderCurve());
    all.put("error_rate", scores.errorRate());
    all.put("calibration_error", evaluation.calibrationError());
    List<Object> bins = new ArrayList<>();
    for (Scores.Classes.Bin bin : evaluation.bins()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("lower", bin.lower());
      one.put("upper", bin.upper());
      one.put("rows", bin.count());
      one.put("predicted", bin.predicted());
      one.put("observed", bin.observed());
      bins.add(one);
    }
    all.put("calibration", bins);
  }

  private static void classes(Evaluation evaluation, Column target, PrintWriter out) {
    Scores.Classes scores = evaluation.classes();
    String one = target.isText() ? target.values().get(1) : "1";
    ModelReport.line(out, "NLPD", "%.6g   mean negative log probability", scores.nlpd());
    ModelReport.line(out, "Brier", "%.6g   mean squared error of the probability", scores.brier());
    ModelReport.line(out, "AUC", "%.6g   area under the ROC curve", scores.areaUnderCurve());
    ModelReport.line(
        out,
        "errors",
        "%.2f %% of the rows have the less probable class",
        100 * scores.errorRate());
    ModelReport.line(
        out,
        "calibration",
        "%.4f   mean distance between the probability of %s and its frequency",
        evaluation.calibrationError(),
        one);
    out.printf(
        Locale.ROOT, "  %-12s %8s %10s %10s%n", "probability", "rows", "predicted", "observed");
    for (Scores.Classes.Bin bin : evaluation.bins())
      out.printf(
          Locale.ROOT,
          "  %.1f to %.1f   %,8d %10.3f %10.3f%n",
          bin.lower(),
          bin.upper(),
          bin.count(),
          bin.predicted(),
          bin.observed());
  }
}
