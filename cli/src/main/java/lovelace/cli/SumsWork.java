package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.forecast.Forecast;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.Forecaster.Gaps;
import lovelace.forecast.SeriesSums;
import lovelace.forecast.time.Moment;

/// Forecasts the series of a table and sums of them, so that the sums agree in every draw. All
/// series are in memory at once.
final class SumsWork {

  /// The draws, unless more are asked for, and the fewest that are taken of very many series.
  private static final int DRAWS = 1_000;

  private static final int LEAST_DRAWS = 200;

  /// The most numbers in all draws.
  private static final long NUMBERS = 150_000_000;

  private final SeriesTable table;
  private final SeriesSteps steps;
  private final SumLevels levels;
  private final int horizon;
  private final List<PlacedSeries> placed = new ArrayList<>();
  private final SeriesSums sums;
  private final int longest;
  private int draws;

  SumsWork(SeriesTable table, SeriesSteps steps, SumLevels levels, int horizon, Gaps gaps)
      throws IOException {
    this.table = table;
    this.steps = steps;
    this.levels = levels;
    this.horizon = horizon;
    List<PlacedSeries> all = new ArrayList<>();
    for (SeriesTable.Rows rows : table.between(0, table.count())) all.add(steps.place(rows));
    long end =
        all.stream()
            .filter(p -> p.values().size() > 0)
            .mapToLong(PlacedSeries::end)
            .max()
            .orElse(0);
    int most = Math.max(ForecastStart.LEAST, horizon);
    for (PlacedSeries each : all) placed.add(open(each, end, most));
    sums =
        SeriesSums.of(
            placed.stream().map(PlacedSeries::values).toList(),
            placed.stream().mapToLong(PlacedSeries::first).toArray(),
            levels.members(),
            gaps);
    longest = sums.longestLead();
  }

  /// A series that ended long ago counts as 0 from then on.
  private PlacedSeries open(PlacedSeries each, long end, int most) {
    if (each.values().size() == 0) return each;
    if (!each.steps().equals(steps.frequency()))
      throw new IllegalArgumentException(
          "series '%s' has its times on other steps (%s) than most (%s), so sums would mix them; correct its times, or leave it out"
              .formatted(each.values().id(), each.steps().words(), steps.frequency().words()));
    if (end - each.end() <= most) return each;
    return each.before(
        Long.MIN_VALUE,
        String.format(
            Locale.ROOT,
            "ends %,d steps before the last series, so it counts as 0 in sums and has no forecast",
            end - each.end()));
  }

  /// The most steps between the end of a series or sum and the first forecast.
  int longestLead() {
    return longest;
  }

  /// Forecasts, and fills the results: sums first, then series.
  void run(
      ForecastModel model,
      ForecastColumns columns,
      ForecastOutputs outputs,
      ForecastWork.Results results,
      ForecastReport report)
      throws IOException {
    int parts = placed.size() + levels.members().size();
    long fit = NUMBERS / ((long) parts * horizon);
    draws = outputs.written() > 0 ? outputs.written() : Math.clamp(fit, LEAST_DRAWS, DRAWS);
    if (fit < draws)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--sums holds %,d draws of %,d series and sums over %,d steps in memory, and at most %,d fit; pass --draws %,d, or forecast fewer series at once",
              draws,
              parts,
              horizon,
              Math.max(fit, 0),
              Math.max(fit, 1)));
    levels.register(table);
    SeriesSums.Draws found =
        sums.forecast(model, horizon, draws, new SplittableRandom(outputs.seed()));
    int count = levels.members().size();
    for (int i = 0; i < parts; i++) {
      Forecast base = found.base().get(i);
      if (i >= count) report.add(placed.get(i - count), base);
      if (i >= count && base.kind() == Forecast.Kind.NONE) continue;
      int number = i < count ? table.count() + i : placed.get(i - count).number();
      add(found, i, number, columns, outputs, results);
    }
  }

  private void add(
      SeriesSums.Draws found,
      int place,
      int number,
      ForecastColumns columns,
      ForecastOutputs outputs,
      ForecastWork.Results results)
      throws IOException {
    long begin = sums.begin();
    double[] total = new double[draws];
    List<double[]> all = new ArrayList<>();
    for (int k = 0; k < horizon; k++) {
      double[] values = found.at(place, k);
      all.add(values);
      if (k < outputs.total()) for (int d = 0; d < draws; d++) total[d] += values[d];
      results.rows().add(number, List.of(time(begin + k)), columns.of(values));
    }
    for (SeriesResult paths : results.draws())
      for (int d = 0; d < draws; d++)
        for (int k = 0; k < horizon; k++)
          paths.add(number, List.of(time(begin + k)), d + 1, all.get(k)[d]);
    for (SeriesResult totals : results.totals())
      totals.add(
          number, List.of(time(begin), time(begin + outputs.total() - 1L)), columns.of(total));
  }

  private Moment time(long step) {
    return steps.frequency().at(step);
  }

  /// Says which sums there are.
  void print(PrintWriter out) {
    long gaps = 0;
    long with = 0;
    for (int a = 0; a < levels.members().size(); a++) {
      gaps += sums.missing(a);
      if (sums.missing(a) > 0) with++;
    }
    out.printf(
        Locale.ROOT,
        "%-11s %s, on %,d draws; means add up, medians and quantiles do not%n",
        "sums",
        levels.text(),
        draws);
    if (gaps > 0)
      out.printf(
          Locale.ROOT,
          "%-11s %,d %s without a value in %,d sums, because one of their series lacks it%n",
          "",
          gaps,
          gaps == 1 ? "step" : "steps",
          with);
  }
}
