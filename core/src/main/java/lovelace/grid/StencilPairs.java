package lovelace.grid;

import java.util.Arrays;

/// The pairs of points of one cell's stencil, each once, with the places where a [StencilMatrix]
/// stores them. Pair k joins stencil positions `from[k]` and `to[k]`. Its entry is in diagonal
/// `target[k]`, at the cell's corner plus `place[k]`, and multiplies the product of weights number
/// `value[k]` (10 per axis).
public final class StencilPairs {

  private final int[] from;
  private final int[] to;
  private final int[] target;
  private final int[] place;
  private final int[] value;

  private StencilPairs(Grid grid) {
    int d = grid.dimensions();
    int stencil = grid.stencilSize();
    int[] shifts = grid.stencilShifts();
    int count = stencil * (stencil + 1) / 2;
    from = new int[count];
    to = new int[count];
    target = new int[count];
    place = new int[count];
    value = new int[count];
    int half = StencilMatrix.diagonalCount(d) - 1;
    int filled = 0;
    for (int i = 0; i < stencil; i++)
      for (int j = 0; j < stencil; j++) {
        int rank = 0;
        int product = 0;
        for (int a = d - 1; a >= 0; a--) {
          int p = i >> (2 * a) & 3;
          int q = j >> (2 * a) & 3;
          rank = 7 * rank + q - p + 3;
          product = Keys.PAIRS * product + Keys.PAIR[4 * p + q];
        }
        if (rank < half) continue;
        from[filled] = i;
        to[filled] = j;
        target[filled] = rank - half;
        place[filled] = shifts[i];
        value[filled++] = product;
      }
  }

  public static StencilPairs of(Grid grid) {
    return new StencilPairs(grid);
  }

  /// The number of pairs.
  public int count() {
    return value.length;
  }

  /// The position in the stencil of the first point of pair k.
  public int from(int k) {
    return from[k];
  }

  /// The position in the stencil of its second point.
  public int to(int k) {
    return to[k];
  }

  /// The diagonal that holds its entry.
  public int diagonal(int k) {
    return target[k];
  }

  /// The position in the diagonal, counted from the cell's corner.
  public int place(int k) {
    return place[k];
  }

  /// Adds the sums of products of a cell to the matrix.
  public void scatter(double[] products, int corner, double[][] diagonals) {
    for (int k = 0; k < value.length; k++)
      diagonals[target[k]][corner + place[k]] += products[value[k]];
  }

  /// The transpose of [#scatter]. Overwrites `products` with the sums of the matrix's entries,
  /// sorted by the product of weights that they multiply. Entries off the diagonal count twice.
  void gather(double[][] diagonals, int corner, double[] products) {
    Arrays.fill(products, 0);
    for (int k = 0; k < value.length; k++)
      products[value[k]] += (target[k] == 0 ? 1 : 2) * diagonals[target[k]][corner + place[k]];
  }

  /// As [#gather], for entries stored point by point, `count` each.
  void gatherPacked(double[] packed, int corner, int count, double[] products) {
    Arrays.fill(products, 0);
    for (int k = 0; k < value.length; k++)
      products[value[k]] +=
          (target[k] == 0 ? 1 : 2) * packed[(corner + place[k]) * count + target[k]];
  }

  /// As [#quadratic], for entries stored point by point, `count` each.
  double quadraticPacked(double[] packed, int corner, int count, double[] v, double[] w) {
    double diagonal = 0;
    double off = 0;
    for (int k = 0; k < value.length; k++) {
      int i = from[k];
      int j = to[k];
      double entry = packed[(corner + place[k]) * count + target[k]];
      if (i == j) diagonal += entry * v[i] * w[i];
      else off += entry * (v[i] * w[j] + v[j] * w[i]);
    }
    return diagonal + off;
  }

  double quadratic(double[][] diagonals, int corner, double[] v, double[] w) {
    double diagonal = 0;
    double off = 0;
    for (int k = 0; k < value.length; k++) {
      int i = from[k];
      int j = to[k];
      double entry = diagonals[target[k]][corner + place[k]];
      if (i == j) diagonal += entry * v[i] * w[i];
      else off += entry * (v[i] * w[j] + v[j] * w[i]);
    }
    return diagonal + off;
  }
}
