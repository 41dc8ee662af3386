package lovelace.neighbours;

import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;

/// The regression of one point on few others, for one thread: their covariance C, the point last,
/// is factored as `LLᵀ`. The last row of L is `(l, √D)`, and with `z = L⁻¹r` for the residuals r of
/// the others, `lᵀz` is the mean of the point and D its variance given them.
///
/// A point that has less than 1e-10 of its variance left, given those before it, says nothing new
/// and is left out: its column of L is zero.
final class LocalSystem {

  /// Below this part of its variance, what is left of a point given others is rounding.
  static final double ROUNDING = 1e-10;

  final double[] x; // the places of the points, d each
  final double[] variances; // of the noise of each
  final double[] l; // C, then L below the diagonal; D where the last pivot stands
  final double[] u; // residuals, then z, then L⁻ᵀz; that of the last point becomes its error
  final double[] v; // the weights of the regression, after [#weights]
  private final Dataset data;
  private final Hyperparameters h;
  private final Kernel kernel; // of the latent function
  private final double noise;
  private final boolean stationary;
  private final double[] origin;
  private final double peak;
  private final double[] lags; // of all pairs where the kernel is stationary
  private final double[] values; // of the kernel for each pair
  private final double[] inverse; // of the pivots, 0 for a point that is left out

  /// A system of up to k points and one more.
  LocalSystem(Dataset data, Hyperparameters h, int k) {
    this.data = data;
    this.h = h;
    this.kernel = h.kernel().withoutWhite();
    this.noise = h.noise() + h.kernel().whiteVariance();
    int d = data.dimensions();
    int m = k + 1;
    this.stationary = kernel.isStationary();
    this.origin = new double[d];
    this.peak = stationary ? kernel.variance(origin, 0) : Double.NaN;
    this.x = new double[m * d];
    this.lags = new double[stationary ? m * k / 2 * d : 0];
    this.values = new double[stationary ? m * k / 2 : 0];
    this.l = new double[m * m];
    this.inverse = new double[m];
    this.variances = new double[m];
    this.u = new double[m];
    this.v = new double[m];
  }

  /// Puts a row at place a, with its residual and its noise.
  void row(int a, int row) {
    int d = origin.length;
    System.arraycopy(data.inputs(), row * d, x, a * d, d);
    u[a] = data.target()[row] - h.mean().at(x, a * d);
    variances[a] = noise / data.weight(row);
  }

  /// Puts a point without noise and with residual 0 at place a.
  void point(int a, double[] points, int at) {
    System.arraycopy(points, at, x, a * origin.length, origin.length);
    u[a] = 0;
    variances[a] = 0;
  }

  /// Factors the covariance of `count` points and the one after them. Returns the variance of that
  /// one by itself, its noise included.
  double factor(int count) {
    covariances(count + 1);
    double own = l[count * (count + 2)];
    int m = count + 1;
    for (int a = 0; a < m; a++) {
      int row = a * m;
      for (int b = 0; b < a; b++) l[row + b] = (l[row + b] - dot(b, row, l, b * m)) * inverse[b];
      double pivot = l[row + a];
      double rest = pivot - dot(a, row, l, row);
      u[a] -= dot(a, row, u, 0);
      if (a == count) {
        l[row + a] = rest;
        return own;
      }
      inverse[a] = rest >= ROUNDING * pivot ? 1 / Math.sqrt(rest) : 0;
      u[a] *= inverse[a];
    }
    return own;
  }

  /// The variance of the last point given the others, which rounding may make negative.
  double rest(int count) {
    return l[count * (count + 2)];
  }

  /// `v ← L⁻ᵀl`, the weights of the others in the mean of the last point.
  void weights(int count) {
    int m = count + 1;
    System.arraycopy(l, count * m, v, 0, count);
    for (int a = count - 1; a >= 0; a--) {
      double va = v[a] * inverse[a];
      v[a] = va;
      for (int b = 0; b < a; b++) v[b] -= l[a * m + b] * va;
    }
  }

  /// The lower triangle of C for the first m points.
  private void covariances(int m) {
    int d = origin.length;
    if (stationary) {
      int pair = 0;
      for (int a = 1; a < m; a++)
        for (int b = 0; b < a; b++)
          for (int c = 0; c < d; c++) lags[pair++] = x[a * d + c] - x[b * d + c];
      kernel.covariances(origin, 0, lags, 0, m * (m - 1) / 2, values, 0);
      for (int a = 0; a < m; a++) {
        System.arraycopy(values, a * (a - 1) / 2, l, a * m, a);
        l[a * m + a] = peak + variances[a];
      }
    } else
      for (int a = 0; a < m; a++) {
        kernel.covariances(x, a * d, x, 0, a + 1, l, a * m);
        l[a * m + a] += variances[a];
      }
  }

  /// The product of the first n entries of a row of L and some of y; four sums side by side.
  private double dot(int n, int row, double[] y, int yo) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int i = 0;
    for (; i + 3 < n; i += 4) {
      s0 += l[row + i] * y[yo + i];
      s1 += l[row + i + 1] * y[yo + i + 1];
      s2 += l[row + i + 2] * y[yo + i + 2];
      s3 += l[row + i + 3] * y[yo + i + 3];
    }
    for (; i < n; i++) s0 += l[row + i] * y[yo + i];
    return s0 + s1 + (s2 + s3);
  }
}
