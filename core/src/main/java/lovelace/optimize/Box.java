package lovelace.optimize;

import java.util.Locale;

/// Lower and upper bounds of every coordinate. Does not copy the arrays.
final class Box {

  private final double[] lower;
  private final double[] upper;

  Box(double[] start, double[] lower, double[] upper) {
    int n = start.length;
    if (n == 0) throw new IllegalArgumentException("start has 0 coordinates, at least 1 is needed");
    if (lower.length != n || upper.length != n)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "start, lower and upper must have the same length, got %d, %d and %d",
              n,
              lower.length,
              upper.length));
    for (int i = 0; i < n; i++) {
      if (!(lower[i] <= upper[i]))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "bounds of coordinate %d must satisfy lower <= upper, got %s and %s",
                i,
                lower[i],
                upper[i]));
      if (!Double.isFinite(start[i]))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "coordinate %d of the start is %s, it must be finite", i, start[i]));
    }
    this.lower = lower;
    this.upper = upper;
  }

  double clamp(int i, double value) {
    return Math.clamp(value, lower[i], upper[i]);
  }

  /// Whether coordinate i is at a bound that a move of this sign would cross.
  boolean blocks(int i, double x, double direction) {
    return (direction < 0 && x <= lower[i]) || (direction > 0 && x >= upper[i]);
  }

  /// The step along `direction` that takes coordinate i to its bound.
  double room(int i, double x, double direction) {
    if (direction == 0) return Double.POSITIVE_INFINITY;
    return ((direction < 0 ? lower[i] : upper[i]) - x) / direction;
  }

  /// `x + step · direction` within the bounds. It is exactly on a bound that the step reaches.
  double advance(int i, double x, double direction, double step) {
    if (step >= room(i, x, direction)) return direction < 0 ? lower[i] : upper[i];
    return clamp(i, x + step * direction);
  }

  /// The largest entry of `P(x − g) − x`.
  double projectedNorm(double[] x, double[] g) {
    double norm = 0;
    for (int i = 0; i < x.length; i++)
      norm = Math.max(norm, Math.abs(clamp(i, x[i] - g[i]) - x[i]));
    return norm;
  }
}
