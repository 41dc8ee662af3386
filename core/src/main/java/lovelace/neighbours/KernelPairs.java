package lovelace.neighbours;

import java.util.Arrays;
import lovelace.kernel.Kernel;

/// Covariances under any kernel, by its own methods.
final class KernelPairs implements Pairs {

  private final Kernel kernel;
  private final boolean stationary;
  private final double[] origin;
  private final double peak;
  private final double inflation; // of the diagonal
  private final double[] x; // the places of the points
  private final double[] lags; // differences of the points if the kernel is stationary
  private final double[] values; // of the kernel for each pair, then their weights
  private final double[] sums;
  private double diagonal; // the weight of k(0) if the kernel is stationary

  KernelPairs(Kernel latent, int m, double nugget) {
    this.inflation = 1 + nugget;
    this.kernel = latent;
    this.stationary = kernel.isStationary();
    this.origin = new double[kernel.dimensions()];
    this.peak = stationary ? kernel.variance(origin, 0) : Double.NaN;
    this.x = new double[m * origin.length];
    this.values = new double[stationary ? m * (m - 1) / 2 : m * m];
    this.lags = new double[stationary ? values.length * origin.length : 0];
    this.sums = new double[kernel.parameterCount()];
  }

  @Override
  public void around(double[] points, int at) {}

  @Override
  public void place(int a, double[] points, int at) {
    System.arraycopy(points, at, x, a * origin.length, origin.length);
  }

  @Override
  public void covariances(int m, double[][] rows) {
    int d = origin.length;
    if (!stationary) {
      for (int a = 0; a < m; a++) kernel.covariances(x, a * d, x, a * d, m - a, rows[a], a);
      for (int a = 0; a < m; a++) rows[a][a] *= inflation;
      return;
    }
    int at = 0;
    for (int a = 0; a < m; a++)
      for (int b = a + 1; b < m; b++)
        for (int c = 0; c < d; c++) lags[at++] = x[a * d + c] - x[b * d + c];
    kernel.covariances(origin, 0, lags, 0, m * (m - 1) / 2, values, 0);
    int pair = 0;
    for (int a = 0; a < m; a++) {
      rows[a][a] = inflation * peak;
      System.arraycopy(values, pair, rows[a], a + 1, m - a - 1);
      pair += m - a - 1;
    }
  }

  @Override
  public void addSlopes(
      int m, double[] v, double[] u, double alpha, double beta, double own, double whole) {
    int at = 0;
    for (int a = 0; a < m; a++) {
      double byV = 2 * alpha * v[a] + beta * u[a];
      double byU = beta * v[a];
      double self = inflation * (alpha * v[a] * v[a] + beta * u[a] * v[a] + (a == m - 1 ? own : 0));
      if (stationary) diagonal += self;
      else {
        Arrays.fill(values, at, at + a, 0);
        values[at + a] = self;
        at += a + 1;
      }
      for (int b = a + 1; b < m; b++) values[at++] = byV * v[b] + byU * u[b];
    }
    if (stationary) kernel.gradientSum(origin, 1, lags, m * (m - 1) / 2, values, sums);
    else kernel.gradientSum(x, m, x, m, values, sums);
  }

  @Override
  public double[] slopes() {
    double[] slopes = sums.clone();
    if (stationary) kernel.gradient(origin, 0, origin, 0, diagonal, slopes, 0);
    return slopes;
  }
}
