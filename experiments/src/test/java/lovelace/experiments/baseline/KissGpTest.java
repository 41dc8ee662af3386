package lovelace.experiments.baseline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Cholesky;
import lovelace.linear.ConjugateGradients;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// KISS-GP and the paper's Algorithm 1, compared with the interpolated process written out.
class KissGpTest {

  private static final long SEED = 91;

  private static Dataset data(int n, int d) {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] x = uniform(random, n * d);
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      y[i] = 3 + 0.1 * random.nextGaussian();
      for (int a = 0; a < d; a++) y[i] += Math.sin((2 + a) * x[i * d + a]);
    }
    return Dataset.of(x, d, y);
  }

  private static Hyperparameters model(String text, int d, double noise) {
    return Hyperparameters.of(Kernel.parse(text).bind(d), noise, PriorMean.constant(2.5));
  }

  private static LatticeProblem problem(Grid grid, Dataset data, Hyperparameters h) {
    return LatticeProblem.of(GridStatistics.of(grid, data.inputs(), data.target()), h);
  }

  private static Grid cube(int d, int points) {
    Axis[] axes = new Axis[d];
    Arrays.setAll(axes, a -> Axis.covering(-1, 1, points));
    return Grid.of(axes);
  }

  private static double[] uniform(SplittableRandom random, int count) {
    return random.doubles(count, -1, 1).toArray();
  }

  /// K between the points of a grid, entry by entry; white noise is left out.
  private static double[] kernelMatrix(Grid grid, Kernel kernel) {
    int m = grid.size();
    int d = grid.dimensions();
    double[] points = grid.points();
    Kernel latent = kernel.withoutWhite();
    double[] k = new double[m * m];
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) k[i * m + j] = latent.value(points, i * d, points, j * d);
    return k;
  }

  /// Mean and covariance of f at points, from the n × n matrix of the interpolated process, written
  /// out.
  private static double[][] dense(
      Grid grid, Hyperparameters h, double[] x, double[] y, double[] at) {
    int d = grid.dimensions();
    int n = y.length;
    int t = at.length / d;
    int m = grid.size();
    double[] k = kernelMatrix(grid, h.kernel());
    double[][] w = weights(grid, x, n);
    double[][] v = weights(grid, at, t);
    double[] a = new double[n * n];
    double[][] kw = new double[n][m];
    for (int i = 0; i < n; i++)
      for (int p = 0; p < m; p++) for (int q = 0; q < m; q++) kw[i][p] += k[p * m + q] * w[i][q];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        for (int p = 0; p < m; p++) a[i * n + j] += w[j][p] * kw[i][p];
        if (i == j) a[i * n + j] += h.noise();
      }
    Cholesky factor = Cholesky.of(a, n);
    double[] r = y.clone();
    for (int i = 0; i < n; i++) r[i] -= h.mean().at(x, i * d);
    factor.solve(r);
    double[] mean = new double[t];
    double[] covariance = new double[t * t];
    double[][] cross = new double[t][n];
    double[][] solved = new double[t][];
    for (int s = 0; s < t; s++) {
      mean[s] = h.mean().at(at, s * d);
      for (int i = 0; i < n; i++) {
        for (int p = 0; p < m; p++) cross[s][i] += v[s][p] * kw[i][p];
        mean[s] += cross[s][i] * r[i];
      }
      solved[s] = cross[s].clone();
      factor.solve(solved[s]);
    }
    for (int s = 0; s < t; s++)
      for (int u = 0; u < t; u++) {
        for (int p = 0; p < m; p++)
          for (int q = 0; q < m; q++) covariance[s * t + u] += v[s][p] * k[p * m + q] * v[u][q];
        for (int i = 0; i < n; i++) covariance[s * t + u] -= cross[s][i] * solved[u][i];
      }
    return new double[][] {mean, covariance};
  }

  private static double[][] weights(Grid grid, double[] x, int n) {
    double[][] w = new double[n][grid.size()];
    int[] index = new int[grid.stencilSize()];
    double[] weight = new double[index.length];
    for (int i = 0; i < n; i++) {
      assertTrue(grid.stencil(x, i * grid.dimensions(), index, weight));
      for (int k = 0; k < index.length; k++) w[i][index[k]] += weight[k];
    }
    return w;
  }

  @ParameterizedTest
  @CsvSource({
    "1.3*rbf(lengthscale=0.4), 1, 30, 0.05",
    "1.3*matern52(lengthscale=0.4), 1, 30, 1e-3",
    "0.8*rbf(lengthscale=0.7), 2, 8, 0.05"
  })
  void kissGpAndAlgorithm1AgreeWithTheInterpolatedProcess(
      String text, int d, int points, double noise) {
    Dataset data = data(50, d);
    Grid grid = cube(d, points);
    Hyperparameters h = model(text, d, noise);
    LatticeProblem problem = problem(grid, data, h);
    double[] at = uniform(new SplittableRandom(SEED + 2), 5 * d);
    double[][] expected = dense(grid, h, data.inputs(), data.target(), at);
    KissGp kiss = KissGp.of(problem, ConjugateGradients.DEFAULT.withTolerance(1e-12));
    Algorithm1 paper = Algorithm1.of(problem, data, 50);
    Prediction fromKiss = kiss.predict(at);
    Prediction fromPaper = paper.predict(at);
    double[] between = kiss.covariance(at, at);
    double[] literal = paper.covariance(at, at);
    double[][] w = weights(grid, at, 5);
    double[] k = kernelMatrix(grid, h.kernel());
    for (int i = 0; i < 5; i++) {
      // a relative residual of 1e-12 allows an error of 1e-12 ‖Kb‖/σ², ‖Kb‖ about 100
      assertEquals(expected[0][i], fromKiss.mean(i), 1e-10 / noise, "mean " + i);
      assertEquals(expected[0][i], fromPaper.mean(i), 1e-10 / noise, "mean " + i);
      assertEquals(expected[1][i * 5 + i], fromKiss.variance(i), 1e-8, "variance " + i);
      for (int j = 0; j < 5; j++) {
        assertEquals(expected[1][i * 5 + j], between[i * 5 + j], 1e-8, i + ", " + j);
        double wkw = 0;
        for (int p = 0; p < w[i].length; p++)
          for (int q = 0; q < w[j].length; q++)
            if (w[i][p] != 0 && w[j][q] != 0) wkw += w[i][p] * k[p * w[i].length + q] * w[j][q];
        double prior = h.kernel().withoutWhite().value(at, i * d, at, j * d);
        // the paper's prior term is k(x, x′), not wᵀKw′
        assertEquals(expected[1][i * 5 + j] + prior - wkw, literal[i * 5 + j], 1e-8, i + ", " + j);
      }
      assertEquals(literal[i * 5 + i], fromPaper.variance(i), 1e-12);
    }
  }

  @Test
  void kissGpAndAlgorithm1DrawFromTheirCovariance() {
    Dataset data = data(50, 1);
    LatticeProblem problem = problem(cube(1, 30), data, model("1.3*rbf(lengthscale=0.4)", 1, 0.05));
    double[] at = {-0.7, 0.1, 0.15};
    List<Posterior> both =
        List.of(
            KissGp.of(problem, ConjugateGradients.DEFAULT.withTolerance(1e-12)),
            Algorithm1.of(problem, data, 50));
    int n = 4000;
    for (Posterior posterior : both) {
      double[] means = posterior.predict(at).means();
      double[] covariance = posterior.covariance(at, at);
      double[] draws = posterior.sample(at, n, new SplittableRandom(SEED));
      assertEquals(3 * n, draws.length);
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          double sum = 0;
          double product = 0;
          for (int s = 0; s < n; s++) {
            sum += (draws[3 * s + i] - means[i]) / n;
            product += (draws[3 * s + i] - means[i]) * (draws[3 * s + j] - means[j]) / n;
          }
          double vi = covariance[4 * i];
          double vj = covariance[4 * j];
          double cij = covariance[3 * i + j];
          // five standard errors
          assertEquals(0, sum, 5 * Math.sqrt(vi / n), "seed " + SEED);
          assertEquals(cij, product, 5 * Math.sqrt((vi * vj + cij * cij) / n), "seed " + SEED);
        }
    }
  }

  @Test
  void kissGpHasTheSameCovariancesInBatches() {
    Dataset data = data(50, 1);
    LatticeProblem problem = problem(cube(1, 30), data, model("1.3*rbf(lengthscale=0.4)", 1, 0.05));
    KissGp kiss = KissGp.of(problem, ConjugateGradients.DEFAULT.withTolerance(1e-12));
    double[] many = uniform(new SplittableRandom(SEED + 9), 131); // 64 each
    double[] two = {-0.3, 0.6};
    double[] whole = kiss.covariance(many, two);
    for (int i : new int[] {0, 63, 64, 127, 128, 130}) {
      double[] one = kiss.covariance(new double[] {many[i]}, two);
      assertEquals(one[0], whole[2 * i], 1e-9, "row " + i);
      assertEquals(one[1], whole[2 * i + 1], 1e-9, "row " + i);
    }
  }
}
