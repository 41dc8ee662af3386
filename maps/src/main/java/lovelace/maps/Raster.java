package lovelace.maps;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A raster file: GeoTIFF, or an ESRI ASCII grid (`.asc`). Blocks are read when they are needed,
/// and those read last are kept. Several threads may read it.
public final class Raster implements AutoCloseable {

  private static final int KEPT = 1 << 24; // values, 128 MiB

  /// The share of a pixel that rounding can produce. A neighbour with a smaller weight does not
  /// count.
  private static final double ROUNDING = 1e-9;

  private final Path file;
  private final Pixels pixels;
  private final Frame frame;
  private final int blockWidth;
  private final int blockHeight;
  private final Blocks blocks;

  private Raster(Path file, Pixels pixels) {
    this.file = file;
    this.pixels = pixels;
    blocks = new Blocks(pixels, KEPT);
    frame = pixels.frame();
    blockWidth = pixels.blockWidth();
    blockHeight = pixels.blockHeight();
  }

  /// Opens a raster.
  ///
  /// @throws IllegalArgumentException if the raster cannot be read: it is rotated, without a place
  ///   on the map, cut short, or in an unknown form
  public static Raster open(Path file) throws IOException {
    return open(file, Optional.empty());
  }

  /// Opens a raster. If it names its coordinate system by an unknown code and the system `known`
  /// has this code, it is taken to be in that system.
  public static Raster open(Path file, Optional<Crs> known) throws IOException {
    try {
      String name = file.toString().toLowerCase(Locale.ROOT);
      return new Raster(
          file, name.endsWith(".asc") ? AsciiGrid.read(file) : GeoTiff.open(file, known));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the raster '%s' cannot be used: %s".formatted(file, e.getMessage()), e);
    } catch (EOFException e) {
      throw new IllegalArgumentException(
          "the raster '" + file + "' is cut short; fetch it again", e);
    }
  }

  /// The pixels: their places and their coordinate system.
  public Frame frame() {
    return frame;
  }

  /// The file's name.
  public Path file() {
    return file;
  }

  public int bands() {
    return pixels.bands();
  }

  /// The description of a band, empty if it has none.
  public String description(int band) {
    return pixels.description(checked(band));
  }

  /// The name of the coordinate system in the file, for messages; empty if there is none. If the
  /// system is not known, the [Frame] has none.
  public String system() {
    return pixels.system();
  }

  /// The index of the only band, or of the one with that description.
  ///
  /// @throws IllegalArgumentException if there are several and none has it
  public int band(String description) {
    if (pixels.bands() == 1) return 0;
    List<String> all = new ArrayList<>();
    for (int band = 0; band < pixels.bands(); band++) {
      if (pixels.description(band).equals(description)) return band;
      all.add("'" + pixels.description(band) + "'");
    }
    throw new IllegalArgumentException(
        "the raster '%s' has %s bands, described as %s, but none is '%s'; choose one (gdal_translate -b)"
            .formatted(file, pixels.bands(), String.join(", ", all), description));
  }

  /// Fails if no transform from a system to the raster is known.
  public void requireWay(Crs of) {
    transformed(of, new double[0]);
  }

  private int checked(int band) {
    if (band < 0 || band >= pixels.bands())
      throw new IllegalArgumentException(
          "the raster '%s' has %s bands and none with index %s; choose one of them"
              .formatted(file, pixels.bands(), band));
    return band;
  }

  /// Overwrites the first `width * height` values of `out` with a window of the raster, row by row.
  /// A pixel without a value or outside becomes NaN.
  ///
  /// @param band from 0
  public void read(int band, int column, int row, int width, int height, double[] out)
      throws IOException {
    checked(band);
    Arrays.fill(out, 0, Math.multiplyExact(width, height), Double.NaN);
    int left = Math.max(column, 0);
    int right = (int) Math.min((long) column + width, frame.width());
    int top = Math.max(row, 0);
    int bottom = (int) Math.min((long) row + height, frame.height());
    try (Blocks.Hand hand = blocks.hand()) {
      for (int y0 = top; y0 < bottom; y0 = (y0 / blockHeight + 1) * blockHeight)
        for (int x0 = left; x0 < right; x0 = (x0 / blockWidth + 1) * blockWidth) {
          double[] block = block(hand, band, x0 / blockWidth, y0 / blockHeight);
          int x1 = (int) Math.min(right, (x0 / blockWidth + 1L) * blockWidth);
          int y1 = (int) Math.min(bottom, (y0 / blockHeight + 1L) * blockHeight);
          for (int y = y0; y < y1; y++)
            System.arraycopy(
                block,
                y % blockHeight * blockWidth + x0 % blockWidth,
                out,
                (y - row) * width + x0 - column,
                x1 - x0);
        }
    }
  }

  /// The values at some places, bilinear between the centres of pixels. A place less than half a
  /// pixel inside the edge uses the pixels at the edge. The value is NaN outside the raster, or if
  /// a pixel that counts has no value. A place within 1e-9 pixels of the centre line of a column or
  /// row, or of the raster's edge, counts as lying on it.
  ///
  /// @param of the system of the places; null for the raster's own
  /// @param xy pairs east, north
  /// @throws IllegalArgumentException if the places are in another system and no transform from it
  ///   to the raster is known
  public double[] sample(int band, @Nullable Crs of, double[] xy) throws IOException {
    checked(band);
    int n = xy.length / 2;
    double[] own = of == null ? xy : transformed(of, xy);
    long[] order = new long[n];
    int across = (frame.width() + blockWidth - 1) / blockWidth;
    double[] values = new double[n];
    Arrays.fill(values, Double.NaN);
    int inside = 0;
    for (int i = 0; i < n; i++) {
      double u = column(own[2 * i]);
      double v = (frame.north() - own[2 * i + 1]) / frame.dy();
      if (!(u >= -ROUNDING
          && u <= frame.width() + ROUNDING
          && v >= -ROUNDING
          && v <= frame.height() + ROUNDING)) continue;
      int column = Math.min((int) u, frame.width() - 1) / blockWidth;
      int row = Math.min((int) v, frame.height() - 1) / blockHeight;
      order[inside++] = (((long) row * across + column) << 32) | i;
    }
    Arrays.sort(order, 0, inside); // block by block
    try (Blocks.Hand hand = blocks.hand()) {
      for (int k = 0; k < inside; k++) {
        int i = (int) order[k];
        double v = (frame.north() - own[2 * i + 1]) / frame.dy();
        values[i] = between(hand, band, column(own[2 * i]) - 0.5, v - 0.5);
      }
    }
    return values;
  }

  private double[] transformed(Crs of, double[] xy) {
    Crs crs =
        frame
            .crs()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "the raster '%s' %s, but the places are in '%s'; write the raster's WKT to '%s' (gdalsrsinfo -o wkt2), or transform it (gdalwarp -t_srs)"
                            .formatted(
                                file,
                                system().isEmpty()
                                    ? "does not say its coordinate system"
                                    : "is in the coordinate system '"
                                        + system()
                                        + "', which is not known",
                                of,
                                sidecar(file, ".wkt"))));
    double[] own = xy.clone();
    of.to(crs).apply(own, own.length / 2);
    return own;
  }

  /// The file of the same name with another extension.
  static Path sidecar(Path file, String ending) {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    return file.resolveSibling((dot < 0 ? name : name.substring(0, dot)) + ending);
  }

  /// The column of a place, counted from the western edge. Longitudes may differ by whole turns.
  double column(double x) {
    if (frame.crs().isPresent() && frame.crs().get().isGeographic()) {
      if (x < frame.west() && x + 360 <= frame.east()) x += 360;
      else if (x > frame.east() && x - 360 >= frame.west()) x -= 360;
    }
    return (x - frame.west()) / frame.dx();
  }

  private double between(Blocks.Hand hand, int band, double u, double v) throws IOException {
    double x = snapped(Math.clamp(u, 0, frame.width() - 1));
    double y = snapped(Math.clamp(v, 0, frame.height() - 1));
    int column = (int) x;
    int row = (int) y;
    double right = x - column;
    double down = y - row;
    double value = 0;
    for (int k = 0; k < 4; k++) {
      double weight = ((k & 1) == 0 ? 1 - right : right) * ((k & 2) == 0 ? 1 - down : down);
      if (weight > 0) value += weight * pixel(hand, band, column + (k & 1), row + (k >> 1));
    }
    return value;
  }

  private static double snapped(double place) {
    double whole = Math.rint(place);
    return Math.abs(place - whole) < ROUNDING ? whole : place;
  }

  /// The values at some places in the raster's own system: those of the pixels that contain them,
  /// NaN outside.
  double[] nearest(int band, double[] xy) throws IOException {
    double[] values = new double[xy.length / 2];
    Arrays.fill(values, Double.NaN);
    try (Blocks.Hand hand = blocks.hand()) {
      for (int i = 0; i < values.length; i++) {
        double u = Math.floor(column(xy[2 * i]));
        double v = Math.floor((frame.north() - xy[2 * i + 1]) / frame.dy());
        if (u >= 0 && v >= 0 && u < frame.width() && v < frame.height())
          values[i] = pixel(hand, band, (int) u, (int) v);
      }
    }
    return values;
  }

  private double pixel(Blocks.Hand hand, int band, int column, int row) throws IOException {
    double[] block = block(hand, band, column / blockWidth, row / blockHeight);
    return block[row % blockHeight * blockWidth + column % blockWidth];
  }

  private double[] block(Blocks.Hand hand, int band, int column, int row) throws IOException {
    try {
      return hand.of(band, column, row);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the raster '%s' cannot be read: %s".formatted(file, e.getMessage()), e);
    }
  }

  @Override
  public void close() throws IOException {
    pixels.close();
  }
}
