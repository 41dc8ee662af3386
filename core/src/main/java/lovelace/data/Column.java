package lovelace.data;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/// Describes a column of numbers: its name, its unit (empty if unknown), and the meaning of the
/// numbers. Numbers may stand for dates or timestamps, by the scale that formats them back, or for
/// words, by the list of the words.
///
/// @param values the words of a text column in the order of their codes: the number i stands for
///   entry i, and −1 for any other word; empty for a column of numbers or dates
/// @param fill the number that stands for a missing value; empty if a value must not be missing
public record Column(
    String name, String unit, Optional<TimeScale> time, List<String> values, OptionalDouble fill) {

  /// The code of a word that is not in [#values].
  public static final double UNSEEN = -1;

  public Column {
    values = List.copyOf(values);
    if (time.isPresent() && !values.isEmpty())
      throw new IllegalArgumentException(
          "column '%s' must hold times or words, not both".formatted(name));
    if (values.stream().distinct().count() < values.size())
      throw new IllegalArgumentException(
          "the words of column '%s' must differ, got %s".formatted(name, values));
  }

  /// A column without a unit.
  public static Column of(String name) {
    return of(name, "");
  }

  /// A column with a unit.
  public static Column of(String name, String unit) {
    return new Column(name, unit, Optional.empty(), List.of(), OptionalDouble.empty());
  }

  /// A column of dates or timestamps.
  public static Column of(String name, TimeScale time) {
    return new Column(
        name, time.unit().text(), Optional.of(time), List.of(), OptionalDouble.empty());
  }

  /// A text column with the words that occur in it.
  public static Column of(String name, List<String> values) {
    if (values.isEmpty())
      throw new IllegalArgumentException(
          "column '%s' needs at least one word, got none".formatted(name));
    return new Column(name, "", Optional.empty(), values, OptionalDouble.empty());
  }

  /// Returns this column with a number that stands for a missing value.
  public Column filledBy(double value) {
    return new Column(name, unit, time, values, OptionalDouble.of(value));
  }

  /// Whether the numbers stand for words.
  public boolean isText() {
    return !values.isEmpty();
  }

  /// The positions of the text columns, counted from 0.
  public static int[] text(List<Column> columns) {
    return IntStream.range(0, columns.size()).filter(j -> columns.get(j).isText()).toArray();
  }

  /// Returns the number that stands for a word: its position in [#values], or [#UNSEEN].
  public double code(String word) {
    return values.indexOf(word); // −1 where it is not there
  }

  /// The name and unit for the axis of a plot, such as `depth (m)`. Calendar years need no unit.
  public String label() {
    return unit.isEmpty() || time.isPresent() ? name : name + " (" + unit + ")";
  }

  /// Formats a value as a user would write it: a date, a word, or the number.
  public String format(double value) {
    if (isText()) {
      int code = (int) value;
      return code >= 0 && code < values.size() ? values.get(code) : "(not seen)";
    }
    return time.map(scale -> scale.format(value)).orElseGet(() -> Double.toString(value));
  }

  /// An input column that a model does not read, because it had the same value in all rows of the
  /// fit.
  ///
  /// @param column the column
  /// @param place the position of the column in the table, counted from 0
  /// @param value the value
  public record LeftOut(Column column, int place, double value) {

    /// Says that rows after the fit have other values, from `low` to `high`; empty if they do not.
    public String change(double low, double high) {
      if (!(low < value || high > value)) return "";
      return "column '%s' was %s in all rows of the fit and is %s to %s in these; the model ignores it, fit all rows again to learn from it"
          .formatted(column.name(), column.format(value), column.format(low), column.format(high));
    }

    /// Name and value, such as `depth = 3.5`.
    @Override
    public String toString() {
      return column.name() + " = " + column.format(value);
    }
  }
}
