package lovelace.laplace;

import java.util.Arrays;

/// Noise that is a second process, from the definition: `y = f + exp(h) ε / √w`, f and h Gaussian
/// processes. The joint mode by Fisher scoring with a line search, then Newton's method with the
/// true second derivatives; the evidence with Fisher information: `w exp(−2h)` of f, 2 of h.
/// Vectors hold f in their first half and h in the second.
final class DenseVarying {

  final double[] mode;
  final double[] alpha;
  final double[] curvature;
  final double evidence;

  /// With Fisher information; between f and h it is zero.
  final double[] covariance;

  private final int n;
  private final int m;
  private final double[] k;
  private final double[] prior;

  DenseVarying(double[] y, double[] weights, double[] kf, double[] kh, double[] mf, double[] mh) {
    n = y.length;
    m = 2 * n;
    k = new double[m * m];
    double[] mu = new double[m];
    for (int i = 0; i < n; i++) {
      mu[i] = mf[i];
      mu[n + i] = mh[i];
      for (int j = 0; j < n; j++) {
        k[i * m + j] = kf[i * n + j];
        k[(n + i) * m + n + j] = kh[i * n + j];
      }
    }
    prior = mu;
    double[] u = mu.clone();
    double[] a = new double[m];
    double best = objective(y, weights, u, mu, a);
    // Where u = μ + K a, the mode is where a equals the slope. Near it steps are Newton's with the
    // true second derivatives. One that leaves more is taken back, and scoring goes on for a while.
    double[][] kept = null;
    double residual = Double.POSITIVE_INFINITY;
    double near = 1e-3;
    for (int step = 0; step < 2000; step++) {
      double[] g = slope(y, weights, u);
      double left = 0;
      for (int i = 0; i < m; i++)
        left = Math.max(left, Math.abs(g[i] - a[i]) / (1 + Math.abs(g[i])));
      if (kept != null && left >= 0.5 * residual) {
        u = kept[0];
        a = kept[1];
        best = objective(y, weights, u, mu, a);
        if (residual < 1e-9) break;
        kept = null;
        near *= 0.01;
        continue;
      }
      boolean polish = left < near;
      double[] w = polish ? hessian(y, weights, u) : fisher(weights, u);
      double[] b = g.clone();
      for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) b[i] += w[i * m + j] * (u[j] - mu[j]);
      double[] u1 = DenseLaplace.solve(identityPlus(product(k, w)), DenseLaplace.times(k, b, m), m);
      double[] a1 = b.clone();
      for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) a1[i] -= w[i * m + j] * u1[j];
      u1 = DenseLaplace.times(k, a1, m);
      for (int i = 0; i < m; i++) u1[i] += mu[i];
      if (polish) {
        kept = new double[][] {u, a};
        residual = left;
        u = u1;
        a = a1;
        best = objective(y, weights, u, mu, a);
        continue;
      }
      double t = 1;
      while (true) {
        double[] ut = DenseLaplace.between(u, u1, t);
        double[] at = DenseLaplace.between(a, a1, t);
        double value = objective(y, weights, ut, mu, at);
        if (value > best || left < 1e-6) {
          u = ut;
          a = at;
          best = value;
          break;
        }
        t /= 2;
        if (t < 1e-10) throw new IllegalStateException("no mode: residual " + left);
      }
    }
    if (!(residual < 1e-9)) throw new IllegalStateException("no mode: residual " + residual);
    mode = u;
    alpha = a;
    double[] w = fisher(weights, u);
    curvature = new double[m];
    for (int i = 0; i < m; i++) curvature[i] = w[i * m + i];
    double[] matrix = identityPlus(product(k, w));
    evidence = best - 0.5 * DenseLaplace.logDeterminant(matrix, m);
    covariance = DenseLaplace.solve(matrix, k, m);
  }

  /// Mean and variance of f, then of h, at a point with prior means and variances, and prior
  /// covariances with the rows. h is corrected to first order with `s = W_f diag P_f + 2 diag P_h`,
  /// its variance is by the information `2 (1 − W_f diag P_f)`, at least 0.1; f has the noise of
  /// that h.
  double[] at(double[] y, double[] weights, double[] mu, double[] variances, double[][] cross) {
    double[] kf = Prior.part(k, m, 0, n, n);
    double[] kh = new double[n * n];
    double[] ph = new double[n * n];
    for (int i = 0; i < n; i++) {
      System.arraycopy(k, (n + i) * m + n, kh, i * n, n);
      System.arraycopy(covariance, (n + i) * m + n, ph, i * n, n);
    }
    double[] s = new double[n];
    double[] information = new double[n];
    for (int i = 0; i < n; i++) {
      double leverage = curvature[i] * covariance[i * m + i];
      s[i] = leverage + 2 * ph[i * n + i];
      information[i] = 2 * Math.max(0.05, 1 - leverage);
    }
    double[] twos = new double[n];
    Arrays.fill(twos, 2);
    double[] moved = DenseLaplace.times(ph, s, n);
    double[] noise = new double[n];
    double[] r = new double[n];
    for (int i = 0; i < n; i++) {
      noise[i] = Math.exp(2 * (mode[n + i] + moved[i])) / weights[i];
      r[i] = y[i] - prior[i];
    }
    double[] a = kf.clone();
    for (int i = 0; i < n; i++) a[i * n + i] += noise[i];
    double[] dual = DenseLaplace.solve(a, r, n);
    double[] back = DenseLaplace.solve(a, cross[0], n);
    double[] shifted = DenseLaplace.solve(scaled(kh, twos), cross[1], n);
    double[] seen = DenseLaplace.solve(scaled(kh, information), cross[1], n);
    double[] out = {mu[0], variances[0], mu[1], variances[1]};
    for (int i = 0; i < n; i++) {
      out[0] += cross[0][i] * dual[i];
      out[1] -= cross[0][i] * back[i];
      out[2] += cross[1][i] * alpha[n + i] + shifted[i] * s[i];
      out[3] -= information[i] * cross[1][i] * seen[i];
    }
    return out;
  }

  /// `I + K diag(w)`.
  private double[] scaled(double[] k, double[] w) {
    double[] out = new double[n * n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) out[i * n + j] = (i == j ? 1 : 0) + k[i * n + j] * w[j];
    return out;
  }

  private static double objective(
      double[] y, double[] weights, double[] u, double[] mu, double[] a) {
    double sum = log(y, weights, u);
    for (int i = 0; i < u.length; i++) sum -= 0.5 * a[i] * (u[i] - mu[i]);
    return sum;
  }

  static double log(double[] y, double[] weights, double[] u) {
    int n = y.length;
    double sum = 0;
    for (int i = 0; i < n; i++) {
      double r = y[i] - u[i];
      double h = u[n + i];
      sum += 0.5 * Math.log(weights[i] / (2 * Math.PI)) - h;
      sum -= 0.5 * weights[i] * r * r * Math.exp(-2 * h);
    }
    return sum;
  }

  private static double[] slope(double[] y, double[] weights, double[] u) {
    int n = y.length;
    double[] g = new double[2 * n];
    for (int i = 0; i < n; i++) {
      double r = y[i] - u[i];
      double q = weights[i] * Math.exp(-2 * u[n + i]);
      g[i] = q * r;
      g[n + i] = q * r * r - 1;
    }
    return g;
  }

  private static double[] fisher(double[] weights, double[] u) {
    int n = weights.length;
    int m = 2 * n;
    double[] w = new double[m * m];
    for (int i = 0; i < n; i++) {
      w[i * m + i] = weights[i] * Math.exp(-2 * u[n + i]);
      w[(n + i) * m + n + i] = 2;
    }
    return w;
  }

  private static double[] hessian(double[] y, double[] weights, double[] u) {
    int n = y.length;
    int m = 2 * n;
    double[] w = new double[m * m];
    for (int i = 0; i < n; i++) {
      double r = y[i] - u[i];
      double q = weights[i] * Math.exp(-2 * u[n + i]);
      w[i * m + i] = q;
      w[i * m + n + i] = 2 * q * r;
      w[(n + i) * m + i] = 2 * q * r;
      w[(n + i) * m + n + i] = 2 * q * r * r;
    }
    return w;
  }

  /// K times a matrix whose rows have at most two entries.
  private double[] product(double[] k, double[] w) {
    double[] out = new double[m * m];
    for (int j = 0; j < m; j++)
      for (int c : new int[] {j, (j + n) % m}) {
        double v = w[j * m + c];
        if (v != 0) for (int i = 0; i < m; i++) out[i * m + c] += k[i * m + j] * v;
      }
    return out;
  }

  private double[] identityPlus(double[] a) {
    for (int i = 0; i < m; i++) a[i * m + i]++;
    return a;
  }
}
