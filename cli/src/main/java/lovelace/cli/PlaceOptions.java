package lovelace.cli;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Place;
import lovelace.maps.Crs;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options that say which inputs are coordinates, in which system, and whether the process has
/// a direction.
final class PlaceOptions {

  private static final Set<String> LONGITUDES = Set.of("lon", "long", "lng", "longitude");
  private static final Set<String> LATITUDES = Set.of("lat", "latitude");
  private static final Set<String> EASTINGS = Set.of("x", "east", "easting", "eastings");
  private static final Set<String> NORTHINGS = Set.of("y", "north", "northing", "northings");

  /// The most inputs of a table whose longitudes and latitudes are recognised by their names.
  private static final int FEW = 3;

  @Option(
      names = "--crs",
      paramLabel = "CODE|WKT|FILE|local|none",
      description =
          "The coordinate system of two inputs: a code such as EPSG:4326, WKT, a .wkt or .prj file,"
              + " local for a plane without a system, or none. Longitudes and latitudes are"
              + " projected to kilometres, so lengthscales are in kilometres. The default is"
              + " EPSG:4326 if there are up to three inputs and two of them are called lon and lat,"
              + " lng and lat, or longitude and latitude. Otherwise it is none.")
  private @Nullable String crs;

  @Option(
      names = "--coordinates",
      paramLabel = "EAST,NORTH",
      description =
          "Which two inputs are coordinates (default: those called lon and lat, x and y, or "
              + "easting and northing, otherwise the first two).")
  private @Nullable String coordinates;

  @Option(
      names = "--anisotropy",
      paramLabel = "learn|DEGREES",
      description =
          "Use two lengthscales, one along a direction in the plane and one across it. learn "
              + "learns the direction; a number gives it in degrees clockwise from north (default: "
              + "the lengthscales follow the inputs).")
  private @Nullable String anisotropy;

  /// Whether a system, columns or a direction were asked for.
  boolean given() {
    return crs != null || coordinates != null || anisotropy != null;
  }

  /// The option that was given first; empty if none was.
  String name() {
    return crs != null
        ? "--crs"
        : coordinates != null ? "--coordinates" : anisotropy != null ? "--anisotropy" : "";
  }

  /// Whether a model's coordinates were recognised by their names alone.
  boolean assumed(Model model) {
    return crs == null
        && coordinates == null
        && model.place().filter(Place::isGeographic).isPresent();
  }

  /// A remark that coordinates were recognised by their names.
  static String remark(Model model) {
    return "by their names, %s are longitudes and latitudes of WGS 84; --crs none takes them as numbers"
        .formatted(model.place().map(place -> place.east() + " and " + place.north()).orElse(""));
  }

  /// Refuses options that are wrong for every table.
  void check() {
    if (crs != null && !isNone() && !isLocal()) Named.check("--crs", () -> Crs.parse(crs()));
    if (coordinates != null && coordinates.split(",", -1).length != 2)
      throw new IllegalArgumentException(
          "--coordinates needs two inputs, EAST,NORTH, got '%s'; write --coordinates lon,lat"
              .formatted(coordinates));
    if (coordinates != null && isNone())
      throw new IllegalArgumentException(
          "--coordinates names coordinates, and --crs none says that there are none; leave out one"
              + " of the two");
    if (anisotropy != null) degrees();
  }

  /// The system as it was asked for; empty if it was not.
  String system() {
    return crs();
  }

  private String crs() {
    String text = crs;
    return text == null ? "" : text.strip();
  }

  private boolean isNone() {
    return crs().equalsIgnoreCase("none");
  }

  private boolean isLocal() {
    return crs().equalsIgnoreCase("local");
  }

  /// The angle; NaN if it is learned.
  private double degrees() {
    String text = anisotropy == null ? "" : anisotropy.strip();
    if (text.equalsIgnoreCase("learn")) return Double.NaN;
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      value = Double.NaN;
    }
    if (!(Math.abs(value) <= 360))
      throw new IllegalArgumentException(
          "--anisotropy needs learn or an angle from -360 to 360 degrees, got '%s'; write --anisotropy learn"
              .formatted(anisotropy));
    return value;
  }

  /// The fit with these options, and with longitudes and latitudes recognised by their names.
  ///
  /// @param assume whether coordinates may be recognised by their names alone
  /// @param map whether the table is to become a map, so that two inputs are coordinates
  Fit on(Fit fit, List<Column> columns, boolean assume, boolean map) {
    Place place = place(columns, assume);
    if (place == null && map) place = plane(columns);
    Fit placed = place == null ? fit : fit.withPlace(place);
    if (anisotropy == null) return placed;
    double degrees = degrees();
    if (columns.size() < 2)
      throw new IllegalArgumentException(
          "--anisotropy needs two inputs, and there is one, '%s'; leave it out"
              .formatted(columns.getFirst().name()));
    return Double.isNaN(degrees) ? placed.withAnisotropy() : placed.withAnisotropy(degrees);
  }

  /// The coordinates among columns; null if there are none.
  ///
  /// @param assume whether they may be recognised by their names alone
  @Nullable Place place(List<Column> columns, boolean assume) {
    if (isNone()) return null;
    List<String> names = columns.stream().map(Column::name).toList();
    if (crs == null) {
      String[] found = pair(names, LONGITUDES, LATITUDES);
      if (coordinates == null)
        return assume && found != null && columns.size() <= FEW
            ? Place.lonLat(found[0], found[1])
            : null;
      String[] own = chosen(names);
      boolean degrees = found != null && Set.of(found).equals(Set.of(own));
      return degrees ? Place.lonLat(own[0], own[1]) : Place.projected(own[0], own[1], "local", 1);
    }
    if (isLocal()) {
      String[] own = columns(columns, EASTINGS, NORTHINGS);
      return Place.projected(own[0], own[1], "local", 1);
    }
    Crs system = Named.of("--crs", () -> Crs.parse(crs()));
    String[] own =
        system.isGeographic()
            ? columns(columns, LONGITUDES, LATITUDES)
            : columns(columns, EASTINGS, NORTHINGS);
    return system.isGeographic()
        ? Place.geographic(
            own[0],
            own[1],
            system.text(),
            new Place.Ellipsoid(system.semiMajorAxis(), 1 / system.flattening()))
        : Place.projected(own[0], own[1], system.text(), system.metres());
  }

  /// The plane of the two inputs that are named as coordinates, otherwise of the first two numbers,
  /// in the order of their names; null if there are fewer.
  private static @Nullable Place plane(List<Column> columns) {
    String[] known = pair(numbers(columns), LONGITUDES, LATITUDES);
    if (known == null) known = pair(numbers(columns), EASTINGS, NORTHINGS);
    if (known != null) return Place.projected(known[0], known[1], "local", 1);
    List<String> names = numbers(columns).stream().limit(2).toList();
    if (names.size() < 2) return null;
    boolean turned =
        named(names.subList(0, 1), NORTHINGS).size() + named(names.subList(0, 1), LATITUDES).size()
            > 0;
    return Place.projected(names.get(turned ? 1 : 0), names.get(turned ? 0 : 1), "local", 1);
  }

  /// The names of the inputs that are neither words nor times.
  private static List<String> numbers(List<Column> columns) {
    return columns.stream()
        .filter(column -> !column.isText() && column.time().isEmpty())
        .map(Column::name)
        .toList();
  }

  /// The two inputs of --coordinates or with the names of coordinates, otherwise the first two
  /// numbers.
  private String[] columns(List<Column> all, Set<String> east, Set<String> north) {
    if (coordinates != null) return chosen(all.stream().map(Column::name).toList());
    List<String> names = numbers(all);
    String[] found = pair(names, east, north);
    if (found != null) return found;
    if (names.size() < 2)
      throw new IllegalArgumentException(
          "%s needs two inputs that are numbers, and there is %s; choose two with --inputs"
              .formatted(name(), names.isEmpty() ? "none" : "one, '" + names.getFirst() + "'"));
    return new String[] {names.get(0), names.get(1)};
  }

  private String[] chosen(List<String> names) {
    String[] parts = (coordinates == null ? "" : coordinates).split(",", -1);
    for (int i = 0; i < parts.length; i++) {
      parts[i] = parts[i].strip();
      if (!names.contains(parts[i]))
        throw new IllegalArgumentException(
            "--coordinates names '%s', which is not one of the inputs %s; write --coordinates EAST,NORTH with two of them"
                .formatted(parts[i], String.join(", ", names)));
    }
    if (parts[0].equals(parts[1]))
      throw new IllegalArgumentException(
          "--coordinates names '%s' twice; write --coordinates EAST,NORTH with two inputs"
              .formatted(parts[0]));
    return parts;
  }

  /// For each set of names, the only input that has one of them; null if there is none or more than
  /// one.
  private static String @Nullable [] pair(List<String> names, Set<String> east, Set<String> north) {
    List<String> first = named(names, east);
    List<String> second = named(names, north);
    return first.size() == 1 && second.size() == 1
        ? new String[] {first.getFirst(), second.getFirst()}
        : null;
  }

  private static List<String> named(List<String> names, Set<String> wanted) {
    return names.stream()
        .filter(name -> wanted.contains(name.strip().toLowerCase(Locale.ROOT)))
        .toList();
  }
}
