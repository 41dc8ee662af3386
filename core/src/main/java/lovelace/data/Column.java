package lovelace.data;

import java.util.Optional;

/// What a column of numbers is called, the unit it is measured in (empty when unknown), and, when
/// the numbers stand for dates or timestamps, the scale that formats them back.
public record Column(String name, String unit, Optional<TimeScale> time) {

  /// A column without a unit.
  public static Column of(String name) {
    return new Column(name, "", Optional.empty());
  }

  /// A column measured in a unit.
  public static Column of(String name, String unit) {
    return new Column(name, unit, Optional.empty());
  }

  /// A column of dates or timestamps.
  public static Column of(String name, TimeScale time) {
    return new Column(name, time.unit().text(), Optional.of(time));
  }

  /// Name and unit for an axis of a picture: `depth (m)`; calendar years need no unit.
  public String label() {
    return unit.isEmpty() || time.isPresent() ? name : name + " (" + unit + ")";
  }

  /// A value as its user would write it: a date, or the number.
  public String format(double value) {
    return time.map(scale -> scale.format(value)).orElseGet(() -> Double.toString(value));
  }

  /// An input column that a model does not read, because it had one value in all the rows of the
  /// fit.
  ///
  /// @param column the column
  /// @param place its place among the columns of the table, counted from 0
  /// @param value the value it had
  public record LeftOut(Column column, int place, double value) {

    /// Says that rows after the fit have other values, from `low` to `high`; empty where they have
    /// not.
    public String change(double low, double high) {
      if (!(low < value || high > value)) return "";
      return "column '%s' was %s in all rows of the fit and is %s to %s in these; the model ignores it, fit all rows again to learn from it"
          .formatted(column.name(), column.format(value), column.format(low), column.format(high));
    }

    /// Name and value, `depth = 3.5` say.
    @Override
    public String toString() {
      return column.name() + " = " + column.format(value);
    }
  }
}
