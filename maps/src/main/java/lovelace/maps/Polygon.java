package lovelace.maps;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;

/// An area with holes and several parts: what lies inside an odd number of its rings. Immutable.
public final class Polygon {

  /// Cells that a polygon has at least where their size is chosen for it.
  public static final int FEW = 100;

  /// The most cells of a polygon.
  private static final int MOST = 50_000_000;

  /// The most cells of a row or a column of a box.
  private static final int MOST_ACROSS = 1 << 24;

  private final String name;
  private final SequencedMap<String, Object> properties;
  private final List<double[]> rings; // x, y pairs, closed
  private final double west;
  private final double east;
  private final double south;
  private final double north;

  /// @param name what messages call it
  Polygon(String name, SequencedMap<String, Object> properties, List<double[]> rings) {
    this.name = name;
    this.properties = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(properties));
    this.rings = List.copyOf(rings);
    double[] box = {
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY
    };
    for (double[] ring : rings)
      for (int i = 0; i < ring.length; i++) {
        int axis = 2 * (i % 2);
        box[axis] = Math.min(box[axis], ring[i]);
        box[axis + 1] = Math.max(box[axis + 1], ring[i]);
      }
    west = box[0];
    east = box[1];
    south = box[2];
    north = box[3];
  }

  /// Where it stands in its file, with its name.
  public String name() {
    return name;
  }

  public SequencedMap<String, Object> properties() {
    return properties;
  }

  /// Whether all corners may be longitudes and latitudes in degrees.
  public boolean mayBeLonLat() {
    return west >= -360 && east <= 360 && south >= -90 && north <= 90;
  }

  /// The box around it, `east 3 to 8, north 47 to 55` say.
  public String range() {
    return String.format(
        Locale.ROOT, "east %.6g to %.6g, north %.6g to %.6g", west, east, south, north);
  }

  /// Its rings, closed, as pairs of x and y; not to be changed.
  List<double[]> rings() {
    return rings;
  }

  double width() {
    return east - west;
  }

  double height() {
    return north - south;
  }

  /// How polygons are cut into cells.
  ///
  /// @param count about how many cells each has; ignored where the resolution is given
  /// @param resolution the width and height of a cell; 0 where the count decides
  /// @param geographic whether coordinates are longitudes and latitudes: cells are then square on
  ///   the ground, and have its area as weight
  /// @param square whether both coordinates have one unit; else cells have the form of the
  ///   polygon's box
  public record Cut(int count, double resolution, boolean geographic, boolean square) {

    public Cut {
      if (resolution == 0 && !(count >= FEW && count <= MOST))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "cells must be %,d to %,d a polygon, got %,d", FEW, MOST, count));
      if (!(resolution >= 0 && Double.isFinite(resolution)))
        throw new IllegalArgumentException("resolution must be > 0, got " + resolution);
    }
  }

  /// The middles of cells, x and y, and their weights: equal, or as their area on the ground.
  @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
  public record Cells(double[] xy, double[] weights) {}

  /// Cuts the polygon into equal cells, and returns those whose middle lies inside. Where the count
  /// decides, cells are made smaller until there are at least [#FEW].
  public Cells cut(Cut how) {
    if (how.resolution > 0) {
      double[] xy = centres(count(width(), how.resolution), count(height(), how.resolution));
      if (xy.length == 0)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s: no middle of a cell of %s lies inside the polygon, which is %.4g by %.4g; make the cells smaller",
                name,
                how.resolution,
                width(),
                height()));
      return new Cells(xy, weights(xy, how));
    }
    for (double cells = how.count; cells < 1e13; cells *= 4) { // of the box
      double[] xy = centres(how, cells);
      int inside = xy.length / 2;
      if (inside < FEW) continue;
      if (inside < 0.8 * how.count) xy = centres(how, cells * how.count / inside);
      return new Cells(xy, weights(xy, how));
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%s: the polygon is empty: hardly any of its box of %.4g by %.4g lies inside; remove it or correct its corners",
            name,
            width(),
            height()));
  }

  /// The middles inside of about so many cells of the box.
  private double[] centres(Cut how, double cells) {
    double shrink =
        how.geographic ? Math.max(0.01, Math.cos(Math.toRadians(0.5 * (south + north)))) : 1;
    double aspect = how.square ? width() * shrink / height() : 1;
    int nx = (int) Math.clamp(Math.ceil(Math.sqrt(cells * aspect)), 1, MOST_ACROSS);
    int ny = (int) Math.clamp(Math.ceil(Math.sqrt(cells / aspect)), 1, MOST_ACROSS);
    return centres(nx, ny);
  }

  private int count(double length, double step) {
    double cells = Math.ceil(length / step - 1e-9);
    if (!(cells <= MOST_ACROSS))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s: cells of %s are too small for a polygon of %.4g by %.4g; make them larger",
              name,
              step,
              width(),
              height()));
    return (int) Math.max(1, cells);
  }

  private static double[] weights(double[] xy, Cut how) {
    double[] weights = new double[xy.length / 2];
    for (int i = 0; i < weights.length; i++)
      weights[i] = how.geographic ? Math.max(0, Math.cos(Math.toRadians(xy[2 * i + 1]))) : 1;
    return weights;
  }

  /// The middles inside of nx × ny cells of the box, row by row from the north: along the middle of
  /// a row the rings are crossed at some x, and what lies between the first and second, the third
  /// and fourth, … is inside.
  private double[] centres(int nx, int ny) {
    double dx = width() / nx;
    double dy = height() / ny;
    double[] xy = new double[1024];
    int size = 0;
    double[] crossings = new double[16];
    for (int row = 0; row < ny; row++) {
      double y = north - (row + 0.5) * dy;
      int count = 0;
      for (double[] ring : rings)
        for (int i = 0; i + 3 < ring.length; i += 2) {
          double y0 = ring[i + 1];
          double y1 = ring[i + 3];
          if ((y0 > y) == (y1 > y)) continue;
          if (count == crossings.length) crossings = Arrays.copyOf(crossings, 2 * count);
          crossings[count++] = ring[i] + (y - y0) / (y1 - y0) * (ring[i + 2] - ring[i]);
        }
      Arrays.sort(crossings, 0, count);
      for (int c = 0; c + 1 < count; c += 2) {
        int from = (int) Math.max(0, Math.ceil((crossings[c] - west) / dx - 0.5));
        int to = (int) Math.min(nx - 1, Math.ceil((crossings[c + 1] - west) / dx - 0.5) - 1);
        if (size / 2 + Math.max(0, to - from) > MOST)
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT, "%s has more than %,d cells; make them larger", name, MOST));
        for (int k = from; k <= to; k++) {
          if (size == xy.length) xy = Arrays.copyOf(xy, 2 * size);
          xy[size++] = west + (k + 0.5) * dx;
          xy[size++] = y;
        }
      }
    }
    return Arrays.copyOf(xy, size);
  }
}
