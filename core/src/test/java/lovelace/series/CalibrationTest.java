package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.linear.Gaussian;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalibrationTest {

  /// Shares of values that are `widths[step]` times as far from the median as was forecast.
  private static List<double[]> shares(int series, double[] widths, SplittableRandom random) {
    List<double[]> all = new ArrayList<>();
    for (int i = 0; i < series; i++) {
      double[] u = new double[widths.length];
      for (int k = 0; k < u.length; k++) u[k] = Gaussian.cdf(widths[k] * random.nextGaussian());
      all.add(u);
    }
    return all;
  }

  private static Calibration random(SplittableRandom random, int steps) {
    double[] widths = new double[steps];
    for (int k = 0; k < steps; k++) widths[k] = Math.exp(random.nextDouble(-1.5, 1.5));
    return Calibration.of(shares(random.nextInt(1, 60), widths, random));
  }

  /// A normal distribution function and its inverse lose digits in the tails, where a share is
  /// close to 1.
  @Test
  void shareInvertsLevel() {
    for (long seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int steps = random.nextInt(1, 20);
      Calibration calibration = random(random, steps);
      for (int i = 0; i < 50; i++) {
        int step = random.nextInt(steps);
        double p = random.nextDouble(0.005, 0.995);
        double level = calibration.level(step, steps, p);
        if (Math.min(level, 1 - level) < 1e-12) continue;
        assertEquals(p, calibration.share(step, steps, level), 1e-6, "seed " + seed);
      }
    }
  }

  @Test
  void levelsAscendAndTheMedianStays() {
    for (long seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int steps = random.nextInt(1, 20);
      Calibration calibration = random(random, steps);
      for (int step = 0; step < steps; step++) {
        double before = -1;
        for (double p = 0.001; p < 0.9995; p += 0.0131) {
          double level = calibration.level(step, steps, p);
          double opposite = calibration.level(step, steps, 1 - p);
          assertTrue(level >= before, "seed " + seed + " at " + p);
          assertEquals(1, level + opposite, 1e-9, "both sides alike, seed " + seed);
          before = level;
        }
        assertEquals(0.5, calibration.level(step, steps, 0.5), 1e-15);
      }
    }
  }

  @Test
  void noneLeavesEveryLevel() {
    for (double p = 0.0005; p < 1; p += 0.0111)
      for (int step = 0; step < 5; step++) {
        assertEquals(p, Calibration.NONE.level(step, 5, p), 1e-9);
        assertEquals(p, Calibration.NONE.share(step, 5, p), 1e-9);
      }
    assertSame(Calibration.START, Calibration.of(List.of()));
  }

  /// How much wider an interval becomes.
  private static double factor(Calibration calibration, int step, int steps, double level) {
    double p = 0.5 + level / 2;
    return Gaussian.quantile(calibration.level(step, steps, p)) / Gaussian.quantile(p);
  }

  @Test
  void fewSeriesStayNearTheStart() {
    double[][] far = {{1e-4, 1 - 1e-4, 1e-4}};
    Calibration calibration = Calibration.of(List.of(far[0]));
    // One series against twenty, half of it, and at most 5 before: 5^(1/42).
    for (int step = 0; step < 3; step++)
      for (double level : new double[] {0.5, 0.8, 0.95}) {
        double start = Math.exp(0.05 * step);
        assertEquals(start, factor(Calibration.START, step, 3, level), 1e-9);
        double change = factor(calibration, step, 3, level) / start;
        assertTrue(change > 0.9 && change <= Math.pow(5, 1 / 42.) * 1.0001, "" + change);
      }
  }

  /// Half of the logarithm of the width is found, the rest is the start. With 4,000 series a
  /// quantile is known to about 2 %, so four standard errors are 5 %.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 12, 18})
  void eachPartOfTheHorizonGetsItsOwnFactor(int steps) {
    SplittableRandom random = new SplittableRandom(steps);
    int parts = Math.min(3, steps);
    double[] widths = new double[steps];
    double[] wanted = {0.7, 1.2, 2};
    int[] part = new int[steps];
    // Equal widths wherever the calibration looks up the same factors.
    Calibration mark = new Calibration(marks(parts));
    for (int k = 0; k < steps; k++) {
      part[k] = (int) Math.rint(factor(mark, k, steps, 0.95)) - 1;
      widths[k] = wanted[part[k]];
    }
    Calibration calibration = Calibration.of(shares(4_000, widths, random));
    for (int k = 0; k < steps; k++)
      for (double level : new double[] {0.5, 0.8, 0.95})
        assertEquals(
            Math.sqrt(widths[k] * Math.exp(0.05 * part[k])),
            factor(calibration, k, steps, level),
            0.05 * Math.sqrt(widths[k]),
            "step " + k + " of " + steps + ", part " + part[k]);
  }

  private static double[][] marks(int parts) {
    double[][] factors = new double[parts][3];
    for (int p = 0; p < parts; p++) java.util.Arrays.fill(factors[p], p + 1.);
    return factors;
  }
}
