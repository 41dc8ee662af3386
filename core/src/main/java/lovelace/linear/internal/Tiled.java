package lovelace.linear.internal;

import lovelace.linear.Parallel;

/// Cuts large problems into fixed tiles and spreads them over threads. Each tile is one short call
/// of the single-threaded routines. The tiles depend only on the sizes, so the result has the same
/// bits for any number of threads.
public final class Tiled extends Recursive {

  private static final int LEAF = 128;
  private static final int TILE = 256;
  private static final int DEPTH = 512;
  private static final int STRIP = 128;
  private static final long SMALL = 1L << 18;
  private static final int LONG = 8192;
  private static final int VECTOR_WORK = 1 << 16;

  private final Routines tile;

  public Tiled(Routines tile) {
    super(LEAF);
    this.tile = tile;
  }

  @Override
  public String name() {
    return tile.name();
  }

  @Override
  public void gemm(
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
    if ((long) m * n * k <= SMALL) {
      tile.gemm(transA, transB, m, n, k, alpha, a, ao, lda, b, bo, ldb, beta, c, co, ldc);
      return;
    }
    int columns = Parallel.pieces(n, TILE);
    int tiles = Parallel.pieces(m, TILE) * columns;
    if (tiles < 4 && k >= LONG) {
      gemmLong(transA, transB, m, n, k, alpha, a, ao, lda, b, bo, ldb, beta, c, co, ldc);
      return;
    }
    Parallel.forEach(
        tiles,
        t -> {
          int i = t / columns * TILE;
          int j = t % columns * TILE;
          int ai = transA ? ao + i : ao + i * lda;
          int bj = transB ? bo + j * ldb : bo + j;
          int h = Math.min(TILE, m - i);
          int w = Math.min(TILE, n - j);
          int at = co + i * ldc + j;
          deep(transA, transB, h, w, k, alpha, a, ai, lda, b, bj, ldb, beta, c, at, ldc);
        });
  }

  /// Computes one tile of C. The inner sum is cut into pieces that are short enough for one call
  /// each.
  private void deep(
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
    for (int p = 0; p < k; p += DEPTH) {
      int ap = transA ? ao + p * lda : ao + p;
      int bp = transB ? bo + p : bo + p * ldb;
      int d = Math.min(DEPTH, k - p);
      double keep = p == 0 ? beta : 1;
      tile.gemm(transA, transB, m, n, d, alpha, a, ap, lda, b, bp, ldb, keep, c, co, ldc);
    }
  }

  /// Computes a small C with a long inner sum. The sum is cut into at most 32 pieces, added in
  /// order.
  private void gemmLong(
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
    int piece = Math.max(LONG / 2, Parallel.pieces(k, 32));
    double[][] parts = new double[Parallel.pieces(k, piece)][];
    Parallel.chunks(
        k,
        piece,
        (index, from, to) -> {
          double[] part = new double[m * n];
          int ap = transA ? ao + from * lda : ao + from;
          int bp = transB ? bo + from : bo + from * ldb;
          deep(transA, transB, m, n, to - from, alpha, a, ap, lda, b, bp, ldb, 0, part, 0, n);
          parts[index] = part;
        });
    if (beta != 1) scale(m, n, beta, c, co, ldc);
    for (double[] part : parts)
      for (int i = 0; i < m; i++)
        for (int j = 0, q = co + i * ldc; j < n; j++) c[q + j] += part[i * n + j];
  }

  @Override
  public void gemv(
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
    if ((long) m * n <= 2 * VECTOR_WORK) {
      tile.gemv(trans, m, n, alpha, a, ao, lda, x, xo, beta, y, yo);
    } else if (trans) {
      int chunk = Math.max(64, VECTOR_WORK / m);
      Parallel.chunks(
          n,
          chunk,
          (index, from, to) ->
              tile.gemv(true, m, to - from, alpha, a, ao + from, lda, x, xo, beta, y, yo + from));
    } else {
      int chunk = Math.max(16, VECTOR_WORK / n);
      Parallel.chunks(
          m,
          chunk,
          (index, from, to) -> {
            int at = ao + from * lda;
            tile.gemv(false, to - from, n, alpha, a, at, lda, x, xo, beta, y, yo + from);
          });
    }
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
    if (n <= TILE) {
      syrkLeaf(trans, n, k, alpha, a, ao, lda, beta, c, co, ldc);
      return;
    }
    int rows = Parallel.pieces(n, TILE);
    Parallel.forEach(
        rows * (rows + 1) / 2,
        t -> {
          int row = (int) ((Math.sqrt(8.0 * t + 1) - 1) / 2);
          int i = row * TILE;
          int j = (t - row * (row + 1) / 2) * TILE;
          int h = Math.min(TILE, n - i);
          int ai = trans ? ao + i : ao + i * lda;
          int aj = trans ? ao + j : ao + j * lda;
          int at = co + i * ldc + j;
          if (i == j) syrkLeaf(trans, h, k, alpha, a, ai, lda, beta, c, at, ldc);
          else deep(trans, !trans, h, TILE, k, alpha, a, ai, lda, a, aj, lda, beta, c, at, ldc);
        });
  }

  @Override
  void syrkLeaf(
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
    if (k >= LONG) {
      double[] square = new double[n * n];
      gemm(trans, !trans, n, n, k, alpha, a, ao, lda, a, ao, lda, 0, square, 0, n);
      for (int i = 0; i < n; i++)
        for (int j = 0, q = co + i * ldc; j <= i; j++)
          c[q + j] = square[i * n + j] + (beta == 0 ? 0 : beta * c[q + j]);
      return;
    }
    for (int p = 0; p < k || p == 0; p += DEPTH) {
      int ap = trans ? ao + p * lda : ao + p;
      double keep = p == 0 ? beta : 1;
      tile.syrk(trans, n, Math.min(DEPTH, k - p), alpha, a, ap, lda, keep, c, co, ldc);
    }
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
    int order = right ? n : m;
    int count = right ? m : n;
    if ((long) order * order * count <= SMALL) {
      tile.trsm(right, trans, m, n, alpha, l, lo, ldl, b, bo, ldb);
      return;
    }
    Parallel.chunks(
        count,
        STRIP,
        (index, from, to) -> {
          int at = right ? bo + from * ldb : bo + from;
          int h = right ? to - from : m;
          int w = right ? n : to - from;
          super.trsm(right, trans, h, w, alpha, l, lo, ldl, b, at, ldb);
        });
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
    int order = right ? n : m;
    int count = right ? m : n;
    if ((long) order * order * count <= SMALL) {
      tile.trmm(right, trans, m, n, alpha, l, lo, ldl, b, bo, ldb);
      return;
    }
    Parallel.chunks(
        count,
        STRIP,
        (index, from, to) -> {
          int at = right ? bo + from * ldb : bo + from;
          int h = right ? to - from : m;
          int w = right ? n : to - from;
          super.trmm(right, trans, h, w, alpha, l, lo, ldl, b, at, ldb);
        });
  }

  @Override
  void trsmLeaf(
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
    tile.trsm(right, trans, m, n, 1, l, lo, ldl, b, bo, ldb);
  }

  @Override
  void trmmLeaf(
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
    tile.trmm(right, trans, m, n, 1, l, lo, ldl, b, bo, ldb);
  }

  @Override
  int potrfLeaf(int n, double[] a, int ao, int lda) {
    return tile.potrf(n, a, ao, lda);
  }

  /// Overwrites L with the lower triangle of `(L Lᵀ)⁻¹`: `X = L⁻¹` by columns below the diagonal,
  /// then XᵀX.
  public void potri(int n, double[] l, int lo, int ldl) {
    double[] x = new double[n * n];
    Parallel.chunks(
        n,
        STRIP,
        (index, from, to) -> {
          for (int j = from; j < to; j++) x[j * n + j] = 1;
          int corner = lo + from * ldl + from;
          solve(false, false, n - from, to - from, l, corner, ldl, x, from * n + from, n);
        });
    int rows = Parallel.pieces(n, TILE);
    Parallel.forEach(
        rows * (rows + 1) / 2,
        t -> {
          int row = (int) ((Math.sqrt(8.0 * t + 1) - 1) / 2);
          int i = row * TILE;
          int j = (t - row * (row + 1) / 2) * TILE;
          int h = Math.min(TILE, n - i);
          int xi = i * n + i;
          int xj = i * n + j;
          int at = lo + i * ldl + j;
          if (i == j) syrkLeaf(true, h, n - i, 1, x, xi, n, 0, l, at, ldl);
          else deep(true, false, h, TILE, n - i, 1, x, xi, n, x, xj, n, 0, l, at, ldl);
        });
  }

  @Override
  public void eigen(int n, double[] a, double[] values) {
    tile.eigen(n, a, values);
  }
}
