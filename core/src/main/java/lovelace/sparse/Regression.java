package lovelace.sparse;

import java.util.Arrays;
import lovelace.kernel.Kernel;
import lovelace.linear.Blas;

/// One point regressed on others, `f(x) | others ~ N(Σⱼ Bⱼ f(xⱼ), D)`: one small dense system. The
/// point itself comes last. The static methods work on any matrix of covariances; an object is the
/// working memory for points anywhere, for one thread.
final class Regression {

  /// The part of k(0) that is added to the variance of every point of a system. Points that are not
  /// nodes may lie so close together that their values cannot be told apart otherwise.
  static final double NUGGET = 1e-10;

  /// Rows of covariances that are computed at a time: [Kernel#matrix] keeps so few in one thread.
  private static final int ROWS = 16;

  private final Kernel kernel;
  private final int d;

  /// The coordinates of the points, filled by the caller.
  double[] points = new double[0];

  /// After [#solve]: −B, and 1 for the point itself.
  double[] row = new double[0];

  private double[] c = new double[0];
  private double[] u = new double[0];
  private double[] some = new double[0];

  Regression(Kernel kernel) {
    this.kernel = kernel;
    d = kernel.dimensions();
  }

  /// Makes room for n points.
  void reserve(int n) {
    if (row.length >= n) return;
    points = Arrays.copyOf(points, n * d);
    row = new double[n];
    u = new double[n];
    c = new double[n * n];
    some = new double[ROWS * n];
  }

  /// Regresses the last of n points on the others; returns D. There is no less than [#NUGGET] of
  /// the prior variance left, up to rounding.
  double solve(int n) {
    covariances(n);
    return solve(n, c, row);
  }

  /// Adds `wᵀ ∂v + scale ∂D` in the kernel's parameters to g, for the points of the last [#solve],
  /// v its row.
  void gradient(int n, double[] w, double scale, double[] g) {
    adjoint(n, c, row, w, scale, u);
    double[] x = points.length == n * d ? points : Arrays.copyOf(points, n * d);
    double[] weights = new double[n * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) weights[i * n + j] = u[i] * row[j];
      weights[i * n + i] *= 1 + NUGGET;
    }
    kernel.gradientSum(x, n, x, n, weights, g);
  }

  /// The lower triangle of the covariances of n points.
  private void covariances(int n) {
    for (int from = 0; from < n; from += ROWS) {
      int to = Math.min(n, from + ROWS);
      double[] own = Arrays.copyOfRange(points, from * d, to * d);
      kernel.matrix(own, to - from, points, to, some);
      for (int i = from; i < to; i++) {
        System.arraycopy(some, (i - from) * to, c, i * n, i + 1);
        c[i * n + i] *= 1 + NUGGET;
      }
    }
  }

  /// Regresses the last of n points on the others, given the lower triangle of their covariances,
  /// which becomes its Cholesky factor. Fills `row` with −B, and 1 for the point; returns D, or 0
  /// where the matrix is not positive definite.
  static double solve(int n, double[] c, double[] row) {
    if (Blas.potrf(n, c, 0, n) != 0) c[n * n - 1] = 0;
    System.arraycopy(c, (n - 1) * n, row, 0, n - 1);
    backward(n - 1, c, n, row);
    for (int j = 0; j < n - 1; j++) row[j] = -row[j];
    row[n - 1] = 1;
    return c[n * n - 1] * c[n * n - 1];
  }

  /// What `wᵀ ∂v + scale ∂D` is a sum of, with C the covariances, L their factor and v a row: `∂D =
  /// vᵀ∂C v` and, for all points but the last, `∂v = −C⁻¹ ∂C v`, so that both together are `Σ uᵢ vⱼ
  /// ∂Cᵢⱼ`. Overwrites u.
  static void adjoint(int n, double[] l, double[] v, double[] w, double scale, double[] u) {
    System.arraycopy(w, 0, u, 0, n - 1);
    forward(n - 1, l, n, u);
    backward(n - 1, l, n, u);
    for (int i = 0; i < n - 1; i++) u[i] = scale * v[i] - u[i];
    u[n - 1] = scale * v[n - 1];
  }

  /// `x ← L⁻ᵀ x` for the leading n rows of a factor.
  private static void backward(int n, double[] l, int ld, double[] x) {
    for (int j = n - 1; j >= 0; j--) {
      double value = x[j] / l[j * ld + j];
      x[j] = value;
      for (int i = 0; i < j; i++) x[i] -= l[j * ld + i] * value;
    }
  }

  /// `x ← L⁻¹ x` for the leading n rows of a factor.
  private static void forward(int n, double[] l, int ld, double[] x) {
    for (int i = 0; i < n; i++) {
      double sum = x[i];
      for (int j = 0; j < i; j++) sum -= l[i * ld + j] * x[j];
      x[i] = sum / l[i * ld + i];
    }
  }
}
