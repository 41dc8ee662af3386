package lovelace.linear;

/// Operations on long vectors for the Krylov methods. The chunks are fixed, so sums do not depend
/// on threads.
final class Vectors {

  private static final int CHUNK = 4096;

  private Vectors() {}

  static double dot(int n, double[] x, int xo, double[] y, int yo) {
    double sum = 0;
    for (int from = 0; from < n; from += CHUNK)
      sum += Blas.dot(Math.min(CHUNK, n - from), x, xo + from, y, yo + from);
    return sum;
  }

  static void axpy(int n, double alpha, double[] x, int xo, double[] y, int yo) {
    for (int i = 0; i < n; i++) y[yo + i] += alpha * x[xo + i];
  }

  /// `c ← Q u` for the first k rows of Q, each of length n.
  static void project(int k, int n, double[] q, double[] u, double[] c) {
    if (k == 0) return;
    int chunks = (n + CHUNK - 1) / CHUNK;
    if (chunks == 1) {
      Blas.gemv(false, k, n, 1, q, 0, n, u, 0, 0, c, 0);
      return;
    }
    double[] partial = new double[chunks * k];
    Parallel.forEach(
        chunks,
        b -> {
          int from = b * CHUNK;
          int length = Math.min(CHUNK, n - from);
          Blas.gemv(false, k, length, 1, q, from, n, u, from, 0, partial, b * k);
        });
    for (int j = 0; j < k; j++) {
      double sum = 0;
      for (int b = 0; b < chunks; b++) sum += partial[b * k + j];
      c[j] = sum;
    }
  }

  /// `u ← u − Qᵀ c` for the first k rows of Q.
  static void remove(int k, int n, double[] q, double[] c, double[] u) {
    if (k == 0) return;
    int chunks = (n + CHUNK - 1) / CHUNK;
    Parallel.forEach(
        chunks,
        b -> {
          int from = b * CHUNK;
          int length = Math.min(CHUNK, n - from);
          Blas.gemv(true, k, length, -1, q, from, n, c, 0, 1, u, from);
        });
  }
}
