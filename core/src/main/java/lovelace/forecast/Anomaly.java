package lovelace.forecast;

import java.util.Locale;

/// Where the history of a series differs from what its process makes.
///
/// @param step the first step of the series that it changes
/// @param period of the season that changes; 0 for other kinds
/// @param size by how much it changes the value at that step
/// @param low the lower end of the 95 % interval of the size
/// @param high its upper end
/// @param t the size over its standard error, on the scale of the processes
/// @param leftOut whether the forecast leaves the value out
public record Anomaly(
    Kind kind,
    int step,
    double period,
    double size,
    double low,
    double high,
    double t,
    boolean leftOut) {

  /// The kinds of anomalies.
  public enum Kind {
    /// One value is off.
    OUTLIER,
    /// The level differs from this step on.
    SHIFT,
    /// One place of the season differs from this step on, and the others the opposite way.
    SEASON;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Anomaly of(lovelace.series.Anomalies.Anomaly each) {
    return new Anomaly(
        Kind.valueOf(each.kind().name()),
        each.step(),
        each.period(),
        each.size(),
        each.low(),
        each.high(),
        each.t(),
        each.leftOut());
  }
}
