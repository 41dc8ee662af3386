package lovelace.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.FeatureMap;
import lovelace.data.Place;
import lovelace.data.TimeScale;
import lovelace.maps.Crs;
import lovelace.maps.MapColumns;
import lovelace.maps.Polygon;
import lovelace.maps.Polygons;
import lovelace.maps.Raster;
import org.jspecify.annotations.Nullable;

/// Cuts the polygons of a file into cells, and finds the inputs of a model at each cell.
final class PolygonCells {

  private final Model model;
  private final Path file;
  private final Polygons polygons;
  private final Map<String, String> at;
  private final Map<String, Path> rasters;
  private final int[] axes; // the columns of the coordinates, east and north
  private final @Nullable Crs own; // of the model
  private final @Nullable Crs given; // of the corners; null if they are in the model's coordinates
  private final List<String> remarks = new ArrayList<>();

  /// @param at values, by name, of columns that are not coordinates
  /// @param rasters files that hold the values of other columns, by name
  PolygonCells(Model model, Path file, Map<String, String> at, Map<String, Path> rasters)
      throws IOException {
    this.model = model;
    this.file = file;
    this.at = at;
    this.rasters = rasters;
    Place place = model.place().orElse(null);
    axes = axes(place);
    polygons = Polygons.read(file);
    own = place == null || place.system().equals("local") ? null : Crs.parse(place.system());
    given = own == null ? null : system(own);
    if (own == null)
      remarks.add(
          "the model has no coordinate system; corners of polygons are read as '%s' and '%s'"
              .formatted(name(axes[0]), name(axes[1])));
  }

  /// Remarks on how the file was read.
  List<String> remarks() {
    return remarks;
  }

  private String name(int column) {
    return model.columns().get(column).name();
  }

  /// The system of the corners.
  private Crs system(Crs model) {
    Crs found;
    try {
      found = polygons.system(model);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'%s', %s".formatted(file, e.getMessage()), e);
    }
    if (polygons.crs().isEmpty() && !found.isGeographic())
      remarks.add(
          "the corners of '%s' are not longitudes and latitudes; %s, that of the model, is assumed"
              .formatted(file, model));
    return found;
  }

  /// Which columns are the coordinates east and north.
  private int[] axes(@Nullable Place place) {
    List<String> names = model.columns().stream().map(Column::name).toList();
    for (String option : List.of("--at", "--drift"))
      for (String name : option.equals("--at") ? at.keySet() : rasters.keySet())
        if (!names.contains(name))
          throw new IllegalArgumentException(
              "%s %s: the model has no column '%s'; it has %s"
                  .formatted(option, name, name, String.join(", ", names)));
    if (place != null) return new int[] {names.indexOf(place.east()), names.indexOf(place.north())};
    int[] free =
        IntStream.range(0, names.size())
            .filter(j -> !at.containsKey(names.get(j)) && !rasters.containsKey(names.get(j)))
            .toArray();
    if (free.length < 2)
      throw new IllegalArgumentException(
          "polygons need two columns of coordinates, and the model has %s; average over rows of a table with --by"
              .formatted(free.length == 0 ? "none left" : "only '" + names.get(free[0]) + "'"));
    boolean turned = MapColumns.isNorthFirst(names.get(free[0]), names.get(free[1]));
    return new int[] {free[turned ? 1 : 0], free[turned ? 0 : 1]};
  }

  /// Cuts all polygons.
  ///
  /// @param weights a raster of weights; null to weight by area on the ground
  AreaCells cut(int cells, double resolution, @Nullable Path weights) throws IOException {
    double[] fixed = fixed();
    boolean geographic = given != null && given.isGeographic();
    var cut = new Polygon.Cut(cells, resolution, geographic, own != null);
    List<Polygon> all = polygons.polygons();
    int[] starts = new int[all.size() + 1];
    List<Polygon.Cells> parts = new ArrayList<>();
    for (int a = 0; a < all.size(); a++) {
      try {
        parts.add(all.get(a).cut(cut));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("'%s', %s".formatted(file, e.getMessage()), e);
      }
      starts[a + 1] = Math.addExact(starts[a], parts.get(a).weights().length);
    }
    int count = starts[all.size()];
    double[] xy = new double[Math.multiplyExact(count, 2)];
    double[] shares = new double[count];
    for (int a = 0; a < all.size(); a++) {
      System.arraycopy(parts.get(a).xy(), 0, xy, 2 * starts[a], parts.get(a).xy().length);
      System.arraycopy(parts.get(a).weights(), 0, shares, starts[a], cells(starts, a));
    }
    if (weights != null) {
      double[] values = weights(weights, xy, starts);
      for (int a = 0; a < all.size(); a++)
        for (int i = starts[a]; i < starts[a + 1]; i++)
          shares[i] = values[i] * parts.get(a).shares()[i - starts[a]];
    }
    double[] points = points(fixed, xy, starts);
    return new AreaCells(all.stream().map(Polygon::name).toList(), about(), points, shares, starts);
  }

  private static int cells(int[] starts, int area) {
    return starts[area + 1] - starts[area];
  }

  /// The cells in the model's columns.
  private double[] points(double[] fixed, double[] xy, int[] starts) throws IOException {
    int d = fixed.length;
    int count = xy.length / 2;
    double[] points = new double[Math.multiplyExact(count, d)];
    for (int i = 0; i < count; i++) System.arraycopy(fixed, 0, points, i * d, d);
    for (Map.Entry<String, Path> drift : rasters.entrySet()) {
      int column = model.columns().stream().map(Column::name).toList().indexOf(drift.getKey());
      String option = "--drift " + drift.getKey();
      double[] values = sampled(option, drift.getValue(), xy, r -> r.band(drift.getKey()));
      for (int i = 0; i < count; i++) {
        if (Double.isNaN(values[i]))
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "--drift %s: '%s' has no value at %.6g, %.6g, in %s of '%s'; fill the raster, or cut the polygon off there",
                  drift.getKey(),
                  drift.getValue(),
                  xy[2 * i],
                  xy[2 * i + 1],
                  polygons.polygons().get(area(starts, i)).name(),
                  file));
        points[i * d + column] = values[i];
      }
    }
    FeatureMap map = model.map().orElse(null);
    double[] moved = xy.clone();
    if (own != null && given != null) given.to(own).apply(moved, count);
    for (int i = 0; i < count; i++) {
      if (Double.isNaN(moved[2 * i]))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "'%s', %s: %.6g, %.6g has no coordinates in the model's %s; check the file's coordinate system",
                file,
                polygons.polygons().get(area(starts, i)).name(),
                xy[2 * i],
                xy[2 * i + 1],
                own));
      points[i * d + axes[0]] = moved[2 * i];
      points[i * d + axes[1]] = moved[2 * i + 1];
      if (map == null) continue;
      String why = map.refusal(points, i * d).orElse(null);
      if (why != null)
        throw new IllegalArgumentException(
            "'%s', %s: %s".formatted(file, polygons.polygons().get(area(starts, i)).name(), why));
    }
    return points;
  }

  private static int area(int[] starts, int cell) {
    int found = Arrays.binarySearch(starts, cell);
    return found >= 0 ? found : -found - 2;
  }

  private double[] sampled(String option, Path raster, double[] xy, ToIntFunction<Raster> band)
      throws IOException {
    try (Raster open = Raster.open(raster)) {
      return open.sample(band.applyAsInt(open), given, xy);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s: %s".formatted(option, e.getMessage()), e);
    }
  }

  /// The values of a raster at the cells; 0 where it has none.
  private double[] weights(Path raster, double[] xy, int[] starts) throws IOException {
    double[] values = sampled("--weights", raster, xy, r -> 0);
    int without = 0;
    for (int a = 0; a + 1 < starts.length; a++) {
      double sum = 0;
      for (int i = starts[a]; i < starts[a + 1]; i++) {
        if (Double.isNaN(values[i])) {
          values[i] = 0;
          without++;
        }
        if (values[i] < 0)
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "--weights: '%s' is %s at %.6g, %.6g, in %s of '%s', and weights must be >= 0; correct the raster",
                  raster,
                  values[i],
                  xy[2 * i],
                  xy[2 * i + 1],
                  polygons.polygons().get(a).name(),
                  file));
        sum += values[i];
      }
      if (!(sum > 0))
        throw new IllegalArgumentException(
            "--weights: '%s' is 0 or has no value in all of %s of '%s'; remove the polygon, or take a raster that covers it"
                .formatted(raster, polygons.polygons().get(a).name(), file));
    }
    if (without > 0)
      remarks.add(
          String.format(
              Locale.ROOT,
              "%,d of %,d cells have no value in '%s'; their weight is 0",
              without,
              values.length,
              raster));
    return values;
  }

  /// The properties of the polygons, or their numbers if they have none.
  private Map<String, List<@Nullable Object>> about() {
    Map<String, List<@Nullable Object>> about = new LinkedHashMap<>();
    for (String name : polygons.properties()) {
      List<@Nullable Object> values = new ArrayList<>();
      for (Polygon polygon : polygons.polygons()) values.add(polygon.properties().get(name));
      about.put(name, values);
    }
    if (about.isEmpty())
      about.put(
          "polygon",
          new ArrayList<>(LongStream.rangeClosed(1, polygons.polygons().size()).boxed().toList()));
    return about;
  }

  /// The values of the columns that are not coordinates.
  private double[] fixed() {
    List<Column> columns = model.columns();
    double[] fixed = new double[columns.size()];
    for (int j = 0; j < fixed.length; j++) {
      Column column = columns.get(j);
      if (j == axes[0] || j == axes[1] || rasters.containsKey(column.name())) continue;
      String text = at.get(column.name());
      if (text == null)
        throw new IllegalArgumentException(
            "the model also reads '%s', besides the coordinates '%s' and '%s'; give its value with --at '%s=VALUE', or a raster of its values with --drift '%s=FILE'"
                .formatted(
                    column.name(), name(axes[0]), name(axes[1]), column.name(), column.name()));
      fixed[j] = value(column, text);
    }
    return fixed;
  }

  /// Reads the value of a column from `--at`.
  static double value(Column column, String text) {
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
      // reported below
    }
    throw new IllegalArgumentException(
        "--at %s=%s: '%s' is not a %s; give %s"
            .formatted(
                column.name(),
                text,
                text,
                time == null ? "finite number" : "date",
                time == null ? "a number" : "a date such as 2024-06-01"));
  }
}
