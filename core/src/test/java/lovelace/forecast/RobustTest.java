package lovelace.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Laws of forecasts of any series.
class RobustTest {

  private static final int CASES = Boolean.getBoolean("lovelace.long") ? 10_000 : 120;

  private static final int HORIZON = 6;

  private static final double[] LEVELS = {.005, .025, .1, .25, .5, .75, .9, .975, .995};

  private static List<TimeSeries> series(long from, int count) {
    return LongStream.range(from, from + count).mapToObj(AllSorts::series).toList();
  }

  private static Forecaster forecaster(boolean seasons) {
    Forecaster plain = Forecaster.DEFAULT.withHorizon(HORIZON);
    return seasons ? plain.withSeasons(Boolean.getBoolean("lovelace.long") ? 12 : 4) : plain;
  }

  private static double[] seen(TimeSeries series) {
    return Arrays.stream(series.values()).filter(v -> !Double.isNaN(v)).toArray();
  }

  @Test
  void zerosInGapsAreNoOutliers() {
    SplittableRandom random = new SplittableRandom(3);
    double[] y = new double[60];
    for (int t = 0; t < y.length; t++) y[t] = 220 + 3 * random.nextGaussian();
    y[30] = Double.NaN;
    Forecaster zero = forecaster(false).withGaps(Forecaster.Gaps.ZERO);
    Cleaned meant = Cleaned.all(zero, List.of(TimeSeries.of("a", y))).getFirst();
    assertEquals(List.of(), meant.outliers());
    assertEquals(0, meant.series().value(30));
    y[30] = 0;
    assertEquals(
        1,
        Cleaned.all(forecaster(false), List.of(TimeSeries.of("a", y)))
            .getFirst()
            .outliers()
            .size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everySeriesHasAForecastWithinItsBounds(boolean seasons) {
    List<String> faults = new ArrayList<>();
    int batch = Math.min(CASES, 500);
    for (int from = 0; from < CASES; from += batch)
      for (Forecast forecast :
          forecaster(seasons).fit(series(from + (seasons ? 1_000_000 : 0), batch)).all())
        check(forecast, faults);
    assertTrue(
        faults.isEmpty(),
        () ->
            faults.size()
                + " faults:\n"
                + String.join("\n", faults.subList(0, Math.min(25, faults.size()))));
  }

  private static void check(Forecast forecast, List<String> faults) {
    double[] y = seen(forecast.series());
    double low = Arrays.stream(y).min().orElseThrow();
    double high = Arrays.stream(y).max().orElseThrow();
    double range = high - low;
    // A constant series is rounded, to a power of ten that divides it, or known to 1 % of it.
    if (range == 0) range = Math.max(0.01 * Math.abs(high), rounding(high));
    for (int step = 0; step < HORIZON; step++) {
      double[] q = forecast.quantiles(step, LEVELS);
      String place = forecast.id() + ", step " + step + ": " + Arrays.toString(q);
      for (int i = 0; i < q.length; i++) {
        if (!Double.isFinite(q[i])) faults.add("not finite: " + place);
        if (i > 0 && q[i] < q[i - 1]) faults.add("descends: " + place);
        if (low >= 0 && q[i] < 0) faults.add("negative: " + place);
      }
      double width = q[q.length - 2] - q[1];
      // Rounding of values near each other moves the ends.
      if (!(width <= 100 * range * (1 + 1e-9) + 1e-12 * Math.abs(high)))
        faults.add("width " + width / range + " times " + range + ": " + place);
      double mean = forecast.mean(step);
      if (!(mean >= q[0] - 1e-6 * range && mean <= Math.max(q[q.length - 1], high + 100 * range)))
        faults.add("mean " + mean + ": " + place);
      double p = forecast.probability(step, y[y.length - 1]);
      if (!(p >= 0 && p <= 1)) faults.add("probability " + p + ": " + place);
    }
    for (double[] path : forecast.sample(3, new SplittableRandom(1)))
      for (double value : path)
        if (!Double.isFinite(value) || (low >= 0 && value < 0))
          faults.add("path with " + value + ": " + forecast.id());
  }

  private static double rounding(double value) {
    if (value == 0) return 0;
    double unit = Math.pow(10, Math.floor(Math.log10(Math.abs(value))));
    while (Math.abs(value / unit - Math.rint(value / unit)) > 1e-9) unit /= 10;
    return unit;
  }

  private static void assertSame(Forecast a, Forecast b, double factor, double tolerance) {
    for (int step = 0; step < HORIZON; step++) {
      double[] p = a.quantiles(step, LEVELS);
      double[] q = b.quantiles(step, LEVELS);
      for (int i = 0; i < p.length; i++)
        assertEquals(
            factor * p[i],
            q[i],
            tolerance * Math.abs(factor * p[i]),
            a.id() + ", step " + step + ", level " + LEVELS[i]);
    }
  }

  @Test
  void forecastsAreTheSameBitsOnOneAndTwoThreads() throws InterruptedException, ExecutionException {
    List<TimeSeries> series = series(5_000, 24);
    List<Forecasts> both = new ArrayList<>();
    for (int threads : new int[] {1, 2})
      try (ForkJoinPool pool = new ForkJoinPool(threads)) {
        both.add(pool.submit(() -> forecaster(true).fit(series)).get());
      }
    for (int i = 0; i < series.size(); i++)
      assertSame(both.get(0).all().get(i), both.get(1).all().get(i), 1, 0);
  }

  /// Products round differently in batches of other sizes, and evidence is kept in single
  /// precision.
  @Test
  void otherSeriesDoNotChangeAForecast() {
    List<TimeSeries> series = series(6_000, 40);
    ForecastModel model = forecaster(true).learn(series);
    List<Forecast> together = model.forecast(series);
    for (int i = 0; i < series.size(); i += 5)
      assertSame(model.forecast(List.of(series.get(i))).getFirst(), together.get(i), 1, 1e-4);
    List<Forecast> backwards = model.forecast(series.reversed());
    for (int i = 0; i < series.size(); i++)
      assertSame(together.get(i), backwards.get(series.size() - 1 - i), 1, 1e-4);
  }
}
