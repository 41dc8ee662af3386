package lovelace.laplace;

import java.util.function.ToDoubleFunction;

/// Laplace's approximation written from the definition, by Gauss elimination on dense matrices: the
/// mode of `log p(y | f) − ½ (f−μ)ᵀK⁻¹(f−μ)`, the evidence `log p(y | f) − ½ (f−μ)ᵀK⁻¹(f−μ) − ½ log
/// |I + KW|` there, and the posterior covariance `(K⁻¹ + W)⁻¹`. K may be singular: what is solved
/// for is a with `f = μ + K a`.
final class DenseLaplace {

  final double[] mode;

  /// `K⁻¹ (f − μ)`.
  final double[] alpha;

  final double[] curvature;
  final double evidence;

  /// `(K⁻¹ + W)⁻¹` at the rows, n × n.
  final double[] covariance;

  /// The vector whose product with P is the first-order correction of the mean: `−½ ∂W/∂f ∘ diag
  /// P`.
  final double[] shift;

  private final int n;
  private final double[] k;

  DenseLaplace(Density density, double[] y, double[] sizes, double[] k, double[] mu) {
    this.k = k;
    n = y.length;
    double[] f = mu.clone();
    double[] a = new double[n];
    double[] g = new double[n];
    double[] w = new double[n];
    double[] hessian = new double[n];
    double best = objective(density, y, sizes, f, mu, a);
    // Where f = μ + K a, the mode is where a equals the slope. Near it steps are Newton's with the
    // true second derivatives. One that leaves more is taken back, and scoring goes on for a while.
    double[][] kept = null;
    double residual = Double.POSITIVE_INFINITY;
    double near = 1e-3;
    for (int step = 0; step < 500; step++) {
      derivatives(density, y, sizes, f, g, w, hessian);
      double left = 0;
      for (int i = 0; i < n; i++)
        left = Math.max(left, Math.abs(g[i] - a[i]) / (1 + Math.abs(g[i])));
      if (kept != null && left >= 0.5 * residual) {
        f = kept[0];
        a = kept[1];
        best = objective(density, y, sizes, f, mu, a);
        if (residual < 1e-9) break;
        kept = null;
        near *= 0.01;
        continue;
      }
      boolean polish = left < near;
      double[] b = new double[n];
      double[] use = polish ? hessian : w;
      for (int i = 0; i < n; i++) b[i] = use[i] * (f[i] - mu[i]) + g[i];
      double[] f1 = solve(identityPlusKw(use), times(k, b, n), n);
      double[] a1 = new double[n];
      for (int i = 0; i < n; i++) a1[i] = b[i] - use[i] * f1[i]; // f1 is f − μ here
      f1 = times(k, a1, n);
      for (int i = 0; i < n; i++) f1[i] += mu[i];
      if (polish) {
        kept = new double[][] {f, a};
        residual = left;
        f = f1;
        a = a1;
        best = objective(density, y, sizes, f, mu, a);
        continue;
      }
      double t = 1;
      while (true) {
        double[] ft = between(f, f1, t);
        double[] at = between(a, a1, t);
        double value = objective(density, y, sizes, ft, mu, at);
        if (value > best || left < 1e-6) {
          f = ft;
          a = at;
          best = value;
          break;
        }
        t /= 2;
        if (t < 1e-10) throw new IllegalStateException("no mode: residual " + left);
      }
    }
    if (!(residual < 1e-9)) throw new IllegalStateException("no mode: residual " + residual);
    derivatives(density, y, sizes, f, g, w, hessian);
    mode = f;
    alpha = a;
    curvature = w;
    double[] matrix = identityPlusKw(w);
    evidence = best - 0.5 * logDeterminant(matrix, n);
    covariance = solve(matrix, k, n);
    shift = new double[n];
    for (int i = 0; i < n; i++)
      shift[i] = -0.5 * density.at(y[i], sizes[i], f[i]).curvatureSlope() * covariance[i * n + i];
  }

  /// Corrected mean and variance at a point with prior mean and variance, and prior covariances
  /// with the rows.
  double[] at(double mu, double variance, double[] cross) {
    // Cov(f*, rows) = k*ᵀ (I + W K)⁻¹, and (I + W K) is the transpose of (I + K W)
    double[] v = solve(identityPlusKw(curvature), cross, n);
    double mean = mu;
    double explained = 0;
    for (int i = 0; i < n; i++) {
      mean += cross[i] * alpha[i] + v[i] * shift[i];
      explained += curvature[i] * cross[i] * v[i];
    }
    return new double[] {mean, variance - explained};
  }

  /// The corrected mean at the rows: `mode − ½ P (∂W/∂f ∘ diag P)`.
  double[] mean() {
    double[] out = times(covariance, shift, n);
    for (int i = 0; i < n; i++) out[i] += mode[i];
    return out;
  }

  private double[] identityPlusKw(double[] w) {
    double[] m = new double[n * n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) m[i * n + j] = (i == j ? 1 : 0) + k[i * n + j] * w[j];
    return m;
  }

  private static double objective(
      Density density, double[] y, double[] sizes, double[] f, double[] mu, double[] a) {
    double sum = 0;
    for (int i = 0; i < y.length; i++)
      sum += density.log(y[i], sizes[i], f[i]) - 0.5 * a[i] * (f[i] - mu[i]);
    return sum;
  }

  private static void derivatives(
      Density density,
      double[] y,
      double[] sizes,
      double[] f,
      double[] g,
      double[] w,
      double[] hessian) {
    for (int i = 0; i < y.length; i++) {
      Density.Derivatives d = density.at(y[i], sizes[i], f[i]);
      g[i] = d.slope();
      w[i] = d.curvature();
      hessian[i] = d.hessian();
    }
  }

  static double[] between(double[] a, double[] b, double t) {
    double[] out = new double[a.length];
    for (int i = 0; i < a.length; i++) out[i] = t == 1 ? b[i] : a[i] + t * (b[i] - a[i]);
    return out;
  }

  static double[] times(double[] m, double[] x, int n) {
    double[] out = new double[n];
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) out[i] += m[i * n + j] * x[j];
    return out;
  }

  /// Solves for all columns of b by Gauss elimination with pivots; keeps its arguments.
  static double[] solve(double[] matrix, double[] b, int n) {
    double[] x = b.clone();
    eliminate(matrix.clone(), x, n);
    return x;
  }

  static double logDeterminant(double[] matrix, int n) {
    return eliminate(matrix.clone(), new double[0], n);
  }

  /// Overwrites both; returns the log of the determinant's size.
  private static double eliminate(double[] a, double[] x, int n) {
    int columns = x.length / n;
    double log = 0;
    for (int c = 0; c < n; c++) {
      int best = c;
      for (int i = c + 1; i < n; i++)
        if (Math.abs(a[i * n + c]) > Math.abs(a[best * n + c])) best = i;
      swap(a, n, c, best);
      swap(x, columns, c, best);
      log += Math.log(Math.abs(a[c * n + c]));
      for (int i = c + 1; i < n; i++) {
        double factor = a[i * n + c] / a[c * n + c];
        if (factor == 0) continue;
        for (int j = c + 1; j < n; j++) a[i * n + j] -= factor * a[c * n + j];
        for (int j = 0; j < columns; j++) x[i * columns + j] -= factor * x[c * columns + j];
      }
    }
    for (int i = n - 1; i >= 0; i--)
      for (int c = 0; c < columns; c++) {
        for (int j = i + 1; j < n; j++) x[i * columns + c] -= a[i * n + j] * x[j * columns + c];
        x[i * columns + c] /= a[i * n + i];
      }
    return log;
  }

  private static void swap(double[] a, int width, int i, int j) {
    for (int c = 0; i != j && c < width; c++) {
      double swap = a[i * width + c];
      a[i * width + c] = a[j * width + c];
      a[j * width + c] = swap;
    }
  }

  /// The slope of a function along a direction, by central differences of fourth order.
  static double slope(ToDoubleFunction<double[]> function, double[] at, double[] direction) {
    double step = 1e-3;
    double[] f = new double[5];
    for (int s : new int[] {-2, -1, 1, 2}) {
      double[] moved = at.clone();
      for (int i = 0; i < moved.length; i++) moved[i] += s * step * direction[i];
      f[s + 2] = function.applyAsDouble(moved);
    }
    return (8 * (f[3] - f[1]) - (f[4] - f[0])) / (12 * step);
  }
}
