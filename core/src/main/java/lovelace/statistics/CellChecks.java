package lovelace.statistics;

import lovelace.grid.Keys;

/// Checks whether any observations can have given sums of cells ([CellMoments]). Offsets lie
/// between −½ and ½ and weights are not negative. So no moment exceeds the sum of the weights, and
/// by Cauchy and Schwarz `(Σ w y tᵖ)² ≤ Σ w · Σ w y²`. The bounds are wide, because rows that were
/// removed leave the rounding of what was there before.
public final class CellChecks {

  private static final double ROUNDING = 1e-3;

  /// Beyond these limits products of sums overflow.
  private static final double MOST_WEIGHT = 1e150;

  private static final double MOST_SQUARES = 1e300;

  private CellChecks() {}

  /// Throws if a sum is not finite. If weights are not negative, also throws if no observations can
  /// have these sums.
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
