package lovelace.linear;

import java.util.Arrays;
import java.util.Locale;

/// The Cholesky factorisation `A + jitter·I = L Lᵀ` of a symmetric positive definite matrix.
/// Immutable; safe to share between threads.
///
/// The first attempt factors A as it is. If a pivot is not positive, jitter is added to the
/// diagonal: 1e-12 of the mean diagonal entry, then ten times as much, up to 1e-4. [#jitter]
/// returns the amount.
public final class Cholesky {

  private final int n;
  private final double[] factor;
  private final double jitter;

  private Cholesky(int n, double[] factor, double jitter) {
    this.n = n;
    this.factor = factor;
    this.jitter = jitter;
  }

  /// Factors the n × n matrix in `a`. Reads the lower triangle and does not change the array.
  public static Cholesky of(double[] a, int n) {
    return adopt(a.clone(), n);
  }

  /// As [#of], but takes over the array, which becomes the factor.
  public static Cholesky adopt(double[] a, int n) {
    check(a, n);
    double mean = 0;
    for (int i = 0; i < n; i++) mean += a[i * n + i] / n;
    return adopt(a, n, 1e-12 * mean, 10, 2e-4 * mean);
  }

  /// As [#adopt(double[], int)], with the first jitter, the factor by which it grows, and its upper
  /// limit.
  public static Cholesky adopt(double[] a, int n, double first, double growth, double most) {
    check(a, n);
    double[] diagonal = new double[n];
    for (int i = 0; i < n; i++) diagonal[i] = a[i * n + i];
    Blas.mirror(n, a); // the upper triangle keeps a copy, from which a failed attempt starts again
    double jitter = 0;
    int pivot = Blas.potrf(n, a, 0, n);
    for (double next = first; pivot != 0 && next > 0 && next <= most; next *= growth) {
      jitter = next;
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) a[i * n + j] = a[j * n + i];
        a[i * n + i] = diagonal[i] + jitter;
      }
      pivot = Blas.potrf(n, a, 0, n);
    }
    if (pivot != 0)
      throw new ArithmeticException(
          String.format(
              Locale.ROOT,
              "matrix of size %d is not positive definite: pivot %d is not positive, even with %g added to the diagonal; check for NaN, add noise, or drop near-duplicate points",
              n,
              pivot,
              jitter));
    for (int i = 0; i < n; i++) Arrays.fill(a, i * n + i + 1, (i + 1) * n, 0);
    return new Cholesky(n, a, jitter);
  }

  private static void check(double[] a, int n) {
    if (n < 0 || a.length != (long) n * n)
      throw new IllegalArgumentException(
          "a must hold n² entries, got " + a.length + " for n = " + n);
  }

  /// The number of rows of A.
  public int size() {
    return n;
  }

  /// L, row-major with zeros above the diagonal. Not a copy: it must not be modified.
  public double[] factor() {
    return factor;
  }

  /// The amount that was added to the diagonal; 0 if none.
  public double jitter() {
    return jitter;
  }

  /// `b ← A⁻¹ b`.
  public void solve(double[] b) {
    solveBlock(1, b);
  }

  /// `B ← A⁻¹ B`, with B n × columns, row-major.
  public void solveBlock(int columns, double[] b) {
    solveLower(columns, b);
    solveLowerTransposed(columns, b);
  }

  /// `B ← B A⁻¹`, with B rows × n, row-major: A⁻¹ times each row.
  public void solveRows(int rows, double[] b) {
    Blas.trsm(true, true, rows, n, 1, factor, 0, n, b, 0, n);
    Blas.trsm(true, false, rows, n, 1, factor, 0, n, b, 0, n);
  }

  /// `B ← L⁻¹ B`, with B n × columns, row-major.
  public void solveLower(int columns, double[] b) {
    Blas.trsm(false, false, n, columns, 1, factor, 0, n, b, 0, Math.max(columns, 1));
  }

  /// `B ← L⁻ᵀ B`, with B n × columns, row-major.
  public void solveLowerTransposed(int columns, double[] b) {
    Blas.trsm(false, true, n, columns, 1, factor, 0, n, b, 0, Math.max(columns, 1));
  }

  /// `log det(A + jitter·I) = 2 Σ log Lᵢᵢ`.
  public double logDeterminant() {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += Math.log(factor[i * n + i]);
    return 2 * sum;
  }

  /// `A⁻¹`, both triangles, as a new array.
  public double[] inverse() {
    double[] inverse = factor.clone();
    Blas.potri(n, inverse, 0, n);
    for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) inverse[j * n + i] = inverse[i * n + j];
    return inverse;
  }

  /// `L⁻¹` as a new array, zero above the diagonal, by halves: `[A 0; B C]⁻¹ = [A⁻¹ 0; −C⁻¹BA⁻¹
  /// C⁻¹]`.
  public double[] inverseFactor() {
    double[] x = new double[n * n];
    invert(factor, x, 0, n, n);
    return x;
  }

  private static void invert(double[] l, double[] x, int at, int count, int n) {
    if (count <= 64) {
      for (int j = at; j < at + count; j++) {
        x[j * n + j] = 1 / l[j * n + j];
        for (int i = j + 1; i < at + count; i++) {
          double sum = 0;
          for (int k = j; k < i; k++) sum += l[i * n + k] * x[k * n + j];
          x[i * n + j] = -sum / l[i * n + i];
        }
      }
      return;
    }
    int half = count / 2;
    int rest = count - half;
    invert(l, x, at, half, n);
    invert(l, x, at + half, rest, n);
    int corner = (at + half) * n + at;
    for (int i = 0; i < rest; i++) System.arraycopy(l, corner + i * n, x, corner + i * n, half);
    Blas.trmm(false, false, rest, half, -1, x, (at + half) * n + at + half, n, x, corner, n);
    Blas.trmm(true, false, rest, half, 1, x, at * n + at, n, x, corner, n);
  }

  /// The factorisation of `A + v vᵀ`, in O(n²) by Givens rotations (Golub and Van Loan, section
  /// 6.5.4).
  public Cholesky update(double[] v) {
    return rankOne(v, 1);
  }

  /// The factorisation of `A − v vᵀ`, in O(n²) by hyperbolic rotations. Throws
  /// [ArithmeticException] if that matrix is not positive definite.
  public Cholesky downdate(double[] v) {
    return rankOne(v, -1);
  }

  private Cholesky rankOne(double[] v, int sign) {
    if (v.length != n)
      throw new IllegalArgumentException("v must have length " + n + ", got " + v.length);
    double[] l = factor.clone();
    double[] rest = v.clone();
    double[] cosine = new double[n];
    double[] sine = new double[n];
    // goes row by row, as memory does: rotation j is known once row j is reached
    for (int i = 0; i < n; i++) {
      int row = i * n;
      double x = rest[i];
      for (int j = 0; j < i; j++) {
        double y = (l[row + j] + sign * sine[j] * x) / cosine[j];
        x = cosine[j] * x - sine[j] * y;
        l[row + j] = y;
      }
      double d = l[row + i];
      double square = (d - x) * (d + x);
      if (sign > 0) square = d * d + x * x;
      if (!(square > 0))
        throw new ArithmeticException(
            "A − v vᵀ is not positive definite: pivot " + (i + 1) + " is " + square);
      double r = Math.sqrt(square);
      cosine[i] = r / d;
      sine[i] = x / d;
      l[row + i] = r;
    }
    return new Cholesky(n, l, jitter);
  }
}
