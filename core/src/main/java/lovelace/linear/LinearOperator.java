package lovelace.linear;

/// A square real matrix known by its products. Immutable; safe to share between threads.
public interface LinearOperator {

  /// The number of rows, which is the number of columns.
  int size();

  /// `y ← A x`. Reads x, overwrites y; the two must be distinct arrays.
  void apply(double[] x, double[] y);

  /// `Y ← A X` for several vectors at once, stored one after another: vector c occupies `[c·size,
  /// (c+1)·size)`. Reads x, overwrites y; the two must be distinct arrays.
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
