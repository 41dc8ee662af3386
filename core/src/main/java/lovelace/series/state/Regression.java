package lovelace.series.state;

import java.util.Arrays;
import lovelace.linear.Blas;

/// The level, the coefficients and the scale of a series by generalised least squares, from what a
/// [Filter] has kept: coefficients are normal with given variances, the level is flat, and the
/// scale is integrated out.
///
/// With the whitened columns X, 1 and y, and D the square roots of the prior variances, `M = I + D
/// XᵀX D` is factored with the column of ones as its last row. One factor serves the values under
/// all scales.
final class Regression {

  /// The number of coefficients, without the level.
  final int size;

  /// The number of values.
  final int seen;

  /// The sum of squares by series.
  final double[] squares;

  /// The coefficients and the level in units of their prior's deviation, by coefficient, then
  /// series.
  final double[] scaled;

  private final int series;
  private final double[] root; // D, and 1 for the level
  private final double[] l; // (size + 1)²
  private final double base; // −½ log|K| − ½ log oo

  private Regression(
      int size,
      int series,
      int seen,
      double[] root,
      double[] l,
      double[] scaled,
      double[] squares,
      double base) {
    this.size = size;
    this.series = series;
    this.seen = seen;
    this.root = root;
    this.l = l;
    this.scaled = scaled;
    this.squares = squares;
    this.base = base;
  }

  /// The estimates from a snapshot.
  ///
  /// @param prior variances of the coefficients; the columns of ones and of the series follow them
  /// @param least the smallest sum of squares by series
  static Regression of(Filter.Snapshot snapshot, double[] prior, double... least) {
    int k = prior.length;
    int series = least.length;
    int m = k + 1;
    int columns = m + series;
    double[] gram = snapshot.gram();
    double[] root = new double[m];
    for (int c = 0; c < k; c++) root[c] = Math.sqrt(prior[c]);
    root[k] = 1;
    double[] l = new double[m * m];
    for (int i = 0; i < m; i++) {
      for (int j = 0; j <= i; j++) l[i * m + j] = root[i] * gram[i * columns + j] * root[j];
      if (i < k) l[i * m + i] += 1;
    }
    int pivot = Blas.potrf(m, l, 0, m);
    if (pivot != 0)
      throw new IllegalStateException("the columns of a series have pivot " + pivot + " ≤ 0");
    double[] z = new double[m * series];
    for (int i = 0; i < m; i++)
      for (int s = 0; s < series; s++) z[i * series + s] = root[i] * gram[(m + s) * columns + i];
    Blas.trsm(false, false, m, series, 1, l, 0, m, z, 0, series);
    double[] squares = new double[series];
    for (int s = 0; s < series; s++) {
      squares[s] = gram[(m + s) * columns + m + s];
      for (int i = 0; i < m; i++) squares[s] -= z[i * series + s] * z[i * series + s];
      squares[s] = Math.max(squares[s], least[s]);
    }
    Blas.trsm(false, true, m, series, 1, l, 0, m, z, 0, series);
    double base = -0.5 * snapshot.logVariance();
    for (int i = 0; i < m; i++) base -= Math.log(l[i * m + i]);
    return new Regression(k, series, snapshot.seen(), root, l, z, squares, base);
  }

  /// The log evidence of a series up to a constant of its length, without the slope of its scale.
  double evidence(int s) {
    return base - 0.5 * (seen - 1) * Math.log(squares[s]);
  }

  /// The mean square of a series.
  double scale(int s) {
    return squares[s] / (seen - 1);
  }

  /// A coefficient, or the level after the last of them.
  double coefficient(int c, int s) {
    return root[c] * scaled[c * series + s];
  }

  /// The variances of `rᵀ` times the coefficients, for several r: the squares of `L⁻¹ D r`.
  ///
  /// @param r by row, of which the first entries are meant
  double[] variances(int count, double[] r, int width) {
    int m = size + 1;
    double[] w = new double[m * count];
    for (int i = 0; i < m; i++)
      for (int k = 0; k < count; k++) w[i * count + k] = root[i] * r[k * width + i];
    Blas.trsm(false, false, m, count, 1, l, 0, m, w, 0, count);
    double[] variances = new double[count];
    for (int i = 0; i < m; i++)
      for (int k = 0; k < count; k++) variances[k] += w[i * count + k] * w[i * count + k];
    return variances;
  }

  /// `D L⁻ᵀ z`: coefficients of covariance `(D⁻¹ M D⁻¹)⁻¹` from independent numbers, which are
  /// overwritten.
  double[] spread(double[] z) {
    int m = size + 1;
    Blas.trsm(false, true, m, 1, 1, l, 0, m, z, 0, 1);
    for (int i = 0; i < m; i++) z[i] *= root[i];
    return z;
  }

  /// The gradient of the log evidence of a series by the logarithms of the prior variances: `½
  /// (β²/(λ s²) − 1 + (M⁻¹)_cc)` for the coefficient in units of its prior.
  double[] slopes(int s) {
    int m = size + 1;
    double[] inverse = l.clone();
    Blas.potri(m, inverse, 0, m);
    double[] slopes = new double[size];
    for (int c = 0; c < size; c++) {
      double b = scaled[c * series + s];
      slopes[c] = 0.5 * (b * b / scale(s) - 1 + inverse[c * m + c]);
    }
    return slopes;
  }

  /// All coefficients and the level of a series.
  double[] coefficients(int s) {
    double[] all = new double[size + 1];
    Arrays.setAll(all, c -> coefficient(c, s));
    return all;
  }
}
