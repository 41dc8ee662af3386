package lovelace.series;

import lovelace.linear.Blas;

/// The level and the coefficients of columns that are known, estimated from the first values of the
/// histories that share the columns.
///
/// With D = L⁻¹ [1, X] and Λ = diag(0, 1/p, …, 1/p), `M = DᵀD + Λ`. The coefficients are `β = M⁻¹
/// Dᵀv`, and the sum of squares is `|v − Dβ|² + βᵀΛβ`. By Woodbury's identity this equals a factor
/// of `K + p X Xᵀ`, but L serves histories with any columns (Rasmussen and Williams 2006, section
/// 2.7; the first prior variance is infinite).
final class KnownEffects {

  /// Up to this many coefficients, loops are faster than products of matrices.
  private static final int SMALL = 8;

  /// The number of coefficients, with the level.
  final int size;

  /// By coefficient, then history and warp.
  private final double[] coefficients;

  private final double[] l; // of M
  private final int columns;
  private final double prior;

  /// The log determinant of M, and that of the prior variances.
  final double logDeterminant;

  /// @param n the number of values
  /// @param v whitened values and columns, by row
  /// @param width of a row
  /// @param block where its values and its columns lie in a row
  KnownEffects(int n, double[] v, int width, Group.Block block, double prior) {
    size = block.size();
    columns = block.to() - block.from();
    this.prior = prior;
    int at = block.at();
    l = new double[size * size];
    coefficients = new double[size * columns];
    if (size <= SMALL) add(n, v, width, block);
    else {
      Blas.syrk(true, size, n, 1, v, at, width, 0, l, 0, size);
      Blas.gemm(
          true,
          false,
          size,
          columns,
          n,
          1,
          v,
          at,
          width,
          v,
          block.from(),
          width,
          0,
          coefficients,
          0,
          columns);
    }
    for (int j = 1; j < size; j++) l[j * size + j] += 1 / prior;
    int pivot = Blas.potrf(size, l, 0, size);
    if (pivot != 0)
      throw new IllegalStateException("the columns of a series have pivot " + pivot + " ≤ 0");
    double log = (size - 1) * Math.log(prior);
    for (int j = 0; j < size; j++) log += 2 * Math.log(l[j * size + j]);
    logDeterminant = log;
    Blas.trsm(false, false, size, columns, 1, l, 0, size, coefficients, 0, columns);
    Blas.trsm(false, true, size, columns, 1, l, 0, size, coefficients, 0, columns);
  }

  /// Adds `DᵀD` and `Dᵀv` row by row.
  private void add(int n, double[] v, int width, Group.Block block) {
    for (int t = 0; t < n; t++) {
      int row = t * width;
      int at = row + block.at();
      for (int j = 0; j < size; j++) {
        double d = v[at + j];
        for (int i = 0; i <= j; i++) l[j * size + i] += d * v[at + i];
        for (int c = 0; c < columns; c++)
          coefficients[j * columns + c] += d * v[row + block.from() + c];
      }
    }
  }

  /// Puts the sums of squares of the block's values into an array of all columns.
  void squares(int n, double[] v, int width, Group.Block block, double[] sum) {
    double[] rest = new double[columns];
    for (int t = 0; t < n; t++) {
      int row = t * width;
      System.arraycopy(v, row + block.from(), rest, 0, columns);
      for (int j = 0; j < size; j++) {
        double d = v[row + block.at() + j];
        for (int c = 0; c < columns; c++) rest[c] -= d * coefficients[j * columns + c];
      }
      for (int c = 0; c < columns; c++) sum[block.from() + c] += rest[c] * rest[c];
    }
    for (int j = 1; j < size; j++)
      for (int c = 0; c < columns; c++) {
        double b = coefficients[j * columns + c];
        sum[block.from() + c] += b * b / prior;
      }
  }

  /// The sum over the coefficients for some values of the columns.
  double place(double[] row, int column) {
    double sum = 0;
    for (int j = 0; j < size; j++) sum += row[j] * coefficients[j * columns + column];
    return sum;
  }

  /// `rᵀM⁻¹r`. Overwrites the row r.
  double variance(double[] row) {
    Blas.trsm(false, false, size, 1, 1, l, 0, size, row, 0, 1);
    return Blas.dot(size, row, 0, row, 0);
  }
}
