package lovelace.posterior;

import java.util.Locale;

/// What is known of the error of a posterior.
///
/// @param engine how it was computed, `love, rank 50` say
/// @param tolerance the relative error of variances asked for
/// @param reached the relative width of the widest certified interval of a variance at the check
///   points, beside the interpolated process
/// @param interpolation how far the interpolated process may be from the exact one
public record Certificate(
    String engine, double tolerance, double reached, Interpolation interpolation) {

  /// The relative error of a variance, the engine's and that of interpolation together.
  public double variance() {
    return interpolation.known() ? reached + interpolation.variance() : reached;
  }

  /// Whether the error asked for is certified.
  public boolean met() {
    return variance() <= tolerance
        && (!interpolation.known()
            || interpolation.mean() <= Interpolation.meanTolerance(tolerance));
  }

  @Override
  public String toString() {
    if (!interpolation.known())
      return met()
          ? String.format(
              Locale.ROOT,
              "variances within %.2g %% (%s, %s)",
              100 * reached,
              engine,
              interpolation.how())
          : String.format(
              Locale.ROOT,
              "variances within %.2g %% only, not the %.2g %% asked for (%s, %s)",
              100 * reached,
              100 * tolerance,
              engine,
              interpolation.how());
    String errors =
        String.format(
            Locale.ROOT,
            "means within %.2g standard deviations and variances within %.2g %%",
            interpolation.mean(),
            100 * variance());
    return met()
        ? String.format(
            Locale.ROOT, "%s of the exact process (%s, %s)", errors, engine, interpolation.how())
        : String.format(
            Locale.ROOT,
            "%s of the exact process only, not the %.2g and %.2g %% asked for (%s, %s)",
            errors,
            Interpolation.meanTolerance(tolerance),
            100 * tolerance,
            engine,
            interpolation.how());
  }
}
