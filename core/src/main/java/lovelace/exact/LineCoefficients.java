package lovelace.exact;

import java.util.Arrays;
import lovelace.kernel.Kernel;
import lovelace.linear.Cholesky;
import lovelace.linear.Parallel;

/// The coefficients w of the lines of a kernel, given observations `y = F L w + e`, `e ~ N(0, V)`,
/// where V is the covariance of everything else. With `M = FᵀV⁻¹F` and `B = I + LᵀML`, w is normal
/// with mean `B⁻¹LᵀFᵀV⁻¹y` and covariance B⁻¹. No result is a difference of large numbers, however
/// far the rows are from zero. Immutable.
final class LineCoefficients {

  private final Lines lines;
  private final int m; // number of basis functions
  private final int r; // number of coefficients
  private final double[] l; // L, m × r
  private final double[][] columns; // F
  private final double[][] duals; // V⁻¹F
  private final double[] precision; // M
  private final double[] factor; // of B
  private final double[] spread; // L times the inverse root of B, m × r
  private final double logDeterminant; // of B

  /// @param columns F, an array for each basis function
  /// @param duals V⁻¹F
  LineCoefficients(Lines lines, double[][] columns, double[][] duals) {
    this.lines = lines;
    this.columns = columns;
    this.duals = duals;
    m = lines.functions();
    r = lines.size();
    l = lines.root();
    int n = columns[0].length;
    precision = new double[m * m];
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        precision[i * m + j] =
            0.5
                * (Panels.dot(columns[i], 0, duals[j], 0, n)
                    + Panels.dot(columns[j], 0, duals[i], 0, n));
    double[] ml = product(precision, m, m, l, r);
    factor = new double[r * r];
    for (int s = 0; s < r; s++)
      for (int t = 0; t < r; t++) {
        double sum = s == t ? 1 : 0;
        for (int j = 0; j < m; j++) sum += l[j * r + s] * ml[j * r + t];
        factor[s * r + t] = sum;
      }
    logDeterminant = factorise(factor, r);
    spread = l.clone();
    for (int j = 0; j < m; j++) whiten(spread, j * r);
  }

  /// The coefficients of the lines at the rows, given the factor of V.
  static LineCoefficients of(Lines lines, double[] inputs, Cholesky factor) {
    double[][] columns = columns(lines, inputs);
    double[][] duals = new double[columns.length][];
    for (int j = 0; j < duals.length; j++) {
      duals[j] = columns[j].clone();
      factor.solve(duals[j]);
    }
    return new LineCoefficients(lines, columns, duals);
  }

  /// The kernel without its lines. If nothing is left, a kernel that is negligible beside any
  /// noise.
  static Kernel rest(Lines lines, int dimensions) {
    Kernel rest = lines.rest();
    return rest != null ? rest : Kernel.constant(Double.MIN_NORMAL).bind(dimensions);
  }

  private static double[][] columns(Lines lines, double[] inputs) {
    double[] f = lines.basis(inputs);
    int m = lines.functions();
    int n = f.length / m;
    double[][] columns = new double[m][n];
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) columns[j][i] = f[i * m + j];
    return columns;
  }

  private static double[] product(double[] a, int rows, int inner, double[] b, int cols) {
    double[] out = new double[rows * cols];
    for (int i = 0; i < rows; i++)
      for (int k = 0; k < inner; k++)
        for (int j = 0; j < cols; j++) out[i * cols + j] += a[i * inner + k] * b[k * cols + j];
    return out;
  }

  /// Overwrites B with its Cholesky factor and returns log|B|. All eigenvalues of B are at least 1.
  private static double factorise(double[] b, int r) {
    double logs = 0;
    for (int i = 0; i < r; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = b[i * r + j];
        for (int k = 0; k < j; k++) sum -= b[i * r + k] * b[j * r + k];
        if (i == j && !(sum > 0))
          throw new ArithmeticException(
              "the lines of the kernel cannot be told apart: check for NaN, or add noise");
        b[i * r + j] = i == j ? Math.sqrt(sum) : sum / b[j * r + j];
      }
      Arrays.fill(b, i * r + i + 1, (i + 1) * r, 0);
      logs += 2 * Math.log(b[i * r + i]);
    }
    return logs;
  }

  /// `v ← R⁻¹v` with `RRᵀ = B`.
  private void whiten(double[] v, int at) {
    for (int i = 0; i < r; i++) {
      double sum = v[at + i];
      for (int k = 0; k < i; k++) sum -= factor[i * r + k] * v[at + k];
      v[at + i] = sum / factor[i * r + i];
    }
  }

  private void solve(double[] v) {
    whiten(v, 0);
    for (int i = r - 1; i >= 0; i--) {
      double sum = v[i];
      for (int k = i + 1; k < r; k++) sum -= factor[k * r + i] * v[k];
      v[i] = sum / factor[i * r + i];
    }
  }

  /// log|B|.
  double logDeterminant() {
    return logDeterminant;
  }

  /// The mean of w for a target. A second round removes the rounding that a large level causes.
  double[] means(double[] target) {
    double[] w = new double[r];
    double[] e = target;
    for (int round = 0; round < 2; round++) {
      double[] slope = new double[r];
      for (int j = 0; j < m; j++) {
        double g = Panels.dot(duals[j], 0, e, 0, e.length);
        for (int t = 0; t < r; t++) slope[t] += l[j * r + t] * g;
      }
      for (int t = 0; t < r; t++) slope[t] -= w[t];
      solve(slope);
      for (int t = 0; t < r; t++) w[t] += slope[t];
      e = rest(target, w);
    }
    return w;
  }

  /// `L w`: the factors of the basis functions.
  double[] weights(double[] w) {
    return product(l, m, r, w, 1);
  }

  /// `y − F L w`.
  double[] rest(double[] target, double[] w) {
    double[] beta = weights(w);
    double[] e = target.clone();
    for (int j = 0; j < m; j++) for (int i = 0; i < e.length; i++) e[i] -= beta[j] * columns[j][i];
    return e;
  }

  /// `y − F L w` with the mean of w.
  double[] rest(double[] target) {
    return rest(target, means(target));
  }

  /// `βᵀf` at a point.
  double mean(double[] beta, double[] x, int xo) {
    double[] f = new double[m];
    lines.basis(x, xo, f, 0);
    return Panels.dot(f, 0, beta, 0, m);
  }

  /// The weighted sum of f over some points.
  double[] average(double[] points, double[] weights) {
    double[] f = lines.basis(points);
    double[] sum = new double[m];
    for (int i = 0; i < weights.length; i++)
      for (int j = 0; j < m; j++) sum[j] += weights[i] * f[i * m + j];
    return sum;
  }

  /// `R⁻¹Lᵀ(f − FᵀV⁻¹k)`. Products of two of these are the contribution of the coefficients to a
  /// covariance.
  ///
  /// @param k the covariances with the rows, without the lines, from `k[ko]` on
  private double[] whitened(double[] f, double[] k, int ko) {
    int n = duals[0].length;
    double[] out = new double[r];
    for (int j = 0; j < m; j++) {
      double left = f[j] - Panels.dot(k, ko, duals[j], 0, n);
      for (int t = 0; t < r; t++) out[t] += left * spread[j * r + t];
    }
    return out;
  }

  /// The contribution of the coefficients to a variance, for the basis functions f.
  double variance(double[] f, double[] k, int ko) {
    double[] own = whitened(f, k, ko);
    return Panels.dot(own, 0, own, 0, r);
  }

  /// The contribution of the coefficients to the variance at a point.
  double variance(double[] x, int xo, double[] k, int ko) {
    double[] f = new double[m];
    lines.basis(x, xo, f, 0);
    return variance(f, k, ko);
  }

  /// Adds the contribution of the coefficients to the covariances of points.
  void addCovariance(Kernel rest, double[] inputs, double[] a, double[] b, double[] out) {
    double[][] left = whitened(rest, inputs, a);
    double[][] right = Arrays.equals(a, b) ? left : whitened(rest, inputs, b);
    for (int i = 0; i < left.length; i++)
      for (int j = 0; j < right.length; j++)
        out[i * right.length + j] += Panels.dot(left[i], 0, right[j], 0, r);
  }

  private double[][] whitened(Kernel rest, double[] inputs, double[] points) {
    int n = duals[0].length;
    int d = rest.dimensions();
    double[][] all = new double[points.length / d][];
    Parallel.forEach(
        all.length,
        i -> {
          double[] k = new double[n];
          rest.covariances(points, i * d, inputs, 0, n, k, 0);
          double[] f = new double[m];
          lines.basis(points, i * d, f, 0);
          all[i] = whitened(f, k, 0);
        });
    return all;
  }

  /// Returns some columns, followed by columns G with `(V + FLLᵀFᵀ)⁻¹ = V⁻¹ − GGᵀ`.
  double[][] withCorrections(double[][] columns) {
    int n = duals[0].length;
    double[][] all = Arrays.copyOf(columns, columns.length + r);
    for (int t = 0; t < r; t++) {
      double[] own = new double[n];
      for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) own[i] += spread[j * r + t] * duals[j][i];
      all[columns.length + t] = own;
    }
    return all;
  }

  /// The slopes of the likelihood in all parameters of a kernel.
  ///
  /// @param rest the slopes in the parameters of the kernel without its lines
  /// @param values the values of the parameters of the kernel
  /// @param others more targets, which count as in [ExactGp#restrictedGradient]
  /// @param alphas `(V + FLLᵀFᵀ)⁻¹` times each of these
  double[] slopes(
      double[] rest,
      double[] values,
      double[] target,
      double[] alpha,
      double[][] others,
      double[][] alphas) {
    double[] g = new double[values.length];
    lines.addRest(rest, values, g);
    addSlopes(before(target, others), before(alpha, alphas), values, g);
    return g;
  }

  private static double[][] before(double[] first, double[][] others) {
    double[][] all = new double[others.length + 1][];
    all[0] = first;
    System.arraycopy(others, 0, all, 1, others.length);
    return all;
  }

  private void addSlopes(double[][] targets, double[][] alphas, double[] values, double[] g) {
    double[] covariance = new double[r * r];
    for (int t = 0; t < r; t++) {
      double[] column = new double[r];
      column[t] = 1;
      solve(column);
      for (int s = 0; s < r; s++) covariance[s * r + t] = column[s];
    }
    double[] met = product(product(precision, m, m, l, r), m, r, covariance, r);
    for (int t = 0; t < r; t++) covariance[t * r + t] -= 1;
    double[][] means = new double[targets.length][];
    double[][] meets = new double[targets.length][m];
    for (int k = 0; k < targets.length; k++) {
      means[k] = means(targets[k]);
      for (int j = 0; j < m; j++)
        meets[k][j] = Panels.dot(columns[j], 0, alphas[k], 0, alphas[k].length);
    }
    lines.addSlopes(covariance, means, meets, met, values, g);
  }
}
