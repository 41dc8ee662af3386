package lovelace.dense;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.inference.EngineCase;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeCovariance;
import lovelace.inference.LatticeDistribution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DenseEngineTest {

  @ParameterizedTest
  @CsvSource({
    "1.3*rbf(lengthscale=0.3), 1, 30, 50, zero, false",
    "1.3*rbf(lengthscale=0.3) + 0.4*matern12(lengthscale=1), 1, 200, 20, linear, true",
    "1.3*rbf(lengthscale=0.7), 2, 25, 9, constant, true",
    "1.3*rbf(lengthscale=0.3), 1, 12, 90, linear, true",
    "1.3*matern32(lengthscale=0.5) + white(variance=0.1), 2, 8, 40, constant, true",
    "'sm(2, weight=[1, 0.5], frequency=[0.8, 2], bandwidth=[0.3, 0.2])', 1, 30, 40, constant, false",
    "'1.3*periodic(period=0.7, lengthscale=0.8)*rbf(lengthscale=0.9)', 1, 30, 40, zero, false",
    "2*linear(variance=0.7) + 0.8*rbf(lengthscale=0.4), 2, 8, 40, constant, false",
    "1.1*linear(variance=0.7)*rbf(lengthscale=0.4) + constant(variance=0.5), 1, 20, 30, linear, true"
  })
  void likelihoodAndGradientAreThoseOfTheInterpolatedProcess(
      String kernel, int d, int points, int n, String mean, boolean weighted) {
    EngineCase c = new EngineCase(kernel, d, points, n, 0.1, mean, weighted);
    Evidence evidence = new DenseEngine(c.statistics()).evidence(c.h);
    double expected = c.logLikelihood(c.h.values());
    assertEquals(expected, evidence.value(), 1e-9 * Math.abs(expected));
    assertEquals(0, evidence.standardError());
    c.assertGradient(c::logLikelihood, evidence.gradient(), 1e-5);
  }

  @ParameterizedTest
  @CsvSource({
    "1.3*rbf(lengthscale=0.3), 1, 20, 60",
    "1.3*matern32(lengthscale=0.5), 2, 8, 50",
    "1.1*linear(variance=0.7)*rbf(lengthscale=0.4) + constant(variance=0.5), 2, 8, 50"
  })
  void posteriorIsThatOfTheInterpolatedProcess(String kernel, int d, int points, int n) {
    EngineCase c = new EngineCase(kernel, d, points, n, 0.05, "constant", true);
    LatticeDistribution conditioned = new DenseEngine(c.statistics()).posterior(c.h, 1e-12);
    double[] at = new SplittableRandom(5).doubles(6L * d, -1, 1).toArray();
    double[][] expected = c.posterior(at);
    Stencils stencils = Stencils.of(c.grid, at);
    LatticeCovariance p = conditioned.covariance();
    double[] between = p.between(stencils, stencils);
    double[] lower = new double[6];
    double[] upper = new double[6];
    p.certify(stencils, lower, upper);
    int m = c.grid.size();
    StencilMatrix near = p.stencil();
    for (int i = 0; i < 6; i++) {
      assertEquals(expected[0][i], stencils.dot(i, conditioned.mean(), 0), 1e-9);
      double[] w = new double[m];
      double[] pw = new double[m];
      stencils.scatter(i, 1, w, 0);
      p.apply(1, w, pw);
      for (int j = 0; j < 6; j++) {
        assertEquals(expected[1][i * 6 + j], between[i * 6 + j], 1e-10);
        assertEquals(expected[1][i * 6 + j], stencils.dot(j, pw, 0), 1e-10);
      }
      assertTrue(lower[i] <= expected[1][i * 7] && expected[1][i * 7] <= upper[i]);
      assertTrue(upper[i] - lower[i] < 1e-10);
      int[] index = new int[stencils.width()];
      double[] weight = new double[index.length];
      stencils.copy(i, index, weight);
      double sum = 0;
      for (int k = 0; k < index.length; k++)
        for (int l = 0; l < index.length; l++)
          sum += weight[k] * weight[l] * near.entry(index[k], index[l]);
      assertEquals(expected[1][i * 7], sum, 1e-10);
    }
    assertTrue(Arrays.stream(between).allMatch(Double::isFinite));
  }
}
