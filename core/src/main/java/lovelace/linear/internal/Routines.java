package lovelace.linear.internal;

/// The BLAS and LAPACK routines that Lovelace uses, on row-major matrices: entry (i, j) of A is
/// `a[ao + i·lda + j]`. Triangular matrices are lower; entries above the diagonal are neither read
/// nor written. [lovelace.linear.Blas] checks the arguments before.
public interface Routines {

  /// The name of this version in logs and benchmarks.
  String name();

  /// `C ← α op(A) op(B) + β C`, C is m × n, op(A) m × k, op(B) k × n.
  void gemm(
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
      int ldc);

  /// `y ← α op(A) x + β y`, A is m × n before op.
  void gemv(
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
      int yo);

  /// `C ← α A Aᵀ + β C` (A n × k), or `α Aᵀ A + β C` (A k × n) when `trans`; lower triangle only.
  void syrk(
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
      int ldc);

  /// `B ← α op(L)⁻¹ B`, or `α B op(L)⁻¹` when `right`; B is m × n.
  void trsm(
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
      int ldb);

  /// `B ← α op(L) B`, or `α B op(L)` when `right`; B is m × n.
  void trmm(
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
      int ldb);

  /// Factors `A = L Lᵀ` in place. Returns 0, or the 1-based number of the pivot that was not
  /// positive.
  int potrf(int n, double[] a, int ao, int lda);

  /// `A = Vᵀ diag(values) V` of the symmetric n × n matrix in the lower triangle: values ascend,
  /// and row i of A becomes the i-th eigenvector.
  void eigen(int n, double[] a, double[] values);
}
