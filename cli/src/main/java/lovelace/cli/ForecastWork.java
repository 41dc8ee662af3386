package lovelace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.forecast.Forecast;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.Forecaster;
import lovelace.forecast.TimeSeries;
import lovelace.forecast.time.Moment;
import lovelace.linear.Parallel;

/// Forecasts the series of a table, some thousand at a time, and keeps the results in the database.
final class ForecastWork {

  /// How many series are in memory at once.
  private static final int BATCH = 2_000;

  /// How many numbers of paths are in memory at once.
  private static final long PATHS = 20_000_000;

  /// From how many series weights are learned, at most. The forecaster may take fewer.
  private static final int LEARNING = 2_000;

  private final SeriesTable table;
  private final SeriesSteps steps;
  private final Forecaster forecaster;
  private final ForecastStart start;
  private final int horizon;
  private final ProgressLine line;

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

  /// Learns from some of the series.
  ForecastModel learn() throws IOException {
    line.begin("learning");
    List<TimeSeries> some = new ArrayList<>();
    for (SeriesTable.Rows rows : table.sample(LEARNING))
      some.add(start.cut(steps.place(rows)).values());
    return forecaster.learn(some);
  }

  /// The results to fill.
  ///
  /// @param rows forecasts by step
  /// @param draws paths; without rows if none are asked for
  /// @param totals sums; without rows if none are asked for
  /// @param explanations tables that explain the forecasts
  record Results(
      SeriesResult rows,
      List<SeriesResult> draws,
      List<SeriesResult> totals,
      ExplanationTables explanations) {}

  /// Forecasts all series.
  void run(
      ForecastModel model,
      ForecastColumns columns,
      ForecastOutputs outputs,
      Results results,
      ForecastReport report)
      throws IOException {
    double began = line.seconds();
    SplittableRandom random = new SplittableRandom(outputs.seed());
    long path = (long) outputs.draws() * forecaster.horizon();
    int most = results.explanations.isEmpty() ? BATCH : ExplanationTables.BATCH;
    int size = path == 0 ? most : Math.clamp(PATHS / path, 1, most);
    for (int from = 0; from < table.count(); from += size) {
      List<PlacedSeries> batch = batch(from, size);
      List<Forecast> forecasts = model.forecast(batch.stream().map(PlacedSeries::values).toList());
      double[][][] values = new double[batch.size()][][];
      double[][][] paths = new double[batch.size()][][];
      ExplanationRows[] explanations = new ExplanationRows[batch.size()];
      List<SplittableRandom> streams = new ArrayList<>();
      for (int i = 0; i < batch.size(); i++) streams.add(random.split());
      Parallel.forEach(
          batch.size(),
          i -> {
            values[i] = values(forecasts.get(i), start.lead(batch.get(i)), columns);
            explanations[i] = results.explanations.of(forecasts.get(i));
            if (outputs.draws() > 0)
              paths[i] = forecasts.get(i).sample(outputs.draws(), streams.get(i));
          });
      for (int i = 0; i < batch.size(); i++) {
        PlacedSeries each = batch.get(i);
        report.add(ExplanationTables.remarked(each, forecasts.get(i), table), forecasts.get(i));
        results.explanations.add(each, explanations[i], start.lead(each) + horizon);
        if (forecasts.get(i).kind() == Forecast.Kind.NONE) continue;
        long first = each.end() + start.lead(each);
        for (int k = 0; k < horizon; k++)
          results.rows.add(each.number(), List.of(each.steps().at(first + k)), values[i][k]);
        for (SeriesResult draws : results.draws) addPaths(draws, each, first, paths[i]);
        for (SeriesResult totals : results.totals)
          totals.add(
              each.number(),
              List.of(each.steps().at(first), each.steps().at(first + outputs.total() - 1L)),
              columns.of(sums(paths[i], start.lead(each), outputs.total())));
      }
      int done = Math.min(table.count(), from + size);
      line.say(
          () -> {
            double left = (line.seconds() - began) / done * (table.count() - done);
            return String.format(
                Locale.ROOT, "%,d of %,d series, %.0f s left", done, table.count(), left);
          });
    }
  }

  private double[][] values(Forecast forecast, int lead, ForecastColumns columns) {
    if (forecast.kind() == Forecast.Kind.NONE) return new double[0][];
    double[][] values = new double[horizon][];
    for (int k = 0; k < horizon; k++) values[k] = columns.at(forecast, lead + k);
    return values;
  }

  private void addPaths(SeriesResult draws, PlacedSeries each, long first, double[][] paths)
      throws IOException {
    int lead = start.lead(each);
    List<List<Moment>> times = new ArrayList<>();
    for (int k = 0; k < horizon; k++) times.add(List.of(each.steps().at(first + k)));
    for (int d = 0; d < paths.length; d++)
      for (int k = 0; k < horizon; k++)
        draws.add(each.number(), times.get(k), d + 1, paths[d][lead + k]);
  }

  private static double[] sums(double[][] paths, int lead, int steps) {
    double[] sums = new double[paths.length];
    for (int d = 0; d < sums.length; d++)
      for (int k = 0; k < steps; k++) sums[d] += paths[d][lead + k];
    return sums;
  }
}
