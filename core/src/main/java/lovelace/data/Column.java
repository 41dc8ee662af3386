package lovelace.data;

import org.jspecify.annotations.Nullable;

/// What a column of numbers is called, the unit it is measured in (empty when unknown), and, when
/// the numbers stand for dates or timestamps, the scale that formats them back.
public record Column(String name, String unit, @Nullable TimeScale time) {

  /// A column without a unit.
  public static Column of(String name) {
    return new Column(name, "", null);
  }

  /// A column measured in a unit.
  public static Column of(String name, String unit) {
    return new Column(name, unit, null);
  }

  /// A column of dates or timestamps.
  public static Column of(String name, TimeScale time) {
    return new Column(name, time.unit().text(), time);
  }

  /// Name and unit for an axis of a picture: `depth (m)`; calendar years need no unit.
  public String label() {
    return unit.isEmpty() || time != null ? name : name + " (" + unit + ")";
  }

  /// A value as its user would write it: a date, or the number.
  public String format(double value) {
    return time == null ? Double.toString(value) : time.format(value);
  }
}
