package lovelace.statistics;

import lovelace.grid.Keys;

/// Whether sums of cells ([CellMoments]) can be those of any observations. Offsets lie between −½
/// and ½ and weights are not negative, so no moment is larger than the sum of the weights, and by
/// Cauchy and Schwarz `(Σ w y tᵖ)² ≤ Σ w · Σ w y²`. The bounds are wide: rows may have been taken
/// away again, which leaves the rounding of what was there before.
public final class CellChecks {

  private static final double ROUNDING = 1e-3;

  /// Beyond these, products of sums are no numbers.
  private static final double MOST_WEIGHT = 1e150;

  private static final double MOST_SQUARES = 1e300;

  private CellChecks() {}

  /// Refuses sums that are not finite, and where weights are not negative those that no
  /// observations have.
  public static void require(double[][] moments, int dimensions, boolean weights) {
    double most = 0;
    double squares = 0;
    int wide = Keys.power(7, dimensions);
    int narrow = Keys.power(4, dimensions);
    for (double[] row : moments) {
      for (double value : row)
        if (!Double.isFinite(value))
          throw new IllegalArgumentException("a sum over the rows of a cell is " + value);
      most = Math.max(most, row[0]);
      squares = Math.max(squares, row[wide + narrow]);
    }
    if (!(most <= MOST_WEIGHT && squares <= MOST_SQUARES))
      throw new IllegalArgumentException(
          "the rows of a cell have weights of %s and squares of %s in all, too large to compute with"
              .formatted(most, squares));
    if (!weights) return;
    double slack = ROUNDING * most;
    double products = 2 * Math.sqrt(most) * Math.sqrt(squares) + slack;
    for (double[] row : moments) {
      for (int k = 0; k < wide; k++)
        if (!(Math.abs(row[k]) <= row[0] + slack))
          throw new IllegalArgumentException(
              "a moment of a cell is %s, but its weights add up to %s".formatted(row[k], row[0]));
      for (int k = wide; k < wide + narrow; k++)
        if (!(Math.abs(row[k]) <= products))
          throw new IllegalArgumentException(
              "a sum of targets of a cell is %s, but no cell has more than %s"
                  .formatted(row[k], products));
      if (!(row[wide + narrow] >= -ROUNDING * squares))
        throw new IllegalArgumentException(
            "a sum of squares of a cell is " + row[wide + narrow] + ", less than 0");
    }
  }
}
