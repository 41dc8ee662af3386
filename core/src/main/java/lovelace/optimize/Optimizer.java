package lovelace.optimize;

import java.util.Arrays;

/// Minimises an [Objective] within bounds. The same start gives the same bits.
public interface Optimizer {

  /// The minimum found from `start`, which is moved into the bounds first and not written to.
  /// Bounds may be infinite; equal bounds hold a coordinate still.
  Optimum minimize(
      Objective objective, double[] start, double[] lower, double[] upper, Progress progress);

  /// Minimises within bounds.
  default Optimum minimize(Objective objective, double[] start, double[] lower, double[] upper) {
    return minimize(objective, start, lower, upper, Progress.NONE);
  }

  /// Minimises without bounds.
  default Optimum minimize(Objective objective, double... start) {
    double[] upper = new double[start.length];
    Arrays.fill(upper, Double.POSITIVE_INFINITY);
    double[] lower = new double[start.length];
    Arrays.fill(lower, Double.NEGATIVE_INFINITY);
    return minimize(objective, start, lower, upper, Progress.NONE);
  }

  /// Told of every accepted step of an optimiser.
  @FunctionalInterface
  interface Progress {

    /// Listens to nothing, cancels nothing.
    Progress NONE = (iteration, value, gradientNorm, x) -> true;

    /// Iteration 0 is the start. `gradientNorm` is the largest entry of the projected gradient; x
    /// is the optimiser's own array: read, do not keep. Returning false cancels.
    boolean step(int iteration, double value, double gradientNorm, double[] x);
  }

  /// A smooth function to minimise.
  @FunctionalInterface
  interface Objective {

    /// The value at x; overwrites `gradient`. Reads x and must not keep it. A value of +∞ or NaN,
    /// or a gradient that is not finite, rejects the point: the optimiser backs off towards where
    /// it came from.
    double evaluate(double[] x, double[] gradient);
  }
}
