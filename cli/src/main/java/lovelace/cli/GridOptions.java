package lovelace.cli;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import lovelace.data.Column;
import lovelace.data.Outside;
import lovelace.options.GridChoice;
import picocli.CommandLine.Option;

/// The options of `fit` that choose the grid.
final class GridOptions {

  @Option(
      names = "--grid",
      paramLabel = "auto|data|100x100",
      description =
          "The number of grid points along each input (default: auto). The first and the last "
              + "lie beyond the range. data uses the grid on which the data lie, such as pixels or "
              + "hours. Gaps are allowed.")
  private String grid = "auto";

  @Option(
      names = "--extend",
      paramLabel = "COLUMN=LO:HI",
      description =
          "Widen the automatic grid to this range, for example to make room for a forecast.")
  private List<String> extend = new ArrayList<>();

  @Option(
      names = "--bounds",
      paramLabel = "COLUMN=LO:HI",
      description =
          "Make the grid cover exactly this range. Models that you want to merge need it.")
  private List<String> bounds = new ArrayList<>();

  @Option(
      names = "--outside",
      paramLabel = "error|skip",
      description =
          "What to do with rows outside --bounds: stop (error) or leave them out (skip) "
              + "(default: error).")
  Outside outside = Outside.ERROR;

  /// The first option given that asks for a grid; empty if there is none.
  String given() {
    return !grid.equals("auto")
        ? "--grid"
        : !bounds.isEmpty() ? "--bounds" : !extend.isEmpty() ? "--extend" : "";
  }

  /// Whether the range of a column is fixed.
  boolean isBounded(String column) {
    return bounds.stream().anyMatch(text -> columnOf(text).equals(column));
  }

  /// The grid that the options ask for, with ranges in the units and dates of the columns.
  GridChoice choice(List<Column> columns) {
    GridChoice choice = GridChoice.DEFAULT;
    if (!grid.equals("auto"))
      choice = Named.of("--grid", () -> GridChoice.DEFAULT.withPoints(grid));
    Set<String> bounded = new HashSet<>();
    for (String text : bounds) {
      choice = range("--bounds", text, columns, choice, true);
      if (!bounded.add(columnOf(text)))
        throw new IllegalArgumentException(
            "--bounds names '%s' twice; give it one range".formatted(columnOf(text)));
    }
    for (String text : extend) {
      choice = range("--extend", text, columns, choice, false);
      if (bounded.contains(columnOf(text)))
        throw new IllegalArgumentException(
            "--extend %s: --bounds fixes the range of '%s'; give one of the two"
                .formatted(text, columnOf(text)));
    }
    return choice;
  }

  private static String columnOf(String range) {
    return range.substring(0, Math.max(0, range.indexOf('=')));
  }

  /// A range of a column.
  record Range(Column column, double low, double high) {}

  private static GridChoice range(
      String option, String text, List<Column> columns, GridChoice choice, boolean exact) {
    Range range = range(option, text, columns);
    int index = columns.indexOf(range.column);
    return exact
        ? choice.bounded(index, range.low, range.high)
        : choice.including(index, range.low, range.high);
  }

  /// Reads a range from the text `COLUMN=LO:HI` of an option, in the units and dates of the column.
  static Range range(String option, String text, List<Column> columns) {
    int equals = text.indexOf('=');
    List<String> names = columns.stream().map(Column::name).toList();
    int index = equals < 0 ? -1 : names.indexOf(text.substring(0, equals));
    if (index < 0)
      throw new IllegalArgumentException(
          "%s needs COLUMN=LO:HI with one of the inputs %s, got '%s'"
              .formatted(option, String.join(", ", names), text));
    double[] ends = ends(columns.get(index), text.substring(equals + 1));
    if (ends.length == 0
        || !(ends[0] < ends[1])
        || Double.isInfinite(ends[0])
        || Double.isInfinite(ends[1]))
      throw new IllegalArgumentException(
          "%s %s: the range must be LO:HI with LO < HI, %s"
              .formatted(
                  option,
                  text,
                  columns.get(index).time().isEmpty() ? "numbers" : "dates like 2020-01-31"));
    return new Range(columns.get(index), ends[0], ends[1]);
  }

  /// Reads both ends. Timestamps contain colons too, so each colon is tried as the separator.
  private static double[] ends(Column column, String text) {
    for (int at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
      try {
        return new double[] {
          value(column, text.substring(0, at)), value(column, text.substring(at + 1))
        };
      } catch (IllegalArgumentException e) {
        // this colon is not the separator
      }
    }
    return new double[0];
  }

  private static double value(Column column, String text) {
    return column.time().isEmpty() ? Double.parseDouble(text) : column.time().get().parse(text);
  }
}
