package lovelace.linear;

/// A square matrix stored in full, row-major.
public final class Dense implements LinearOperator {

  private final int n;
  private final double[] a;

  private Dense(double[] a, int n) {
    if (n < 0 || a.length != (long) n * n)
      throw new IllegalArgumentException(
          "a must hold n² entries, got " + a.length + " for n = " + n);
    this.n = n;
    this.a = a;
  }

  /// The n × n matrix in `a`. Copies the array.
  public static Dense of(double[] a, int n) {
    return new Dense(a.clone(), n);
  }

  /// As [#of], but takes over the array.
  public static Dense adopt(double[] a, int n) {
    return new Dense(a, n);
  }

  /// Transposes a matrix of rows × columns.
  public static double[] transposed(int rows, int columns, double[] x) {
    double[] t = new double[rows * columns];
    Parallel.chunks(
        columns,
        512,
        (index, from, to) -> {
          for (int tile = from; tile < to; tile += 64)
            for (int j = 0; j < rows; j++)
              for (int i = tile; i < Math.min(to, tile + 64); i++)
                t[i * rows + j] = x[j * columns + i];
        });
    return t;
  }

  @Override
  public int size() {
    return n;
  }

  @Override
  public void apply(double[] x, double[] y) {
    Blas.gemv(false, n, n, 1, a, 0, n, x, 0, 0, y, 0);
  }

  @Override
  public void applyBlock(int count, double[] x, double[] y) {
    Blas.gemm(false, true, count, n, n, 1, x, 0, n, a, 0, n, 0, y, 0, n);
  }
}
