package lovelace.linear;

/// A square real matrix, of which only products are available. Immutable; safe to share between
/// threads.
public interface LinearOperator {

  /// The number of rows, which is the number of columns.
  int size();

  /// `y ← A x`. Reads x and overwrites y, which must be distinct arrays.
  void apply(double[] x, double[] y);

  /// `Y ← A X` for several vectors, stored one after another: vector c occupies `[c·size,
  /// (c+1)·size)`. Reads x and overwrites y, which must be distinct arrays.
  default void applyBlock(int count, double[] x, double[] y) {
    int n = size();
    double[] from = new double[n];
    double[] to = new double[n];
    for (int c = 0; c < count; c++) {
      System.arraycopy(x, c * n, from, 0, n);
      apply(from, to);
      System.arraycopy(to, 0, y, c * n, n);
    }
  }
}
