package lovelace.maps;

import org.apache.sis.referencing.CRS;
import org.opengis.referencing.crs.CoordinateReferenceSystem;
import org.opengis.referencing.crs.GeographicCRS;
import org.opengis.util.FactoryException;

/// A coordinate system.
public final class Crs {

  private final CoordinateReferenceSystem system;

  private Crs(CoordinateReferenceSystem system) {
    this.system = system;
  }

  static Crs of(CoordinateReferenceSystem system) {
    return new Crs(system);
  }

  /// A coordinate system by its code, `EPSG:4326` say, or its WKT.
  public static Crs parse(String text) {
    try {
      return new Crs(text.contains("[") ? CRS.fromWKT(text) : CRS.forCode(text));
    } catch (FactoryException e) {
      throw new IllegalArgumentException(
          "the coordinate system '%s' is not known; give its WKT".formatted(text), e);
    }
  }

  /// Whether coordinates are longitude and latitude.
  public boolean isGeographic() {
    return system instanceof GeographicCRS;
  }

  CoordinateReferenceSystem system() {
    return system;
  }
}
