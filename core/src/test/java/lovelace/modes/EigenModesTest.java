package lovelace.modes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.data.Outside;
import lovelace.dense.DenseEngine;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Stencils;
import lovelace.inference.Evidence;
import lovelace.inference.Interpolated;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.spectral.SpectralCovariance;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EigenModesTest {

  private static GridStatistics statistics(int d, boolean weighted) {
    var random = new SplittableRandom(11 + d);
    Axis[] axes = new Axis[d];
    for (int a = 0; a < d; a++) axes[a] = Axis.covering(-1, 1, (d == 2 ? 20 : 9) + a);
    int n = 600;
    double[] x = new double[n * d];
    double[] y = new double[n];
    double[] w = new double[n];
    for (int i = 0; i < n; i++) {
      for (int a = 0; a < d; a++) x[i * d + a] = random.nextDouble(-1, 1);
      y[i] = 2 + Math.sin(3 * x[i * d]) * x[i * d + 1] + 0.1 * random.nextGaussian();
      w[i] = random.nextDouble(0.5, 2);
    }
    return GridStatistics.of(Grid.of(axes), x, y, weighted ? w : null, Outside.ERROR);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 1.7*rbf(lengthscale=[0.5;0.3]), 0.02, false",
    "2, 1.7*rbf(lengthscale=[0.5;0.3]), 1e-6, true",
    "2, 0.9*rbf(lengthscale=0.7)*periodic(lengthscale=1.2; period=1.5), 0.1, false",
    "2, 0.6*rbf(lengthscale=[0.5;0.8])+white(variance=0.05), 0.01, false",
    "3, 0.8*rbf(lengthscale=[0.9;0.6;0.7]), 0.02, true",
    "3, 2*rbf(lengthscale=[2;1.5;3]), 1e-4, false",
  })
  void agreeWithDenseAlgebra(int d, String kernel, double noise, boolean weighted) {
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse(kernel.replace(';', ',')).bind(d), noise, PriorMean.constant(1.5));
    GridStatistics data = statistics(d, weighted);
    LatticeProblem problem = LatticeProblem.of(data, h);
    assertTrue(EigenModes.applies(problem));
    EigenModes modes = EigenModes.of(problem, 1e-11, EigenModes.MOST);
    assertNotNull(modes);
    Evidence found = new SpectralCovariance(modes.modes(), problem.kernel(), h, 0).evidence();
    Evidence dense = new DenseEngine(data).evidence(h);
    assertEquals(dense.value(), found.value(), 1e-7 * Math.abs(dense.value()) + 1e-5);
    double scale = Arrays.stream(dense.gradient()).map(Math::abs).max().orElse(1);
    for (int i = 0; i < h.size(); i++)
      assertEquals(
          dense.gradient()[i],
          found.gradient()[i],
          1e-6 * Math.abs(dense.gradient()[i]) + 1e-8 * scale,
          h.kernel() + ", parameter " + i);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 1.7*rbf(lengthscale=[0.5;0.3]), 0.02, false",
    "2, 1.7*rbf(lengthscale=[5;3]), 1e-4, true",
    "2, 0.9*rbf(lengthscale=0.7)*periodic(lengthscale=1.2; period=1.5), 0.1, false",
    "2, 0.6*rbf(lengthscale=[0.5;0.8])+white(variance=0.05), 0.01, false",
    "3, 0.8*rbf(lengthscale=[0.9;0.6;0.7]), 0.02, true",
  })
  void posteriorIsThatOfDenseAlgebra(int d, String kernel, double noise, boolean weighted) {
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse(kernel.replace(';', ',')).bind(d), noise, PriorMean.constant(1.5));
    GridStatistics data = statistics(d, weighted);
    SpectralEngine engine = new SpectralEngine(data, SpectralEngine.TOLERANCE, EigenModes.MOST);
    LatticeDistribution found = engine.posterior(h, 0.01);
    double[] mean = new DenseEngine(data).posterior(h, 0.01).mean();
    double[] exact = Interpolated.covariance(found.problem());
    assertEquals(
        String.format(Locale.ROOT, "spectral, %d modes", engine.modes(h)),
        found.covariance().describe());
    double scale = found.problem().kernel().maxVariance();
    assertArrayEquals(mean, found.mean(), 1e-5 * Math.sqrt(scale));
    var random = new SplittableRandom(5);
    double[] x = new double[12 * d];
    for (int i = 0; i < x.length; i++) x[i] = random.nextDouble(-1, 1);
    Stencils points = Stencils.of(data.grid(), x);
    double[] expected = between(exact, data.grid().size(), points);
    double[] between = found.covariance().between(points, points);
    assertArrayEquals(expected, between, 1e-8 * scale);
    double[] lower = new double[12];
    double[] upper = new double[12];
    found.covariance().certify(points, lower, upper);
    for (int p = 0; p < 12; p++) {
      double own = expected[p * 13];
      assertTrue(lower[p] <= own && own <= upper[p], lower[p] + " " + own + " " + upper[p]);
      assertTrue(upper[p] - lower[p] <= 0.005 * upper[p], "width at " + p);
    }
  }

  /// `wᵢᵀPwⱼ` for all pairs of points.
  private static double[] between(double[] p, int m, Stencils points) {
    int count = points.count();
    double[] all = new double[count * count];
    for (int i = 0; i < count; i++) {
      double[] row = new double[m];
      for (int k = 0; k < m; k++) row[k] = points.dot(i, p, k * m);
      for (int j = 0; j < count; j++) all[i * count + j] = points.dot(j, row, 0);
    }
    return all;
  }

  @Test
  void areFewerThanFourierModesAndServeWhereThoseAreTooMany() {
    GridStatistics data = statistics(3, false);
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("1*rbf(lengthscale=[0.9,0.6,0.7])").bind(3), 0.02, PriorMean.constant(2));
    SpectralEngine engine = new SpectralEngine(data, SpectralEngine.TOLERANCE, 1500);
    assertEquals(-1, ModeStatistics.rank(LatticeProblem.of(data, h).kernel(), 1e-9, 1500));
    assertTrue(engine.applies(h));
    assertEquals(
        new DenseEngine(data).evidence(h).value(),
        engine.evidence(h).value(),
        1e-6 * Math.abs(engine.evidence(h).value()));
    LatticeDistribution conditioned = engine.posterior(h, 0.01);
    assertTrue(conditioned.widest() < 0.005);
  }

  @Test
  void leaveOtherKernelsAlone() {
    GridStatistics data = statistics(2, false);
    for (String kernel :
        new String[] {"1*matern32(lengthscale=1)", "1*rbf(lengthscale=1)+1*rbf(lengthscale=0.2)"})
      assertFalse(
          EigenModes.applies(
              LatticeProblem.of(
                  data,
                  Hyperparameters.of(Kernel.parse(kernel).bind(2), 0.1, PriorMean.constant(0)))));
    Hyperparameters rough =
        Hyperparameters.of(
            Kernel.parse("1*rbf(lengthscale=0.05)").bind(2), 1e-6, PriorMean.constant(0));
    assertNull(EigenModes.of(LatticeProblem.of(data, rough), 1e-10, 100), "more than asked for");
  }
}
