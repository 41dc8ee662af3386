package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
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
    int n = steps.length;
    Group.Whitened.Ahead found = origin.ahead(ahead.length);
    for (int c = 0; c < group.columns; c++) {
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
        assertRelative(wanted.cross()[s][s], found.variance()[s], wanted.cross()[s][s], at);
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
}
