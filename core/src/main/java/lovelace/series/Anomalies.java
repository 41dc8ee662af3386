package lovelace.series;

import java.util.List;

/// Where a history differs from what its process makes.
///
/// @param all in the order of time
public record Anomalies(List<Anomaly> all) {

  /// No anomalies.
  public static final Anomalies NONE = new Anomalies(List.of());

  public Anomalies {
    all = List.copyOf(all);
  }

  /// The kinds of anomalies.
  public enum Kind {
    /// One value is off.
    OUTLIER,
    /// The level differs from this step on.
    SHIFT,
    /// The season differs from this step on: this step of the period is higher or lower, and the
    /// others are the opposite so that the mean stays.
    SEASON
  }

  /// One anomaly.
  ///
  /// @param step the first step that it changes
  /// @param period of the season that changes; 0 for other kinds
  /// @param size by how much it changes the value at that step, in the units of the values
  /// @param low the lower end of the 95 % interval of the size
  /// @param high its upper end
  /// @param t the size over its standard error, on the scale of the process
  /// @param leftOut whether the forecast leaves the value out
  public record Anomaly(
      Kind kind,
      int step,
      double period,
      double size,
      double low,
      double high,
      double t,
      boolean leftOut) {}
}
