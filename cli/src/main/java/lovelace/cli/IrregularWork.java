package lovelace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.forecast.Forecast;
import lovelace.forecast.Forecaster;
import lovelace.forecast.IrregularSeries;
import lovelace.forecast.time.Moment;

/// Forecasts the series of a table at any times, and keeps the results in the database.
final class IrregularWork {

  /// How many series are read at once.
  private static final int BATCH = 200;

  /// The last values that are kept of a series.
  private static final int MOST = 100_000;

  private final SeriesTable table;
  private final IrregularTimes times;
  private final Forecaster forecaster;
  private final int horizon;
  private final ProgressLine line;
  private final List<Double> bounds;

  IrregularWork(
      SeriesTable table,
      IrregularTimes times,
      SeriesOptions options,
      int horizon,
      ProgressLine line) {
    this.table = table;
    this.times = times;
    this.horizon = horizon;
    this.line = line;
    bounds = options.between();
    forecaster = options.on(Forecaster.DEFAULT).withSeasons(times.seasons());
  }

  /// The results to fill.
  ///
  /// @param rows forecasts by time
  /// @param draws paths; without rows if none are asked for
  /// @param totals sums; without rows if none are asked for
  record Results(SeriesResult rows, List<SeriesResult> draws, List<SeriesResult> totals) {}

  /// Forecasts all series.
  void run(ForecastColumns columns, ForecastOutputs outputs, Results results, ForecastReport report)
      throws IOException {
    double began = line.seconds();
    SplittableRandom random = new SplittableRandom(outputs.seed());
    for (int from = 0; from < table.count(); from += BATCH)
      for (SeriesTable.Rows rows : table.between(from, from + BATCH)) {
        add(rows, columns, outputs, results, report, random.split());
        int done = rows.number() + 1;
        line.say(
            () ->
                String.format(
                    Locale.ROOT,
                    "%,d of %,d series, %.0f s left",
                    done,
                    table.count(),
                    (line.seconds() - began) / done * (table.count() - done)));
      }
  }

  private void add(
      SeriesTable.Rows rows,
      ForecastColumns columns,
      ForecastOutputs outputs,
      Results results,
      ForecastReport report,
      SplittableRandom random)
      throws IOException {
    List<String> remarks = new ArrayList<>();
    List<Moment> moments = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    long duplicates = collect(rows, moments, values, remarks);
    boolean outside =
        !bounds.isEmpty()
            && values.stream().anyMatch(v -> v < bounds.getFirst() || v > bounds.getLast());
    if (outside) {
      remarks.add("values lie outside --between, so no forecast; move the bounds");
      moments.clear();
      values.clear();
    } else if (values.isEmpty()) remarks.add("no values, so no forecast");
    double[] at = moments.stream().mapToDouble(times::at).toArray();
    double[] y = values.stream().mapToDouble(Double::doubleValue).toArray();
    List<Moment> ahead = moments.isEmpty() ? List.of() : times.ahead(moments.getLast(), horizon);
    if (!moments.isEmpty() && ahead.size() < times.named())
      remarks.add(
          String.format(
              Locale.ROOT,
              "%,d of the times of --at not after the last value, so no forecast there",
              times.named() - ahead.size()));
    IrregularSeries series =
        ahead.isEmpty()
            ? IrregularSeries.of(rows.id(), new double[0], new double[0])
            : IrregularSeries.of(rows.id(), at, y);
    double[] steps =
        ahead.isEmpty() ? new double[] {0} : ahead.stream().mapToDouble(times::at).toArray();
    Forecast forecast = forecaster.forecast(series, steps);
    report.add(rows.id(), forecast, 0, duplicates, remarks);
    if (ahead.isEmpty()) return;
    for (int k = 0; k < ahead.size(); k++)
      results.rows().add(rows.number(), List.of(ahead.get(k)), columns.at(forecast, k));
    if (outputs.draws() == 0) return;
    double[][] paths = forecast.sample(outputs.draws(), random);
    for (SeriesResult draws : results.draws())
      for (int d = 0; d < outputs.written(); d++)
        for (int k = 0; k < ahead.size(); k++)
          draws.add(rows.number(), List.of(ahead.get(k)), d + 1, paths[d][k]);
    for (SeriesResult totals : results.totals()) {
      int last = Math.min(outputs.total(), ahead.size());
      double[] sums =
          Arrays.stream(paths).mapToDouble(p -> Arrays.stream(p, 0, last).sum()).toArray();
      totals.add(rows.number(), List.of(ahead.getFirst(), ahead.get(last - 1)), columns.of(sums));
    }
  }

  /// The values of the rows by time: the mean of those of one time.
  ///
  /// @return the number of rows that have the time of another
  private long collect(
      SeriesTable.Rows rows, List<Moment> moments, List<Double> values, List<String> remarks) {
    int[] codes = rows.times();
    long duplicates = 0;
    long infinite = 0;
    for (int i = 0; i < codes.length; ) {
      int next = i;
      double sum = 0;
      int there = 0;
      for (; next < codes.length && codes[next] == codes[i]; next++) {
        double value = rows.values()[next];
        if (Double.isInfinite(value)) infinite++;
        if (!Double.isFinite(value)) continue;
        sum += value;
        there++;
      }
      duplicates += next - i - 1;
      if (there > 0) {
        moments.add(times.times().moments().get(codes[i]));
        values.add(sum / there);
      }
      i = next;
    }
    if (duplicates > 0)
      remarks.add(
          String.format(
              Locale.ROOT,
              "%,d %s the time of another; the mean of such rows counts",
              duplicates,
              duplicates == 1 ? "row has" : "rows have"));
    if (infinite > 0)
      remarks.add(
          String.format(
              Locale.ROOT,
              "%,d %s as missing",
              infinite,
              infinite == 1 ? "value is infinite, and counts" : "values are infinite, and count"));
    if (moments.size() > MOST) {
      int from = moments.size() - MOST;
      moments.subList(0, from).clear();
      values.subList(0, from).clear();
    }
    return duplicates;
  }
}
