package lovelace.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class GammaFunctionTest {

  @Test
  void logarithmHasPinnedValuesAndItsRecurrence() {
    assertEquals(0.5 * Math.log(Math.PI), GammaFunction.log(0.5), 1e-15);
    assertEquals(Math.log(3628800), GammaFunction.log(11), 1e-14);
    assertEquals(359.1342053695754, GammaFunction.log(100), 1e-12);
    assertEquals(12815504.569147611, GammaFunction.log(1e6), 1e-8);
    for (double x = 1e-3; x < 1e3; x *= 1.37)
      assertEquals(
          GammaFunction.log(x) + Math.log(x), GammaFunction.log(x + 1), 1e-12 * (1 + x), "x " + x);
  }

  @Test
  void digammaHasPinnedValuesAndItsRecurrence() {
    assertEquals(-0.5772156649015329, GammaFunction.digamma(1), 1e-14);
    assertEquals(-1.9635100260214235, GammaFunction.digamma(0.5), 1e-14);
    assertEquals(4.600161852738087, GammaFunction.digamma(100), 1e-13);
    assertEquals(0.5e-8, GammaFunction.logMinusDigamma(1e8), 1e-16);
    for (double x = 1e-3; x < 1e3; x *= 1.37)
      assertEquals(
          GammaFunction.digamma(x) + 1 / x, GammaFunction.digamma(x + 1), 1e-12 / x + 1e-13);
  }

  @Test
  void entropyAndRemainderAreWhatTheySay() {
    for (double x : new double[] {0.01, 0.7, 3, 15.9, 16.1, 80}) {
      double want = x * Math.log(x) - x - GammaFunction.log(x);
      assertEquals(want, GammaFunction.entropy(x), 1e-13 * (1 + x), "x " + x);
    }
    assertEquals(1 / (12 * 1e5), GammaFunction.stirling(1e5), 1e-17);
  }

  @Test
  void logarithmLessItsArgumentHoldsNearZero() {
    for (double u : new double[] {-0.5, -0.1, -0.0999, 0.0999, 0.1001, 3})
      assertEquals(Math.log1p(u) - u, GammaFunction.log1pMinus(u), 1e-15);
    assertEquals(-0.5e-16 + 1e-24 / 3, GammaFunction.log1pMinus(1e-8), 1e-30);
  }

  @Test
  void chooseCountsSubsets() {
    assertEquals(Math.log(2598960), GammaFunction.logChoose(52, 5), 1e-12);
    assertEquals(0, GammaFunction.logChoose(7, 7), 0);
    assertEquals(0, GammaFunction.logChoose(7, 0), 0);
  }

  @Test
  void risingProductsEqualTheirSumsForAnyDispersion() {
    for (double a : new double[] {1e-12, 1e-6, 1e-3, 0.05, 0.0625, 0.07, 1, 30, 1e3})
      for (int y : new int[] {0, 1, 2, 15, 16, 17, 40, 1000, 20000}) {
        double sum = 0;
        double slope = 0;
        for (int k = 0; k < y; k++) {
          sum += Math.log1p(k * a);
          slope += k / (1 + k * a);
        }
        String where = "a " + a + ", y " + y;
        assertEquals(sum, GammaFunction.logRising(y, a), 1e-12 * sum, where);
        assertEquals(slope, GammaFunction.logRisingSlope(y, a), 1e-11 * slope, where);
      }
  }
}
