package lovelace.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SobolTest {

  /// Point 777 of the unscrambled sequence by SciPy 1.17.1, which uses the same numbers.
  private static final double[] POINT_777 = {
    0.6923828125, 0.9365234375, 0.1630859375, 0.2744140625, 0.6357421875, 0.3564453125,
    0.1904296875, 0.7626953125, 0.3486328125, 0.3232421875, 0.7451171875, 0.6962890625,
    0.3837890625, 0.4736328125, 0.5693359375, 0.5146484375, 0.4033203125, 0.8642578125,
    0.3701171875, 0.7529296875, 0.2373046875
  };

  @Test
  void pinnedPoints() {
    Sobol sobol = Sobol.of(21);
    assertArrayEquals(new double[21], sobol.point(0));
    assertArrayEquals(POINT_777, sobol.point(777));
    assertArrayEquals(new double[] {0.75, 0.25, 0.25}, Sobol.of(3).point(2));
  }

  @Test
  void everyAxisIsStratified() {
    for (Sobol sobol : new Sobol[] {Sobol.of(21), Sobol.shifted(21, new SplittableRandom(1))})
      for (int j = 0; j < 21; j++) {
        boolean[] seen = new boolean[256];
        for (int k = 512; k < 768; k++) {
          int cell = (int) (256 * sobol.point(k)[j]);
          assertFalse(seen[cell]);
          seen[cell] = true;
        }
      }
  }

  @Test
  void theFirstTwoAxesFillElementaryBoxesOnce() {
    Sobol sobol = Sobol.of(2);
    for (int a = 0; a <= 6; a++) {
      boolean[] seen = new boolean[64];
      for (int k = 0; k < 64; k++) {
        double[] x = sobol.point(k);
        int row = (int) (x[0] * (1 << a));
        int column = (int) (x[1] * (1 << (6 - a)));
        int cell = (row << (6 - a)) + column;
        assertFalse(seen[cell]);
        seen[cell] = true;
      }
    }
  }

  @Test
  void pointsScaleToABox() {
    assertArrayEquals(
        new double[] {2, -1}, Sobol.of(2).point(1, new double[] {1, -2}, new double[] {3, 0}));
    assertThrows(
        IllegalArgumentException.class,
        () -> Sobol.of(1).point(1, new double[] {0}, new double[] {Double.POSITIVE_INFINITY}));
    assertThrows(IllegalArgumentException.class, () -> Sobol.of(22));
    assertThrows(IllegalArgumentException.class, () -> Sobol.of(2).point(-1));
  }

  @Test
  void integratesBetterThanChance() {
    double sum = 0;
    Sobol sobol = Sobol.of(5);
    for (int k = 0; k < 4096; k++) {
      double product = 1;
      for (double x : sobol.point(k)) product *= 1.5 * Math.sqrt(x);
      sum += product / 4096;
    }
    assertEquals(1, sum, 3e-3);
  }
}
