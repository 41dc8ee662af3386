package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MixtureTest {

  private static final int CASES = Boolean.getBoolean("lovelace.long") ? 2_000 : 150;

  private static final double[] LEVELS = {
    .001, .005, .025, .05, .1, .25, .5, .5, .75, .9, .95, .975, .995, .999
  };

  /// The parts of a mixture of one step.
  @SuppressWarnings("ArrayRecordComponent")
  private record Parts(
      double scale,
      int nu,
      double[] share,
      Warp[] warp,
      double[] place,
      double[] spread,
      double low,
      double high) {

    static Parts of(SplittableRandom random) {
      int count = random.nextInt(1, 8);
      double[] share = new double[count];
      double[] place = new double[count];
      double[] spread = new double[count];
      Warp[] warp = new Warp[count];
      double sum = 0;
      for (int c = 0; c < count; c++) {
        share[c] = random.nextDouble();
        sum += share[c];
        warp[c] = Library.POWERS.get(random.nextInt(3));
        place[c] = warp[c].of(random.nextDouble(0.5, 2));
        spread[c] = Math.exp(random.nextDouble(-6, 0));
      }
      for (int c = 0; c < count; c++) share[c] /= sum;
      int nu = random.nextInt(1, 60);
      return new Parts(Math.exp(random.nextDouble(-9, 9)), nu, share, warp, place, spread, 0, 50);
    }

    Mixture mixture() {
      return new Mixture(1, scale, nu, share, warp, place, spread, low, high);
    }

    /// P(value ≤ y) from the components' own.
    double cdf(double y) {
      double sum = 0;
      for (int c = 0; c < share.length; c++) {
        if (!warp[c].takes(y / scale)) continue;
        double x = (warp[c].of(y / scale) - place[c]) / spread[c];
        sum += share[c] * Oracle.student(x, nu);
      }
      return sum;
    }

    /// The smallest value within the bounds whose share is at least p.
    double quantile(double p) {
      double a = low * scale;
      double b = high * scale;
      if (cdf(a) >= p) return a;
      for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (a + b);
        if (cdf(middle) < p) a = middle;
        else b = middle;
      }
      return b;
    }
  }

  /// The table of Student's t promises 1e-9.
  @Test
  void distributionFunctionIsTheSumOfTheComponents() {
    for (long seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Parts parts = Parts.of(random);
      Mixture mixture = parts.mixture();
      for (int i = 0; i < 20; i++) {
        double y = parts.scale * random.nextDouble(-1, 6);
        assertEquals(parts.cdf(y), mixture.cdf(0, y), 2e-9, "seed " + seed);
      }
    }
  }

  /// The search stops at a share within 1e-7; the bounds cut off the rest.
  @Test
  void quantilesAreThoseFoundByBisection() {
    for (long seed = 0; seed < CASES; seed++) {
      Parts parts = Parts.of(new SplittableRandom(seed));
      double[] found = parts.mixture().quantiles(0, LEVELS);
      for (int i = 0; i < LEVELS.length; i++) {
        String place = "seed " + seed + ", level " + LEVELS[i];
        double wanted = parts.quantile(LEVELS[i]);
        double near = parts.cdf(found[i]);
        if (Math.abs(near - LEVELS[i]) > 2e-7)
          assertEquals(wanted, found[i], 1e-9 * parts.scale, place);
        assertTrue(i == 0 || found[i] >= found[i - 1], place);
      }
    }
  }

  @Test
  void alongLevelsGiveTheSameAsOneByOne() {
    for (long seed = 0; seed < CASES; seed++) {
      Parts parts = Parts.of(new SplittableRandom(seed));
      Mixture mixture = parts.mixture();
      double[] together = mixture.quantiles(0, LEVELS);
      for (int i = 0; i < LEVELS.length; i++) {
        double alone = mixture.quantiles(0, LEVELS[i])[0];
        // Shares jump at 0, where a square root ends.
        if (Math.abs(mixture.cdf(0, together[i]) - mixture.cdf(0, alone)) > 3e-7)
          assertEquals(together[i], alone, 1e-9 * parts.scale, "seed " + seed);
      }
    }
  }

  @Test
  void noQuantileLeavesTheBounds() {
    for (long seed = 0; seed < CASES; seed++) {
      Parts wide = Parts.of(new SplittableRandom(seed));
      Parts parts =
          new Parts(
              wide.scale, 1, wide.share, wide.warp, wide.place, wide.spread, wide.low, wide.high);
      double[] found = parts.mixture().quantiles(0, 1e-9, 1 - 1e-9);
      assertTrue(found[0] >= 0 && found[1] <= 50 * parts.scale * 1.000001, "seed " + seed);
    }
  }

  @Test
  void pinnedQuantiles() {
    Warp[] plain = {new Warp.Power(1)};
    Mixture one =
        new Mixture(
            1, 10, 10, new double[] {1}, plain, new double[] {3}, new double[] {2}, -99, 99);
    // 10·(3 + 2·t) with t = 2.228139, the 0.975 quantile of 10 degrees of freedom.
    assertEquals(30 + 20 * 2.228139, one.quantiles(0, 0.975)[0], 1e-3);
    assertEquals(30, one.quantiles(0, 0.5)[0], 1e-5);
    assertEquals(0.5, one.cdf(0, 30), 1e-12);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-6, 1e-5, 5e-5, 1 - 5e-5, 1 - 1e-5, 1 - 1e-6})
  void quantilesFarOutAreThoseFoundByBisection(double level) {
    for (long seed = 0; seed < CASES; seed++) {
      Parts parts = Parts.of(new SplittableRandom(seed));
      double found = parts.mixture().quantiles(0, level)[0];
      if (Math.abs(parts.cdf(found) - level) > 3e-7)
        assertEquals(parts.quantile(level), found, 1e-6 * parts.scale, "seed " + seed);
    }
  }
}
