package lovelace.laplace;

/// A line search for steps by Fisher's information. The true second derivatives can be several
/// times as large, or negative, and then steps by the information alone oscillate. So each step
/// also includes a share of the previous one, as in conjugate gradients ([#share]), and ends where
/// the slope along it is nearly zero.
final class SlopeSearch {

  private static final int MOST_TRIES = 60;

  /// The slope where a step ends, as a share of the first.
  private static final double ENOUGH = 0.1;

  private SlopeSearch() {}

  /// An objective along a line, at distance t.
  interface Along {
    double value(double t);

    double slope(double t);
  }

  /// The share of the previous direction that is added to a step (Polak and Ribière).
  ///
  /// @param squared the slope along the step
  /// @param across the slope along the step at the start of the previous one
  /// @param before the slope along the previous step, at its start
  static double share(double squared, double across, double before) {
    return Math.max(0, (squared - across) / before);
  }

  /// The length of the step; NaN if no step leads up. Working observations with small noise are
  /// rounded, and so is the objective, so the slope decides.
  static double length(Along along) {
    double start = along.value(0);
    double slack = 1e-8 * (1 + Math.abs(start));
    double first = along.slope(0);
    double low = 0;
    double lowSlope = first;
    double high = Double.POSITIVE_INFINITY;
    double highSlope = Double.NaN;
    double t = 1;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      double slope = along.slope(t);
      boolean lower = !(along.value(t) >= start - slack);
      if (!lower && Math.abs(slope) <= ENOUGH * first) return t;
      if (lower || !(slope > 0)) {
        high = t;
        highSlope = slope < 0 ? slope : Double.NaN;
      } else {
        low = t;
        lowSlope = slope;
      }
      double between = low + (high - low) * lowSlope / (lowSlope - highSlope);
      double margin = 0.1 * (high - low);
      if (high == Double.POSITIVE_INFINITY) t = 2 * t;
      else if (Double.isNaN(between)) t = 0.5 * (low + high);
      else t = Math.max(low + margin, Math.min(high - margin, between));
    }
    return low > 0 ? low : Double.NaN;
  }
}
