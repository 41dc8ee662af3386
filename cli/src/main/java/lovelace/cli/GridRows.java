package lovelace.cli;

import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongToDoubleFunction;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Place;
import lovelace.data.TimeScale;
import lovelace.maps.Extent;
import lovelace.maps.MapColumns;
import lovelace.statistics.GridStatistics;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The rows of a regular grid over a model's columns. They are made while they are read. The last
/// column changes fastest.
final class GridRows {

  private static final AtomicInteger FUNCTIONS = new AtomicInteger();

  /// The most rows of a grid. At 8 bytes each, that is nearly a terabyte.
  private static final double MOST = 1e11;

  @Option(
      names = "--grid",
      paramLabel = "N|N1xN2",
      description =
          "For a table: the number of points along each input, one number for all inputs or one "
              + "for each. Both ends of a range are points.")
  private @Nullable String grid;

  @Option(
      names = "--bounds",
      paramLabel = "COLUMN=LO:HI",
      description = "For a table: the range of an input (default: the range of the model's data).")
  private List<String> bounds = new ArrayList<>();

  @Option(
      names = "--at",
      paramLabel = "COLUMN=VALUE",
      description = "For a table: the value of an input that is the same in all rows.")
  private Map<String, String> at = new LinkedHashMap<>();

  /// A column of the grid: from low to high in steps, or one value.
  private record Axis(Column column, int points, double low, double high) {
    double at(long k) {
      return points == 1 ? low : low + (high - low) * k / (points - 1);
    }
  }

  /// The first of the options that is given; empty if none is.
  String given() {
    return grid != null ? "--grid" : !bounds.isEmpty() ? "--bounds" : at.isEmpty() ? "" : "--at";
  }

  /// The number of rows.
  ///
  /// @param others columns of the model that come from elsewhere
  long rows(Model model, List<String> others) {
    return count(axes(model, others));
  }

  /// The table of the grid.
  ///
  /// @param others columns of the model that come from elsewhere
  Table open(Model model, List<String> others) throws IOException {
    List<Axis> axes = axes(model, others);
    long count = count(axes);
    return Table.made(
        "grid", database -> Relation.table("grid", select(database.connection(), axes, count)));
  }

  private long count(List<Axis> axes) {
    double rows = 1;
    for (Axis axis : axes) rows *= axis.points;
    if (rows > MOST)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--grid %s makes %.3g rows, more than %.0e; use fewer points",
              grid,
              rows,
              MOST));
    return (long) rows;
  }

  private static String select(DuckDBConnection connection, List<Axis> axes, long rows)
      throws SQLException {
    String prefix = "lovelace_axis_" + FUNCTIONS.incrementAndGet() + "_";
    List<String> columns = new ArrayList<>();
    long stride = rows;
    for (int j = 0; j < axes.size(); j++) {
      Axis axis = axes.get(j);
      stride /= axis.points;
      register(connection, prefix + j, axis, stride);
      columns.add("%s%s(i) as %s".formatted(prefix, j, quoted(axis.column.name())));
    }
    return "(select %s from range(%s) rows(i))".formatted(String.join(", ", columns), rows);
  }

  private static void register(DuckDBConnection connection, String name, Axis axis, long stride)
      throws SQLException {
    LongToDoubleFunction value = row -> axis.at(row / stride % axis.points);
    TimeScale time = axis.column.time().orElse(null);
    boolean text = time != null || axis.column.isText();
    DuckDBFunctions.scalarFunction()
        .withName(name)
        .withParameter(DuckDBColumnType.BIGINT)
        .withReturnType(text ? DuckDBColumnType.VARCHAR : DuckDBColumnType.DOUBLE)
        .withVectorizedFunction(
            (in, out) -> {
              int count = Math.toIntExact(in.rowCount());
              DuckDBReadableVector numbers = in.vector(0);
              for (int i = 0; i < count; i++) {
                double x = value.applyAsDouble(numbers.getLong(i));
                if (time != null) out.setString(i, time.format(x));
                else if (text) out.setString(i, axis.column.format(x));
                else out.setDouble(i, x);
              }
            })
        .register(connection);
  }

  private List<Axis> axes(Model model, List<String> others) {
    List<Column> free = new ArrayList<>();
    List<Axis> axes = new ArrayList<>();
    List<String> names = model.columns().stream().map(Column::name).toList();
    for (String name : at.keySet())
      if (!names.contains(name))
        throw new IllegalArgumentException(
            "--at %s: the model has no column '%s'; it has %s"
                .formatted(name, name, String.join(", ", names)));
    for (Column column : model.columns())
      if (!at.containsKey(column.name()) && !others.contains(column.name())) free.add(column);
    int[] points = points(free);
    Map<String, double[]> ranges = ranges(free);
    for (Column column : model.columns()) {
      String fixed = at.get(column.name());
      int k = free.indexOf(column);
      if (fixed != null) {
        double value = PolygonCells.value(column, fixed);
        axes.add(new Axis(column, 1, value, value));
      } else if (k >= 0) {
        if (column.isText())
          throw new IllegalArgumentException(
              "column '%s' holds words, and a grid is over numbers; give one of them with --at '%s=WORD'"
                  .formatted(column.name(), column.name()));
        double[] range = ranges.get(column.name());
        if (range == null) range = known(model, column);
        axes.add(new Axis(column, points[k], range[0], range[1]));
      }
    }
    return axes;
  }

  /// The points along each column.
  private int[] points(List<Column> free) {
    String form = "write 1000 for all inputs, or 1000x500 for one number each";
    if (grid == null)
      throw new IllegalArgumentException(
          "a table needs --grid, the number of points along each input; " + form);
    String[] parts = grid.strip().toLowerCase(Locale.ROOT).split("x", -1);
    if (parts.length != 1 && parts.length != free.size())
      throw new IllegalArgumentException(
          "--grid %s has %s numbers, and the inputs are %s; %s"
              .formatted(
                  grid,
                  parts.length,
                  String.join(", ", free.stream().map(Column::name).toList()),
                  form));
    int[] all = new int[free.size()];
    for (int k = 0; k < all.length; k++) {
      String part = parts[parts.length == 1 ? 0 : k].strip();
      int value = 0;
      try {
        value = Integer.parseInt(part);
      } catch (NumberFormatException e) {
        // said below
      }
      if (value < 2)
        throw new IllegalArgumentException(
            "--grid %s: '%s' is not a whole number of 2 or more; %s".formatted(grid, part, form));
      all[k] = value;
    }
    return all;
  }

  private Map<String, double[]> ranges(List<Column> free) {
    Map<String, double[]> all = new LinkedHashMap<>();
    for (String text : bounds) {
      GridOptions.Range range = GridOptions.range("--bounds", text, free);
      if (all.put(range.column().name(), new double[] {range.low(), range.high()}) != null)
        throw new IllegalArgumentException(
            "--bounds names '%s' twice; give it one range".formatted(range.column().name()));
    }
    return all;
  }

  /// The range of a model's data along a column.
  private static double[] known(Model model, Column column) {
    int j = model.columns().indexOf(column);
    if (j >= model.processColumns().size()) return model.driftRange(j);
    Dataset rows = model.observed().orElse(null);
    if (rows != null) return range(rows.inputs(), rows.dimensions(), j);
    if (model.place().isPresent()) {
      Place place = model.place().get();
      List<String> names = model.columns().stream().map(Column::name).toList();
      var columns =
          new MapColumns(names.indexOf(place.east()), names.indexOf(place.north()), -1, List.of());
      Extent box = Extent.of(model, columns).orElse(null);
      if (box != null && j == columns.east()) return new double[] {box.west(), box.east()};
      if (box != null && j == columns.north()) return new double[] {box.south(), box.north()};
    }
    var lattice = model.map().isEmpty() ? model.lattice().orElse(null) : null;
    if (lattice == null)
      throw new IllegalArgumentException(
          "the model does not know where its data lie along '%s'; give the range with --bounds '%s=LO:HI'"
              .formatted(column.name(), column.name()));
    if (lattice.statistics() instanceof GridStatistics statistics
        && statistics.averages().length > 0)
      return range(statistics.averages(), statistics.grid().dimensions() + 1, j);
    var all = lattice.statistics().lattice();
    return new double[] {all.low(j), all.high(j)};
  }

  private static double[] range(double[] points, int d, int j) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = j; i < points.length; i += d) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    return new double[] {low, high};
  }
}
