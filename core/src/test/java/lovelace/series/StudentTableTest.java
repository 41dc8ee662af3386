package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StudentTableTest {

  private static final int CASES = Boolean.getBoolean("lovelace.long") ? 20_000 : 500;

  /// The table promises 1e-9.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 8, 13, 30, 61, 100, 250, 399, 400})
  void distributionFunctionIsExactTo1e9(int nu) {
    StudentTable table = StudentTable.of(nu);
    SplittableRandom random = new SplittableRandom(nu);
    for (int i = 0; i < CASES; i++) {
      double x = i % 3 == 0 ? random.nextDouble(-17, 17) : Math.sinh(random.nextDouble(-22, 22));
      assertEquals(Oracle.student(x, nu), table.cdf(x), 1e-9, "at " + x);
    }
    for (double x : new double[] {0, -0.0, 16, -16, Math.nextDown(16.), 1e300})
      assertEquals(Oracle.student(x, nu), table.cdf(x), 1e-9, "at " + x);
  }

  @Test
  void theFiniteSumsAreTheIntegralOfTheDensity() {
    for (int nu : new int[] {1, 2, 7, 40}) {
      StudentTable table = StudentTable.of(nu);
      double x = 1.7;
      int pieces = 2_000; // Simpson's rule; its error is below (x/pieces)⁴.
      double sum = 0;
      for (int i = 0; i <= pieces; i++) {
        double weight = i == 0 || i == pieces ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * Math.exp(table.logDensity(i * x / pieces));
      }
      assertEquals(0.5 + sum * x / pieces / 3, Oracle.student(x, nu), 1e-12);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 30, 400})
  void quantilesInvertTheDistributionFunction(int nu) {
    StudentTable table = StudentTable.of(nu);
    SplittableRandom random = new SplittableRandom(nu);
    for (int i = 0; i < CASES / 5; i++) {
      double p = i % 2 == 0 ? random.nextDouble() : 1e-5 * random.nextDouble(0.01, 1);
      if (i % 4 == 1) p = 1 - p;
      // The table's 1e-9 twice, and rounding. It ends where 1.6e-8 of Cauchy's distribution is
      // left.
      assertEquals(p, Oracle.student(table.quantile(p), nu), 3e-9, "at " + p);
    }
    assertEquals(0, table.quantile(0.5));
  }

  @Test
  void pinnedQuantiles() {
    // Of Cauchy's distribution, and of 10 degrees of freedom (Student's table).
    assertEquals(Math.tan(Math.PI * 0.475), StudentTable.of(1).quantile(0.975), 1e-5);
    assertEquals(2.228139, StudentTable.of(10).quantile(0.975), 1e-6);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 6, 50, 400})
  void distributionFunctionAscends(int nu) {
    StudentTable table = StudentTable.of(nu);
    double before = 0;
    for (double u = -40; u < 40; u += 0.003) {
      double p = table.cdf(Math.sinh(u));
      assertTrue(p >= before - 1e-15, () -> "nu " + nu);
      before = p;
    }
    assertTrue(before <= 1);
  }

  /// Histories have up to 1,008 values.
  @ParameterizedTest
  @ValueSource(ints = {401, 700, 1007})
  void manyDegreesOfFreedomAreExactTo1e9Too(int nu) {
    StudentTable table = StudentTable.of(nu);
    for (double x = -6; x < 6; x += 0.37)
      assertEquals(Oracle.student(x, nu), table.cdf(x), 1e-9, "at " + x);
  }
}
