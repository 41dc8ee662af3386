package lovelace.love;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import lovelace.data.Dataset;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.inference.Interpolated;
import lovelace.inference.LatticeProblem;
import lovelace.inference.Trial;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.statistics.DataWeights;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LoveTest {

  static LongStream seeds() {
    return LongStream.range(100, Boolean.getBoolean("lovelace.long") ? 600 : 120);
  }

  /// The Galerkin bound: an estimate is not below the truth, and the interval holds the truth.
  @ParameterizedTest
  @MethodSource("seeds")
  void truthLiesInTheCertifiedInterval(long seed) {
    Trial trial = new Trial(seed);
    Interpolated truth = trial.truth();
    double[][] w = Interpolated.weights(trial.grid, trial.at);
    Stencils points = Stencils.of(trial.grid, trial.at);
    for (Love love :
        new Love[] {Love.DEFAULT.withRank(2), Love.DEFAULT.withRank(7), Love.DEFAULT}) {
      LoveCovariance covariance = love.build(trial.problem);
      double[] lower = new double[points.count()];
      double[] upper = new double[points.count()];
      covariance.certify(points, lower, upper);
      int[] index = new int[points.width()];
      double[] weight = new double[points.width()];
      for (int p = 0; p < points.count(); p++) {
        points.copy(p, index, weight);
        double v = covariance.variance(index, weight);
        double exact = truth.between(w[p], w[p]);
        String what =
            String.format(
                Locale.ROOT,
                "%s, rank %d, point %d: truth %.6e, love − truth %.3e, interval less truth [%.3e, %.3e], floor %.1e",
                trial,
                covariance.rank(),
                p,
                exact,
                v - exact,
                lower[p] - exact,
                upper[p] - exact,
                covariance.floor());
        assertTrue(lower[p] >= 0 && lower[p] <= exact * (1 + 1e-14), what);
        assertTrue(upper[p] >= exact * (1 - 1e-14), what);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "rbf(lengthscale=0.4), 1, 24, 200, 0.01",
    "matern32(lengthscale=0.4), 1, 24, 200, 0.01",
    "matern12(lengthscale=0.4), 1, 24, 30, 0.01",
    "matern52(lengthscale=0.4), 1, 24, 7, 1e-4",
    "rbf(lengthscale=0.4), 1, 24, 1, 0.1",
    "matern32(lengthscale=0.6), 2, 6, 300, 0.01",
    "rbf(lengthscale=0.6), 2, 6, 20, 0.01"
  })
  void gridRootAndDataSpaceAgreeAtFullRank(String text, int d, int points, int n, double noise) {
    SplittableRandom random = new SplittableRandom(31);
    Grid grid = Interpolated.cube(d, points);
    // half of the cells stay empty
    double[] x = Interpolated.uniform(random, n * d, -1, 0.1);
    double[] y = Interpolated.normals(random, n);
    Hyperparameters h =
        Hyperparameters.of(Kernel.parse("1.4*" + text).bind(d), noise, PriorMean.ZERO);
    LatticeProblem problem = LatticeProblem.of(GridStatistics.of(grid, x, y), h);
    Interpolated truth =
        Interpolated.of(
            grid, Interpolated.kernelMatrix(grid, h.kernel()), x, Interpolated.ones(n), noise);
    double[] at = Interpolated.uniform(random, 5 * d, -1, 1);
    double[][] w = Interpolated.weights(grid, at);
    Stencils stencils = Stencils.of(grid, at);
    Love full = Love.DEFAULT.withRank(500);
    double[] root = full.build(problem, problem.rootSpace()).between(stencils, stencils);
    double[] data =
        n == 1
            ? root
            : full.build(problem, problem.space(DataWeights.of(grid, Dataset.of(x, d, y))))
                .between(stencils, stencils);
    // what Love itself chooses, which falls back where the null space of G shows
    double[] chosen = full.build(problem).between(stencils, stencils);
    for (int i = 0; i < 5; i++)
      for (int j = 0; j < 5; j++) {
        double exact = truth.between(w[i], w[j]);
        assertEquals(exact, root[i * 5 + j], 1e-8, "root " + i + ", " + j);
        assertEquals(exact, data[i * 5 + j], 1e-8, "data " + i + ", " + j);
        assertEquals(exact, chosen[i * 5 + j], 1e-8, "chosen " + i + ", " + j);
      }
  }

  @Test
  void gridSpaceAgreesWhereEveryCellIsFull() {
    SplittableRandom random = new SplittableRandom(32);
    Grid grid = Interpolated.cube(1, 20);
    int n = 2000;
    double[] x = Interpolated.uniform(random, n, -1, 1);
    double[] y = Interpolated.normals(random, n);
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("1.4*matern12(lengthscale=0.4)").bind(1), 0.1, PriorMean.ZERO);
    LatticeProblem problem = LatticeProblem.of(GridStatistics.of(grid, x, y), h);
    LoveCovariance love = Love.DEFAULT.withRank(20).build(problem, problem.gridSpace());
    assertTrue(love.orthogonalityLoss() < 1e-8, "loss " + love.orthogonalityLoss());
    Interpolated truth =
        Interpolated.of(
            grid, Interpolated.kernelMatrix(grid, h.kernel()), x, Interpolated.ones(n), 0.1);
    double[] at = Interpolated.uniform(random, 5, -1, 1);
    double[][] w = Interpolated.weights(grid, at);
    Stencils stencils = Stencils.of(grid, at);
    double[] found = love.between(stencils, stencils);
    for (int i = 0; i < 5; i++)
      for (int j = 0; j < 5; j++)
        assertEquals(truth.between(w[i], w[j]), found[i * 5 + j], 1e-8, i + ", " + j);
  }

  @Test
  void stencilAndProductsAreThoseOfTheCovariance() {
    Trial trial = new Trial(3);
    LoveCovariance love = Love.DEFAULT.build(trial.problem);
    int m = trial.grid.size();
    double[] unit = new double[m * m];
    for (int i = 0; i < m; i++) unit[i * m + i] = 1;
    double[] p = new double[m * m];
    love.apply(m, unit, p);
    double[] one = new double[m];
    double[] first = new double[m];
    one[2] = 1;
    love.apply(1, one, first);
    StencilMatrix stencil = love.stencil();
    double scale = trial.problem.kernel().maxVariance();
    for (int i = 0; i < m; i++) {
      assertEquals(p[2 * m + i], first[i], 1e-12 * scale);
      for (int j = 0; j < m; j++) {
        double near = stencil.entry(i, j);
        if (near != 0) assertEquals(p[i * m + j], near, 1e-12 * scale, i + ", " + j);
        double[] pair =
            love.between(
                Stencils.single(new int[] {i}, new double[] {1}),
                Stencils.single(new int[] {j}, new double[] {1}));
        assertEquals(p[i * m + j], pair[0], 1e-12 * scale, i + ", " + j);
      }
    }
  }

  @Test
  void fixedRankIsHonoured() {
    SplittableRandom random = new SplittableRandom(33);
    Grid grid = Interpolated.cube(1, 100);
    double[] x = Interpolated.uniform(random, 500, -1, 1);
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("1*matern32(lengthscale=0.2)").bind(1), 0.01, PriorMean.ZERO);
    LatticeProblem problem =
        LatticeProblem.of(GridStatistics.of(grid, x, Interpolated.normals(random, 500)), h);
    for (int rank : new int[] {1, 5, 50}) {
      Love love = Love.DEFAULT.withRank(rank);
      assertTrue(love.fixed());
      assertEquals(rank, love.build(problem).rank());
      assertEquals("love, rank " + rank, love.build(problem).describe());
    }
    assertEquals(30, Love.DEFAULT.withLimit(30).build(problem).rank(), "the limit");
  }

  @ParameterizedTest
  @CsvSource({"rbf, 0.05, 0.01", "matern52, 0.1, 0.01", "matern52, 0.1, 1e-4"})
  void toleranceIsMetOnAnAxis(String shape, double lengthscale, double tolerance) {
    SplittableRandom random = new SplittableRandom(34);
    int n = 20_000;
    Grid grid = Interpolated.cube(1, Boolean.getBoolean("lovelace.long") ? 2000 : 400);
    double[] x = Interpolated.uniform(random, n, -1, 1);
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("1*%s(lengthscale=%s)".formatted(shape, lengthscale)).bind(1),
            0.01,
            PriorMean.ZERO);
    LatticeProblem problem =
        LatticeProblem.of(GridStatistics.of(grid, x, Interpolated.normals(random, n)), h);
    LoveCovariance love = Love.DEFAULT.withTolerance(tolerance).build(problem);
    double[] at = Interpolated.uniform(random, 40, -1, 1);
    Stencils points = Stencils.of(grid, at);
    double[] lower = new double[40];
    double[] upper = new double[40];
    love.certify(points, lower, upper);
    LoveCovariance all = Love.DEFAULT.withRank(400).build(problem);
    double[] width = new double[40];
    int[] index = new int[4];
    double[] weight = new double[4];
    for (int p = 0; p < 40; p++) {
      points.copy(p, index, weight);
      width[p] = (upper[p] - lower[p]) / upper[p];
      assertTrue(
          width[p] <= 1.5 * tolerance,
          String.format(Locale.ROOT, "rank %d, point %d: %.2e", love.rank(), p, width[p]));
      double exact = all.variance(index, weight);
      assertEquals(exact, love.variance(index, weight), tolerance * exact);
    }
  }

  @Test
  void withoutDataItIsThePrior() {
    Grid grid = Interpolated.cube(1, 12);
    Hyperparameters h =
        Hyperparameters.of(Kernel.parse("1.3*rbf(lengthscale=0.2)").bind(1), 0.01, PriorMean.ZERO);
    LatticeProblem problem = LatticeProblem.of(GridStatistics.empty(grid), h);
    LoveCovariance love = Love.DEFAULT.build(problem);
    assertEquals(0, love.rank());
    double[] at = {-0.4, 0.77};
    Stencils points = Stencils.of(grid, at);
    double[] prior = problem.kernel().between(points, points);
    double[] found = love.between(points, points);
    for (int i = 0; i < 4; i++) assertEquals(prior[i], found[i], 1e-15);
  }
}
