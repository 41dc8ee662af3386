package lovelace.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.DoubleUnaryOperator;
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
    for (TargetTransform t : TargetTransform.values())
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
    for (TargetTransform t : TargetTransform.values())
      assertSame(t, TargetTransform.parse(t.toString()));
    assertThrows(IllegalArgumentException.class, () -> TargetTransform.parse("sqrt"));
  }
}
