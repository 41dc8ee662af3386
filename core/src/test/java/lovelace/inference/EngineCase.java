package lovelace.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import lovelace.data.Outside;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Cholesky;
import lovelace.statistics.GridStatistics;

/// Data on a grid and the interpolated process, written out densely from the definition.
public final class EngineCase {

  public final Grid grid;
  public final Hyperparameters h;
  public final double[] x;
  public final double[] y;
  public final double[] weights;

  /// n random points in d columns of [−1, 1] on `points` grid points an axis; mean `zero`,
  /// `constant` or `linear`; with observation weights if `weighted`.
  public EngineCase(
      String kernel, int d, int points, int n, double noise, String mean, boolean weighted) {
    SplittableRandom random = new SplittableRandom(23);
    Axis[] axes = new Axis[d];
    for (int a = 0; a < d; a++) axes[a] = Axis.covering(-1, 1, points);
    grid = Grid.of(axes);
    x = random.doubles((long) n * d, -1, 1).toArray();
    y = new double[n];
    weights = new double[n];
    for (int i = 0; i < n; i++) {
      y[i] = 3 + Math.sin(4 * x[i * d]) + Math.cos(3 * x[i * d + d - 1]);
      y[i] += 0.3 * random.nextGaussian();
      weights[i] = weighted ? 0.5 + random.nextDouble() : 1;
    }
    PriorMean prior =
        switch (mean) {
          case "constant" -> PriorMean.constant(2.5);
          case "linear" -> PriorMean.linear(2.5, random.doubles(d, -1, 1).toArray());
          default -> PriorMean.ZERO;
        };
    h = Hyperparameters.of(Kernel.parse(kernel).bind(d), noise, prior);
  }

  public GridStatistics statistics() {
    return GridStatistics.of(grid, x, y, weights, Outside.ERROR);
  }

  /// Rows of weights, n × m.
  static double[][] stencils(Grid grid, double[] x, int n) {
    double[][] w = new double[n][grid.size()];
    int[] index = new int[grid.stencilSize()];
    double[] weight = new double[index.length];
    for (int i = 0; i < n; i++) {
      assertTrue(grid.stencil(x, i * grid.dimensions(), index, weight));
      for (int k = 0; k < index.length; k++) w[i][index[k]] += weight[k];
    }
    return w;
  }

  /// Covariances `rowsᵀ K columns` of the latent process.
  double[][] between(Hyperparameters h, double[][] rows, double[][] columns) {
    int m = grid.size();
    int d = grid.dimensions();
    double[] points = grid.points();
    Kernel latent = h.kernel().whiteVariance() > 0 ? h.kernel().withoutWhite() : h.kernel();
    double[] k = new double[m * m];
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) k[i * m + j] = latent.value(points, i * d, points, j * d);
    double[][] out = new double[rows.length][columns.length];
    for (int i = 0; i < rows.length; i++) {
      double[] kw = new double[m];
      for (int p = 0; p < m; p++)
        if (rows[i][p] != 0) for (int q = 0; q < m; q++) kw[q] += rows[i][p] * k[p * m + q];
      for (int j = 0; j < columns.length; j++)
        for (int q = 0; q < m; q++) out[i][j] += kw[q] * columns[j][q];
    }
    return out;
  }

  private Cholesky factor(Hyperparameters h) {
    int n = y.length;
    double[][] w = stencils(grid, x, n);
    double[][] k = between(h, w, w);
    double[] a = new double[n * n];
    for (int i = 0; i < n; i++) {
      System.arraycopy(k[i], 0, a, i * n, n);
      a[i * n + i] += (h.noise() + h.kernel().whiteVariance()) / weights[i];
    }
    return Cholesky.of(a, n);
  }

  private double[] residual(Hyperparameters h) {
    double[] r = y.clone();
    for (int i = 0; i < r.length; i++) r[i] -= h.mean().at(x, i * grid.dimensions());
    return r;
  }

  /// `log N(y | μ, WᵀKW + σ²D⁻¹)`.
  public double logLikelihood(double[] values) {
    Hyperparameters other = h.with(values);
    Cholesky factor = factor(other);
    double[] r = residual(other);
    double[] z = r.clone();
    factor.solve(z);
    double sum = factor.logDeterminant() + r.length * Math.log(2 * Math.PI);
    for (int i = 0; i < r.length; i++) sum += r[i] * z[i];
    return -0.5 * sum;
  }

  /// Posterior mean and covariance at points.
  public double[][] posterior(double[] at) {
    int t = at.length / grid.dimensions();
    double[][] v = stencils(grid, at, t);
    double[][] cross = between(h, v, stencils(grid, x, y.length));
    double[][] prior = between(h, v, v);
    Cholesky factor = factor(h);
    double[] alpha = residual(h);
    factor.solve(alpha);
    double[] mean = new double[t];
    double[] covariance = new double[t * t];
    for (int i = 0; i < t; i++) {
      double[] solved = cross[i].clone();
      factor.solve(solved);
      for (int j = 0; j < y.length; j++) mean[i] += cross[i][j] * alpha[j];
      for (int k = 0; k < t; k++) {
        covariance[i * t + k] = prior[i][k];
        for (int j = 0; j < y.length; j++) covariance[i * t + k] -= solved[j] * cross[k][j];
      }
    }
    return new double[][] {mean, covariance};
  }

  /// Compares a gradient with central differences of a function of the values.
  public void assertGradient(
      java.util.function.ToDoubleFunction<double[]> f, double[] gradient, double tolerance) {
    double[] values = h.values();
    for (int i = 0; i < values.length; i++) {
      double step = 1e-4 * Math.max(Math.abs(values[i]), 1e-2);
      double[] up = values.clone();
      double[] down = values.clone();
      up[i] += step;
      down[i] -= step;
      double numeric = (f.applyAsDouble(up) - f.applyAsDouble(down)) / (2 * step);
      assertEquals(
          numeric, gradient[i], tolerance * (1 + Math.abs(numeric)), h.names().get(i) + " of " + h);
    }
  }
}
