package lovelace.forecast;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Counts and amounts with zeros, from series to forecasts.
class CountForecastTest {

  private static final double[] LEVELS = {0.01, 0.1, 0.5, 0.9, 0.99};
  private static final Forecaster AHEAD = Forecaster.DEFAULT.withHorizon(4).withSeasons(7);

  private static double count(SplittableRandom random) {
    return random.nextInt(3) == 0 ? random.nextInt(1, 6) : 0;
  }

  private static List<TimeSeries> table() {
    SplittableRandom random = new SplittableRandom(31);
    List<TimeSeries> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      double[] counts = new double[60];
      double[] amounts = new double[60];
      double[] large = new double[60];
      for (int t = 0; t < 60; t++) {
        counts[t] = count(random);
        amounts[t] = count(random) * Math.exp(random.nextDouble());
        large[t] = 3_000 + random.nextInt(400);
      }
      if (i == 2) counts[20] = Double.NaN;
      all.add(TimeSeries.of("counts " + i, counts));
      if (i >= 3) continue;
      all.add(TimeSeries.of("amounts " + i, amounts));
      all.add(TimeSeries.of("large " + i, large));
    }
    all.add(TimeSeries.of("none", new double[40]));
    double[] one = new double[40];
    one[11] = 1;
    all.add(TimeSeries.of("one", one));
    all.add(TimeSeries.of("constant", 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5));
    all.add(TimeSeries.of("first", 2));
    return all;
  }

  private static final List<TimeSeries> TABLE = table();
  private static final Forecasts FITTED = AHEAD.fit(TABLE);

  private static void assertAll(Forecast forecast, DoublePredicate test) {
    for (int k = 0; k < forecast.horizon(); k++)
      for (double q : forecast.quantiles(k, LEVELS)) assertTrue(test.test(q), forecast.id() + q);
    for (double[] path : forecast.sample(100, new SplittableRandom(1)))
      for (double y : path) assertTrue(test.test(y), forecast.id() + y);
  }

  @Test
  void everySeriesIsForecastByItsKind() {
    for (int i = 0; i < 8; i++) {
      Forecast counts = FITTED.of("counts " + i);
      assertEquals(ValueKind.COUNTS, counts.likelihood());
      assertAll(counts, y -> y >= 0 && y == Math.rint(y));
      assertTrue(counts.probability(0, 0) > 0.4 && counts.probability(0, 0) < 0.9);
      assertTrue(counts.mean(0) > 0.3 && counts.mean(0) < 2);
      if (i >= 3) continue;
      Forecast amounts = FITTED.of("amounts " + i);
      assertEquals(ValueKind.AMOUNTS, amounts.likelihood());
      assertAll(amounts, y -> y >= 0);
      assertEquals(0, amounts.median(1));
      assertEquals(ValueKind.NUMBERS, FITTED.of("large " + i).likelihood());
    }
  }

  @Test
  void seriesWithHardlyAnythingHaveAnAnswer() {
    Forecast none = FITTED.of("none");
    assertEquals(ValueKind.COUNTS, none.likelihood());
    assertEquals(0, none.median(3));
    assertTrue(none.probability(3, 0) > 0.9 && none.probability(3, 0) < 1);
    assertTrue(none.mean(3) > 0 && none.mean(3) < 0.1);
    Forecast one = FITTED.of("one");
    assertAll(one, y -> y >= 0 && y <= 100 && y == Math.rint(y));
    assertTrue(one.probability(0, 0) < none.probability(0, 0));
    assertEquals(Forecast.Kind.ONE, FITTED.of("first").kind());
    assertAll(FITTED.of("first"), y -> y >= 0 && y == Math.rint(y));
  }

  /// Values that never change keep an interval of at least the rounding.
  @Test
  void constantsKeepAnInterval() {
    Forecast constant = FITTED.of("constant");
    assertEquals(Forecast.Kind.CONSTANT, constant.kind());
    assertEquals(5, constant.median(0), 0.1);
    assertTrue(constant.quantile(0, 0.975) - constant.quantile(0, 0.025) > 0.5);
    Forecast alone =
        AHEAD
            .withLikelihood(ValueKind.COUNTS)
            .fit(List.of(TimeSeries.of("a", 5, 5, 5, 5, 5, 5, 5, 5, 5, 5)))
            .of("a");
    assertEquals(5, alone.median(0));
    assertAll(alone, y -> y == Math.rint(y));
  }

  /// Zeros in a table of other numbers say nothing.
  @Test
  void zerosFollowTheirTable() {
    SplittableRandom random = new SplittableRandom(5);
    List<TimeSeries> numbers = new ArrayList<>(List.of(TimeSeries.of("none", new double[40])));
    for (int i = 0; i < 3; i++)
      numbers.add(TimeSeries.of("" + i, random.doubles(40, 1, 9).toArray()));
    Forecast none = AHEAD.fit(numbers).of("none");
    assertEquals(ValueKind.NUMBERS, none.likelihood());
    assertEquals(0, none.quantile(3, 0.99));
  }

  @Test
  void kindsCanBeChosen() {
    List<TimeSeries> some = TABLE.subList(0, 3);
    Forecasts numbers = AHEAD.withLikelihood(ValueKind.NUMBERS).fit(some);
    for (Forecast each : numbers.all()) assertEquals(ValueKind.NUMBERS, each.likelihood());
    Forecast large = AHEAD.withLikelihood(ValueKind.COUNTS).fit(List.of(some.get(2))).of("large 0");
    assertAll(large, y -> y > 1_000 && y == Math.rint(y));
  }

  @Test
  void wrongValuesAreNamed() {
    Forecaster counts = AHEAD.withLikelihood(ValueKind.COUNTS);
    List<TimeSeries> half = List.of(TimeSeries.of("x", 1, 2, 0.5, 1));
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> counts.fit(half)).getMessage());
    assertTrue(
        message.contains("series 'x': value 3 is 0.5, and counts are whole numbers"), message);
    List<TimeSeries> negative = List.of(TimeSeries.of("x", 1, -2));
    assertThrows(IllegalArgumentException.class, () -> counts.fit(negative));
    assertThrows(
        IllegalArgumentException.class,
        () -> AHEAD.withLikelihood(ValueKind.AMOUNTS).fit(negative));
    assertThrows(IllegalArgumentException.class, () -> counts.withBounds(0, 9));
    assertEquals(
        ValueKind.NUMBERS,
        AHEAD.withBounds(0, 9).fit(List.of(TABLE.getFirst())).of("counts 0").likelihood());
  }

  @Test
  void columnsAreForTheLibrary() {
    double[] price = new double[64];
    for (int t = 0; t < 64; t++) price[t] = t % 5;
    TimeSeries with = TABLE.getFirst().with(Columns.of(List.of("price"), new double[][] {price}));
    assertEquals(ValueKind.NUMBERS, AHEAD.fit(List.of(with)).all().getFirst().likelihood());
    Forecast counts = AHEAD.withLikelihood(ValueKind.COUNTS).fit(List.of(with)).all().getFirst();
    assertEquals(ValueKind.COUNTS, counts.likelihood());
    assertAll(counts, y -> y >= 0 && y == Math.rint(y));
  }

  @Test
  void filesHoldWhatWasLearned(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("counts.lvf");
    FITTED.save(file);
    Forecasts after = Forecasts.load(file);
    for (int i = 0; i < FITTED.all().size(); i++)
      for (int k = 0; k < 4; k++) {
        Forecast each = FITTED.all().get(i);
        Forecast same = after.all().get(i);
        assertEquals(each.likelihood(), same.likelihood());
        assertArrayEquals(each.quantiles(k, LEVELS), same.quantiles(k, LEVELS));
      }
    Forecasts counts = AHEAD.withLikelihood(ValueKind.COUNTS).fit(TABLE.subList(0, 1));
    counts.save(file);
    assertEquals(ValueKind.COUNTS, Forecasts.load(file).model().options().likelihood());
  }
}
