package lovelace.forecast;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The classes as a program uses them.
class ApiTest {

  private static final double[] LEVELS = {.001, .01, .1, .5, .9, .99, .999};

  private static List<TimeSeries> shops(int count, int length) {
    List<TimeSeries> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SplittableRandom random = new SplittableRandom(i);
      double[] y = new double[length];
      for (int t = 0; t < length; t++)
        y[t] = 100 + 30 * Math.sin(Math.PI / 6 * t) + t + 4 * random.nextGaussian();
      all.add(TimeSeries.of("shop " + i, y));
    }
    return all;
  }

  private static void assertMessage(String wanted, Executable code) {
    assertEquals(wanted, assertThrows(IllegalArgumentException.class, code).getMessage());
  }

  @Test
  void aYearOfMonthsIsForecast() {
    List<TimeSeries> shops = shops(8, 72);
    Forecasts next = Forecaster.DEFAULT.withHorizon(12).withSeasons(12).fit(shops);
    assertEquals(8, next.all().size());
    assertEquals(8, next.model().learnedFrom());
    Forecast shop = next.of("shop 7");
    assertEquals("shop 7", shop.id());
    assertEquals(12, shop.horizon());
    assertEquals(Forecast.Kind.LIBRARY, shop.kind());
    for (int k = 0; k < 12; k++) {
      double truth = 100 + 30 * Math.sin(Math.PI / 6 * (72 + k)) + 72 + k;
      // Noise of 4, and what a library of this size does not know.
      assertEquals(truth, shop.median(k), 10, "step " + k);
      assertEquals(shop.median(k), shop.mean(k), 3, "step " + k);
      assertEquals(0.9, shop.probability(k, shop.quantile(k, 0.9)), 1e-5);
      assertTrue(shop.quantile(k, 0.1) < shop.median(k) && shop.median(k) < shop.quantile(k, 0.9));
    }
  }

  @Test
  void modelsForecastOtherSeries() {
    ForecastModel model = Forecaster.DEFAULT.withHorizon(3).withSeasons(12).learn(shops(6, 60));
    List<TimeSeries> others = List.of(TimeSeries.of("new", shops(9, 60).getLast().values()));
    Forecast forecast = model.forecast(others).getFirst();
    assertEquals("new", forecast.id());
    assertEquals(3, model.options().horizon());
    double[][] paths = forecast.sample(7, new SplittableRandom(3));
    assertEquals(7, paths.length);
    assertEquals(3, paths[0].length);
    assertEquals(List.of(), model.forecast(List.of()));
  }

  @Test
  void badOptionsAreRefusedInWords() {
    Forecaster any = Forecaster.DEFAULT;
    assertMessage(
        "the horizon must lie between 1 and 10,000 steps, got 0", () -> any.withHorizon(0));
    assertMessage(
        "the horizon must lie between 1 and 10,000 steps, got 10001",
        () -> any.withHorizon(10_001));
    for (double period : new double[] {1, Double.NaN, -12, Double.POSITIVE_INFINITY})
      assertMessage(
          "the period of a season must lie between 2 and 1,000,000 steps, got " + period,
          () -> any.withSeasons(12, period));
    assertMessage(
        "the lower bound must be below the upper one, got 5.0 and 5.0", () -> any.withBounds(5, 5));
    assertThrows(IllegalArgumentException.class, () -> any.withBounds(0, Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> any.withBounds(0, Double.POSITIVE_INFINITY));
  }

  @Test
  void badQuestionsAreRefusedInWords() {
    Forecasts next = Forecaster.DEFAULT.withHorizon(2).fit(shops(3, 30));
    assertMessage("there is no series 'shop 9'", () -> next.of("shop 9"));
    Forecast one = next.of("shop 1");
    assertMessage("a level must lie between 0 and 1, got 0.0", () -> one.quantile(0, 0));
    assertMessage("a level must lie between 0 and 1, got NaN", () -> one.quantile(0, Double.NaN));
    assertMessage("count must be ≥ 0, got -1", () -> one.sample(-1, new SplittableRandom(1)));
  }

  @Test
  void optionsOfACallerDoNotChangeLater() {
    double[] seasons = {12};
    double[] values = {1, 2, 3, 4, 5, 6, 7, 8};
    Forecaster forecaster = Forecaster.DEFAULT.withSeasons(seasons);
    TimeSeries series = TimeSeries.of("a", values);
    seasons[0] = 0;
    values[0] = 99;
    assertEquals(1, series.value(0));
    series.values()[1] = 99;
    assertEquals(2, series.value(1));
    assertTrue(forecaster.fit(List.of(series)).of("a").median(0) > 0);
  }

  @Test
  void gapsAtBothEndsAreCutOff() {
    double nan = Double.NaN;
    TimeSeries series = TimeSeries.of("a", nan, nan, 3, nan, 5, nan);
    assertArrayEquals(new double[] {3, nan, 5}, series.values());
    assertEquals(1, series.gaps());
    assertArrayEquals(new double[] {3}, series.first(2).values());
    assertArrayEquals(new double[] {3, nan, 5}, series.first(50).values());
    assertEquals(0, TimeSeries.of("b", nan, nan).size());
    assertMessage(
        "series 'c': value 2 is Infinity; values must be finite, or NaN for a gap",
        () -> TimeSeries.of("c", 1, Double.POSITIVE_INFINITY));
  }

  @Test
  void everyLengthHasAnAnswer() {
    List<TimeSeries> series = new ArrayList<>(shops(5, 40));
    series.add(TimeSeries.of("none"));
    series.add(TimeSeries.of("one", 12));
    series.add(TimeSeries.of("zero", 0));
    series.add(TimeSeries.of("two", 12, 15));
    series.add(TimeSeries.of("same", 7, 7, 7, 7, 7, 7, 7, 7));
    series.add(TimeSeries.of("zeros", new double[20]));
    Forecasts next = Forecaster.DEFAULT.withHorizon(4).fit(series);
    assertEquals(Forecast.Kind.NONE, next.of("none").kind());
    assertTrue(Double.isNaN(next.of("none").median(0)));
    assertTrue(Double.isNaN(next.of("none").probability(0, 1)));
    assertEquals(0, next.of("none").sample(5, new SplittableRandom(1)).length);
    assertEquals(Forecast.Kind.ONE, next.of("one").kind());
    assertEquals(12, next.of("one").median(3), 1e-4);
    assertEquals(0, next.of("zero").median(3), 1e-4);
    assertEquals(Forecast.Kind.SHORT, next.of("two").kind());
    assertEquals(Forecast.Kind.CONSTANT, next.of("same").kind());
    assertEquals(7, next.of("same").median(3), 0.5);
    assertEquals(0, next.of("zeros").quantile(3, 0.999));
    for (Forecast each : next.all())
      for (int step = 0; step < 4; step++)
        for (double q : each.quantiles(step, LEVELS))
          assertEquals(each.kind() == Forecast.Kind.NONE, Double.isNaN(q), each.id());
  }

  @Test
  void nothingAtAllIsForecastAsNothing() {
    Forecasts nothing = Forecaster.DEFAULT.withHorizon(3).withSeasons(12).fit(List.of());
    assertEquals(List.of(), nothing.all());
    assertEquals(0, nothing.model().learnedFrom());
  }

  @Test
  void quantilesInvertProbabilities() {
    Forecasts next = Forecaster.DEFAULT.withHorizon(4).withSeasons(12).fit(shops(30, 50));
    for (Forecast each : next.all())
      for (int step = 0; step < 4; step++)
        for (double level : LEVELS)
          assertEquals(level, each.probability(step, each.quantile(step, level)), 2e-5, each.id());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 40})
  void forecastsStayBetweenBounds(int length) {
    List<TimeSeries> series = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      SplittableRandom random = new SplittableRandom(i);
      double[] y = new double[length];
      for (int t = 0; t < length; t++) y[t] = Math.clamp(95 + 5 * random.nextGaussian(), 0, 100);
      series.add(TimeSeries.of("s" + i, y));
    }
    Forecasts next = Forecaster.DEFAULT.withHorizon(8).withBounds(0, 100).fit(series);
    for (Forecast each : next.all()) {
      for (int step = 0; step < 8; step++)
        for (double q : each.quantiles(step, LEVELS))
          assertTrue(q >= 0 && q <= 100, each.id() + ", step " + step + ": " + q);
      for (double[] path : each.sample(2_000, new SplittableRandom(2)))
        for (double value : path) assertTrue(value >= 0 && value <= 100, each.id());
    }
  }

  @Test
  void valuesOutsideTheBoundsHaveAnAnswer() {
    List<TimeSeries> series = new ArrayList<>(shops(3, 30));
    series.add(TimeSeries.of("outside", 1, 2, 3, 400, 5, 6, 7, 8, 9, 10, 11, 12));
    Forecaster forecaster = Forecaster.DEFAULT.withHorizon(2).withBounds(0, 300);
    try {
      double median = forecaster.fit(series).of("outside").median(1);
      assertTrue(median >= 0 && median <= 300, "median " + median);
    } catch (IllegalArgumentException e) {
      assertTrue(String.valueOf(e.getMessage()).contains("outside"), e.getMessage());
    }
  }

  @Test
  void aLongGapLeavesOneValueToForecastFrom() {
    double[] y = new double[3_000];
    Arrays.fill(y, Double.NaN);
    y[0] = 5;
    y[2_999] = 6;
    Forecast forecast =
        Forecaster.DEFAULT.withHorizon(3).fit(List.of(TimeSeries.of("gap", y))).of("gap");
    for (int step = 0; step < 3; step++) {
      for (double q : forecast.quantiles(step, LEVELS)) assertTrue(q >= 0 && q < 600, "" + q);
      assertTrue(forecast.quantile(step, 0.3) > 1, "0.3: " + forecast.quantile(step, 0.3));
      assertTrue(forecast.quantile(step, 0.7) < 20, "0.7: " + forecast.quantile(step, 0.7));
    }
  }

  @Test
  void gapsMayMeanZero() {
    double nan = Double.NaN;
    double[] y = {4, nan, nan, 5, nan, nan, 4, nan, nan, 6, nan, nan, 5, nan, nan, 4};
    double[] zeros = Arrays.stream(y).map(v -> Double.isNaN(v) ? 0 : v).toArray();
    Forecaster forecaster = Forecaster.DEFAULT.withHorizon(2);
    Forecast meant =
        forecaster.withGaps(Forecaster.Gaps.ZERO).fit(List.of(TimeSeries.of("a", y))).of("a");
    Forecast same = forecaster.fit(List.of(TimeSeries.of("a", zeros))).of("a");
    assertArrayEquals(same.quantiles(1, LEVELS), meant.quantiles(1, LEVELS));
    assertEquals(Forecaster.Gaps.ZERO, forecaster.withGaps(Forecaster.Gaps.ZERO).gaps());
  }

  @Test
  void stepsOutsideTheHorizonAreRefusedInWords() {
    Forecast one = Forecaster.DEFAULT.withHorizon(2).fit(shops(3, 30)).of("shop 1");
    for (int step : new int[] {-1, 2})
      for (Executable asked :
          List.<Executable>of(() -> one.median(step), () -> one.probability(step, 3))) {
        RuntimeException e = assertThrows(RuntimeException.class, asked);
        assertTrue(String.valueOf(e.getMessage()).contains("step"), e.toString());
      }
  }

  @Test
  void levelsThatDoNotAscendAreRefused() {
    Forecast one = Forecaster.DEFAULT.withHorizon(2).fit(shops(3, 30)).of("shop 1");
    assertThrows(IllegalArgumentException.class, () -> one.quantiles(0, 0.9, 0.1));
  }

  @Test
  void positiveSeriesKeepPositiveQuantiles() {
    double[] y = new double[60];
    Arrays.fill(y, 5);
    y[59] = 0.1;
    Forecast one = Forecaster.DEFAULT.withHorizon(4).fit(List.of(TimeSeries.of("a", y))).of("a");
    for (int step = 0; step < 4; step++)
      for (double q : one.quantiles(step, LEVELS)) assertTrue(q > 0, "step " + step + ": " + q);
  }

  /// No interval is wider than 100 times the range of the history.
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void closeValuesFarFromZeroKeepTheirForecastNear(int count) {
    double[] y = {1e9, 1e9 + 1, 1e9};
    TimeSeries series = TimeSeries.of("a", Arrays.copyOf(y, count));
    Forecast one = Forecaster.DEFAULT.withHorizon(4).fit(List.of(series)).of("a");
    for (int step = 0; step < 4; step++) {
      double width = one.quantile(step, 0.9999) - one.quantile(step, 0.0001);
      assertTrue(width <= 100, "step " + step + ": " + width);
    }
  }

  @Test
  void twoSeriesWithOneIdAreRefused() {
    List<TimeSeries> series =
        List.of(TimeSeries.of("a", 1, 2, 3), TimeSeries.of("b", 1, 2), TimeSeries.of("a", 4, 5, 6));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Forecaster.DEFAULT.fit(series));
    assertEquals(
        "series 1 and 3 both have the id 'a'; give each series an id of its own", e.getMessage());
  }
}
