package lovelace.grid;

/// Points that carry a function's values, and the sparse weights w(x) that interpolate it: `f(x) =
/// w(x)ᵀ u` for values u. Constants and the coordinates of x are reproduced exactly. Immutable.
public sealed interface Lattice permits Grid, AdditiveGrid {

  /// The number of lattice points, m.
  int size();

  /// The number of input columns.
  int dimensions();

  /// The number of nonzero weights of a point.
  int stencilSize();

  /// Fills the first [#stencilSize] entries of `index` and `weight` with the nonzeros of w(x),
  /// where x starts at `x[xo]`. Returns false, leaving them undefined, if x lies outside.
  boolean stencil(double[] x, int xo, int[] index, double[] weight);

  /// As [#stencil], and fills `gradient` with the derivatives of the weights: entry
  /// `column·stencilSize + k` is the derivative of weight k in x_column.
  boolean stencilGradient(double[] x, int xo, int[] index, double[] weight, double[] gradient);

  /// The first input column whose value lies outside, or −1 if x is inside.
  int outsideColumn(double[] x, int xo);

  /// The lowest value covered in an input column.
  double low(int column);

  /// The highest value covered in an input column.
  double high(int column);

  /// A vector c with `w(x)ᵀc = 1` for all x.
  double[] constant();

  /// A vector c with `w(x)ᵀc = x_column` for all x.
  double[] coordinates(int column);

  /// The basis vectors of a linear mean: the constant, then the coordinates of each column.
  default double[] basis(int i) {
    return i == 0 ? constant() : coordinates(i - 1);
  }

  /// The vector of the linear function `intercept + slopesᵀx`; no slopes for a constant.
  default double[] linear(double intercept, double... slopes) {
    if (slopes.length != 0 && slopes.length != dimensions())
      throw new IllegalArgumentException(
          "a linear mean needs " + dimensions() + " slopes, got " + slopes.length);
    double[] c = constant();
    for (int i = 0; i < c.length; i++) c[i] *= intercept;
    for (int column = 0; column < slopes.length; column++) {
      double[] u = coordinates(column);
      for (int i = 0; i < c.length; i++) c[i] += slopes[column] * u[i];
    }
    return c;
  }
}
