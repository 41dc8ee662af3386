package lovelace.maps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.measure.Unit;
import javax.measure.quantity.Length;
import org.apache.sis.io.wkt.Convention;
import org.apache.sis.io.wkt.WKTFormat;
import org.apache.sis.measure.Units;
import org.apache.sis.metadata.iso.citation.Citations;
import org.apache.sis.referencing.CRS;
import org.apache.sis.referencing.IdentifiedObjects;
import org.apache.sis.referencing.crs.AbstractCRS;
import org.apache.sis.referencing.cs.AxesConvention;
import org.apache.sis.referencing.datum.DatumOrEnsemble;
import org.apache.sis.util.Utilities;
import org.opengis.metadata.Identifier;
import org.opengis.referencing.crs.CoordinateReferenceSystem;
import org.opengis.referencing.crs.GeographicCRS;
import org.opengis.referencing.crs.ProjectedCRS;
import org.opengis.referencing.crs.SingleCRS;
import org.opengis.referencing.datum.Ellipsoid;
import org.opengis.referencing.operation.MathTransform;
import org.opengis.referencing.operation.TransformException;
import org.opengis.util.FactoryException;

/// A coordinate system of maps: longitude and latitude in degrees, or a projection of them. All
/// coordinates here are in the order east, north, even if an authority prescribes another. Values
/// are immutable and may be shared between threads.
///
/// [#parse] knows the codes of Apache SIS without the EPSG data set, which has a licence of its
/// own: [#CODES]. All other systems are given as WKT.
public final class Crs {

  /// The codes that need no WKT.
  public static final String CODES =
      "4326, 4258, 4269, 4267, 4230, 4322, 3857, 3395, 5041, 5042, and UTM zones 326xx and 327xx"
          + " (WGS 84), 258xx (ETRS89), 269xx (NAD83), 267xx (NAD27), 230xx (ED50), 322xx and 323xx"
          + " (WGS 72)";

  private static final double POLE = 90; // degrees

  /// Apache SIS warns about missing data sets, which is not a fault here.
  private static final Logger LOGGER = Logger.getLogger("org.apache.sis");

  static {
    if (LOGGER.getLevel() == null) LOGGER.setLevel(Level.SEVERE);
  }

  private final CoordinateReferenceSystem given;
  private final CoordinateReferenceSystem system; // axes east, north
  private final String text;

  private Crs(CoordinateReferenceSystem given, CoordinateReferenceSystem system, String text) {
    this.given = given;
    this.system = system;
    this.text = text;
  }

  /// Reads a coordinate system from its code such as `EPSG:4326`, from its WKT (1 or 2), or from
  /// the name of a file with its WKT that ends in `.wkt` or `.prj`.
  ///
  /// @throws IllegalArgumentException if the code is not known or the text is not the WKT of a map
  public static Crs parse(String text) {
    String trimmed = text.strip();
    String lower = trimmed.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".wkt") || lower.endsWith(".prj")) return readFile(Path.of(trimmed));
    if (trimmed.contains("[") || trimmed.contains("(")) return parseWkt(trimmed, trimmed);
    String code = trimmed.matches("\\d+") ? "EPSG:" + trimmed : trimmed;
    CoordinateReferenceSystem found;
    try {
      if (code.matches("(?i)EPSG:+\\d{1,3}")) // Apache SIS takes these for other codes
      throw new FactoryException("no such code");
      found = CRS.forCode(code);
    } catch (FactoryException e) {
      throw new IllegalArgumentException(
          "the coordinate system '%s' is not known by its code; give its WKT, or a file with it whose name ends in .wkt or .prj (known EPSG codes: %s)"
              .formatted(text, CODES),
          e);
    }
    return of(found, text);
  }

  private static Crs readFile(Path file) {
    String wkt;
    try {
      wkt = Files.readString(file).strip();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the coordinate system '%s' cannot be read: %s; name a text file with WKT"
              .formatted(file, e),
          e);
    }
    return parseWkt(wkt, file.toString());
  }

  private static Crs parseWkt(String wkt, String name) {
    CoordinateReferenceSystem found;
    try {
      found = CRS.fromWKT(wkt);
    } catch (FactoryException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the coordinate system '%s' is not WKT that can be read: %s; give it as gdalsrsinfo -o wkt2 writes it"
              .formatted(shortened(name), e.getMessage()),
          e);
    }
    // WKT 1 cannot express some systems fully (EPSG:3857), but their codes can
    Identifier code = IdentifiedObjects.getIdentifier(found, Citations.EPSG);
    if (code != null) {
      try {
        found = CRS.forCode("EPSG:" + code.getCode());
      } catch (FactoryException e) {
        // only the WKT explains this code
      }
    }
    return of(found, name);
  }

  /// The horizontal part of a system.
  static Crs of(CoordinateReferenceSystem found, String name) {
    SingleCRS flat = CRS.getHorizontalComponent(found);
    if (!(flat instanceof GeographicCRS || flat instanceof ProjectedCRS))
      throw new IllegalArgumentException(
          "the coordinate system '%s' cannot be used for a map; give one of longitude and latitude, or a projection of them"
              .formatted(shortened(name)));
    CoordinateReferenceSystem east =
        ((AbstractCRS) flat).forConvention(AxesConvention.DISPLAY_ORIENTED);
    Unit<?> unit = east.getCoordinateSystem().getAxis(0).getUnit();
    if (flat instanceof GeographicCRS && !Units.DEGREE.equals(unit))
      throw new IllegalArgumentException(
          "the coordinate system '%s' has angles in '%s'; give one in degrees"
              .formatted(shortened(name), unit));
    return new Crs(flat, east, textOf(flat));
  }

  private static String textOf(CoordinateReferenceSystem system) {
    OptionalInt code = codeOf(system);
    if (code.isPresent()) {
      String text = "EPSG:" + code.getAsInt();
      try {
        CRS.forCode(text);
        return text;
      } catch (FactoryException e) {
        // only the WKT explains this code
      }
    }
    return wktOf(system);
  }

  private static OptionalInt codeOf(CoordinateReferenceSystem system) {
    Identifier own = IdentifiedObjects.getIdentifier(system, Citations.EPSG);
    if (own != null && own.getCode().matches("\\d{1,5}"))
      return OptionalInt.of(Integer.parseInt(own.getCode()));
    try {
      Integer found = IdentifiedObjects.lookupEPSG(system);
      return found == null ? OptionalInt.empty() : OptionalInt.of(found);
    } catch (FactoryException e) {
      return OptionalInt.empty();
    }
  }

  private static String wktOf(CoordinateReferenceSystem system) {
    var format = new WKTFormat();
    format.setConvention(Convention.WKT2_2015);
    format.setIndentation(WKTFormat.SINGLE_LINE);
    return format.format(system);
  }

  private static String shortened(String name) {
    return name.length() <= 60 ? name : name.substring(0, 57) + "...";
  }

  /// Whether coordinates are longitude and latitude, in degrees.
  public boolean isGeographic() {
    return system instanceof GeographicCRS;
  }

  /// The EPSG code of the system, or the one that its WKT names.
  public OptionalInt epsg() {
    return codeOf(given);
  }

  /// A text from which [#parse] makes this system again: the code if it is known, otherwise WKT.
  public String text() {
    return text;
  }

  /// The system as WKT 2, in one line.
  public String wkt() {
    return wktOf(given);
  }

  /// The length of one unit of the axes, in metres.
  ///
  /// @throws IllegalStateException if the coordinates are angles
  public double metres() {
    if (isGeographic())
      throw new IllegalStateException(
          this + " has angles and no unit of length; transform it into a projected system");
    return system
        .getCoordinateSystem()
        .getAxis(0)
        .getUnit()
        .asType(Length.class)
        .getConverterTo(Units.METRE)
        .convert(1);
  }

  /// The larger half axis of the ellipsoid, in metres.
  public double semiMajorAxis() {
    Ellipsoid e = ellipsoid();
    return e.getAxisUnit().getConverterTo(Units.METRE).convert(e.getSemiMajorAxis());
  }

  /// The flattening `(a - b) / a` of the ellipsoid, 0 for a sphere.
  public double flattening() {
    Ellipsoid e = ellipsoid();
    return e.isSphere() ? 0 : 1 / e.getInverseFlattening();
  }

  private Ellipsoid ellipsoid() {
    return DatumOrEnsemble.getEllipsoid(given).orElseThrow();
  }

  /// The transform from this system to another.
  ///
  /// @throws IllegalArgumentException if no transform between the two is known
  public Transform to(Crs other) {
    try {
      MathTransform way = CRS.findOperation(system, other.system, null).getMathTransform();
      return new Transform(way, isGeographic());
    } catch (FactoryException e) {
      throw new IllegalArgumentException(
          "coordinates of '%s' cannot be turned into those of '%s': %s; give both in one system"
              .formatted(this, other, e.getMessage()),
          e);
    }
  }

  CoordinateReferenceSystem system() {
    return system;
  }

  /// The code, such as `EPSG:4326`, or the name of the system.
  @Override
  public String toString() {
    OptionalInt code = codeOf(given);
    return code.isPresent() ? "EPSG:" + code.getAsInt() : given.getName().getCode();
  }

  /// Two systems are equal if they give the same coordinates to all places.
  @Override
  public boolean equals(Object other) {
    return other instanceof Crs crs && Utilities.equalsApproximately(system, crs.system);
  }

  @Override
  public int hashCode() {
    return Boolean.hashCode(isGeographic());
  }

  /// Transforms coordinates of one system to those of another. May be shared between threads.
  public static final class Transform {

    private final MathTransform way;

    private final boolean fromDegrees;

    private Transform(MathTransform way, boolean fromDegrees) {
      this.way = way;
      this.fromDegrees = fromDegrees;
    }

    /// Whether the two systems are the same.
    public boolean isIdentity() {
      return way.isIdentity();
    }

    /// Overwrites the first `count` pairs of `xy`, x (longitude) before y (latitude). A place that
    /// has no coordinates in the other system becomes NaN.
    public void apply(double[] xy, int count) {
      Objects.checkFromIndexSize(0, 2 * count, xy.length);
      double[] given = Arrays.copyOf(xy, 2 * count);
      if (fromDegrees)
        for (int i = 1; i < given.length; i += 2)
          if (!(Math.abs(given[i]) <= POLE)) given[i] = Double.NaN;
      try {
        way.transform(given, 0, xy, 0, count);
      } catch (TransformException e) {
        for (int i = 0; i < count; i++) applyOne(given, xy, 2 * i);
      }
      for (int i = 0; i < 2 * count; i++)
        if (!Double.isFinite(xy[i])) xy[i ^ 1] = xy[i] = Double.NaN;
    }

    private void applyOne(double[] given, double[] xy, int at) {
      try {
        way.transform(given, at, xy, at, 1);
      } catch (TransformException e) {
        xy[at] = Double.NaN;
      }
    }
  }
}
