package lovelace.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.grid.Grid;
import lovelace.grid.GridStatistics;
import lovelace.grid.Stencils;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.krylov.ConjugateGradients;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Bounds hold where the textbook's assumptions do not.
class HonestBoundsTest {

  private static Hyperparameters parameters(String kernel, int d, double noise) {
    return Hyperparameters.of(Kernel.parse(kernel).bind(d), noise, PriorMean.ZERO);
  }

  /// Conjugate gradients that stop early leave an error, which is stated.
  @ParameterizedTest
  @ValueSource(ints = {1500, 40})
  void anUnsolvedMeanStatesItsError(int n) {
    SplittableRandom random = new SplittableRandom(61);
    Grid grid = Interpolated.cube(1, 50);
    double[] x = Interpolated.uniform(random, n, -1, 1);
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.sin(4 * x[i]) + 0.1 * random.nextGaussian();
    Hyperparameters h = parameters("1*matern12(lengthscale=0.3)", 1, 0.01);
    GridSystem system = GridSystem.of(GridStatistics.of(grid, x, y), h);
    GridSystem.Mean exact = system.mean(ConjugateGradients.DEFAULT.withTolerance(1e-13), null);
    GridCovariance covariance =
        new DenseEngine(system.statistics()).condition(h, 1e-6).covariance();
    int stated = 0;
    for (double tolerance : new double[] {1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2}) {
      ConjugateGradients solver = ConjugateGradients.DEFAULT.withTolerance(tolerance);
      GridSystem.Mean mean = system.mean(solver, null);
      Conditioned found = new Conditioned(system, covariance, mean);
      double worst = 0;
      for (int i = 1; i < grid.size() - 1; i++) {
        Stencils point = Stencils.of(grid, grid.point(i));
        double sd = Math.sqrt(covariance.between(point, point)[0]);
        worst = Math.max(worst, Math.abs(mean.values()[i] - exact.values()[i]) / sd);
      }
      assertTrue(
          worst <= found.meanError() + 1e-9,
          "tolerance %s: off by %.2e, stated %.2e".formatted(tolerance, worst, found.meanError()));
      if (worst > 1e-8) stated++;
    }
    assertTrue(stated >= 2, "some means must be off for the test to say anything");
  }

  /// A residual above the tolerance is refined until it is not.
  @Test
  void aMeanIsRefinedToItsTolerance() {
    SplittableRandom random = new SplittableRandom(62);
    Grid grid = Interpolated.cube(1, 60);
    int n = 40;
    double[] x = Interpolated.uniform(random, n, -1, 1);
    Hyperparameters h = parameters("1*matern12(lengthscale=0.3)", 1, 1e-4);
    GridSystem system =
        GridSystem.of(GridStatistics.of(grid, x, Interpolated.normals(random, n)), h);
    int enough = system.mean(ConjugateGradients.DEFAULT, null).iterations();
    double[] exact = system.mean(ConjugateGradients.DEFAULT.withTolerance(1e-13), null).values();
    double largest = Arrays.stream(exact).map(Math::abs).max().orElse(0);
    // fewer steps at a time than the tolerance needs
    for (int limit = enough - 1; limit > enough / 2; limit--) {
      double[] refined = system.mean(ConjugateGradients.DEFAULT.withLimit(limit), null).values();
      for (int i = 0; i < exact.length; i++)
        assertEquals(exact[i], refined[i], 1e-7 * largest, limit + " of " + enough + " steps");
    }
  }
}
