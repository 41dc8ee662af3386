package lovelace.linear.internal;

import java.util.Arrays;

/// The routines in plain Java, used where OpenBLAS does not load. Blocks fit the caches. The inner
/// loops run over whole rows of separate arrays, which the JIT compiler turns into vector
/// instructions.
public final class JavaRoutines extends Recursive {

  private static final int LEAF = 24;
  private static final int DEPTH = 64;
  private static final int WIDTH = 256;
  private static final int TINY = 512;

  public JavaRoutines() {
    super(LEAF);
  }

  @Override
  public String name() {
    return "java";
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
    if (isTiny(m, n, k)) {
      tiny(transA, transB, m, n, k, alpha, a, ao, lda, b, bo, ldb, beta, c, co, ldc);
      return;
    }
    if (beta != 1) scale(m, n, beta, c, co, ldc);
    int ai = transA ? 1 : lda;
    int ak = transA ? lda : 1;
    int width = Math.min(WIDTH, n);
    double[][] panel = new double[DEPTH][width];
    double[][] rows = new double[4][width];
    for (int j0 = 0; j0 < n; j0 += width) {
      int w = Math.min(width, n - j0);
      for (int k0 = 0; k0 < k; k0 += DEPTH) {
        int depth = Math.min(DEPTH, k - k0);
        pack(transB, depth, w, b, transB ? bo + j0 * ldb + k0 : bo + k0 * ldb + j0, ldb, panel);
        int padded = (depth + 3) & ~3;
        for (int p = depth; p < padded; p++) Arrays.fill(panel[p], 0);
        for (int i0 = 0; i0 < m; i0 += 4) {
          int h = Math.min(4, m - i0);
          int corner = co + i0 * ldc + j0;
          for (int i = 0; i < h; i++) System.arraycopy(c, corner + i * ldc, rows[i], 0, w);
          for (int p = 0; p < depth; p += 4) {
            int d = Math.min(4, depth - p);
            for (int i = 0; i < h; i++) {
              int q = ao + (i0 + i) * ai + (k0 + p) * ak;
              combine(
                  w,
                  alpha * a[q],
                  d > 1 ? alpha * a[q + ak] : 0,
                  d > 2 ? alpha * a[q + 2 * ak] : 0,
                  d > 3 ? alpha * a[q + 3 * ak] : 0,
                  panel[p],
                  panel[p + 1],
                  panel[p + 2],
                  panel[p + 3],
                  rows[i]);
            }
          }
          for (int i = 0; i < h; i++) System.arraycopy(rows[i], 0, c, corner + i * ldc, w);
        }
      }
    }
  }

  /// `c ← c + Σ sᵢ bᵢ` over the first n entries.
  private static void combine(
      int n,
      double s0,
      double s1,
      double s2,
      double s3,
      double[] b0,
      double[] b1,
      double[] b2,
      double[] b3,
      double[] c) {
    for (int j = 0; j < n; j++) c[j] += s0 * b0[j] + s1 * b1[j] + s2 * b2[j] + s3 * b3[j];
  }

  private static void pack(
      boolean trans, int depth, int w, double[] b, int at, int ldb, double[][] panel) {
    if (!trans) {
      for (int p = 0; p < depth; p++) System.arraycopy(b, at + p * ldb, panel[p], 0, w);
    } else {
      for (int j = 0; j < w; j++)
        for (int p = 0, q = at + j * ldb; p < depth; p++) panel[p][j] = b[q + p];
    }
  }

  /// Whether plain loops beat a call of either version.
  static boolean isTiny(int m, int n, int k) {
    return (long) m * n * k <= TINY;
  }

  static void tiny(
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
    int ai = transA ? 1 : lda;
    int ak = transA ? lda : 1;
    int bk = transB ? 1 : ldb;
    int bj = transB ? ldb : 1;
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int p = 0, q = ao + i * ai, r = bo + j * bj; p < k; p++, q += ak, r += bk)
          sum += a[q] * b[r];
        int at = co + i * ldc + j;
        c[at] = alpha * sum + (beta == 0 ? 0 : beta * c[at]);
      }
    }
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
    vector(trans, m, n, alpha, a, ao, lda, x, xo, beta, y, yo);
  }

  static void vector(
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
    if (!trans) {
      for (int i = 0; i < m; i++) {
        double sum = alpha * dot(n, a, ao + i * lda, x, xo);
        y[yo + i] = sum + (beta == 0 ? 0 : beta * y[yo + i]);
      }
      return;
    }
    double[] sum = new double[n];
    for (int i = 0; i < m; i++) {
      double s = alpha * x[xo + i];
      for (int j = 0, q = ao + i * lda; j < n; j++) sum[j] += s * a[q + j];
    }
    for (int j = 0; j < n; j++) y[yo + j] = sum[j] + (beta == 0 ? 0 : beta * y[yo + j]);
  }

  /// `Σ a[ao + i] b[bo + i]`, in eight interleaved sums.
  public static double dot(int n, double[] a, int ao, double[] b, int bo) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double s4 = 0;
    double s5 = 0;
    double s6 = 0;
    double s7 = 0;
    int i = 0;
    for (; i <= n - 8; i += 8) {
      int p = ao + i;
      int q = bo + i;
      s0 += a[p] * b[q];
      s1 += a[p + 1] * b[q + 1];
      s2 += a[p + 2] * b[q + 2];
      s3 += a[p + 3] * b[q + 3];
      s4 += a[p + 4] * b[q + 4];
      s5 += a[p + 5] * b[q + 5];
      s6 += a[p + 6] * b[q + 6];
      s7 += a[p + 7] * b[q + 7];
    }
    double sum = ((s0 + s4) + (s1 + s5)) + ((s2 + s6) + (s3 + s7));
    for (; i < n; i++) sum += a[ao + i] * b[bo + i];
    return sum;
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
    double[] square = new double[n * n];
    gemm(trans, !trans, n, n, k, alpha, a, ao, lda, a, ao, lda, 0, square, 0, n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        int at = co + i * ldc + j;
        c[at] = square[i * n + j] + (beta == 0 ? 0 : beta * c[at]);
      }
    }
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
    int order = right ? n : m;
    boolean forward = right == trans;
    for (int s = 0; s < order; s++) {
      int i = forward ? s : order - 1 - s;
      double scale = 1 / l[lo + i * ldl + i];
      for (int t = 0; t < s; t++) {
        int j = forward ? t : order - 1 - t;
        // row i of op(L) on the left, column i of op(L) on the right; the lower entry of the pair
        double f = l[lo + Math.max(i, j) * ldl + Math.min(i, j)];
        line(right, m, n, -f, b, bo, ldb, j, i);
      }
      line(right, m, n, scale, b, bo, ldb, i, i);
    }
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
    int order = right ? n : m;
    boolean backward = right == trans;
    for (int s = 0; s < order; s++) {
      int i = backward ? order - 1 - s : s;
      line(right, m, n, l[lo + i * ldl + i], b, bo, ldb, i, i);
      for (int t = s + 1; t < order; t++) {
        int j = backward ? order - 1 - t : t;
        double f = l[lo + Math.max(i, j) * ldl + Math.min(i, j)];
        line(right, m, n, f, b, bo, ldb, j, i);
      }
    }
  }

  /// Adds f times row (or column) `from` of B to row `to`. Scales the row by f if both are the
  /// same.
  private static void line(
      boolean column, int m, int n, double f, double[] b, int bo, int ldb, int from, int to) {
    int count = column ? m : n;
    int step = column ? ldb : 1;
    int p = column ? bo + from : bo + from * ldb;
    int q = column ? bo + to : bo + to * ldb;
    if (p == q) for (int i = 0; i < count; i++) b[q + i * step] *= f;
    else for (int i = 0; i < count; i++) b[q + i * step] += f * b[p + i * step];
  }

  @Override
  int potrfLeaf(int n, double[] a, int ao, int lda) {
    for (int i = 0; i < n; i++) {
      int row = ao + i * lda;
      for (int j = 0; j <= i; j++) {
        int other = ao + j * lda;
        double sum = a[row + j];
        for (int p = 0; p < j; p++) sum -= a[row + p] * a[other + p];
        if (j < i) {
          a[row + j] = sum / a[other + j];
        } else {
          if (!(sum > 0)) return i + 1;
          a[row + i] = Math.sqrt(sum);
        }
      }
    }
    return 0;
  }

  /// Cyclic Jacobi rotations (Golub and Van Loan, section 8.5): simple and accurate, meant for
  /// small matrices.
  @Override
  public void eigen(int n, double[] a, double[] values) {
    double[] v = new double[n * n];
    for (int i = 0; i < n; i++) {
      v[i * n + i] = 1;
      for (int j = 0; j < i; j++) a[j * n + i] = a[i * n + j];
    }
    boolean rotated = true;
    for (int sweep = 0; rotated && sweep < 60; sweep++) {
      rotated = false;
      for (int p = 0; p < n; p++) {
        for (int q = p + 1; q < n; q++) {
          double off = a[p * n + q];
          double ap = a[p * n + p];
          double aq = a[q * n + q];
          if (!(Math.abs(off) > 1e-17 * Math.sqrt(Math.abs(ap) * Math.abs(aq)))
              || Math.abs(off) < Double.MIN_NORMAL) continue;
          rotated = true;
          double theta = (aq - ap) / (2 * off);
          double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.hypot(1, theta));
          double c = 1 / Math.sqrt(1 + t * t);
          double s = t * c;
          rotate(n, a, p * n, q * n, 1, c, s);
          rotate(n, a, p, q, n, c, s);
          rotate(n, v, p * n, q * n, 1, c, s);
          a[p * n + q] = 0;
          a[q * n + p] = 0;
        }
      }
    }
    Integer[] order = new Integer[n];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (i, j) -> Double.compare(a[i * n + i], a[j * n + j]));
    for (int i = 0; i < n; i++) values[i] = a[order[i] * n + order[i]];
    for (int i = 0; i < n; i++) System.arraycopy(v, order[i] * n, a, i * n, n);
  }

  private static void rotate(int n, double[] a, int p, int q, int step, double c, double s) {
    for (int i = 0; i < n; i++, p += step, q += step) {
      double x = a[p];
      double y = a[q];
      a[p] = c * x - s * y;
      a[q] = s * x + c * y;
    }
  }
}
