package lovelace.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class GaussianTest {

  @Test
  void pinnedValuesOfTheDistributionFunction() {
    assertEquals(0.5, Gaussian.cdf(0), 0);
    assertEquals(0.8413447460685429, Gaussian.cdf(1), 1e-15);
    assertEquals(0.9772498680518208, Gaussian.cdf(2), 1e-15);
    assertEquals(6.220960574271785e-16, Gaussian.cdf(-8), 1e-29);
    assertEquals(0.9331927987311419, Gaussian.cdf(1.5), 1e-15);
    assertEquals(0.9331927987311419, Gaussian.cdf(Math.nextDown(1.5)), 1e-15);
  }

  @Test
  void pinnedQuantiles() {
    assertEquals(1.959963984540054, Gaussian.quantile(0.975), 1e-13);
    assertEquals(-6.361340902404056, Gaussian.quantile(1e-10), 1e-11);
    assertEquals(-0.6744897501960817, Gaussian.quantile(0.25), 1e-14);
    assertEquals(0, Gaussian.quantile(0.5), 0);
  }

  @Test
  void quantileInvertsTheDistributionFunction() {
    for (double z = -7; z <= 5; z += 0.037)
      assertEquals(z, Gaussian.quantile(Gaussian.cdf(z)), 1e-9 * Math.max(1, Math.abs(z)));
  }

  @Test
  void logarithmOfTheDistributionFunctionHoldsFarOut() {
    assertEquals(-804.6084420137538, Gaussian.logCdf(-40), 1e-9);
    assertEquals(Math.log(Gaussian.cdf(-1.0001)), Gaussian.logCdf(-1.0001), 1e-13);
    assertEquals(Math.log(Gaussian.cdf(-0.9999)), Gaussian.logCdf(-0.9999), 1e-13);
  }
}
