package lovelace.data;

import java.util.Locale;
import java.util.Optional;

/// Names the two input columns that are coordinates, and their coordinate system.
///
/// Longitudes and latitudes, in degrees, are turned into kilometres east and north by a local
/// projection before a process sees them. Coordinates on a plane are used as they are.
///
/// @param east the column of longitudes or eastings
/// @param north the column of latitudes or northings
/// @param system the coordinate system as the user gave it: a code or WKT
/// @param ellipsoid the shape of the Earth in a geographic system; empty for coordinates on a plane
/// @param metres the length of one unit of coordinates on a plane; 0 for a geographic system, whose
///   unit is the degree
public record Place(
    String east, String north, String system, Optional<Ellipsoid> ellipsoid, double metres) {

  /// The shape of the Earth.
  ///
  /// @param semiMajor the equatorial radius in metres
  /// @param inverseFlattening 1/f; infinite for a sphere
  public record Ellipsoid(double semiMajor, double inverseFlattening) {

    /// The ellipsoid of WGS 84, which satellite receivers use.
    public static final Ellipsoid WGS_84 = new Ellipsoid(6_378_137, 298.257223563);

    public Ellipsoid {
      if (!(semiMajor > 0 && Double.isFinite(semiMajor)))
        throw new IllegalArgumentException(
            "the equatorial radius must be > 0 m and finite, got " + semiMajor);
      if (!(inverseFlattening > 2))
        throw new IllegalArgumentException(
            "the inverse flattening must be > 2, got " + inverseFlattening);
    }

    /// The square of the first eccentricity, `e² = f(2 − f)`.
    public double squaredEccentricity() {
      double f = 1 / inverseFlattening;
      return f * (2 - f);
    }

    /// The radius of the parallel at a latitude in radians, in kilometres.
    double parallel(double phi) {
      double s = Math.sin(phi);
      return semiMajor / 1000 * Math.cos(phi) / Math.sqrt(1 - squaredEccentricity() * s * s);
    }

    /// The meridian's radius of curvature, in kilometres.
    double meridian(double phi) {
      double s = Math.sin(phi);
      double e2 = squaredEccentricity();
      return semiMajor / 1000 * (1 - e2) / Math.pow(1 - e2 * s * s, 1.5);
    }
  }

  public Place {
    if (east.equals(north))
      throw new IllegalArgumentException(
          "coordinates are two columns, got '%s' twice; name one for east and one for north"
              .formatted(east));
    if (ellipsoid.isPresent() ? metres != 0 : !(metres > 0 && Double.isFinite(metres)))
      throw new IllegalArgumentException(
          "the unit of coordinates on a plane must be > 0 m, and that of longitudes 0 m (degrees), got "
              + metres);
  }

  /// Longitudes and latitudes of WGS 84, in degrees.
  public static Place lonLat(String longitude, String latitude) {
    return geographic(longitude, latitude, "EPSG:4326", Ellipsoid.WGS_84);
  }

  /// Longitudes and latitudes of a geographic system, in degrees.
  public static Place geographic(
      String longitude, String latitude, String system, Ellipsoid ellipsoid) {
    return new Place(longitude, latitude, system, Optional.of(ellipsoid), 0);
  }

  /// Coordinates on a plane, with the length of one unit in metres.
  public static Place projected(String east, String north, String system, double metres) {
    return new Place(east, north, system, Optional.empty(), metres);
  }

  /// Whether coordinates are longitudes and latitudes.
  public boolean isGeographic() {
    return ellipsoid.isPresent();
  }

  /// A short name of the system: its code, or the name at the beginning of its WKT.
  public String name() {
    int open = system.indexOf('"');
    int close = system.indexOf('"', open + 1);
    return system.contains("[") && open >= 0 && close > open
        ? system.substring(open + 1, close)
        : system;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s, %s in %s", east, north, name());
  }
}
