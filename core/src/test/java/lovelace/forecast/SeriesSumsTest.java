package lovelace.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SeriesSumsTest {

  private static final int STEPS = 4;
  private static final int LENGTH = 48;
  private static final int EACH = 4;
  private static final int GROUPS = Boolean.getBoolean("lovelace.long") ? 200 : 24;

  /// Groups of series that move together: a share of each step is common to the group.
  private static double[][] simulate(int groups, double common, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[][] all = new double[groups * EACH][LENGTH + STEPS];
    for (int g = 0; g < groups; g++) {
      double[] level = new double[EACH];
      for (int i = 0; i < EACH; i++) level[i] = 200 + 40 * i;
      for (int t = 0; t < LENGTH + STEPS; t++) {
        double walk = random.nextGaussian();
        double noise = random.nextGaussian();
        for (int i = 0; i < EACH; i++) {
          level[i] +=
              2 * (Math.sqrt(common) * walk + Math.sqrt(1 - common) * random.nextGaussian());
          all[g * EACH + i][t] =
              level[i]
                  + 4 * (Math.sqrt(common) * noise + Math.sqrt(1 - common) * random.nextGaussian());
        }
      }
    }
    return all;
  }

  /// Scores of sums: shares inside of 80 and 95 %, and squared errors of sums and series by agreed
  /// and by base forecasts.
  @SuppressWarnings("ArrayRecordComponent")
  private record Scores(double in80, double in95, double[] agreed, double[] base) {}

  private static Scores scores(double common, int groups, long seed) {
    double[][] all = simulate(groups, common, seed);
    List<TimeSeries> series = new ArrayList<>();
    for (int i = 0; i < all.length; i++)
      series.add(TimeSeries.of("s" + i, Arrays.copyOf(all[i], LENGTH)));
    ForecastModel model = Forecaster.DEFAULT.withHorizon(STEPS).learn(series);
    int in80 = 0;
    int in95 = 0;
    double[] agreed = new double[2];
    double[] base = new double[2];
    for (int g = 0; g < groups; g++) {
      int from = g * EACH;
      int[] members = new int[EACH];
      Arrays.setAll(members, i -> i);
      SeriesSums.Draws draws =
          SeriesSums.of(series.subList(from, from + EACH), List.of(members))
              .forecast(model, STEPS, 400, new SplittableRandom(seed + g));
      for (int k = 0; k < STEPS; k++) {
        double truth = 0;
        for (int i = 0; i < EACH; i++) truth += all[from + i][LENGTH + k];
        double[] total = draws.at(0, k);
        double[] sum = new double[total.length];
        for (int i = 0; i < EACH; i++) {
          double[] one = draws.at(1 + i, k);
          for (int d = 0; d < sum.length; d++) sum[d] += one[d];
          double value = all[from + i][LENGTH + k];
          agreed[1] += Math.pow(mean(one) - value, 2);
          base[1] += Math.pow(draws.base().get(1 + i).mean(k) - value, 2);
        }
        for (int d = 0; d < sum.length; d++)
          assertEquals(sum[d], total[d], 1e-9 * sum[d], "seed " + seed);
        agreed[0] += Math.pow(mean(total) - truth, 2);
        base[0] += Math.pow(draws.base().getFirst().mean(k) - truth, 2);
        Arrays.sort(total);
        if (truth > total[40] && truth < total[359]) in80++;
        if (truth > total[10] && truth < total[389]) in95++;
      }
    }
    double count = (double) groups * STEPS;
    return new Scores(in80 / count, in95 / count, agreed, base);
  }

  private static double mean(double... values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  @Test
  void intervalsOfSumsHoldWhetherSeriesMoveTogetherOrNot() {
    for (double common : new double[] {0, 0.7}) {
      Scores found = scores(common, GROUPS, 11);
      String said =
          String.format(
              Locale.ROOT,
              "seed 11, common %.1f: inside %.3f and %.3f; squared error of sums %.4f, of series %.4f times the base",
              common,
              found.in80,
              found.in95,
              found.agreed[0] / found.base[0],
              found.agreed[1] / found.base[1]);
      // three standard errors, as if the steps of a group were one value; 200 groups are within
      // 0.02
      assertEquals(0.8, found.in80, 3 * Math.sqrt(0.16 / GROUPS), said);
      assertEquals(0.95, found.in95, 3 * Math.sqrt(0.0475 / GROUPS), said);
      assertTrue(found.agreed[0] < 1.05 * found.base[0], said);
      assertTrue(found.agreed[1] < 1.05 * found.base[1], said);
    }
  }

  @Test
  void wholeNumbersStayWholeAndNothingIsNegative() {
    SplittableRandom random = new SplittableRandom(4);
    List<TimeSeries> series = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      double[] y = new double[30];
      for (int t = 0; t < y.length; t++) y[t] = Math.max(0, random.nextInt(7) - 3);
      series.add(TimeSeries.of("s" + i, y));
    }
    series.add(TimeSeries.of("zero", new double[30]));
    series.add(TimeSeries.of("none"));
    ForecastModel model = Forecaster.DEFAULT.withHorizon(3).learn(series);
    SeriesSums.Draws draws =
        SeriesSums.of(series, List.of(new int[] {0, 1, 2, 3, 4}, new int[] {0, 1}))
            .forecast(model, 3, 200, random);
    for (int place = 0; place < 7; place++)
      for (int k = 0; k < 3; k++)
        for (double value : draws.at(place, k)) {
          assertTrue(value >= 0, place + ": " + value);
          if (place > 1) assertEquals(Math.rint(value), value, 1e-6, place + ": " + value);
          if (place == 6) assertEquals(0, value, 1e-6, "a series without values adds nothing");
        }
    double zeros = 0;
    for (int k = 0; k < 3; k++) for (double value : draws.at(5, k)) zeros += value / 600;
    assertTrue(zeros < 0.2, "a series of zeros hardly sells: " + zeros);
  }

  @Test
  void sumsHaveGapsWhereTheirSeriesHave() {
    SeriesSums sums =
        SeriesSums.of(
            List.of(
                TimeSeries.of("a", 1, 2, 3, 4, 5),
                TimeSeries.of("late", 10, Double.NaN, 30),
                TimeSeries.of("ends", 100, 200, 300)),
            new long[] {5, 7, 5},
            List.of(new int[] {0, 1}, new int[] {0, 2}),
            Forecaster.Gaps.MISSING);
    assertEquals(10, sums.begin());
    assertEquals("[1.0, 2.0, 13.0, NaN, 35.0]", Arrays.toString(sums.sum(0).values()));
    assertEquals("[101.0, 202.0, 303.0]", Arrays.toString(sums.sum(1).values()));
    assertEquals(2, sums.longestLead());
  }

  @Test
  void theSameSeedGivesTheSameDraws() {
    double[][] all = simulate(1, 0.5, 2);
    List<TimeSeries> series = new ArrayList<>();
    for (int i = 0; i < EACH; i++) series.add(TimeSeries.of("s" + i, all[i]));
    ForecastModel model = Forecaster.DEFAULT.withHorizon(2).learn(series);
    SeriesSums sums = SeriesSums.of(series, List.of(new int[] {0, 1}));
    double[] one = sums.forecast(model, 2, 100, new SplittableRandom(3)).at(0, 1);
    double[] two = sums.forecast(model, 2, 100, new SplittableRandom(3)).at(0, 1);
    assertEquals(Arrays.toString(one), Arrays.toString(two));
  }
}
