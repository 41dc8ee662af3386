package lovelace.optimize;

/// A smooth function to minimise.
@FunctionalInterface
public interface Objective {

  /// The value at x; overwrites `gradient`. Reads x and must not keep it. A value of +∞ or NaN, or
  /// a gradient that is not finite, rejects the point: the optimiser backs off towards where it
  /// came from.
  double evaluate(double[] x, double[] gradient);
}
