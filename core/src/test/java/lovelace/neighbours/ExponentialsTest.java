package lovelace.neighbours;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExponentialsTest {

  @Test
  void everyNumberHasItsExponential() {
    SplittableRandom random = new SplittableRandom(1);
    for (int n : new int[] {1, 3, 13, 207, 4098}) {
      double[] t = new double[n];
      for (int j = 0; j < n; j++) t[j] = -random.nextDouble() * Math.pow(10, random.nextInt(-9, 3));
      double[] given = t.clone();
      Exponentials.negative(t, new double[n], n);
      for (int j = 0; j < n; j++) {
        double exact = StrictMath.exp(given[j]); // itself exact to 1 ulp
        assertEquals(exact, t[j], 5e-16 * exact, "exp " + given[j]);
      }
    }
  }

  @Test
  void largeNumbersVanish() {
    double[] t = {0, -0.0, -1e-320, -706, -710, -1e5, -1e300, -Double.MAX_VALUE};
    Exponentials.negative(t, new double[8], 8);
    double[] expected = {1, 1, 1, Math.exp(-706), 0, 0, 0, 0};
    assertArrayEquals(expected, t, 1e-300);
    assertEquals(Math.exp(-706), t[3], 1e-15 * t[3]);
  }
}
