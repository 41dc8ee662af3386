package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import lovelace.forecast.Forecaster;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace backtest`: scores the forecasts that would have been made at earlier times.
@Command(
    name = "backtest",
    customSynopsis = {"lovelace backtest TABLE --horizon N [--windows N] [OPTIONS]"},
    description = {
      "Score forecasts from earlier times of a table.",
      "Cuts every series several times, forecasts what followed from the values before, and compares "
          + "the forecasts with it. Weights are learned once, from the values before the first cut. "
          + "While most series have fewer than three seasons before a cut, they are learned anew. "
          + "The table is read as forecast reads it.",
      "",
      "Scores are means over series and windows, beside those of the seasonal naive forecast, which "
          + "repeats the last season. MASE, RMSSE, CRPS and interval scores are in units of the "
          + "changes from season to season before the cut. WQL is the loss of the quantiles over "
          + "the size of the values. Less is better; coverage is best at its level.",
      "",
      "Examples:",
      "  lovelace backtest sales.csv --horizon 12 --windows 3",
      "  lovelace backtest sales.parquet --id shop,item --horizon 28 --windows 8 --step 7 \\",
      "      --out cutoffs.parquet --json",
      "  lovelace backtest sales.csv --horizon 12 --plot backtest.html"
    })
final class BacktestCommand implements Callable<Integer> {

  private static final int MOST_WINDOWS = 1_000;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TABLE",
      description =
          "A table: CSV, TSV, Parquet or JSON lines, also with .gz. - is standard input. With "
              + "--sql it may be a JDBC URL.")
  private @Nullable String table;

  @Mixin private final TableOptions tables = new TableOptions();

  @Option(
      names = "--horizon",
      paramLabel = "N",
      required = true,
      description = "The number of steps of each forecast (required).")
  private int horizon = 0;

  @Option(
      names = "--windows",
      paramLabel = "N",
      description = "How many times each series is cut (default: 3).")
  private int windows = 3;

  @Option(
      names = "--step",
      paramLabel = "N",
      description = "The number of steps between the cuts (default: the horizon).")
  private @Nullable Integer step;

  @Option(
      names = "--refit",
      description =
          "Learn weights anew for each cut, from the values before it. It takes as many times as "
              + "long as there are windows (default: learn until most series have three seasons).")
  private boolean refit = false;

  @Mixin private final SeriesOptions series = new SeriesOptions();

  @Mixin private final KnownOptions knowing = new KnownOptions();

  @Mixin private final ForecastColumns columns = new ForecastColumns();

  @Mixin private final SeriesPlot plot = new SeriesPlot();

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Write the forecasts by cutoff to this file: .csv, .tsv, .parquet or .json, text also "
              + "with .gz.")
  private @Nullable Path out;

  @Option(
      names = "--json",
      description = "Print the scores as JSON on standard output, and nothing else there.")
  private boolean json = false;

  @Override
  public Integer call() throws IOException {
    Named.within("--horizon", horizon, 1, 10_000, "12 is a year of months");
    Named.within("--windows", windows, 1, MOST_WINDOWS, "3 is usual");
    int stride = step == null ? horizon : step;
    Named.within("--step", stride, 1, 1_000_000, "the horizon is usual");
    series.check();
    if (series.isIrregular())
      throw new IllegalArgumentException(
          "--frequency irregular is for forecasts, and a backtest needs regular steps; name the step, such as --frequency D, or leave it out");
    knowing.check();
    columns.check();
    plot.check();
    DistinctFiles.check(spec);
    Path file = out;
    if (file != null) {
      Named.check("--out", () -> Output.options(file.toString()));
      Output.checkFolder("--out", file);
    }
    PrintWriter err = spec.commandLine().getErr();
    PrintWriter print = json ? err : spec.commandLine().getOut();
    try (ProgressLine line = new ProgressLine(err);
        Table opened = tables.open(table);
        SeriesKnown known = SeriesKnown.open(knowing, opened)) {
      line.begin("reading the table");
      SeriesColumns found = SeriesColumns.find(opened, series, known.taken(series));
      SeriesTable all = SeriesTable.read(opened, found, series.isOne());
      SeriesSteps steps = SeriesSteps.find(all, series);
      known.read(all, series);
      known.requireUse(all, false);
      line.wipe();
      steps.print(print, found.besides(known.used()));
      known.print(print, false);
      Forecaster forecaster =
          series.on(Forecaster.DEFAULT).withHorizon(horizon).withSeasons(steps.seasons());
      List<String> numbers = Backtest.names(found, columns);
      Backtest backtest = new Backtest(all, steps, known, forecaster, windows, stride, refit);
      try (SeriesResult rows =
          new SeriesResult(all, "lovelace_backtest", List.of("cutoff", found.time()), numbers)) {
        Optional<BacktestGallery> gallery =
            plot.file()
                .map(picture -> new SeriesGallery(picture, all, steps, horizon, windows))
                .map(g -> new BacktestGallery(g, steps.season(), horizon, windows, stride));
        Backtest.Results results = backtest.run(rows, columns, gallery, line);
        if (results.ours().count() == 0)
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "no series of '%s' has %,d values before and %,d after a cut; choose a shorter --horizon, fewer --windows or a shorter --step",
                  opened.name(),
                  backtest.season() + 1,
                  horizon));
        rows.end();
        if (file != null) rows.write(file.toString(), Models.stream(spec.commandLine().getOut()));
        line.wipe();
        if (gallery.isPresent())
          print.printf(
              "%-11s %s%n",
              "picture",
              gallery.get().write(all, steps, results, columns.levels(), scores(results)));
        if (json) {
          Map<String, Object> about = new LinkedHashMap<>();
          about.put("table", opened.name());
          about.put("frequency", steps.frequency().text());
          about.put("seasons", steps.seasons());
          about.put("horizon", horizon);
          about.put("windows", windows);
          about.put("step", stride);
          about.put("refit", refit);
          about.put("series", all.count());
          spec.commandLine().getOut().println(Json.of(json(about, results)));
        } else print(print, backtest, results);
      }
    }
    return 0;
  }

  private static Map<String, Object> json(Map<String, Object> about, Backtest.Results results) {
    about.put("series_scored", results.used());
    about.put("windows_skipped", results.skipped());
    about.put("learned_from", results.learnedFrom());
    about.put("learned_cuts", results.learned());
    about.put("forecasts", results.ours().count());
    about.put("lovelace", results.ours().json());
    about.put("seasonal_naive", results.naive().json());
    about.put("lovelace_by_step", results.ours().jsonBySteps());
    about.put("seasonal_naive_by_step", results.naive().jsonBySteps());
    return about;
  }

  private void print(PrintWriter print, Backtest backtest, Backtest.Results results) {
    print.printf(
        Locale.ROOT,
        "%-11s %,d of %,d series, %,d cuts; weights learned from %,d series before %s%n",
        "scored",
        results.used(),
        backtest.table().count(),
        results.ours().count(),
        results.learnedFrom(),
        learned(results));
    if (!refit && results.learned() > 1)
      print.printf(
          Locale.ROOT,
          "%-11s weights were learned anew while most series had fewer than %,d values (three seasons) before a cut%n",
          "remark",
          backtest.settled());
    if (results.skipped() > 0)
      print.printf(
          Locale.ROOT,
          "%-11s %,d cuts, which have too few values before them%n",
          "left out",
          results.skipped());
    Bench.align(print, scores(results));
    print.flush();
  }

  private String learned(Backtest.Results results) {
    if (refit) return "each cut";
    return results.learned() == 1
        ? "the first cut"
        : String.format(Locale.ROOT, "each of the first %,d cuts", results.learned());
  }

  /// The scores as a table with a head.
  private List<List<String>> scores(Backtest.Results results) {
    double[] levels = columns.levels();
    List<String> head =
        new ArrayList<>(List.of("forecast", "MASE", "sMAPE", "RMSSE", "CRPS", "WQL"));
    for (double level : levels) head.add("interval " + ForecastColumns.number(level));
    for (double level : levels) head.add("inside " + ForecastColumns.number(level));
    List<List<String>> shown = new ArrayList<>(List.of(head));
    shown.add(row("lovelace", results.ours(), levels.length));
    shown.add(row("seasonal naive", results.naive(), levels.length));
    return shown;
  }

  private static List<String> row(String name, SeriesScores scores, int levels) {
    List<String> row = new ArrayList<>(List.of(name));
    row.add(String.format(Locale.ROOT, "%.3f", scores.mase()));
    row.add(String.format(Locale.ROOT, "%.2f", scores.smape()));
    row.add(String.format(Locale.ROOT, "%.3f", scores.rmsse()));
    row.add(String.format(Locale.ROOT, "%.3f", scores.crps()));
    row.add(String.format(Locale.ROOT, "%.4f", scores.wql()));
    for (int l = 0; l < levels; l++)
      row.add(String.format(Locale.ROOT, "%.2f", scores.interval(l)));
    for (int l = 0; l < levels; l++)
      row.add(String.format(Locale.ROOT, "%.3f", scores.coverage(l)));
    return row;
  }
}
