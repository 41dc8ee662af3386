package lovelace.data;

/// An input column that a model does not read, because it had one value in all the rows of the fit.
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
