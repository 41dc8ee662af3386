package lovelace.inference;

import java.util.random.RandomGenerator;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Cholesky;
import lovelace.statistics.GridStatistics;

/// Observations drawn from a Gaussian process by the Cholesky factor of their covariance.
final class Draws {

  private Draws() {}

  static Hyperparameters unset(String kernel, int d) {
    return Hyperparameters.of(
        Kernel.parse(kernel).bind(d), Double.NaN, PriorMean.named("constant", d));
  }

  static double[] observe(Hyperparameters h, double[] x, RandomGenerator random) {
    int d = h.kernel().dimensions();
    int n = x.length / d;
    double[] k = new double[n * n];
    h.kernel().withoutWhite().matrix(x, n, x, n, k);
    for (int i = 0; i < n; i++) k[i * n + i] += h.noise();
    double[] l = Cholesky.adopt(k, n).factor();
    double[] z = random.doubles(n).map(u -> random.nextGaussian()).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      y[i] = h.mean().at(x, i * d);
      for (int j = 0; j <= i; j++) y[i] += l[i * n + j] * z[j];
    }
    return y;
  }

  /// A grid over a cube.
  static Grid grid(double low, double high, int points, int d) {
    Axis[] axes = new Axis[d];
    for (int a = 0; a < d; a++) axes[a] = Axis.covering(low, high, points);
    return Grid.of(axes);
  }

  static GridStatistics statistics(Grid grid, double[] x, double[] y) {
    return GridStatistics.of(grid, x, y);
  }
}
