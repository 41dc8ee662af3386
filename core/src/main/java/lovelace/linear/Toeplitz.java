package lovelace.linear;

/// The symmetric Toeplitz matrix `A[i, j] = column[|i − j|]`. A small one multiplies directly, a
/// large one by FFT in O(m log m).
public final class Toeplitz implements LinearOperator {

  /// Up to this size the direct product is faster than the transforms.
  private static final int DIRECT = 160;

  private final double[] column;
  private final LinearOperator product;

  private Toeplitz(double[] column) {
    int m = column.length;
    if (m < 1) throw new IllegalArgumentException("column must not be empty");
    this.column = column;
    this.product =
        m <= DIRECT ? Dense.adopt(dense(column), m) : BlockToeplitz.even(new int[] {m}, column);
  }

  /// The matrix with this first column. Copies it.
  public static Toeplitz of(double... column) {
    return new Toeplitz(column.clone());
  }

  private static double[] dense(double[] column) {
    int m = column.length;
    double[] a = new double[m * m];
    for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) a[i * m + j] = column[Math.abs(i - j)];
    return a;
  }

  /// The first column, as a new array.
  public double[] column() {
    return column.clone();
  }

  @Override
  public int size() {
    return column.length;
  }

  @Override
  public void apply(double[] x, double[] y) {
    product.apply(x, y);
  }

  @Override
  public void applyBlock(int count, double[] x, double[] y) {
    product.applyBlock(count, x, y);
  }
}
