package lovelace.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Objects;
import java.util.SplittableRandom;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.PathwisePosteriorRoot;
import lovelace.linear.ConjugateGradients;
import lovelace.love.Love;
import lovelace.love.LoveCovariance;
import lovelace.markov.MarkovEngine;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.AdditiveStatistics;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PosteriorRootTest {

  private static LatticeProblem problem(String kernel, int d, int points, int n, boolean additive) {
    var random = new SplittableRandom(12);
    Axis[] axes = new Axis[d];
    for (int a = 0; a < d; a++) axes[a] = Axis.covering(-1, 1, points);
    double[] x = random.doubles((long) n * d, -1, 1).toArray();
    double[] y = random.doubles(n, 2, 4).toArray();
    Statistics statistics =
        additive
            ? AdditiveStatistics.of(AdditiveGrid.of(axes), x, y)
            : GridStatistics.of(Grid.of(axes), x, y);
    return LatticeProblem.of(
        statistics,
        Hyperparameters.of(Kernel.parse(kernel).times(1.7).attach(d), 0.05, PriorMean.constant(3)));
  }

  /// `RRᵀ` from the images of unit vectors, against `P` from its products with unit vectors.
  private static void assertRoot(
      PosteriorRoot root, LatticeCovariance covariance, double tolerance) {
    int m = root.size();
    double[] unit = new double[m * m];
    double[] p = new double[m * m];
    for (int i = 0; i < m; i++) unit[i * m + i] = 1;
    covariance.apply(m, unit, p);
    assertRoot(root, p, tolerance);
  }

  /// `RRᵀ` from the images of unit vectors, against `P`.
  private static void assertRoot(PosteriorRoot root, double[] p, double tolerance) {
    int m = root.size();
    int n = root.normals();
    double[] product = new double[m * m];
    int batch = 16;
    for (int from = 0; from < n; from += batch) {
      int count = Math.min(batch, n - from);
      double[] xi = new double[count * n];
      for (int c = 0; c < count; c++) xi[c * n + from + c] = 1;
      double[] u = new double[count * m];
      root.apply(count, xi, u);
      for (int c = 0; c < count; c++)
        for (int i = 0; i < m; i++)
          for (int j = 0; j < m; j++) product[i * m + j] += u[c * m + i] * u[c * m + j];
    }
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        assertEquals(
            p[i * m + j], product[i * m + j], tolerance, i + ", " + j + ": " + root.describe());
  }

  @ParameterizedTest
  @CsvSource({
    "rbf(lengthscale=0.4), 1, 30, 90, false",
    "matern12(lengthscale=0.5), 1, 30, 12, false",
    "matern32(lengthscale=0.5), 2, 6, 400, false",
    "matern52(lengthscale=0.6), 2, 6, 20, false",
    "rbf(lengthscale=0.6)*linear(variance=2) + constant(variance=0.5), 2, 6, 40, false",
    "additive(matern32(lengthscale=0.7)), 2, 12, 60, true"
  })
  void everyRootIsOneOfItsCovariance(String kernel, int d, int points, int n, boolean additive) {
    LatticeProblem problem = problem(kernel, d, points, n, additive);
    double[] dense = Interpolated.covariance(problem);
    assertRoot(PathwisePosteriorRoot.of(problem), dense, 1e-9);
    assertRoot(
        PathwisePosteriorRoot.of(problem, ConjugateGradients.DEFAULT.withTolerance(1e-11)),
        dense,
        1e-5);
    LoveCovariance love = Love.DEFAULT.withRank(9).build(problem); // far from converged
    assertRoot(love.root(), love, 1e-9);
    if (!kernel.contains("*")) {
      LatticeCovariance spectral =
          new SpectralEngine(problem.statistics(), 1e-10, 4000)
              .posterior(problem.hyperparameters(), 1e-6)
              .covariance();
      assertRoot(Objects.requireNonNull(spectral.root()), spectral, 1e-9);
    }
  }

  /// A posterior with a thousandth of the prior's variance or less: residuals count beside the
  /// former. The tolerance is a hundredth of its largest variance, less than 10,000 draws would
  /// show.
  @Test
  void pathwiseDrawsKeepTheirDigitsWhereDataSayNearlyAll() {
    var random = new SplittableRandom(3);
    double[] x = new double[2400];
    double[] y = new double[1200];
    for (int i = 0; i < x.length; i++) x[i] = random.nextDouble(-1, 1);
    for (int i = 0; i < y.length; i++) y[i] = x[2 * i] + 0.1 * random.nextGaussian();
    Grid grid = Grid.of(Axis.covering(-1, 1, 12), Axis.covering(-1, 1, 12));
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("200*rbf(lengthscale=[0.9,7])").bind(2), 0.05, PriorMean.constant(0));
    LatticeProblem problem = LatticeProblem.of(GridStatistics.of(grid, x, y), h);
    double[] dense = Interpolated.covariance(problem);
    assertRoot(PathwisePosteriorRoot.of(problem), dense, 2e-3);
    assertRoot(
        PathwisePosteriorRoot.of(problem, PathwisePosteriorRoot.solver(problem)), dense, 2e-3);
  }

  @ParameterizedTest
  @CsvSource({
    "matern12(lengthscale=0.5)",
    "matern32(lengthscale=0.5)",
    "matern52(lengthscale=0.5)"
  })
  void theChainDrawsItsCovariance(String kernel) {
    LatticeProblem problem = problem(kernel, 1, 20, 30, false);
    LatticeCovariance markov =
        new MarkovEngine((GridStatistics) problem.statistics())
            .posterior(problem.hyperparameters(), 1e-6)
            .covariance();
    assertRoot(Objects.requireNonNull(markov.root()), markov, 1e-9);
  }
}
