package lovelace.posterior;

import java.util.Locale;

/// How far a posterior on a lattice may be from the exact process, because functions are
/// interpolated between lattice points.
///
/// @param mean the largest error of a mean, in predictive standard deviations of the function
/// @param variance the largest relative error of a variance
/// @param places how many places were looked at
/// @param measured whether the exact process was computed there; else the errors are estimates
public record Interpolation(double mean, double variance, int places, boolean measured) {

  /// Nothing is known.
  public static final Interpolation UNKNOWN = new Interpolation(Double.NaN, Double.NaN, 0, false);

  /// The largest error of a mean that is allowed, in standard deviations, whatever the tolerance.
  private static final double MOST = 0.05;

  /// Whether anything is known.
  public boolean known() {
    return places > 0;
  }

  /// The largest error of a mean that goes with a relative tolerance of variances, in standard
  /// deviations: its square is a quarter of the tolerance, and it is at most 0.05.
  public static double meanTolerance(double tolerance) {
    return Math.min(MOST, Math.sqrt(tolerance) / 2);
  }

  /// Whether both errors are within what goes with a tolerance.
  public boolean within(double tolerance) {
    return mean <= meanTolerance(tolerance) && variance <= tolerance;
  }

  /// How the errors are known.
  String how() {
    if (!known()) return "not known";
    return String.format(
        Locale.ROOT, "%s at %d places", measured ? "measured" : "estimated", places);
  }
}
