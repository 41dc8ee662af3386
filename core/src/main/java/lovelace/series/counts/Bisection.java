package lovelace.series.counts;

import java.util.function.DoubleUnaryOperator;

/// Quantiles of a distribution with a mass at 0, by halving the logarithm.
final class Bisection {

  private static final double TOLERANCE = 1e-7;

  private Bisection() {}

  /// @param cdf P(value ≤ y)
  /// @param least a positive number below which there is hardly anything but 0
  /// @param most the largest value
  static double[] quantiles(DoubleUnaryOperator cdf, double least, double most, double... levels) {
    double[] found = new double[levels.length];
    double zero = cdf.applyAsDouble(0);
    double from = Math.log(least);
    for (int i = 0; i < found.length; i++) {
      if (zero >= levels[i]) continue;
      double low = from;
      double high = Math.log(most);
      while (high - low > TOLERANCE) {
        double middle = 0.5 * (low + high);
        if (cdf.applyAsDouble(Math.exp(middle)) < levels[i]) low = middle;
        else high = middle;
      }
      found[i] = Math.exp(high);
      from = low;
    }
    return found;
  }
}
