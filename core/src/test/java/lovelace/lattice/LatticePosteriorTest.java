package lovelace.lattice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Cholesky;
import lovelace.love.Love;
import lovelace.posterior.Prediction;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public class LatticePosteriorTest {

  /// Mean and covariance of f at points, from the n × n matrix of the interpolated process, written
  /// out.
  public static double[][] dense(
      Grid grid, Hyperparameters h, double[] x, double[] y, double[] at) {
    int d = grid.dimensions();
    int n = y.length;
    int t = at.length / d;
    int m = grid.size();
    double[] points = grid.points();
    Kernel latent = h.kernel().withoutWhite();
    double[] k = new double[m * m];
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) k[i * m + j] = latent.value(points, i * d, points, j * d);
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
    "rbf(lengthscale=0.3), 1, 40, 60, 0.1",
    "rbf(lengthscale=0.3), 1, 40, 7, 0.01",
    "matern52(lengthscale=0.5), 1, 30, 50, 0.1",
    "matern32(lengthscale=0.5), 2, 9, 60, 0.1",
    "rbf(lengthscale=0.6), 2, 9, 200, 0.05",
    "rbf(lengthscale=0.6)*linear(variance=2) + constant(variance=0.5), 2, 8, 60, 0.1",
    "rbf(lengthscale=0.8), 3, 6, 80, 0.1"
  })
  void loveAtFullRankIsTheInterpolatedPosterior(
      String text, int d, int points, int n, double noise) {
    SplittableRandom random = new SplittableRandom(17);
    Axis[] axes = new Axis[d];
    for (int a = 0; a < d; a++) axes[a] = Axis.covering(-1, 1, points);
    Grid grid = Grid.of(axes);
    double[] x = random.doubles((long) n * d, -1, 1).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = 3 + Math.sin(4 * x[i * d]) + 0.1 * random.nextGaussian();
    double[] at = random.doubles(5L * d, -1, 1).toArray();
    Hyperparameters h =
        Hyperparameters.of(Kernel.parse(text).times(1.7).attach(d), noise, PriorMean.constant(2.5));
    double[][] expected = dense(grid, h, x, y, at);
    LatticePosterior posterior =
        LatticePosterior.love(
            LatticeProblem.of(GridStatistics.of(grid, x, y), h), Love.DEFAULT.withTolerance(1e-9));
    Prediction prediction = posterior.predict(at);
    double[] covariance = posterior.covariance(at, at);
    for (int i = 0; i < 5; i++) {
      assertEquals(expected[0][i], prediction.mean(i), 1e-7, "mean " + i);
      assertEquals(expected[1][i * 5 + i], prediction.variance(i), 1e-8, "variance " + i);
      for (int j = 0; j < 5; j++)
        assertEquals(expected[1][i * 5 + j], covariance[i * 5 + j], 1e-8, i + ", " + j);
    }
  }
}
