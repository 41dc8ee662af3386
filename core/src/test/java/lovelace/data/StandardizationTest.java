package lovelace.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StandardizationTest {

  @Test
  void columnsAndTargetGetMeanZeroAndDeviationOne() {
    for (int seed = 1; seed <= 10; seed++) {
      var random = new SplittableRandom(seed);
      int n = 2 + random.nextInt(40);
      double size = Math.pow(10, random.nextDouble(-200, 200));
      double[] x = random.doubles(2L * n, 3 * size, 4 * size).toArray();
      double[] y = random.doubles(n, -1, 2).toArray();
      Dataset data = Dataset.of(x, 2, y);
      Standardization s = Standardization.of(data);
      Dataset standard = s.apply(data);
      for (int j = 0; j < 3; j++) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < n; i++) {
          double v = j < 2 ? standard.inputs()[2 * i + j] : standard.target()[i];
          sum += v / n;
          squares += v * v / n;
        }
        assertEquals(0, sum, 1e-12, "seed " + seed);
        assertEquals(1, squares, 1e-12, "seed " + seed);
      }
      assertArrayEquals(x, s.invertInputs(standard.inputs()), 1e-14 * 4 * size);
      for (int i = 0; i < n; i++) assertEquals(y[i], s.mean(standard.target()[i]), 1e-14);
    }
  }

  @Test
  void everythingIsUndone() {
    Standardization s = Standardization.of(new double[] {1, 2}, new double[] {3, 4}, 5, 6);
    assertEquals(17, s.mean(2));
    assertEquals(72, s.variance(2));
    assertArrayEquals(new double[] {36, -72}, s.covariance(new double[] {1, -2}));
    assertEquals(8, s.lengthscale(1, 2));
    assertArrayEquals(new double[] {1, 0}, s.applyInputs(new double[] {4, 2}));
    // a normal density of one target: log N(y; m, v) = log N(z; m', v') − log 6
    double z = s.applyTarget(9);
    double standard = -0.5 * z * z / 0.7 - 0.5 * Math.log(2 * Math.PI * 0.7);
    double v = s.variance(0.7);
    double direct = -0.5 * (9 - 5) * (9 - 5) / v - 0.5 * Math.log(2 * Math.PI * v);
    assertEquals(direct, s.logLikelihood(standard, 1), 1e-14);
  }

  @Test
  void noSpreadMeansScaleOne() {
    Standardization one = Standardization.of(Dataset.of(new double[] {7}, 1, new double[] {3}));
    assertEquals(7, one.inputShift(0));
    assertEquals(1, one.inputScale(0));
    assertEquals(3, one.targetShift());
    assertEquals(1, one.targetScale());
    Dataset flat = Dataset.of(new double[] {1, 2, 3}, 1, new double[] {0.1, 0.1, 0.1});
    assertEquals(1, Standardization.of(flat).targetScale());
    assertEquals(0.1, Standardization.of(flat).targetShift());
  }

  @Test
  void badMapsAreRejected() {
    double[] one = {1};
    for (double scale : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
      assertThrows(IllegalArgumentException.class, () -> Standardization.of(one, one, 0, scale));
    Standardization two = Standardization.identity(2);
    assertThrows(IllegalArgumentException.class, () -> two.applyInputs(new double[3]));
  }
}
