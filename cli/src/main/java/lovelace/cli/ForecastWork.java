package lovelace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.forecast.Forecast;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.Forecaster;
import lovelace.forecast.time.Moment;
import lovelace.linear.Parallel;

/// Forecasts the series of a table, some thousand at a time, and keeps the results in the database.
final class ForecastWork {

  /// How many series are in memory at once.
  private static final int BATCH = 2_000;

  /// How many series are in memory first, so that progress is known soon. It doubles.
  private static final int FIRST = 50;

  /// How many numbers of paths are in memory at once.
  private static final long PATHS = 20_000_000;

  /// From how many series weights are learned, at most. The forecaster may take fewer.
  private static final int LEARNING = 2_000;

  private final SeriesTable table;
  private final SeriesSteps steps;
  private Forecaster forecaster;
  private final ForecastStart start;
  private final int horizon;
  private final ProgressLine line;
  private final List<ForecastSink> sinks = new ArrayList<>();
  private int done;
  private Optional<SeriesKnown> known = Optional.empty();
  private Optional<ExplanationTables> explained = Optional.empty();

  ForecastWork(
      SeriesTable table,
      SeriesSteps steps,
      SeriesOptions options,
      ForecastStart start,
      int horizon,
      ProgressLine line)
      throws IOException {
    this.table = table;
    this.steps = steps;
    this.start = start;
    this.horizon = horizon;
    this.line = line;
    forecaster =
        options
            .on(Forecaster.DEFAULT)
            .withHorizon(horizon + longestLead())
            .withSeasons(steps.seasons());
  }

  /// Goes on with a model that is known.
  ForecastWork(
      SeriesTable table,
      SeriesSteps steps,
      ForecastModel known,
      ForecastStart start,
      int horizon,
      ProgressLine line) {
    this.table = table;
    this.steps = steps;
    this.start = start;
    this.horizon = horizon;
    this.line = line;
    forecaster = known.options();
  }

  /// Forecasts this many steps more, for series that end before others.
  void extend(int lead) {
    forecaster = forecaster.withHorizon(forecaster.horizon() + lead);
  }

  /// Also gives every series to a sink.
  void also(ForecastSink sink) {
    sinks.add(sink);
  }

  /// Also explains every forecast.
  void explain(ExplanationTables tables) {
    if (!tables.isEmpty()) explained = Optional.of(tables);
  }

  /// Gives series the columns that are known.
  void know(SeriesKnown columns) {
    known = Optional.of(columns);
  }

  /// The most steps between the end of a series and its forecast.
  private int longestLead() throws IOException {
    if (start.from().isEmpty()) return 0;
    int longest = 0;
    for (int from = 0; from < table.count(); from += BATCH)
      for (PlacedSeries each : batch(from, BATCH)) longest = Math.max(longest, start.lead(each));
    return longest;
  }

  private List<PlacedSeries> batch(int from, int size) throws IOException {
    List<PlacedSeries> all = new ArrayList<>();
    for (SeriesTable.Rows rows : table.between(from, from + size))
      all.add(start.cut(steps.place(rows)));
    return all;
  }

  private List<PlacedSeries> knowing(List<PlacedSeries> series) throws IOException {
    return known.isEmpty()
        ? series
        : known.get().attach(series, start::lead, horizon, forecaster.horizon());
  }

  /// Learns from some of the series.
  ForecastModel learn() throws IOException {
    line.begin("learning");
    List<PlacedSeries> some = new ArrayList<>();
    for (SeriesTable.Rows rows : table.sample(LEARNING)) some.add(start.cut(steps.place(rows)));
    List<PlacedSeries> all = knowing(some);
    known.ifPresent(SeriesKnown::requireSome);
    return forecaster.learn(all.stream().map(PlacedSeries::values).toList());
  }

  /// The results to fill.
  ///
  /// @param rows forecasts by step
  /// @param draws paths; without rows if none are asked for
  /// @param totals sums; without rows if none are asked for
  record Results(SeriesResult rows, List<SeriesResult> draws, List<SeriesResult> totals) {

    /// Ends the rows that were added, so that any thread can write them.
    void end() throws IOException {
      rows.end();
      for (SeriesResult each : draws) each.end();
      for (SeriesResult each : totals) each.end();
    }
  }

  /// Forecasts all series.
  void run(
      ForecastModel model,
      ForecastColumns columns,
      ForecastOutputs outputs,
      Results results,
      ForecastReport report,
      Interruption interruption)
      throws IOException {
    double began = line.seconds();
    SplittableRandom random = new SplittableRandom(outputs.seed());
    long path = (long) outputs.draws() * forecaster.horizon();
    int whole = explained.isPresent() ? ExplanationTables.BATCH : BATCH;
    int most = path == 0 ? whole : Math.clamp(PATHS / path, 1, whole);
    int size = Math.min(FIRST, most);
    for (int from = 0; from < table.count(); ) {
      int begin = from;
      int next = Math.min(table.count(), from + size);
      List<PlacedSeries> batch = new ArrayList<>();
      interruption.change(() -> batch.addAll(knowing(batch(begin, next - begin))));
      List<Forecast> forecasts = model.forecast(batch.stream().map(PlacedSeries::values).toList());
      double[][][] values = new double[batch.size()][][];
      double[][][] paths = new double[batch.size()][][];
      ExplanationRows[] reasons = new ExplanationRows[batch.size()];
      List<SplittableRandom> streams = new ArrayList<>();
      for (int i = 0; i < batch.size(); i++) streams.add(random.split());
      Parallel.forEach(
          batch.size(),
          i -> {
            values[i] = values(forecasts.get(i), start.lead(batch.get(i)), columns);
            reasons[i] = explained.map(e -> e.of(forecasts.get(i))).orElse(ExplanationRows.NONE);
            if (outputs.draws() > 0)
              paths[i] = forecasts.get(i).sample(outputs.draws(), streams.get(i));
          });
      interruption.change(
          () -> {
            for (int i = 0; i < batch.size(); i++)
              if (explained.isPresent())
                explained.get().add(batch.get(i), reasons[i], start.lead(batch.get(i)) + horizon);
            if (explained.isPresent()) explained.get().end();
            for (int i = 0; i < batch.size(); i++)
              add(
                  batch.get(i),
                  forecasts.get(i),
                  values[i],
                  paths[i],
                  outputs,
                  columns,
                  results,
                  report);
            results.end();
            done = next;
          });
      from = next;
      size = Math.min(2 * size, most);
      line.say(
          () -> {
            double left = (line.seconds() - began) / next * (table.count() - next);
            return String.format(
                Locale.ROOT, "%,d of %,d series, %.0f s left", next, table.count(), left);
          });
    }
  }

  /// Adds a series and its forecast to the results.
  private void add(
      PlacedSeries each,
      Forecast forecast,
      double[][] values,
      double[][] paths,
      ForecastOutputs outputs,
      ForecastColumns columns,
      Results results,
      ForecastReport report)
      throws IOException {
    report.add(ExplanationTables.remarked(each, forecast, table), forecast);
    for (ForecastSink sink : sinks) sink.add(each, forecast);
    if (forecast.kind() == Forecast.Kind.NONE) return;
    long first = each.end() + start.lead(each);
    for (int k = 0; k < horizon; k++)
      results.rows.add(each.number(), List.of(each.steps().at(first + k)), values[k]);
    for (SeriesResult draws : results.draws) addPaths(draws, each, first, paths, outputs.written());
    for (SeriesResult totals : results.totals)
      totals.add(
          each.number(),
          List.of(each.steps().at(first), each.steps().at(first + outputs.total() - 1L)),
          columns.of(sums(paths, start.lead(each), outputs.total())));
  }

  /// The number of series that are finished.
  int done() {
    return done;
  }

  private double[][] values(Forecast forecast, int lead, ForecastColumns columns) {
    if (forecast.kind() == Forecast.Kind.NONE) return new double[0][];
    double[][] values = new double[horizon][];
    for (int k = 0; k < horizon; k++) values[k] = columns.at(forecast, lead + k);
    return values;
  }

  private void addPaths(
      SeriesResult draws, PlacedSeries each, long first, double[][] paths, int count)
      throws IOException {
    int lead = start.lead(each);
    List<List<Moment>> times = new ArrayList<>();
    for (int k = 0; k < horizon; k++) times.add(List.of(each.steps().at(first + k)));
    for (int d = 0; d < Math.min(count, paths.length); d++)
      for (int k = 0; k < horizon; k++)
        draws.add(each.number(), times.get(k), d + 1, paths[d][lead + k]);
  }

  static double[] sums(double[][] paths, int lead, int steps) {
    double[] sums = new double[paths.length];
    for (int d = 0; d < sums.length; d++)
      for (int k = 0; k < steps; k++) sums[d] += paths[d][lead + k];
    return sums;
  }
}
