package lovelace.posterior;

import java.util.Locale;

/// What is known of the error of a posterior's variances beside those of the interpolated process.
///
/// @param engine how they were computed, `love, rank 50` say
/// @param tolerance the relative error asked for
/// @param reached the relative width of the widest certified interval at the check points
public record Certificate(String engine, double tolerance, double reached) {

  /// Whether the error asked for is certified.
  public boolean met() {
    return reached <= tolerance;
  }

  @Override
  public String toString() {
    return met()
        ? String.format(
            Locale.ROOT, "variances certified within %.2g %% (%s)", 100 * reached, engine)
        : String.format(
            Locale.ROOT,
            "variances certified within %.2g %% only, not the %.2g %% asked for (%s)",
            100 * reached,
            100 * tolerance,
            engine);
  }
}
