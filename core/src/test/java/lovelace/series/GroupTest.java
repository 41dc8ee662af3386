package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Evidence and forecasts against generalised least squares with whole matrices.
///
/// Covariances have condition numbers up to about 1e7, so both ways agree to 1e-8.
class GroupTest {

  private static final int CASES = Boolean.getBoolean("lovelace.long") ? 400 : 30;

  private static final double TOLERANCE = 1e-8;

  @Test
  void everyPrefixHasTheEvidenceAndForecastsOfLeastSquares() {
    for (long seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Shape shape = Oracle.shape(random);
      int n = random.nextInt(8, 45);
      int h = random.nextInt(1, 10);
      List<History> histories = new ArrayList<>();
      for (int i = random.nextInt(1, 4); i > 0; i--)
        histories.add(History.of(Oracle.walk(n, random), Library.POWERS));
      Group group = Group.of(histories, new int[histories.size()], (i, w) -> true);
      assertEquals(3 * histories.size(), group.columns);
      Group.Whitened white = group.whitened(Factor.of(shape, n + h + random.nextInt(5)));
      double[][] k = Oracle.covariance(shape, n + h);
      for (int origin : new int[] {2, 3, n / 2, n - 1, n})
        compare(group, white.at(origin), k, steps(0, origin), steps(origin, h), "seed " + seed);
    }
  }

  @Test
  void gapsLeaveStepsOut() {
    for (long seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(1_000 + seed);
      Shape shape = Oracle.shape(random);
      int n = random.nextInt(8, 45);
      int h = random.nextInt(1, 10);
      double[] y = Oracle.walk(n, random);
      for (int t = 1; t < n - 1; t++) if (random.nextInt(3) == 0) y[t] = Double.NaN;
      History history = History.of(y, Library.POWERS);
      int[] seen = IntStream.range(0, n).filter(t -> !Double.isNaN(y[t])).toArray();
      assertEquals(seen.length < n, history.hasGaps());
      int[] steps = Forecasting.steps(history, h);
      Factor factor = Factor.of(shape, steps, null);
      Group group = Group.of(List.of(history.withoutGaps()), new int[1], (i, w) -> true);
      compare(
          group,
          group.whitened(factor).at(seen.length),
          Oracle.covariance(shape, n + h),
          seen,
          steps(n, h),
          "seed " + (1_000 + seed));
    }
  }

  /// Histories with columns of their own, with shared ones and with none, in one group. The
  /// definition adds the effects to the covariance.
  @Test
  void columnsThatAreKnownAddTheirEffectsToTheCovariance() {
    for (long seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(2_000 + seed);
      Shape shape = Oracle.shape(random);
      int n = random.nextInt(8, 40);
      int h = random.nextInt(1, 8);
      Covariates shared = covariates(random, n + h + 3);
      List<Covariates> all = new ArrayList<>();
      List<History> histories = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Covariates own =
            switch (i % 4) {
              case 0, 2 -> shared.from(2);
              case 1 -> Covariates.of(List.of(), new double[0][]);
              default -> covariates(random, n + h);
            };
        all.add(own);
        histories.add(History.of(Oracle.walk(n, random), Library.POWERS).with(own));
      }
      Group group = Group.knowing(histories, new int[histories.size()], (i, w) -> true);
      assertEquals(12, group.columns);
      assertEquals(3, group.blocks.size());
      Group.Whitened white = group.whitened(Factor.of(shape, n + h));
      for (int origin : new int[] {2, n / 2, n})
        for (int i = 0; i < histories.size(); i++) {
          double[][] k = Oracle.covariance(shape, n + h);
          Covariates own = all.get(i);
          for (int a = 0; a < n + h; a++)
            for (int b = 0; b < n + h; b++)
              for (int c = 0; c < own.size(); c++)
                k[a][b] += 10 * (1 + shape.level()) * own.at(c, a) * own.at(c, b);
          int wanted = i;
          compare(
              group,
              white.at(origin),
              k,
              steps(0, origin),
              steps(origin, h),
              "seed " + (2_000 + seed) + ", series " + i,
              c -> group.history[c] == wanted);
        }
    }
  }

  /// A column of numbers and one of zeros and ones.
  private static Covariates covariates(SplittableRandom random, int rows) {
    double[] price = new double[rows];
    double[] day = new double[rows];
    for (int t = 0; t < rows; t++) {
      price[t] = 10 + random.nextGaussian();
      day[t] = random.nextInt(4) == 0 ? 1 : 0;
    }
    return Covariates.of(List.of("price", "day"), new double[][] {price, day});
  }

  @Test
  void columnsThatDoNotChangeAreLeftOutAndRareOnesReachFar() {
    double[] rare = new double[50];
    rare[7] = 1;
    rare[20] = 1;
    rare[21] = 1;
    double[] late = new double[50];
    late[45] = 3;
    Covariates all = Covariates.of(List.of("rare", "late"), new double[][] {rare, late});
    assertEquals(List.of("rare"), all.varying(40).names());
    assertEquals(1, all.varying(40).at(0, 7));
    assertEquals(all.varying(40), all.varying(30));
    assertEquals(all, all.varying(50));
    assertEquals(List.of("late"), all.from(25).varying(25).names());
    assertEquals(33, all.reach(40));
    assertEquals(10, all.from(40).reach(10) + 5, "once is as far as it goes");
  }

  private static int[] steps(int from, int count) {
    return IntStream.range(from, from + count).toArray();
  }

  private static void compare(
      Group group,
      Group.Whitened.Origin origin,
      double[][] k,
      int[] steps,
      int[] ahead,
      String place) {
    compare(group, origin, k, steps, ahead, place, c -> true);
  }

  private static void compare(
      Group group,
      Group.Whitened.Origin origin,
      double[][] k,
      int[] steps,
      int[] ahead,
      String place,
      IntPredicate wantedColumn) {
    int n = steps.length;
    Group.Whitened.Ahead found = origin.ahead(ahead.length);
    for (int c = 0; c < group.columns; c++) {
      if (!wantedColumn.test(c)) continue;
      History history = group.histories.get(group.history[c]);
      Warp warp = history.warps.get(group.warp[c]);
      double[] z = new double[n];
      double jacobian = 0;
      for (int t = 0; t < n; t++) {
        z[t] = warp.of(history.values[t]);
        jacobian += warp.logSlope(history.values[t]);
      }
      Oracle.Estimate wanted = Oracle.estimate(k, steps, z, ahead, 0);
      String at = place + ", origin " + n + ", " + warp;
      double size = Arrays.stream(z).map(Math::abs).max().orElseThrow();
      assertRelative(wanted.squares(), origin.sum[c], wanted.squares(), at);
      assertRelative(
          wanted.evidence() + jacobian, origin.evidence(c), Math.abs(wanted.evidence()) + 1, at);
      for (int s = 0; s < ahead.length; s++) {
        double centre = history.centre[group.warp[c]];
        assertRelative(wanted.place()[s], centre + found.place()[s * group.columns + c], size, at);
        assertRelative(wanted.cross()[s][s], found.variance(s, c), wanted.cross()[s][s], at);
      }
    }
  }

  private static void assertRelative(double wanted, double found, double size, String place) {
    assertEquals(wanted, found, TOLERANCE * size, place);
  }

  /// A model that can be solved by hand: no memory at all, so the level is the mean.
  @Test
  void noiseAloneForecastsTheMeanWithStudentsSpread() {
    Shape noise = new Shape(0, Slope.NONE, List.of(), 0, 0);
    double[] y = {1.25, 2.125, 0.5, 3.0625};
    History history = History.of(y, List.of(new Warp.Power(1)));
    Group group = Group.of(List.of(history), new int[1], (i, w) -> true);
    Group.Whitened.Origin origin = group.whitened(Factor.of(noise, 6)).at(4);
    double mean = Arrays.stream(y).average().orElseThrow() / history.scale;
    double squares = Arrays.stream(y).map(v -> v / history.scale - mean).map(e -> e * e).sum();
    assertEquals(squares, origin.sum[0], 1e-14);
    assertEquals(-0.5 * Math.log(4) - 1.5 * Math.log(squares), origin.evidence(0), 1e-13);
    Group.Whitened.Ahead ahead = origin.ahead(2);
    assertEquals(mean - history.centre[0], ahead.place()[1], 1e-14);
    assertEquals(1 + 1. / 4, ahead.variance()[1], 1e-14);
  }

  @Test
  void valuesThatAreRoundedAreNeverCloserThanTheirRounding() {
    double[] y = {7, 7, 7, 7, 7};
    History history = History.of(y, List.of(new Warp.Power(1)));
    Group group = Group.of(List.of(history), new int[1], (i, w) -> true);
    Shape noise = new Shape(0, Slope.NONE, List.of(), 0, 0);
    Group.Whitened.Origin origin = group.whitened(Factor.of(noise, 5)).at(5);
    // A value rounded to whole numbers has the variance 1/12; five of them, in units of 7².
    assertEquals(5. / 12 / 49, origin.sum[0], 1e-14);
  }

  /// The errors of forecasts of values that are there, with columns that some of the histories
  /// know.
  @Test
  void errorsAreTheValuesLessTheirForecasts() {
    for (long seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int n = random.nextInt(14, 45);
      int h = random.nextInt(1, 6);
      double[][] known = new double[random.nextInt(1, 3)][n + h];
      for (double[] column : known)
        for (int t = 0; t < n + h; t++) column[t] = random.nextGaussian();
      Covariates columns =
          Covariates.of(known.length == 1 ? List.of("a") : List.of("a", "b"), known);
      List<History> histories = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        History history = History.of(Oracle.walk(n, random), Library.POWERS);
        histories.add(i == 1 ? history.with(columns) : history);
      }
      Group group = Group.knowing(histories, new int[3], (i, w) -> true);
      assertEquals(2, group.blocks.size());
      Group.Whitened white = group.whitened(Factor.of(Oracle.shape(random), n));
      Group.Whitened.Origin origin = white.at(n - h);
      Group.Whitened.Ahead ahead = origin.ahead(h);
      Group.Whitened.Errors errors = origin.errors(h);
      for (int k = 0; k < h; k++)
        for (int c = 0; c < group.columns; c++) {
          double[] z = histories.get(group.history[c]).warped[group.warp[c]];
          double wanted = z[n - h + k] - ahead.place()[k * group.columns + c];
          double size = Arrays.stream(z).map(Math::abs).max().orElseThrow();
          assertRelative(wanted, errors.error()[k * group.columns + c], size, "seed " + seed);
          double variance = ahead.variance(k, c);
          assertRelative(variance, errors.variance(k, c), variance, "seed " + seed);
        }
    }
  }

  @Test
  void onePassGivesEveryOrigin() {
    SplittableRandom random = new SplittableRandom(11);
    History history = History.of(Oracle.walk(30, random), Library.POWERS);
    Group group = Group.of(List.of(history), new int[1], (i, w) -> true);
    Group.Whitened white = group.whitened(Factor.of(Oracle.shape(random), 30));
    int[] lengths = {2, 7, 19, 30};
    Group.Whitened.Origin[] all = white.at(lengths);
    for (int i = 0; i < lengths.length; i++)
      for (int c = 0; c < group.columns; c++) {
        assertEquals(white.at(lengths[i]).sum[c], all[i].sum[c], 0);
        assertEquals(white.at(lengths[i]).level[c], all[i].level[c], 0);
      }
  }
}
