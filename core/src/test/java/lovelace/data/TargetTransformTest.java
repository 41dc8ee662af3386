package lovelace.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.linear.Gaussian;
import org.junit.jupiter.api.Test;

class TargetTransformTest {

  private static final double M = 0.7;
  private static final double V = 0.3;

  /// `∫ g(z) N(z; M, V) dz` by the trapezoidal rule, exact to rounding for smooth g.
  private static double expectation(DoubleUnaryOperator g) {
    double sum = 0;
    double h = 0.05;
    for (double q = -12; q <= 12; q += h)
      sum += g.applyAsDouble(M + Math.sqrt(V) * q) * Math.exp(-0.5 * q * q);
    return sum * h / Math.sqrt(2 * Math.PI);
  }

  @Test
  void momentsOfTheLogTransformAreThoseOfTheLogNormal() {
    double mean = expectation(Math::exp);
    assertEquals(mean, TargetTransform.LOG.mean(M, V), 1e-12);
    assertEquals(
        expectation(z -> Math.pow(Math.exp(z) - mean, 2)),
        TargetTransform.LOG.variance(M, V),
        1e-11);
    assertEquals(
        TargetTransform.LOG.variance(M, V), TargetTransform.LOG.covariance(M, V, M, V, V), 1e-12);
    assertEquals(0, TargetTransform.LOG.covariance(M, V, 2, 1, 0), 0);
  }

  @Test
  void theDensityInTheOriginalUnitIntegratesToOneAndToTheMean() {
    double mass = 0;
    double mean = 0;
    double h = 1e-3;
    for (double y = h; y < 60; y += h) {
      double p = Math.exp(TargetTransform.LOG.logDensity(y, M, V));
      mass += p * h;
      mean += y * p * h;
    }
    assertEquals(1, mass, 1e-7);
    assertEquals(TargetTransform.LOG.mean(M, V), mean, 1e-6);
    assertEquals(Double.NEGATIVE_INFINITY, TargetTransform.LOG.logDensity(-1, M, V));
  }

  @Test
  void theJacobianIsTheDerivative() {
    for (TargetTransform t : List.of(TargetTransform.NONE, TargetTransform.LOG, ranks()))
      for (double y : new double[] {0.01, 1, 300}) {
        double h = 1e-5 * y;
        double slope = (t.apply(y + h) - t.apply(y - h)) / (2 * h);
        assertEquals(Math.log(slope), t.logJacobian(y), 1e-8);
        assertEquals(y, t.invert(t.apply(y)), 1e-13 * y);
      }
    assertEquals(-Math.log(6), TargetTransform.LOG.logJacobian(new double[] {2, 3}), 1e-15);
  }

  @Test
  void quantilesPassThrough() {
    assertEquals(Math.exp(M), TargetTransform.LOG.quantile(M, V, 0), 1e-15);
    assertEquals(M - 2 * Math.sqrt(V), TargetTransform.NONE.quantile(M, V, -2), 1e-15);
  }

  @Test
  void dataIsTransformedAndItsBadRowNamed() {
    Dataset data = Dataset.of(new double[] {1, 2}, 1, new double[] {1, Math.E});
    assertArrayEquals(new double[] {0, 1}, TargetTransform.LOG.apply(data).target(), 1e-15);
    assertSame(data, TargetTransform.NONE.apply(data));
    for (double bad : new double[] {0, -3}) {
      Dataset wrong = Dataset.of(new double[] {1, 2}, 1, new double[] {1, bad});
      var e = assertThrows(IllegalArgumentException.class, () -> TargetTransform.LOG.apply(wrong));
      assertTrue(
          String.valueOf(e.getMessage())
              .startsWith("row 2 (data rows count from 1): target 'y' is " + bad));
    }
  }

  @Test
  void namesParseBack() {
    for (TargetTransform t :
        List.of(TargetTransform.NONE, TargetTransform.LOG, TargetTransform.RANKS))
      assertSame(t, TargetTransform.parse(t.toString()));
    assertThrows(IllegalArgumentException.class, () -> TargetTransform.parse("sqrt"));
  }

  // ---- ranks ----

  /// Of targets with heavy tails on both sides, some of them equal.
  private static double[] targets() {
    var random = new SplittableRandom(31);
    double[] y = new double[800];
    for (int i = 0; i < y.length; i++)
      y[i] = i % 5 == 0 ? 2 : random.nextGaussian() / Math.sqrt(random.nextDouble());
    return y;
  }

  private static TargetTransform ranks() {
    return TargetTransform.ranks(targets());
  }

  /// `∫ g(u) φ(u) du` by a fine midpoint rule: its error is far below the tolerances.
  private static double fine(DoubleUnaryOperator g) {
    double sum = 0;
    double h = 1e-4;
    for (double u = -10 + 0.5 * h; u < 10; u += h)
      sum += g.applyAsDouble(u) * Math.exp(-0.5 * u * u);
    return sum * h / Math.sqrt(2 * Math.PI);
  }

  @Test
  void momentsOfRanksAreThoseOfTheirIntegrals() {
    TargetTransform t = ranks();
    for (double[] c : new double[][] {{0, 1}, {0.7, 0.3}, {-2, 0.01}, {2.5, 4}, {6, 0.2}}) {
      double m = c[0];
      double sd = Math.sqrt(c[1]);
      double mean = fine(u -> t.invert(m + sd * u));
      double variance = fine(u -> Math.pow(t.invert(m + sd * u) - mean, 2));
      assertEquals(mean, t.mean(m, c[1]), 1e-8 * (1 + Math.abs(mean)));
      assertEquals(variance, t.variance(m, c[1]), 1e-7 * variance);
      assertEquals(variance, t.covariance(m, c[1], m, c[1], c[1]), 1e-7 * variance);
      assertEquals(0, t.covariance(m, c[1], 1, 2, 0), 1e-12);
    }
    assertEquals(t.invert(0.4), t.mean(0.4, 0));
    assertEquals(0, t.variance(0.4, 0));
    assertEquals(0, t.covariance(0.4, 0, 0.4, 0, 0));
  }

  @Test
  void theCovarianceOfRanksIsThatOfItsIntegral() {
    TargetTransform t = ranks();
    for (double rho : new double[] {-0.9, -0.3, 0.2, 0.6, 0.9}) {
      double sum = 0;
      double h = 0.005;
      double rest = Math.sqrt(1 - rho * rho);
      double first = t.mean(0.3, 0.8);
      double second = t.mean(-0.5, 1.3);
      for (double a = -8; a < 8; a += h) {
        double one = t.invert(0.3 + Math.sqrt(0.8) * a) - first;
        double inner = 0;
        for (double b = -8; b < 8; b += 16 * h)
          inner +=
              (t.invert(-0.5 + Math.sqrt(1.3) * (rho * a + rest * b)) - second)
                  * Math.exp(-0.5 * b * b);
        sum += one * inner * Math.exp(-0.5 * a * a);
      }
      double expected = sum * h * 16 * h / (2 * Math.PI);
      double found = t.covariance(0.3, 0.8, -0.5, 1.3, rho * Math.sqrt(0.8 * 1.3));
      double scale = Math.sqrt(t.variance(0.3, 0.8) * t.variance(-0.5, 1.3));
      assertEquals(expected, found, 0.002 * scale, "correlation " + rho);
    }
  }

  @Test
  void theDensityOfRanksIntegratesToOneAndToTheMean() {
    TargetTransform t = ranks();
    double mass = 0;
    double mean = 0;
    for (double z = M - 9 * Math.sqrt(V); z < M + 9 * Math.sqrt(V); z += 2e-5) {
      double low = t.invert(z);
      double high = t.invert(z + 2e-5);
      double y = 0.5 * (low + high);
      double p = Math.exp(t.logDensity(y, M, V));
      mass += p * (high - low);
      mean += y * p * (high - low);
    }
    assertEquals(1, mass, 5e-5);
    assertEquals(t.mean(M, V), mean, 5e-4);
  }

  @Test
  void crpsOfRanksIsItsIntegral() {
    TargetTransform t = ranks();
    for (double y : new double[] {-30, -1, 2, 2.5, 40, 300})
      for (double v : new double[] {0.3, 2}) {
        double sd = Math.sqrt(v);
        double from = Math.min(t.apply(y), M - 9 * sd) - 1;
        double to = Math.max(t.apply(y), M + 9 * sd) + 1;
        double h = (to - from) / 200_000;
        double sum = 0;
        for (double z = from; z < to; z += h) {
          double f = Gaussian.cdf((z + 0.5 * h - M) / sd) - (t.invert(z + 0.5 * h) >= y ? 1 : 0);
          sum += f * f * (t.invert(z + h) - t.invert(z));
        }
        assertEquals(sum, t.crps(y, M, v), 1e-4 * (1 + sum), "at " + y + ", variance " + v);
      }
    assertEquals(Math.abs(3 - t.invert(0.1)), t.crps(3, 0.1, 0), 1e-12);
  }

  @Test
  void ranksAreABijectionThatEqualTargetsDoNotSpoil() {
    double[] y = new double[400];
    for (int i = 0; i < 400; i++) y[i] = i < 300 ? 0 : i < 350 ? 1e-9 * i : i;
    for (double[] each : new double[][] {targets(), y, {1, 2}, {5, 5, 5, 6, 1e9}}) {
      TargetTransform t = TargetTransform.ranks(each);
      double before = Double.NEGATIVE_INFINITY;
      for (double z = -12; z < 12; z += 0.01) {
        double back = t.invert(z);
        assertTrue(back > before);
        assertEquals(z, t.apply(back), 1e-7);
        before = back;
      }
    }
    // most targets are 0: the density there stays of the order of the others
    assertTrue(TargetTransform.ranks(y).logJacobian(0) < 5, "a spike");
    assertThrows(
        IllegalArgumentException.class, () -> TargetTransform.ranks(new double[] {4, 4, 4}));
  }

  @Test
  void ranksComeBackFromTheirText() {
    TargetTransform t = ranks();
    TargetTransform same = TargetTransform.parse(t.text());
    assertEquals(t, same);
    assertEquals(t.hashCode(), same.hashCode());
    assertEquals("ranks", t.toString());
    assertNotEquals(t, TargetTransform.RANKS);
    assertNotEquals(TargetTransform.RANKS, TargetTransform.NONE);
    assertTrue(TargetTransform.RANKS.isOpen() && !t.isOpen());
    assertEquals(t, TargetTransform.RANKS.of(targets()));
    assertSame(TargetTransform.LOG, TargetTransform.LOG.of(targets()));
    assertThrows(IllegalStateException.class, () -> TargetTransform.RANKS.apply(1));
    String many =
        IntStream.range(0, 65).mapToObj(i -> i + ":" + i).collect(Collectors.joining(","));
    for (String wrong :
        List.of(
            "ranks()",
            "ranks(1:2)",
            "ranks(1:2,1:3)",
            "ranks(1:2,3:2)",
            "ranks(1,2)",
            "ranks(1:2,NaN:3)",
            "ranks(1:2,Infinity:3)",
            "ranks(0:0,4.9E-324:1)",
            "ranks(1:2,3:4",
            "ranks(" + many + ")"))
      assertThrows(IllegalArgumentException.class, () -> TargetTransform.parse(wrong), wrong);
  }
}
