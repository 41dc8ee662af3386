package lovelace.laplace;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/// Matérn-5/2 processes over one input, for tests that need no product code.
final class Prior {

  private Prior() {}

  static double[] covariance(double[] x, double variance, double lengthscale) {
    int n = x.length;
    double[] k = new double[n * n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double s = Math.sqrt(5) * Math.abs(x[i] - x[j]) / lengthscale;
        k[i * n + j] = variance * (1 + s + s * s / 3) * Math.exp(-s);
      }
    return k;
  }

  /// A draw of N(0, K), entry by entry given those before it.
  static double[] draw(double[] k, int n, RandomGenerator random) {
    double[] l = new double[n * n];
    double[] f = new double[n];
    double[] z = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = k[i * n + j] + (i == j ? 1e-9 * k[i * n + i] : 0);
        for (int c = 0; c < j; c++) sum -= l[i * n + c] * l[j * n + c];
        l[i * n + j] = i == j ? Math.sqrt(Math.max(sum, 1e-15)) : sum / l[j * n + j];
      }
      z[i] = random.nextGaussian();
      for (int j = 0; j <= i; j++) f[i] += l[i * n + j] * z[j];
    }
    return f;
  }

  /// The rows and columns of a matrix from `from` to `to` and below `columns`.
  static double[] part(double[] k, int n, int from, int to, int columns) {
    double[] out = new double[(to - from) * columns];
    for (int i = from; i < to; i++) System.arraycopy(k, i * n, out, (i - from) * columns, columns);
    return out;
  }

  /// Φ(z).
  static double normal(double z) {
    return z > 8 ? 1 : Math.exp(Density.logNormal(z));
  }

  /// The Kolmogorov–Smirnov distance of values from the uniform distribution; sorts them.
  static double distance(double[] u) {
    Arrays.sort(u);
    double d = 0;
    for (int i = 0; i < u.length; i++)
      d = Math.max(d, Math.max(u[i] - (double) i / u.length, (i + 1.0) / u.length - u[i]));
    return d;
  }
}
