package lovelace.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Place;
import lovelace.data.TimeScale;
import lovelace.maps.Polygon;
import lovelace.maps.Polygons;
import org.jspecify.annotations.Nullable;

/// Areas as a model sees them: the points of their cells with weights, and what is known of each.
///
/// @param names what messages call them
/// @param about columns of the result that say which area a row is of
/// @param points of all areas, row-major in the model's columns
/// @param weights of the points
/// @param starts where each area starts, and the number of points
record AreaCells(
    List<String> names,
    Map<String, List<@Nullable Object>> about,
    double[] points,
    double[] weights,
    int[] starts) {

  int count() {
    return names.size();
  }

  int cells(int area) {
    return starts[area + 1] - starts[area];
  }

  /// The points of one area. A copy.
  double[] points(int area) {
    int d = points.length / starts[count()];
    return Arrays.copyOfRange(points, starts[area] * d, starts[area + 1] * d);
  }

  /// Rows of a table that share a value of a column are the cells of an area; a column may hold
  /// their weights.
  static AreaCells of(
      Table table, Model model, String by, @Nullable String weight, ReadingOptions options)
      throws IOException {
    table.requireRows();
    Named.check("--by", () -> table.field(by));
    List<TableScan.First> found = table.firstOf(by, Integer.MAX_VALUE);
    if (found.isEmpty())
      throw new IllegalArgumentException(
          "--by: column '%s' of '%s' has no values; name the column that says the area of a row"
              .formatted(by, table.name()));
    List<String> names = found.stream().map(TableScan.First::value).toList();
    List<Column> others = new ArrayList<>(List.of(Column.of(by, names)));
    if (weight != null) {
      Named.check("--weight", () -> table.field(weight));
      others.add(Column.of(weight));
    }
    int d = model.columns().size();
    List<double[]> rows = new ArrayList<>();
    int[] counts = new int[names.size() + 1];
    table.read(
        options.rows(model, table, others, null),
        (count, columns) -> {
          for (int i = 0; i < count; i++) {
            double[] row = new double[d + 2];
            for (int j = 0; j < d; j++) row[j] = columns[j][i];
            row[d] = columns[d][i];
            row[d + 1] = weight == null ? 1 : columns[d + 1][i];
            if (!(row[d + 1] >= 0))
              throw new IllegalArgumentException(
                  String.format(
                      Locale.ROOT,
                      "row %,d of '%s': weight '%s' is %s and must be >= 0; correct or drop the row",
                      rows.size() + 1,
                      table.name(),
                      weight,
                      row[d + 1]));
            counts[(int) row[d] + 1]++;
            rows.add(row);
          }
        });
    for (int a = 0; a < names.size(); a++) {
      if (counts[a + 1] == 0)
        throw new IllegalArgumentException(
            "area '%s' of '%s' has no rows that can be read; see --missing"
                .formatted(names.get(a), table.name()));
      counts[a + 1] += counts[a];
    }
    double[] points = new double[rows.size() * d];
    double[] weights = new double[rows.size()];
    int[] next = counts.clone();
    for (double[] row : rows) {
      int at = next[(int) row[d]]++;
      System.arraycopy(row, 0, points, at * d, d);
      weights[at] = row[d + 1];
    }
    Map<String, List<@Nullable Object>> about = new LinkedHashMap<>();
    about.put(by, new ArrayList<>(names));
    return new AreaCells(
        names.stream().map(n -> "'" + n + "'").toList(), about, points, weights, counts);
  }

  /// The cells of polygons, in the columns of a model.
  ///
  /// @param at values of the columns that are no coordinates, by name
  static AreaCells of(Path file, Model model, int cells, double resolution, Map<String, String> at)
      throws IOException {
    Polygons polygons = Polygons.read(file);
    List<Column> columns = model.columns();
    Place place = model.place().orElse(null);
    int[] axes = axes(columns, place, at);
    double[] fixed = fixed(columns, axes, at);
    var cut = new Polygon.Cut(cells, resolution, false, place != null);
    int count = polygons.polygons().size();
    int d = columns.size();
    double[][] xy = new double[count][];
    double[][] weights = new double[count][];
    int[] starts = new int[count + 1];
    for (int a = 0; a < count; a++) {
      Polygon.Cells own = polygons.polygons().get(a).cut(cut);
      xy[a] = own.xy();
      weights[a] = own.weights();
      starts[a + 1] = Math.addExact(starts[a], own.weights().length);
    }
    double[] points = new double[Math.multiplyExact(starts[count], d)];
    double[] all = new double[starts[count]];
    for (int a = 0, i = 0; a < count; a++) {
      System.arraycopy(weights[a], 0, all, starts[a], weights[a].length);
      for (int c = 0; c < weights[a].length; c++, i++) {
        System.arraycopy(fixed, 0, points, i * d, d);
        points[i * d + axes[0]] = xy[a][2 * c];
        points[i * d + axes[1]] = xy[a][2 * c + 1];
      }
    }
    Map<String, List<@Nullable Object>> about = new LinkedHashMap<>();
    for (String name : polygons.properties()) {
      List<@Nullable Object> values = new ArrayList<>();
      for (Polygon polygon : polygons.polygons()) values.add(polygon.properties().get(name));
      about.put(name, values);
    }
    if (about.isEmpty())
      about.put(
          "polygon",
          new ArrayList<>(IntStream.rangeClosed(1, count).mapToObj(Long::valueOf).toList()));
    return new AreaCells(
        polygons.polygons().stream().map(Polygon::name).toList(), about, points, all, starts);
  }

  /// Which columns are the coordinates east and north.
  private static int[] axes(List<Column> columns, @Nullable Place place, Map<String, String> at) {
    List<String> names = columns.stream().map(Column::name).toList();
    for (String name : at.keySet())
      if (!names.contains(name))
        throw new IllegalArgumentException(
            "--at %s: the model has no column '%s'; it has %s"
                .formatted(name, name, String.join(", ", names)));
    if (place != null) return new int[] {names.indexOf(place.east()), names.indexOf(place.north())};
    int[] free =
        IntStream.range(0, names.size()).filter(j -> !at.containsKey(names.get(j))).toArray();
    if (free.length < 2)
      throw new IllegalArgumentException(
          "polygons need two columns of coordinates, and the model has %s; average over rows of a table with --by"
              .formatted(free.length == 0 ? "none left" : "only '" + names.get(free[0]) + "'"));
    return Arrays.copyOf(free, 2);
  }

  /// The values of the columns that are no coordinates.
  private static double[] fixed(List<Column> columns, int[] axes, Map<String, String> at) {
    double[] fixed = new double[columns.size()];
    for (int j = 0; j < fixed.length; j++) {
      if (j == axes[0] || j == axes[1]) continue;
      Column column = columns.get(j);
      String text = at.get(column.name());
      if (text == null)
        throw new IllegalArgumentException(
            "the model reads '%s' besides the coordinates '%s' and '%s'; say where with --at '%s=VALUE'"
                .formatted(
                    column.name(),
                    columns.get(axes[0]).name(),
                    columns.get(axes[1]).name(),
                    column.name()));
      fixed[j] = value(column, text);
    }
    return fixed;
  }

  private static double value(Column column, String text) {
    if (column.isText()) {
      double code = column.code(text);
      if (code >= 0) return code;
      throw new IllegalArgumentException(
          "--at %s=%s: the model has not seen this word; it knows %s"
              .formatted(column.name(), text, Reading.words(column.values(), 12)));
    }
    TimeScale time = column.time().orElse(null);
    if (time != null && TimeScale.recognizes(text)) return time.parse(text);
    try {
      double value = time == null ? Double.parseDouble(text) : Double.NaN;
      if (Double.isFinite(value)) return value;
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        "--at %s=%s: '%s' is no %s; give %s"
            .formatted(
                column.name(),
                text,
                text,
                time == null ? "finite number" : "date",
                time == null ? "a number" : "a date such as 2024-06-01"));
  }
}
