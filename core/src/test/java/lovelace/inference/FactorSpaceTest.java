package lovelace.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Stencils;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.latticekernel.LatticeKernel;
import lovelace.latticekernel.ThinKernelRoot;
import lovelace.linear.Cholesky;
import lovelace.linear.ConjugateGradients;
import lovelace.linear.Space;
import lovelace.love.Love;
import lovelace.love.LoveCovariance;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FactorSpaceTest {

  private static final Grid GRID = Grid.of(Axis.covering(-1, 1, 60), Axis.covering(-1, 2, 50));

  private static Kernel kernel() {
    return Kernel.parse("1.7*rbf(lengthscale=[0.8, 1.1])").bind(2);
  }

  private static double[] points(int count, SplittableRandom random) {
    double[] x = new double[2 * count];
    for (int i = 0; i < count; i++) {
      x[2 * i] = random.nextDouble(-1, 0.4); // some cells stay empty
      x[2 * i + 1] = random.nextDouble(-1, 2);
    }
    return x;
  }

  private static LatticeProblem problem(int n, double noise, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = points(n, random);
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.sin(3 * x[2 * i]) + random.nextGaussian();
    return LatticeProblem.of(
        GridStatistics.of(GRID, x, y), Hyperparameters.of(kernel(), noise, PriorMean.constant(0)));
  }

  /// `wᵀPw` from the definition, n × n.
  private static double[] exact(
      LatticeProblem problem, int n, double noise, long seed, Stencils test) {
    Stencils w = Stencils.of(GRID, points(n, new SplittableRandom(seed)));
    LatticeKernel k = problem.kernel();
    double[] a = k.between(w, w);
    for (int i = 0; i < n; i++) a[i * n + i] += noise;
    Cholesky cholesky = Cholesky.of(a, n);
    double[] cross = k.between(w, test);
    cholesky.solveLower(test.count(), cross);
    double[] v = new double[test.count()];
    for (int p = 0; p < v.length; p++) {
      v[p] = k.between(one(test, p), one(test, p))[0];
      for (int i = 0; i < n; i++) v[p] -= cross[i * v.length + p] * cross[i * v.length + p];
    }
    return v;
  }

  private static Stencils one(Stencils points, int p) {
    int[] index = new int[points.width()];
    double[] weight = new double[points.width()];
    points.copy(p, index, weight);
    return Stencils.single(index, weight);
  }

  private static Stencils test() {
    SplittableRandom random = new SplittableRandom(5);
    double[] x = new double[60];
    for (int i = 0; i < 30; i++) {
      x[2 * i] = random.nextDouble(-1, 1);
      x[2 * i + 1] = random.nextDouble(-1, 2);
    }
    return Stencils.of(GRID, x);
  }

  @Test
  void thinRootIsARoot() {
    LatticeKernel kernel = LatticeKernel.of(GRID, kernel());
    ThinKernelRoot root = kernel.thinRoot();
    assertNotNull(root);
    assertTrue(root.rank() < GRID.size() / 8, () -> "rank " + root.rank());
    int r = root.rank();
    double[] unit = new double[r * r];
    for (int j = 0; j < r; j++) unit[j * r + j] = 1;
    double[] l = root.expand(r, unit); // row j is column j of L
    SplittableRandom random = new SplittableRandom(3);
    for (int trial = 0; trial < 200; trial++) {
      int i = random.nextInt(GRID.size());
      int j = random.nextInt(GRID.size());
      double sum = 0;
      for (int k = 0; k < r; k++) sum += l[k * GRID.size() + i] * l[k * GRID.size() + j];
      assertEquals(kernel.entry(i, j), sum, 1e-13);
    }
    double[] columns = root.expandColumns(r, unit);
    for (int i = 0; i < GRID.size(); i += 17)
      for (int k = 0; k < r; k++) assertEquals(l[k * GRID.size() + i], columns[i * r + k], 1e-14);
  }

  @Test
  void quadraticsAreThoseOfTheKernel() {
    LatticeKernel kernel = LatticeKernel.of(GRID, kernel());
    Stencils test = test();
    double[] all = kernel.quadratics(test);
    for (int p = 0; p < test.count(); p++)
      assertEquals(kernel.between(one(test, p), one(test, p))[0], all[p], 1e-13);
  }

  @ParameterizedTest(name = "n = {0}, noise = {1}")
  @CsvSource({"3, 0.1", "60, 0.3", "300, 0.01", "300, 1e-5"})
  void loveInThinCoordinatesReachesTheExactPosterior(int n, double noise) {
    long seed = n;
    LatticeProblem problem = problem(n, noise, seed);
    assertNotNull(problem.factorSpace(1e-3));
    LoveCovariance love = Love.DEFAULT.withTolerance(1e-4).build(problem);
    Stencils test = test();
    double[] exact = exact(problem, n, noise, seed, test);
    double[] variances = love.variances(test);
    double[] lower = new double[exact.length];
    double[] upper = new double[exact.length];
    love.certify(test, lower, upper);
    for (int p = 0; p < exact.length; p++) {
      assertEquals(exact[p], variances[p], 1e-4 * exact[p] + 1e-10, "point " + p);
      assertTrue(lower[p] <= exact[p] + 1e-11 && exact[p] <= upper[p] + 1e-11, "interval " + p);
    }
  }

  @Test
  void stepsAreThoseOfTheOtherCoordinates() {
    LatticeProblem problem = problem(300, 0.05, 9);
    FactorSpace thin = problem.factorSpace(1e-6);
    assertNotNull(thin);
    Love love = Love.DEFAULT.withRank(12);
    LoveCovariance a = love.build(problem, thin);
    LoveCovariance b = love.build(problem, problem.rootSpace());
    assertTrue(a.orthogonalityLoss() < 1e-13);
    assertArrayEquals(b.variances(test()), a.variances(test()), 1e-9);
    double[] far = problem.kernel().column(new double[] {1.5, 2.2}, 0);
    assertEquals(b.explained(far, far), a.explained(far, far), 1e-7);
    double[] variances = a.variances(test());
    for (int p = 0; p < variances.length; p++) {
      int[] index = new int[16];
      double[] weight = new double[16];
      test().copy(p, index, weight);
      assertEquals(a.variance(index, weight), variances[p], 1e-13);
    }
  }

  @Test
  void meanIsThatOfConjugateGradients() {
    LatticeProblem problem = problem(300, 0.05, 11);
    ConjugateGradients solver = ConjugateGradients.DEFAULT.withTolerance(1e-12);
    Space root = problem.rootSpace();
    double[] expected = new double[GRID.size()];
    root.lift(1, solver.solve(root, problem.target()).orThrow(1e-8), expected);
    assertArrayEquals(expected, problem.mean(solver), 1e-9);
  }

  @Test
  void aLineHasThinCoordinatesToo() {
    Grid line = Grid.of(Axis.covering(0, 1, 500));
    int n = 40;
    SplittableRandom random = new SplittableRandom(8);
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = random.nextDouble();
      y[i] = random.nextGaussian();
    }
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("2*rbf(lengthscale=0.2)").bind(1), 0.1, PriorMean.constant(0));
    LatticeProblem problem = LatticeProblem.of(GridStatistics.of(line, x, y), h);
    FactorSpace thin = problem.factorSpace(1e-6);
    assertNotNull(thin);
    Stencils test = Stencils.of(line, new double[] {0, 0.123, 0.5, 0.77, 1});
    Love love = Love.DEFAULT.withRank(10);
    assertArrayEquals(
        love.build(problem, problem.rootSpace()).variances(test),
        love.build(problem, thin).variances(test),
        1e-9);
  }

  @ParameterizedTest
  @ValueSource(strings = {"matern12(lengthscale=0.3)", "rbf(lengthscale=0.05)"})
  void roughKernelsHaveNoThinRoot(String text) {
    LatticeProblem problem = problem(50, 0.1, 1);
    Hyperparameters h =
        Hyperparameters.of(Kernel.parse("1*" + text).bind(2), 0.1, PriorMean.constant(0));
    assertNull(LatticeProblem.of(problem.statistics(), h).factorSpace(1e-5));
  }

  @Test
  void tinyNoiseHasNone() {
    assertNull(problem(300, 1e-13, 2).factorSpace(1e-5));
  }

  /// 50,000 × 8 points with over a hundred columns along the long axis: neither the columns of the
  /// root nor the products of pairs of them over all lines fit an array at once.
  @Test
  void aLongGridHasThinCoordinatesInBoundedMemory() {
    Grid grid = Grid.of(Axis.covering(0, 1000, 50_000), Axis.covering(0, 1, 8));
    int n = 60;
    SplittableRandom random = new SplittableRandom(12);
    double[] x = new double[2 * n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[2 * i] = random.nextDouble(960, 1000); // few lines have observations, so that it is quick
      x[2 * i + 1] = random.nextDouble();
      y[i] = random.nextGaussian();
    }
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("1.7*rbf(lengthscale=[22, 100])").bind(2), 0.1, PriorMean.constant(0));
    LatticeProblem problem = LatticeProblem.of(GridStatistics.of(grid, x, y), h);
    ThinKernelRoot root = problem.kernel().thinRoot();
    assertNotNull(root);
    assertTrue(4L * 50_000 * root.rank(0) * root.rank(0) > Integer.MAX_VALUE, "" + root.rank(0));
    FactorSpace thin = problem.factorSpace(1e-6);
    assertNotNull(thin);
    ConjugateGradients solver = ConjugateGradients.DEFAULT.withTolerance(1e-12);
    Space other = problem.rootSpace();
    double[] expected = new double[grid.size()];
    other.lift(1, solver.solve(other, problem.target()).orThrow(1e-8), expected);
    assertArrayEquals(expected, problem.mean(solver), 1e-9);
  }

  @Test
  void bitsDoNotDependOnThreads() {
    try (var single = new ForkJoinPool(1);
        var many = new ForkJoinPool(4)) {
      double[] a = single.submit(() -> variances()).join();
      double[] b = many.submit(() -> variances()).join();
      assertArrayEquals(a, b, 0);
    }
  }

  private static double[] variances() {
    return Love.DEFAULT.withTolerance(1e-4).build(problem(300, 0.1, 4)).variances(test());
  }
}
