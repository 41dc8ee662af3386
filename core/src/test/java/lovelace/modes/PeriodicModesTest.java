package lovelace.modes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.data.Outside;
import lovelace.dense.DenseEngine;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Stencils;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter;
import lovelace.kernel.PriorMean;
import lovelace.latticekernel.LatticeKernel;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.AdditiveStatistics;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PeriodicModesTest {

  private static final int ROWS = 500;

  private static GridStatistics line(boolean weighted) {
    var random = new SplittableRandom(3);
    double[] x = new double[ROWS];
    double[] y = new double[ROWS];
    double[] w = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      x[i] = random.nextDouble(10, 20);
      y[i] = 2 + Math.sin(2 * Math.PI * x[i]) + 0.3 * Math.cos(x[i]) + 0.2 * random.nextGaussian();
      w[i] = random.nextDouble(0.5, 2);
    }
    return GridStatistics.of(
        Grid.of(Axis.covering(10, 20, 240)), x, y, weighted ? w : null, Outside.ERROR);
  }

  private static Hyperparameters parameters(String kernel, int d, double noise) {
    return Hyperparameters.of(
        Kernel.parse(kernel.replace(';', ',')).bind(d), noise, PriorMean.constant(1.5));
  }

  private static void agree(Statistics data, Hyperparameters h) {
    // a mode left out weighs up to a tolerance beside the heaviest, times rows over noise
    SpectralEngine engine = new SpectralEngine(data, 1e-13, 1000);
    assertTrue(engine.applies(h), "no modes for " + h.kernel());
    Evidence found = engine.evidence(h);
    Evidence dense = new DenseEngine(data).evidence(h);
    assertEquals(dense.value(), found.value(), 1e-7 * Math.abs(dense.value()) + 1e-5);
    double scale = Arrays.stream(dense.gradient()).map(Math::abs).max().orElse(1);
    boolean[] fixed = fixed(h);
    for (int i = 0; i < h.size(); i++)
      if (!fixed[i])
        assertEquals(
            dense.gradient()[i],
            found.gradient()[i],
            1e-6 * Math.abs(dense.gradient()[i]) + 1e-7 * scale,
            h.kernel() + ", parameter " + i);
  }

  private static boolean[] fixed(Hyperparameters h) {
    boolean[] fixed = new boolean[h.size()];
    int at = 0;
    for (Parameter p : h.parameters()) for (int i = 0; i < p.size(); i++) fixed[at++] = p.fixed();
    return fixed;
  }

  @ParameterizedTest
  @CsvSource({
    "0.7*periodic(lengthscale=1.1; period=fixed(1)), 0.05, false",
    "2*periodic(lengthscale=0.7; period=fixed(1)) + 3*periodic(period=fixed(7); lengthscale=1.3) + 1.5*rbf(lengthscale=2), 0.05, true",
    "1.3*periodic(lengthscale=0.9; period=1.02), 0.05, false",
    "1.3*periodic(lengthscale=0.9; period=1.02) + 0.5*cosine(period=5.5) + 2*rbf(lengthscale=2), 0.1, true",
    "0.8*rbf(lengthscale=4)*periodic(lengthscale=0.8; period=1) + 2*periodic(lengthscale=2; period=6.3) + white(variance=0.01), 0.05, false",
    "1.2*linear(variance=0.1; centre=12) + 2*periodic(lengthscale=0.7; period=1.1), 0.05, false",
    "3*cosine(period=fixed(1)), 0.05, false",
  })
  void agreeWithDenseAlgebra(String kernel, double noise, boolean weighted) {
    agree(line(weighted), parameters(kernel, 1, noise));
  }

  @Test
  void agreeWithDenseAlgebraOnGridsSideBySide() {
    var random = new SplittableRandom(5);
    double[] x = new double[2 * ROWS];
    double[] y = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      x[2 * i] = random.nextDouble(0, 5);
      x[2 * i + 1] = random.nextDouble(0, 3);
      y[i] = Math.sin(2 * Math.PI * x[2 * i]) + x[2 * i + 1] + 0.2 * random.nextGaussian();
    }
    AdditiveGrid grid =
        AdditiveGrid.of(
            2,
            java.util.List.of(
                new AdditiveGrid.Component(Grid.of(Axis.covering(0, 5, 60)), new int[] {0}),
                new AdditiveGrid.Component(Grid.of(Axis.covering(0, 3, 30)), new int[] {1})));
    agree(
        AdditiveStatistics.of(grid, x, y, null, Outside.ERROR),
        parameters(
            "2*rbf(columns=[1]; lengthscale=1) + 1.5*periodic(columns=[0]; period=1.05; lengthscale=1)",
            2,
            0.05));
  }

  @Test
  void posteriorIsThatOfDenseAlgebra() {
    GridStatistics data = line(false);
    Hyperparameters h =
        parameters(
            "2*periodic(lengthscale=0.7; period=1) + 0.5*rbf(lengthscale=2)*periodic(period=3; lengthscale=1)",
            1,
            0.05);
    SpectralEngine engine = new SpectralEngine(data, SpectralEngine.TOLERANCE, 1000);
    LatticeDistribution found = engine.posterior(h, 0.01);
    LatticeDistribution dense = new DenseEngine(data).posterior(h, 0.01);
    assertArrayEquals(dense.mean(), found.mean(), 1e-5);
    double[] x = {10.2, 11.11, 15, 19.9};
    Stencils points = Stencils.of(data.grid(), x);
    double[] lower = new double[4];
    double[] upper = new double[4];
    found.covariance().certify(points, lower, upper);
    double[] expected = dense.covariance().variances(points);
    for (int p = 0; p < 4; p++)
      assertTrue(
          lower[p] <= 1.001 * expected[p] && 0.999 * expected[p] <= upper[p],
          lower[p] + " " + expected[p] + " " + upper[p]);
  }

  @ParameterizedTest
  @ValueSource(ints = {240, 24_000})
  void areAsManyOnAnyGrid(int points) {
    LatticeKernel kernel =
        LatticeKernel.of(
            Grid.of(Axis.covering(0, 800, points)),
            Kernel.parse(
                    "1*periodic(lengthscale=1,period=1) + 2*periodic(lengthscale=1,period=7) + 3*periodic(lengthscale=1,period=365.25)")
                .bind(1));
    int modes = ModeStatistics.rank(kernel, 1e-9, 1000);
    assertTrue(modes > 0 && modes < 100, "modes " + modes);
  }

  @Test
  void followASeasonThatChangesSlowlyOverManyPeriods() {
    LatticeKernel kernel =
        LatticeKernel.of(
            Grid.of(Axis.covering(0, 800, 24_000)),
            Kernel.parse("1*rbf(lengthscale=200)*periodic(lengthscale=1,period=1)").bind(1));
    int modes = ModeStatistics.rank(kernel, 1e-9, 4000);
    assertTrue(modes > 0 && modes < 2000, "modes " + modes);
  }

  @Test
  void noLongerFitWhenTheSeasonChangesFaster() {
    GridStatistics data = line(false);
    LatticeKernel slow =
        LatticeProblem.of(
                data,
                parameters(
                    "1*rbf(lengthscale=4)*periodic(lengthscale=1; period=fixed(1))", 1, 0.05))
            .kernel();
    LatticeKernel fast =
        LatticeProblem.of(
                data,
                parameters(
                    "1*rbf(lengthscale=1.5)*periodic(lengthscale=1; period=fixed(1))", 1, 0.05))
            .kernel();
    ModeStatistics modes = ModeStatistics.of(data, slow, 1e-9, 1000);
    assertTrue(modes != null && modes.fits(slow));
    assertFalse(modes.fits(fast));
  }
}
