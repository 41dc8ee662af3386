package lovelace.linear;

import java.lang.System.Logger.Level;
import java.util.Locale;
import lovelace.linear.internal.JavaRoutines;
import lovelace.linear.internal.OpenBlas;
import lovelace.linear.internal.Tiled;

/// Dense linear algebra on row-major `double[]`: entry (i, j) of A is `a[ao + i·lda + j]`.
///
/// OpenBLAS does the work if it loads, and plain Java if not (a log line says so). The system
/// property `lovelace.blas` = `native` or `java` forces one of them. Large problems run on several
/// threads through [Parallel], in tiles that depend only on the sizes, so the result has the same
/// bits for any number of threads. Matrices that are written must not overlap those that are read.
public final class Blas {

  private static final Tiled ROUTINES = choose();

  private Blas() {}

  private static Tiled choose() {
    String wish = System.getProperty("lovelace.blas", "");
    if (wish.equals("java")) return new Tiled(new JavaRoutines());
    if (!wish.isEmpty() && !wish.equals("native"))
      throw new IllegalArgumentException(
          "system property lovelace.blas must be 'native' or 'java', got '" + wish + "'");
    try {
      return new Tiled(OpenBlas.load());
    } catch (Exception | LinkageError e) {
      if (wish.equals("native"))
        throw new IllegalStateException("OpenBLAS did not load: " + e.getMessage(), e);
      System.getLogger("lovelace")
          .log(
              Level.WARNING,
              "OpenBLAS did not load, so dense algebra runs in plain Java, several times slower. "
                  + "To use it, put org.bytedeco:openblas for this platform on the class path, pass "
                  + "--enable-native-access=ALL-UNNAMED, and let -Dlovelace.native=DIR name a folder "
                  + "that libraries may be loaded from; -Dlovelace.blas=java drops this message. "
                  + "Cause: "
                  + e);
      return new Tiled(new JavaRoutines());
    }
  }

  /// The name of the version that does the work: `openblas` or `java`.
  public static String provider() {
    return ROUTINES.name();
  }

  /// `C ← α op(A) op(B) + β C`: C is m × n, op(A) is m × k, op(B) is k × n, op(A) = Aᵀ when
  /// `transA`.
  public static void gemm(
      boolean transA,
      boolean transB,
      int m,
      int n,
      int k,
      double alpha,
      double[] a,
      int ao,
      int lda,
      double[] b,
      int bo,
      int ldb,
      double beta,
      double[] c,
      int co,
      int ldc) {
    check("A", transA ? k : m, transA ? m : k, a, ao, lda);
    check("B", transB ? n : k, transB ? k : n, b, bo, ldb);
    check("C", m, n, c, co, ldc);
    if (m == 0 || n == 0) return;
    if (k == 0 || alpha == 0) {
      for (int i = 0; i < m; i++) scale(n, beta, c, co + i * ldc);
      return;
    }
    ROUTINES.gemm(transA, transB, m, n, k, alpha, a, ao, lda, b, bo, ldb, beta, c, co, ldc);
  }

  /// `C ← op(A) op(B)` for whole matrices: they start at index 0 and have no gaps between rows.
  public static void gemm(
      boolean transA, boolean transB, int m, int n, int k, double[] a, double[] b, double[] c) {
    int lda = transA ? m : k;
    int ldb = transB ? k : n;
    gemm(transA, transB, m, n, k, 1, a, 0, lda, b, 0, ldb, 0, c, 0, n);
  }

  /// `y ← α A x + β y`, or `α Aᵀ x + β y` when `trans`; A is m × n.
  public static void gemv(
      boolean trans,
      int m,
      int n,
      double alpha,
      double[] a,
      int ao,
      int lda,
      double[] x,
      int xo,
      double beta,
      double[] y,
      int yo) {
    check("A", m, n, a, ao, lda);
    check("x", 1, trans ? m : n, x, xo, trans ? m : n);
    check("y", 1, trans ? n : m, y, yo, trans ? n : m);
    if (m == 0 || n == 0 || alpha == 0) {
      scale(trans ? n : m, beta, y, yo);
      return;
    }
    ROUTINES.gemv(trans, m, n, alpha, a, ao, lda, x, xo, beta, y, yo);
  }

  /// Computes the lower triangle of `C ← α A Aᵀ + β C` with A n × k, or of `α Aᵀ A + β C` with A k
  /// × n when `trans`. Leaves the entries above the diagonal of C as they are.
  public static void syrk(
      boolean trans,
      int n,
      int k,
      double alpha,
      double[] a,
      int ao,
      int lda,
      double beta,
      double[] c,
      int co,
      int ldc) {
    check("A", trans ? k : n, trans ? n : k, a, ao, lda);
    check("C", n, n, c, co, ldc);
    if (n == 0) return;
    if (k == 0 || alpha == 0) {
      for (int i = 0; i < n; i++) scale(i + 1, beta, c, co + i * ldc);
      return;
    }
    ROUTINES.syrk(trans, n, k, alpha, a, ao, lda, beta, c, co, ldc);
  }

  /// `B ← α op(L)⁻¹ B`, or `α B op(L)⁻¹` when `right`; B is m × n, L lower triangular, op(L) = Lᵀ
  /// when `trans`.
  public static void trsm(
      boolean right,
      boolean trans,
      int m,
      int n,
      double alpha,
      double[] l,
      int lo,
      int ldl,
      double[] b,
      int bo,
      int ldb) {
    check("L", right ? n : m, right ? n : m, l, lo, ldl);
    check("B", m, n, b, bo, ldb);
    if (m == 0 || n == 0) return;
    ROUTINES.trsm(right, trans, m, n, alpha, l, lo, ldl, b, bo, ldb);
  }

  /// `B ← α op(L) B`, or `α B op(L)` when `right`; B is m × n, L lower triangular, op(L) = Lᵀ when
  /// `trans`.
  public static void trmm(
      boolean right,
      boolean trans,
      int m,
      int n,
      double alpha,
      double[] l,
      int lo,
      int ldl,
      double[] b,
      int bo,
      int ldb) {
    check("L", right ? n : m, right ? n : m, l, lo, ldl);
    check("B", m, n, b, bo, ldb);
    if (m == 0 || n == 0) return;
    ROUTINES.trmm(right, trans, m, n, alpha, l, lo, ldl, b, bo, ldb);
  }

  /// Factors `A = L Lᵀ`. L overwrites the lower triangle of A; the rest is not touched. Returns 0,
  /// or the 1-based number of the pivot that was not positive; A is then partly overwritten.
  public static int potrf(int n, double[] a, int ao, int lda) {
    check("A", n, n, a, ao, lda);
    return n == 0 ? 0 : ROUTINES.potrf(n, a, ao, lda);
  }

  /// Overwrites the lower triangle of L with that of `(L Lᵀ)⁻¹`. Needs n² numbers of working
  /// memory.
  public static void potri(int n, double[] l, int lo, int ldl) {
    check("L", n, n, l, lo, ldl);
    if (n > 0) ROUTINES.potri(n, l, lo, ldl);
  }

  /// Computes `A = Vᵀ diag(values) V` for a symmetric n × n matrix, given by its lower triangle
  /// without gaps. Values ascend, and row i of A becomes the i-th unit eigenvector. Meant for n up
  /// to a few hundred.
  public static void eigen(int n, double[] a, double[] values) {
    check("A", n, n, a, 0, n);
    check("values", 1, n, values, 0, n);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        if (!Double.isFinite(a[i * n + j]))
          throw new IllegalArgumentException(
              "A must be finite, got " + a[i * n + j] + " at (" + i + ", " + j + ")");
    if (n > 0) ROUTINES.eigen(n, a, values);
  }

  /// Copies the lower triangle of the n × n matrix over the upper one.
  public static void mirror(int n, double[] a) {
    check("A", n, n, a, 0, n);
    int tile = 64; // both the rows read and the rows written stay in cache
    Parallel.chunks(
        n,
        tile,
        (index, from, to) -> {
          for (int j0 = 0; j0 < to; j0 += tile)
            for (int i = from; i < to; i++)
              for (int j = j0; j < Math.min(i, j0 + tile); j++) a[j * n + i] = a[i * n + j];
        });
  }

  /// `Σ xᵢ yᵢ`.
  public static double dot(int n, double[] x, int xo, double[] y, int yo) {
    return JavaRoutines.dot(n, x, xo, y, yo);
  }

  /// `y ← y + α x`.
  public static void axpy(int n, double alpha, double[] x, int xo, double[] y, int yo) {
    for (int i = 0; i < n; i++) y[yo + i] += alpha * x[xo + i];
  }

  /// `√Σ xᵢ²`, computed without overflow or underflow.
  public static double nrm2(int n, double[] x, int xo) {
    double squares = dot(n, x, xo, x, xo);
    if (squares > 1e-280 && squares < 1e300) return Math.sqrt(squares);
    double largest = 0;
    for (int i = 0; i < n; i++) largest = Math.max(largest, Math.abs(x[xo + i]));
    if (largest == 0 || !Double.isFinite(largest)) return largest;
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (x[xo + i] / largest) * (x[xo + i] / largest);
    return largest * Math.sqrt(sum);
  }

  private static void scale(int n, double beta, double[] y, int yo) {
    for (int i = 0; i < n; i++) y[yo + i] = beta == 0 ? 0 : beta * y[yo + i];
  }

  /// Checks that a matrix lies inside its array, because native code does not check.
  private static void check(String name, int rows, int columns, double[] a, int offset, int ld) {
    if (rows < 0 || columns < 0)
      throw new IllegalArgumentException(
          name + " must have sizes ≥ 0, got " + rows + " × " + columns);
    if (rows == 0 || columns == 0) return;
    if (offset < 0 || ld < columns || offset + (rows - 1L) * ld + columns > a.length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s, %d × %d with leading dimension %d from index %d, must lie inside an array of length %d",
              name,
              rows,
              columns,
              ld,
              offset,
              a.length));
  }
}
