package lovelace.linear.internal;

import lovelace.budget.Budget;

/// Triangular routines by halving: each becomes two of half the size and one product between them,
/// down to a leaf. Nearly all the work is then in [#gemm]. Each leaf checks whether the time of the
/// [Budget] is up; a partial result is useless then.
abstract class Recursive implements Routines {

  private final int leaf;

  Recursive(int leaf) {
    this.leaf = leaf;
  }

  abstract void syrkLeaf(
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

  abstract void trsmLeaf(
      boolean right,
      boolean trans,
      int m,
      int n,
      double[] l,
      int lo,
      int ldl,
      double[] b,
      int bo,
      int ldb);

  abstract void trmmLeaf(
      boolean right,
      boolean trans,
      int m,
      int n,
      double[] l,
      int lo,
      int ldl,
      double[] b,
      int bo,
      int ldb);

  abstract int potrfLeaf(int n, double[] a, int ao, int lda);

  /// A multiple of the leaf size near n/2, for n larger than the leaf.
  final int half(int n) {
    return (n + 2 * leaf - 1) / (2 * leaf) * leaf;
  }

  @Override
  public void syrk(
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
    if (n <= leaf) {
      syrkLeaf(trans, n, k, alpha, a, ao, lda, beta, c, co, ldc);
      return;
    }
    int h = half(n);
    int second = trans ? ao + h : ao + h * lda;
    syrk(trans, h, k, alpha, a, ao, lda, beta, c, co, ldc);
    int corner = co + h * ldc;
    gemm(trans, !trans, n - h, h, k, alpha, a, second, lda, a, ao, lda, beta, c, corner, ldc);
    syrk(trans, n - h, k, alpha, a, second, lda, beta, c, corner + h, ldc);
  }

  @Override
  public void trsm(
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
    if (alpha != 1) scale(m, n, alpha, b, bo, ldb);
    solve(right, trans, m, n, l, lo, ldl, b, bo, ldb);
  }

  final void solve(
      boolean right,
      boolean trans,
      int m,
      int n,
      double[] l,
      int lo,
      int ldl,
      double[] b,
      int bo,
      int ldb) {
    int order = right ? n : m;
    if (order <= leaf) {
      Budget.check();
      trsmLeaf(right, trans, m, n, l, lo, ldl, b, bo, ldb);
      return;
    }
    int h = half(order);
    int second = right ? bo + h : bo + h * ldb;
    int rest = order - h;
    if (right == trans) {
      solve(right, trans, right ? m : h, right ? h : n, l, lo, ldl, b, bo, ldb);
      across(right, trans, false, m, n, h, -1, l, lo, ldl, b, bo, second, ldb);
      int corner = lo + h * ldl + h;
      solve(right, trans, right ? m : rest, right ? rest : n, l, corner, ldl, b, second, ldb);
    } else {
      int corner = lo + h * ldl + h;
      solve(right, trans, right ? m : rest, right ? rest : n, l, corner, ldl, b, second, ldb);
      across(right, trans, true, m, n, h, -1, l, lo, ldl, b, bo, second, ldb);
      solve(right, trans, right ? m : h, right ? h : n, l, lo, ldl, b, bo, ldb);
    }
  }

  @Override
  public void trmm(
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
    if (alpha != 1) scale(m, n, alpha, b, bo, ldb);
    multiply(right, trans, m, n, l, lo, ldl, b, bo, ldb);
  }

  final void multiply(
      boolean right,
      boolean trans,
      int m,
      int n,
      double[] l,
      int lo,
      int ldl,
      double[] b,
      int bo,
      int ldb) {
    int order = right ? n : m;
    if (order <= leaf) {
      Budget.check();
      trmmLeaf(right, trans, m, n, l, lo, ldl, b, bo, ldb);
      return;
    }
    int h = half(order);
    int second = right ? bo + h : bo + h * ldb;
    int rest = order - h;
    int corner = lo + h * ldl + h;
    if (right == trans) {
      multiply(right, trans, right ? m : rest, right ? rest : n, l, corner, ldl, b, second, ldb);
      across(right, trans, false, m, n, h, 1, l, lo, ldl, b, bo, second, ldb);
      multiply(right, trans, right ? m : h, right ? h : n, l, lo, ldl, b, bo, ldb);
    } else {
      multiply(right, trans, right ? m : h, right ? h : n, l, lo, ldl, b, bo, ldb);
      across(right, trans, true, m, n, h, 1, l, lo, ldl, b, bo, second, ldb);
      multiply(right, trans, right ? m : rest, right ? rest : n, l, corner, ldl, b, second, ldb);
    }
  }

  /// Adds `sign` × (the square block of L) × (one half of B) to the other half; to the first if
  /// `up`.
  private void across(
      boolean right,
      boolean trans,
      boolean up,
      int m,
      int n,
      int h,
      double sign,
      double[] l,
      int lo,
      int ldl,
      double[] b,
      int first,
      int second,
      int ldb) {
    int block = lo + h * ldl;
    int from = up ? second : first;
    int to = up ? first : second;
    int rest = (right ? n : m) - h;
    int into = up ? h : rest;
    int inner = up ? rest : h;
    if (right) gemm(false, trans, m, into, inner, sign, b, from, ldb, l, block, ldl, 1, b, to, ldb);
    else gemm(trans, false, into, n, inner, sign, l, block, ldl, b, from, ldb, 1, b, to, ldb);
  }

  @Override
  public int potrf(int n, double[] a, int ao, int lda) {
    if (n <= leaf) return potrfLeaf(n, a, ao, lda);
    int h = half(n);
    int failed = potrf(h, a, ao, lda);
    if (failed != 0) return failed;
    int below = ao + h * lda;
    trsm(true, true, n - h, h, 1, a, ao, lda, a, below, lda);
    syrk(false, n - h, h, -1, a, below, lda, 1, a, below + h, lda);
    failed = potrf(n - h, a, below + h, lda);
    return failed == 0 ? 0 : failed + h;
  }

  static void scale(int m, int n, double alpha, double[] b, int bo, int ldb) {
    for (int i = 0; i < m; i++)
      for (int p = bo + i * ldb, end = p + n; p < end; p++) b[p] = alpha == 0 ? 0 : alpha * b[p];
  }
}
