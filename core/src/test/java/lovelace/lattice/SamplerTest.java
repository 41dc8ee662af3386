package lovelace.lattice;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import lovelace.data.Outside;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.PointSampler.Maxima;
import lovelace.linear.Cholesky;
import lovelace.linear.Gaussian;
import lovelace.love.Love;
import lovelace.posterior.Prediction;
import lovelace.statistics.AdditiveStatistics;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SamplerTest {

  /// The probability that a test here fails on a sampler that is right.
  private static final double FALSE_ALARM = 1e-6;

  private static final int DRAWS = Boolean.getBoolean("lovelace.long") ? 20_000 : 1000;

  /// Data on a lattice, test points, and the exact posterior of the interpolated process there.
  private static final class Problem {
    final Lattice lattice;
    final Hyperparameters h;
    final double[] x;
    final double[] y;
    final double[] weights;
    final double[] at;
    final LatticeProblem system;

    Problem(String kernel, int d, int points, int n, double noise, boolean additive, int t) {
      Axis[] axes = new Axis[d];
      for (int a = 0; a < d; a++) axes[a] = Axis.covering(-1, 1, points);
      SplittableRandom random = new SplittableRandom(23);
      h =
          Hyperparameters.of(
              Kernel.parse(kernel).times(1.7).attach(d), noise, PriorMean.constant(2.5));
      x = random.doubles((long) n * d, -1, 1).toArray();
      y = new double[n];
      weights = random.doubles(n, 0.5, 2).toArray();
      for (int i = 0; i < n; i++) y[i] = 3 + Math.sin(4 * x[i * d]) + 0.1 * random.nextGaussian();
      at = random.doubles((long) t * d, -1, 1).toArray();
      Statistics statistics;
      if (additive) {
        AdditiveGrid grid = AdditiveGrid.of(axes);
        lattice = grid;
        statistics = AdditiveStatistics.of(grid, x, y, weights, Outside.ERROR);
      } else {
        Grid grid = Grid.of(axes);
        lattice = grid;
        statistics = GridStatistics.of(grid, x, y, weights, Outside.ERROR);
      }
      system = LatticeProblem.of(statistics, h);
    }

    LatticePosterior posterior() {
      return LatticePosterior.love(system, Love.DEFAULT.withTolerance(1e-6));
    }

    /// K from the kernel's definition at the lattice points, of each component by itself.
    private double[] kernel() {
      int m = lattice.size();
      double[] k = new double[m * m];
      switch (lattice) {
        case Grid grid -> {
          int d = grid.dimensions();
          double[] p = grid.points();
          for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++)
              k[i * m + j] = h.kernel().withoutWhite().value(p, i * d, p, j * d);
        }
        case AdditiveGrid grid -> {
          for (int c = 0; c < grid.components(); c++) {
            Kernel own = h.kernel().terms().get(c).kernel(grid.dimensions());
            double[] p = grid.component(c).grid().points();
            for (int i = 0; i < p.length; i++)
              for (int j = 0; j < p.length; j++) {
                double[] left = new double[grid.dimensions()];
                double[] right = new double[grid.dimensions()];
                left[c] = p[i];
                right[c] = p[j];
                k[(grid.start(c) + i) * m + grid.start(c) + j] = own.value(left, 0, right, 0);
              }
          }
        }
      }
      return k;
    }

    private double[][] stencils(double[] points) {
      int d = lattice.dimensions();
      double[][] w = new double[points.length / d][lattice.size()];
      int[] index = new int[lattice.stencilSize()];
      double[] weight = new double[index.length];
      for (int i = 0; i < w.length; i++) {
        assertTrue(lattice.stencil(points, i * d, index, weight));
        for (int k = 0; k < index.length; k++) w[i][index[k]] += weight[k];
      }
      return w;
    }

    private static double[] times(double[] k, double[] w) {
      double[] out = new double[w.length];
      for (int i = 0; i < w.length; i++)
        for (int j = 0; j < w.length; j++) out[i] += k[i * w.length + j] * w[j];
      return out;
    }

    private static double dot(double[] a, double[] b) {
      double sum = 0;
      for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
      return sum;
    }

    /// Mean and covariance at the test points, through the n × n matrix.
    double[][] exact() {
      double[] k = kernel();
      double[][] w = stencils(x);
      double[][] v = stencils(at);
      int n = w.length;
      int t = v.length;
      double[][] kw = new double[n][];
      for (int i = 0; i < n; i++) kw[i] = times(k, w[i]);
      double[] a = new double[n * n];
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          a[i * n + j] = dot(w[j], kw[i]) + (i == j ? h.noise() / weights[i] : 0);
      Cholesky factor = Cholesky.of(a, n);
      double[] r = y.clone();
      for (int i = 0; i < n; i++) r[i] -= 2.5;
      factor.solve(r);
      double[] mean = new double[t];
      double[] covariance = new double[t * t];
      double[][] cross = new double[t][n];
      double[][] solved = new double[t][];
      for (int s = 0; s < t; s++) {
        for (int i = 0; i < n; i++) cross[s][i] = dot(v[s], kw[i]);
        mean[s] = 2.5 + dot(cross[s], r);
        solved[s] = cross[s].clone();
        factor.solve(solved[s]);
      }
      for (int s = 0; s < t; s++) {
        double[] kv = times(k, v[s]);
        for (int u = 0; u < t; u++)
          covariance[s * t + u] = dot(kv, v[u]) - dot(cross[s], solved[u]);
      }
      return new double[][] {mean, covariance};
    }
  }

  /// Whitened with the exact mean and covariance, draws are independent standard normals. Their
  /// means, variances (a χ², made normal by Wilson and Hilferty) and products, all divided by their
  /// standard errors, are compared with the quantile of the largest of as many normals (Bonferroni,
  /// at half the rate, since the tails of a product are a little heavier): a right sampler fails
  /// with probability below `FALSE_ALARM`.
  static void assertDistribution(double[] mean, double[] covariance, double[] draws) {
    int t = mean.length;
    int count = draws.length / t;
    Cholesky factor = Cholesky.of(covariance, t);
    assertEquals(0, factor.jitter(), "the oracle's covariance must be well conditioned");
    double[] sums = new double[t];
    double[] products = new double[t * t];
    double[] z = new double[t];
    for (int s = 0; s < count; s++) {
      for (int i = 0; i < t; i++) z[i] = draws[s * t + i] - mean[i];
      factor.solveLower(1, z);
      for (int i = 0; i < t; i++) {
        sums[i] += z[i];
        for (int j = 0; j <= i; j++) products[i * t + j] += z[i] * z[j];
      }
    }
    double limit = Gaussian.quantile(1 - FALSE_ALARM / (4 * (t + t * (t + 1) / 2.0)));
    for (int i = 0; i < t; i++) {
      assertEquals(0, sums[i] / Math.sqrt(count), limit, "mean along direction " + i);
      double spread = 2.0 / (9 * count);
      double variance = (Math.cbrt(products[i * t + i] / count) - 1 + spread) / Math.sqrt(spread);
      assertEquals(0, variance, limit, "variance along direction " + i);
      for (int j = 0; j < i; j++)
        assertEquals(
            0, products[i * t + j] / Math.sqrt(count), limit, "covariance of " + i + ", " + j);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "rbf(lengthscale=0.3), 1, 40, 60, 0.1, false",
    "rbf(lengthscale=0.3), 1, 40, 7, 0.01, false",
    "matern12(lengthscale=0.5), 1, 30, 50, 0.1, false",
    "matern32(lengthscale=0.5), 1, 30, 9, 0.05, false",
    "matern52(lengthscale=0.5), 1, 30, 50, 0.1, false",
    "rbf(lengthscale=0.6), 2, 7, 200, 0.05, false",
    "matern12(lengthscale=0.5), 2, 6, 60, 0.1, false",
    "matern32(lengthscale=0.5), 2, 6, 300, 0.1, false",
    "matern52(lengthscale=0.5), 2, 7, 40, 0.1, false",
    "rbf(lengthscale=0.8), 3, 4, 40, 0.1, false",
    "matern12(lengthscale=0.8), 3, 4, 40, 0.1, false",
    "matern32(lengthscale=0.8), 3, 4, 90, 0.1, false",
    "matern52(lengthscale=0.8), 3, 4, 40, 0.1, false",
    "rbf(lengthscale=0.6)*linear(variance=2) + constant(variance=0.5), 2, 6, 60, 0.1, false",
    "'periodic(period=0.9, lengthscale=1) + white(variance=0.1)', 1, 30, 50, 0.1, false",
    "additive(rbf(lengthscale=0.5)), 2, 14, 90, 0.1, true",
    "additive(matern32(lengthscale=0.7)), 3, 10, 60, 0.05, true"
  })
  void pathwiseDrawsHaveTheInterpolatedPosterior(
      String kernel, int d, int points, int n, double noise, boolean additive) {
    Problem problem = new Problem(kernel, d, points, n, noise, additive, 6);
    boolean white = kernel.contains("white");
    double[][] exact =
        white
            ? new Problem(kernel, d, points, n, noise + 0.17, additive, 6).exact()
            : problem.exact();
    Sampler sampler = problem.posterior().sampler(Sampling.Method.PATHWISE);
    assertEquals(1, sampler.capturedVariance());
    double[] draws = sampler.draw(problem.at, DRAWS, new SplittableRandom(71));
    assertDistribution(exact[0], exact[1], draws);
    // the default: through LOVE's caches
    double[] cached = problem.posterior().sample(problem.at, DRAWS, new SplittableRandom(71));
    assertDistribution(exact[0], exact[1], cached);
  }

  @ParameterizedTest
  @CsvSource({
    "rbf(lengthscale=0.3), 1, 40, 60, 0.1, false, SPECTRAL",
    "matern12(lengthscale=0.5), 1, 30, 50, 0.1, false, SPECTRAL",
    "matern32(lengthscale=0.5), 1, 30, 50, 0.1, false, SPECTRAL",
    "matern52(lengthscale=0.5), 1, 30, 9, 0.1, false, SPECTRAL",
    "rbf(lengthscale=0.6), 2, 9, 200, 0.05, false, SPECTRAL",
    "matern32(lengthscale=0.3), 2, 9, 100, 0.1, false, SPECTRAL",
    "matern52(lengthscale=0.3), 2, 9, 100, 0.1, false, SPECTRAL",
    "rbf(lengthscale=0.5), 3, 4, 40, 0.1, false, SPECTRAL",
    "additive(rbf(lengthscale=0.5)), 2, 14, 90, 0.1, true, SPECTRAL",
    "additive(matern52(lengthscale=0.4)), 3, 10, 90, 0.1, true, SPECTRAL",
    "matern12(lengthscale=0.5), 1, 30, 50, 0.1, false, MARKOV",
    "matern32(lengthscale=0.5), 1, 30, 9, 0.1, false, MARKOV",
    "matern52(lengthscale=0.5), 1, 30, 50, 0.1, false, MARKOV"
  })
  void engineDrawsHaveTheInterpolatedPosterior(
      String kernel,
      int d,
      int points,
      int n,
      double noise,
      boolean additive,
      Sampling.Method method) {
    Problem problem = new Problem(kernel, d, points, n, noise, additive, 6);
    double[][] exact = problem.exact();
    Sampler sampler = problem.posterior().sampler(method);
    double[] draws = sampler.draw(problem.at, DRAWS, new SplittableRandom(72));
    assertDistribution(exact[0], exact[1], draws);
  }

  @Test
  void observationsHaveTheNoiseOnTop() {
    Problem problem = new Problem("rbf(lengthscale=0.3)", 1, 40, 60, 0.3, false, 6);
    double[][] exact = problem.exact();
    for (int i = 0; i < 6; i++) exact[1][i * 7] += 0.3;
    PointSampler points = problem.posterior().sampler().at(problem.at);
    double[] draws = points.observe(DRAWS, new SplittableRandom(73));
    assertDistribution(exact[0], exact[1], draws);
  }

  @Test
  void loveAtFullRankHasTheInterpolatedPosterior() {
    Problem problem = new Problem("rbf(lengthscale=0.4)", 1, 30, 60, 0.1, false, 4);
    double[][] exact = problem.exact();
    Sampler sampler =
        problem
            .posterior()
            .sampler(Sampling.DEFAULT.withMethod(Sampling.Method.LOVE).withTolerance(1e-9));
    assertEquals(1, sampler.capturedVariance(), 1e-8);
    double[] draws = sampler.draw(problem.at, DRAWS, new SplittableRandom(74));
    assertDistribution(exact[0], exact[1], draws);
  }

  @ParameterizedTest
  @CsvSource({"matern12, 0.05, 0.5", "matern52, 0.05, 0.99", "rbf, 0.3, 1"})
  void loveReportsTheShareOfVarianceItsDrawsHave(String kernel, double lengthscale, double most) {
    Problem problem =
        new Problem(kernel + "(lengthscale=" + lengthscale + ")", 1, 200, 400, 0.05, false, 300);
    LatticePosterior posterior = problem.posterior();
    Sampler sampler =
        posterior.sampler(Sampling.DEFAULT.withMethod(Sampling.Method.LOVE).withRank(30));
    PointSampler points = sampler.at(problem.at);
    int count = 2000;
    double[] draws = points.draw(count, new SplittableRandom(75));
    Prediction exact = posterior.predict(problem.at);
    double measured = 0;
    double all = 0;
    for (int p = 0; p < 300; p++) {
      for (int s = 0; s < count; s++) {
        double r = draws[s * 300 + p] - exact.mean(p);
        measured += r * r / count;
      }
      all += exact.variance(p);
    }
    // the mean of squares of 30 independent normals, in the worst case all in one
    double tolerance = 5.5 * Math.sqrt(2.0 / count);
    assertEquals(points.capturedVariance(), measured / all, tolerance * points.capturedVariance());
    assertEquals(sampler.capturedVariance(), points.capturedVariance(), 0.25);
    assertTrue(points.capturedVariance() <= most + 1e-12, sampler.describe());
  }

  @ParameterizedTest
  @CsvSource({"LOVE", "PATHWISE", "SPECTRAL", "MARKOV"})
  void functionsAndDrawsAreTheSame(Sampling.Method method) {
    Problem problem = new Problem("matern32(lengthscale=0.5)", 1, 30, 50, 0.1, false, 9);
    Sampler sampler = problem.posterior().sampler(method);
    double[] draws = sampler.draw(problem.at, 5, new SplittableRandom(5));
    List<SampledFunction> functions = sampler.functions(5, new SplittableRandom(5));
    for (int s = 0; s < 5; s++)
      for (int p = 0; p < 9; p++)
        assertEquals(draws[s * 9 + p], functions.get(s).at(problem.at[p]), 1e-6);
    double[] few = sampler.draw(problem.at, 2, new SplittableRandom(5));
    for (int i = 0; i < few.length; i++) assertEquals(draws[i], few[i], 1e-6);
    assertEquals(
        functions.getFirst().at(0.3), sampler.function(new SplittableRandom(5)).at(0.3), 1e-6);
  }

  @ParameterizedTest
  @CsvSource({
    "matern52(lengthscale=0.5), 2, 9, false",
    "rbf(lengthscale=0.8), 3, 6, false",
    "additive(rbf(lengthscale=0.5)), 2, 14, true"
  })
  void gradientsAreThoseOfTheFunction(String kernel, int d, int points, boolean additive) {
    Problem problem = new Problem(kernel, d, points, 50, 0.1, additive, 20);
    SampledFunction f = problem.posterior().sampler().function(new SplittableRandom(6));
    double[] gradient = new double[d];
    double step = 1e-6;
    for (int p = 0; p < 20; p++) {
      double[] x = Arrays.copyOfRange(problem.at, p * d, (p + 1) * d);
      assertEquals(f.at(x), f.gradient(x, 0, gradient), 1e-12);
      for (int a = 0; a < d; a++) {
        double[] up = x.clone();
        double[] down = x.clone();
        up[a] += step;
        down[a] -= step;
        assertEquals((f.at(up) - f.at(down)) / (2 * step), gradient[a], 1e-4);
      }
    }
    double[] beyond = new double[d];
    beyond[0] = 7;
    var error = assertThrows(IllegalArgumentException.class, () -> f.at(beyond));
    assertTrue(String.valueOf(error).contains("column 1 is 7.0, outside"), String.valueOf(error));
  }

  @ParameterizedTest
  @CsvSource({"LOVE", "PATHWISE", "SPECTRAL", "MARKOV"})
  void antitheticPairsCancel(Sampling.Method method) {
    Problem problem = new Problem("matern52(lengthscale=0.5)", 1, 30, 50, 0.1, false, 6);
    LatticePosterior posterior = problem.posterior();
    Sampling sampling = Sampling.DEFAULT.withMethod(method);
    Sampler sampler = posterior.sampler(sampling.withAntithetic(true));
    double[] mean = posterior.predict(problem.at).means();
    double[] draws = sampler.draw(problem.at, 7, new SplittableRandom(7));
    for (int pair = 0; pair < 3; pair++)
      for (int p = 0; p < 6; p++)
        assertEquals(
            mean[p], 0.5 * (draws[2 * pair * 6 + p] + draws[(2 * pair + 1) * 6 + p]), 1e-12);
    double[] plain = posterior.sampler(sampling).draw(problem.at, 4, new SplittableRandom(7));
    for (int s = 0; s < 4; s++)
      for (int p = 0; p < 6; p++) assertEquals(plain[s * 6 + p], draws[2 * s * 6 + p], 1e-6);
    List<SampledFunction> functions = sampler.functions(7, new SplittableRandom(7));
    for (int s = 0; s < 7; s++)
      for (int p = 0; p < 6; p++)
        assertEquals(draws[s * 6 + p], functions.get(s).at(problem.at[p]), 1e-6);
  }

  @Test
  void antitheticPairsCancelBeyondTheLattice() {
    LatticePosterior posterior =
        new Problem("matern52(lengthscale=0.5)", 1, 30, 50, 0.1, false, 6).posterior();
    double[] at = {-0.3, 0.2, 1.6};
    double[] mean = posterior.predict(at).means();
    double[] plain = posterior.sampler().draw(at, 4, new SplittableRandom(7));
    double[] draws =
        posterior
            .sampler(Sampling.DEFAULT.withAntithetic(true))
            .draw(at, 7, new SplittableRandom(7));
    for (int s = 0; s < 7; s++)
      for (int p = 0; p < 3; p++)
        assertEquals(
            (s % 2 == 0 ? 1 : -1) * (plain[s / 2 * 3 + p] - mean[p]),
            draws[s * 3 + p] - mean[p],
            1e-12);
  }

  @ParameterizedTest
  @CsvSource({"LOVE, 20", "PATHWISE, 3", "SPECTRAL, 20"})
  void quasiRandomDrawsEstimateTheMeanBetter(Sampling.Method method, int n) {
    Problem problem = new Problem("rbf(lengthscale=0.5)", 1, 30, n, 1e-3, false, 6);
    LatticePosterior posterior = problem.posterior();
    Prediction exact = posterior.predict(problem.at);
    Sampler sampler = posterior.sampler(Sampling.DEFAULT.withMethod(method).withQuasi(true));
    int count = 512;
    double plain = 0;
    double quasi = 0;
    for (int seed = 0; seed < 4; seed++) {
      quasi += error(sampler.draw(problem.at, count, new SplittableRandom(seed)), exact);
      plain +=
          error(
              posterior.sampler(method).draw(problem.at, count, new SplittableRandom(seed)), exact);
    }
    assertTrue(quasi < 0.5 * plain, method + ": " + quasi + " against " + plain);
  }

  private static double error(double[] draws, Prediction exact) {
    int t = exact.size();
    int count = draws.length / t;
    double sum = 0;
    for (int p = 0; p < t; p++) {
      double mean = 0;
      for (int s = 0; s < count; s++) mean += draws[s * t + p] / count;
      sum += (mean - exact.mean(p)) * (mean - exact.mean(p)) / exact.variance(p);
    }
    return Math.sqrt(sum / t);
  }

  @ParameterizedTest
  @CsvSource({"LOVE", "PATHWISE", "SPECTRAL"})
  void drawsDoNotDependOnTheNumberOfThreads(Sampling.Method method) throws Exception {
    Problem problem = new Problem("rbf(lengthscale=0.4)", 2, 12, 90, 0.1, false, 40);
    double[] first = new double[0];
    for (int threads : new int[] {1, 2, 5})
      try (ForkJoinPool pool = new ForkJoinPool(threads)) {
        double[] draws =
            pool.submit(
                    () ->
                        problem
                            .posterior()
                            .sampler(method)
                            .at(problem.at)
                            .observe(150, new SplittableRandom(8)))
                .get();
        if (first.length == 0) first = draws;
        assertArrayEquals(first, draws);
      }
  }

  @Test
  void maximaAreThoseOfTheDraws() {
    Problem problem = new Problem("rbf(lengthscale=0.3)", 1, 40, 10, 0.1, false, 50);
    PointSampler points = problem.posterior().sampler().at(problem.at);
    double[] draws = points.draw(300, new SplittableRandom(9));
    Maxima maxima = points.maxima(300, new SplittableRandom(9));
    double[] probabilities = maxima.probabilities();
    double total = 0;
    for (double p : probabilities) total += p;
    assertEquals(1, total, 1e-12);
    for (int s = 0; s < 300; s++) {
      double best = Double.NEGATIVE_INFINITY;
      for (int p = 0; p < 50; p++) best = Math.max(best, draws[s * 50 + p]);
      assertEquals(best, maxima.value(s), 1e-6);
      assertEquals(best, draws[s * 50 + maxima.place(s)], 1e-6);
      assertTrue(probabilities[maxima.place(s)] > 0);
    }
  }

  @Test
  void pointsBeyondTheLatticeAreDrawnJointly() {
    Problem problem = new Problem("matern32(lengthscale=0.5)", 1, 30, 50, 0.1, false, 6);
    LatticePosterior posterior = problem.posterior();
    double[] at = {-0.4, 0.7, 1.6, 4};
    double[] draws = posterior.sample(at, DRAWS, new SplittableRandom(10));
    assertDistribution(posterior.predict(at).means(), posterior.covariance(at, at), draws);
  }

  @Test
  void withoutDataTheDrawsAreThePriors() {
    Problem problem = new Problem("matern52(lengthscale=0.5)", 1, 30, 0, 0.1, false, 5);
    double[][] exact = problem.exact();
    double[] draws = problem.posterior().sample(problem.at, DRAWS, new SplittableRandom(11));
    assertDistribution(exact[0], exact[1], draws);
  }

  @Test
  void aMethodThatDoesNotServeSaysSo() {
    Problem problem = new Problem("rbf(lengthscale=0.5)", 1, 30, 20, 0.1, false, 6);
    LatticePosterior posterior = problem.posterior();
    assertThrows(IllegalArgumentException.class, () -> posterior.sampler(Sampling.Method.MARKOV));
    assertThrows(
        IllegalArgumentException.class,
        () -> posterior.sampler().at(problem.at).draw(-1, new SplittableRandom(1)));
  }

  @Test
  void batchesOfDrawsFitIntoAnArray() {
    for (int size :
        new int[] {1, 300, 8_388_608, 9_000_000, 1_000_000_000, Integer.MAX_VALUE - 8}) {
      int rows = PointSampler.fitting(size);
      assertTrue(rows >= 1 && (long) rows * size <= Integer.MAX_VALUE - 8, size + ": " + rows);
      assertTrue(rows == 1 || rows % 2 == 0, "pairs stay together");
    }
  }

  void oneOfManyPointsBeyondThePlaneIsDrawnWithTheOthers() {
    Problem problem = new Problem("rbf(lengthscale=0.8)", 2, 9, 40, 0.1, false, 6);
    LatticePosterior posterior = problem.posterior();
    double[] at = {-0.4, 0.3, 0.7, 0.1, 0.2, 1.6};
    PointSampler sampler = posterior.sampler().at(at);
    assertEquals(1, sampler.capturedVariance());
    double[] draws = sampler.draw(DRAWS, new SplittableRandom(12));
    assertDistribution(posterior.predict(at).means(), posterior.covariance(at, at), draws);
  }

  @Test
  void drawsInBatchesAreTheDrawsAtOnce() {
    Problem problem = new Problem("rbf(lengthscale=0.5)", 1, 30, 20, 0.1, false, 3);
    PointSampler sampler = problem.posterior().sampler().at(problem.at);
    for (int count : new int[] {0, 1, 255, 256, 257, 512, 600}) { // batches have 256
      int[] batches = new int[1];
      double[] apart = sampler.draw(count, false, new SplittableRandom(3), () -> batches[0]++);
      assertArrayEquals(sampler.draw(count, new SplittableRandom(3)), apart);
      assertEquals((count + 255) / 256, batches[0], count + " draws");
      double[] observed = sampler.draw(count, true, new SplittableRandom(3), () -> {});
      assertArrayEquals(sampler.observe(count, new SplittableRandom(3)), observed);
      Maxima maxima = sampler.maxima(count, new SplittableRandom(3));
      assertEquals(count, maxima.values().length);
      for (int i = 0; i < count; i++) {
        double most = Math.max(apart[3 * i], Math.max(apart[3 * i + 1], apart[3 * i + 2]));
        assertEquals(most, maxima.values()[i]);
        assertEquals(most, apart[3 * i + maxima.places()[i]]);
      }
    }
  }

  @Test
  void limitsOfSamplingAreCheckedAndKept() {
    assertEquals(1, Sampling.DEFAULT.withLimit(1).limit());
    assertThrows(IllegalArgumentException.class, () -> Sampling.DEFAULT.withLimit(0));
    assertThrows(IllegalArgumentException.class, () -> Sampling.DEFAULT.withRank(-1));
    for (double wrong : new double[] {0, 1, Double.NaN})
      assertThrows(IllegalArgumentException.class, () -> Sampling.DEFAULT.withTolerance(wrong));
  }
}
