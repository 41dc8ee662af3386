package lovelace.maps;

import java.util.Locale;
import java.util.Optional;

/// The pixels of a raster: their places, their size and their coordinate system. Columns run east,
/// rows run south.
///
/// @param west the western edge of the first column
/// @param north the northern edge of the first row
/// @param dx the width of a pixel
/// @param dy the height of a pixel
/// @param crs the coordinate system, if it is known
public record Frame(
    double west, double north, double dx, double dy, int width, int height, Optional<Crs> crs) {

  public Frame {
    if (!(dx > 0 && dy > 0 && Double.isFinite(dx) && Double.isFinite(dy)))
      throw new IllegalArgumentException(
          "pixels must have a size > 0, got " + dx + " by " + dy + "; give a resolution > 0");
    if (width < 1 || height < 1)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a raster needs at least one pixel each way, got %,d by %,d; give a larger extent or a finer resolution",
              width,
              height));
    if (!Double.isFinite(west) || !Double.isFinite(north))
      throw new IllegalArgumentException(
          "the corner of a raster must be finite, got " + west + ", " + north);
  }

  /// The centre of a column of pixels.
  public double x(int column) {
    return west + (column + 0.5) * dx;
  }

  /// The centre of a row of pixels.
  public double y(int row) {
    return north - (row + 0.5) * dy;
  }

  /// The eastern edge.
  public double east() {
    return west + width * dx;
  }

  /// The southern edge.
  public double south() {
    return north - height * dy;
  }

  /// Numbers that can be added to an eastern coordinate without changing the place: whole turns of
  /// longitude.
  public double[] turns() {
    return crs.isPresent() && crs.get().isGeographic()
        ? new double[] {0, 360, -360}
        : new double[] {0};
  }

  /// Whether it shares places with a rectangle, which may be a whole turn away.
  public boolean meets(Extent box) {
    for (double turn : turns())
      if (box.west() + turn <= east()
          && box.east() + turn >= west()
          && box.south() <= north()
          && box.north() >= south()) return true;
    return false;
  }
}
