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
}
