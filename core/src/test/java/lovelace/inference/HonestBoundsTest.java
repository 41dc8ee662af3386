package lovelace.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import lovelace.data.Outside;
import lovelace.dense.DenseEngine;
import lovelace.grid.Grid;
import lovelace.grid.Stencils;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Blas;
import lovelace.linear.ConjugateGradients;
import lovelace.love.Love;
import lovelace.love.LoveCovariance;
import lovelace.modes.EigenModes;
import lovelace.spectral.SpectralCovariance;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.GramRounding;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Bounds hold where the textbook's assumptions do not.
public class HonestBoundsTest {

  private static Hyperparameters parameters(String kernel, int d, double noise) {
    return Hyperparameters.of(Kernel.parse(kernel).bind(d), noise, PriorMean.ZERO);
  }

  private static double[][] intervals(LatticeCovariance covariance, Stencils points) {
    double[][] interval = new double[2][points.count()];
    covariance.certify(points, interval[0], interval[1]);
    return interval;
  }

  /// Lanczos vectors that overlap: `Q' = (I + ℓrrᵀ)Q` with signs r.
  @ParameterizedTest
  @ValueSource(longs = {41, 42, 43, 44})
  void truthLiesInTheIntervalAfterALossOfOrthogonality(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Grid grid = Interpolated.cube(1, 80);
    int n = 600;
    double[] x = Interpolated.uniform(random, n, -1, 1);
    double[] at = Interpolated.uniform(random, 40, -1, 1);
    double[][] w = Interpolated.weights(grid, at);
    Hyperparameters h = parameters("1*rbf(lengthscale=0.08)", 1, 1e-4);
    LatticeProblem problem =
        LatticeProblem.of(GridStatistics.of(grid, x, Interpolated.normals(random, n)), h);
    LoveCovariance love = Love.DEFAULT.build(problem);
    int k = love.rank();
    int m = love.size();
    double[] diagonal = love.diagonal();
    double[] below = love.subdiagonal();
    double overlap = (seed % 2 == 0 ? 1 : -1) * 1e-4;
    double[] r = new double[k];
    double[] z = new double[k]; // Sw
    for (int i = 0; i < m; i++)
      for (int j = 0; j < k; j++) z[j] += w[0][i] * love.pointCache()[i * k + j];
    double[] t = new double[k]; // L⁻ᵀz
    for (int j = k - 1; j >= 0; j--)
      t[j] = (z[j] - (j + 1 < k ? below[j + 1] * t[j + 1] : 0)) / diagonal[j];
    double[] u = new double[k]; // Lz
    for (int j = 0; j < k; j++) u[j] = diagonal[j] * z[j] + (j > 0 ? below[j] * z[j - 1] : 0);
    for (int j = 0; j < k; j++) r[j] = t[j] >= 0 ? 1 : -1;
    for (int flip = 0; flip < 10 * k; flip++) { // to the signs that do most harm at the first place
      int j = flip % k;
      double before = Blas.dot(k, r, 0, u, 0) * Blas.dot(k, r, 0, t, 0);
      r[j] = -r[j];
      if (Blas.dot(k, r, 0, u, 0) * Blas.dot(k, r, 0, t, 0) < before) r[j] = -r[j];
    }
    double[] q = new double[k]; // L⁻¹r
    for (int j = 0; j < k; j++) q[j] = (r[j] - (j > 0 ? below[j] * q[j - 1] : 0)) / diagonal[j];
    double loss = Math.abs(2 * overlap + k * overlap * overlap);
    double[] s = love.pointCache().clone();
    double[] b = love.dataCache().clone();
    for (int i = 0; i < m; i++) {
      double atPoint = 0; // rᵀL times a column of S and B
      double atData = 0;
      for (int j = 0; j < k; j++) {
        double sub = j > 0 ? below[j] : 0;
        atPoint += r[j] * (diagonal[j] * s[i * k + j] + (j > 0 ? sub * s[i * k + j - 1] : 0));
        atData += r[j] * (diagonal[j] * b[j * m + i] + (j > 0 ? sub * b[(j - 1) * m + i] : 0));
      }
      for (int j = 0; j < k; j++) {
        s[i * k + j] += overlap * atPoint * q[j];
        b[j * m + i] += overlap * atData * q[j];
      }
    }
    LoveCovariance lost =
        LoveCovariance.assemble(problem, s, b, love.diagonal(), love.subdiagonal(), loss, 0);
    Interpolated truth =
        Interpolated.of(
            grid, Interpolated.kernelMatrix(grid, h.kernel()), x, Interpolated.ones(n), 1e-4);
    double[][] interval = intervals(lost, Stencils.of(grid, at));
    for (int p = 0; p < at.length; p++) {
      double exact = truth.between(w[p], w[p]);
      assertTrue(
          interval[0][p] <= exact && exact <= interval[1][p],
          String.format(
              Locale.ROOT,
              "seed %d, loss %.1e, x = %.3f: truth %.6e, interval [%.6e, %.6e]",
              seed,
              loss,
              at[p],
              exact,
              interval[0][p],
              interval[1][p]));
    }
  }

  /// Sums of one number round the same way again and again.
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.123, -0.77, 0.3001})
  void sumsOfRepeatedInputsAreWithinTheirRounding(double place) {
    Grid grid = Interpolated.cube(1, 12);
    int n = 1 << 20; // a power of two: n times a number is exact
    double[] x = new double[n];
    Arrays.fill(x, place);
    GridStatistics one = GridStatistics.of(grid, new double[] {place}, new double[] {1});
    GridStatistics many = GridStatistics.of(grid, x, new double[n]);
    GramRounding rounding = GramRounding.of(many);
    int m = grid.size();
    int seen = 0;
    for (int i = 0; i < m; i++) {
      double[] unit = new double[m];
      unit[i] = 1;
      double[] single = new double[m];
      double[] all = new double[m];
      one.gram().apply(unit, single);
      many.gram().apply(unit, all);
      if (single[i] == 0) continue;
      seen++;
      double off = Math.abs(all[i] - n * single[i]);
      double bound = rounding.quadratic(unit, 0);
      assertTrue(
          off <= bound,
          String.format(
              Locale.ROOT, "x = %s, entry %d is off by %.2e > %.2e", place, i, off, bound));
    }
    assertTrue(seen > 0);
  }

  /// Many rows beside each other with little noise, and one light row far away. No matrix of the
  /// rows is positive definite in double precision.
  public static GridStatistics crowded(Grid grid) {
    SplittableRandom random = new SplittableRandom(51);
    int n = 200;
    double[] x = Interpolated.uniform(random, n, -1, -0.2);
    double[] weights = Interpolated.ones(n);
    x[n - 1] = 0.9;
    weights[n - 1] = 1e-11;
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.sin(3 * x[i]);
    return GridStatistics.of(grid, x, y, weights, Outside.ERROR);
  }

  @Test
  void jitterOfTheDenseEngineIsCounted() {
    Grid grid = Interpolated.cube(1, 60);
    Hyperparameters h = parameters("1*rbf(lengthscale=0.3)", 1, 1e-18);
    GridStatistics statistics = crowded(grid);
    DenseEngine engine = new DenseEngine(statistics);
    LatticeCovariance covariance = engine.posterior(h, 0.01).covariance();
    double[][] interval = intervals(covariance, Stencils.of(grid, new double[] {0.9}));
    // the light row alone leaves a variance of σ²/weight
    assertTrue(interval[0][0] <= 1.01e-7, Arrays.deepToString(interval));
    assertEquals(Double.NEGATIVE_INFINITY, engine.evidence(h).value(), "of another matrix");
  }

  @Test
  void jitterOfModesIsCounted() {
    Grid grid = Interpolated.cube(1, 60);
    Hyperparameters h = parameters("1*rbf(lengthscale=0.3)", 1, 1e-18);
    GridStatistics statistics = crowded(grid);
    SpectralEngine engine = new SpectralEngine(statistics, SpectralEngine.TOLERANCE, 2000);
    LatticeCovariance covariance = engine.posterior(h, 0.01).covariance();
    double[][] interval = intervals(covariance, Stencils.of(grid, new double[] {0.4}));
    // far from all rows but one that weighs nothing beside it: the truth is above a tenth
    assertTrue(interval[1][0] >= 0.1, Arrays.deepToString(interval));
    assertEquals(Double.NEGATIVE_INFINITY, engine.evidence(h).value(), "of another matrix");
  }

  @Test
  void jitterOfEigenvectorsIsCounted() {
    SplittableRandom random = new SplittableRandom(53);
    Grid grid = Interpolated.cube(2, 24);
    int n = 3000;
    double[] x = Interpolated.uniform(random, 2 * n, -1, -0.6);
    GridStatistics statistics = GridStatistics.of(grid, x, Interpolated.normals(random, n));
    Hyperparameters h = parameters("1*rbf(lengthscale=0.4)", 2, 1e-18);
    LatticeProblem problem = LatticeProblem.of(statistics, h);
    EigenModes modes = Objects.requireNonNull(EigenModes.of(problem, 1e-3, EigenModes.MOST));
    assertEquals(
        Double.NEGATIVE_INFINITY,
        new SpectralCovariance(modes.modes(), problem.kernel(), h, 0).evidence().value(),
        "of another matrix");
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
    LatticeProblem problem = LatticeProblem.of(GridStatistics.of(grid, x, y), h);
    LatticeProblem.Mean exact = problem.mean(ConjugateGradients.DEFAULT.withTolerance(1e-13), null);
    LatticeCovariance covariance = Love.DEFAULT.withTolerance(1e-6).build(problem);
    int stated = 0;
    for (double tolerance : new double[] {1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2}) {
      ConjugateGradients solver = ConjugateGradients.DEFAULT.withTolerance(tolerance);
      LatticeProblem.Mean mean = problem.mean(solver, null);
      LatticeDistribution found = new LatticeDistribution(problem, covariance, mean);
      double worst = 0;
      for (int i = 1; i < grid.size() - 1; i++) {
        Stencils point = Stencils.of(grid, grid.point(i));
        double sd = Math.sqrt(covariance.between(point, point)[0]);
        worst = Math.max(worst, Math.abs(mean.values()[i] - exact.values()[i]) / sd);
      }
      assertTrue(
          worst <= found.meanError() + 1e-9,
          String.format(
              Locale.ROOT,
              "tolerance %s: off by %.2e, stated %.2e",
              tolerance,
              worst,
              found.meanError()));
      if (worst > 1e-8) stated++;
    }
    assertTrue(stated >= 2, "some means must be off for the test to say anything");
  }

  /// A residual far above the tolerance is refined or refused.
  @Test
  void aMeanIsRefinedToItsTolerance() {
    SplittableRandom random = new SplittableRandom(62);
    Grid grid = Interpolated.cube(1, 60);
    int n = 40;
    double[] x = Interpolated.uniform(random, n, -1, 1);
    Hyperparameters h = parameters("1*matern12(lengthscale=0.3)", 1, 1e-4);
    LatticeProblem problem =
        LatticeProblem.of(GridStatistics.of(grid, x, Interpolated.normals(random, n)), h);
    int enough = problem.mean(ConjugateGradients.DEFAULT, null).iterations();
    double[] exact = problem.mean(ConjugateGradients.DEFAULT.withTolerance(1e-13), null).values();
    double largest = Arrays.stream(exact).map(Math::abs).max().orElse(0);
    int refined = 0;
    // fewer steps at a time than the tolerance needs
    for (int limit = enough - 1; limit > enough / 2; limit--) {
      double[] found;
      try {
        found = problem.mean(ConjugateGradients.DEFAULT.withLimit(limit), null).values();
      } catch (ArithmeticException refused) {
        continue;
      }
      refined++;
      for (int i = 0; i < exact.length; i++)
        assertEquals(exact[i], found[i], 1e-7 * largest, limit + " of " + enough + " steps");
    }
    assertTrue(refined > 0, "all refused");
  }
}
