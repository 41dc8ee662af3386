package lovelace.maps;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;

/// An area that may have holes and several parts. A point is inside if it is inside an odd number
/// of rings. Immutable.
public final class Polygon {

  /// The fewest cells of a polygon if their size is chosen for it.
  public static final int FEW = 100;

  /// The most cells of a polygon.
  private static final int MOST = 50_000_000;

  /// The most cells of a row or a column of a box.
  private static final int MOST_ACROSS = 1 << 24;

  /// The number of strips of a row of cells. The inside is found along each strip.
  private static final int STRIPS = 8;

  /// The most further strips due to edges along a row.
  private static final int BREAKS = 16;

  /// An edge runs along a row if it rises by less than this share of the row.
  private static final double FLAT = 0.05;

  /// A share of a cell that is due to rounding.
  private static final double NOTHING = 1e-9;

  private final String name;
  private final SequencedMap<String, Object> properties;
  private final List<double[]> rings; // x, y pairs, closed
  private final double west;
  private final double east;
  private final double south;
  private final double north;

  /// @param name its name in messages
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

  /// Its position in the file, with its name.
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

  /// The box around it as text, such as `east 3 to 8, north 47 to 55`.
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

  /// Options for cutting polygons into cells.
  ///
  /// @param count about how many cells each has; ignored if the resolution is given
  /// @param resolution the width and height of a cell; 0 if the count decides
  /// @param geographic whether coordinates are longitudes and latitudes; cells are then square on
  ///   the ground, and their area on it is the weight
  /// @param square whether both coordinates have the same unit; otherwise cells have the shape of
  ///   the polygon's box
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

  /// Cells of a polygon.
  ///
  /// @param xy the centres of gravity of the inner parts of cells, x and y
  /// @param weights the shares, for longitudes and latitudes times the area on the ground
  /// @param shares the share of each cell that is inside, from 0 to 1
  @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
  public record Cells(double[] xy, double[] weights, double[] shares) {}

  /// Cuts the polygon into equal cells, and returns those that are partly inside. If the count
  /// decides, cells are made smaller until there are at least [#FEW].
  public Cells cut(Cut how) {
    if (how.resolution > 0) {
      Parts parts = parts(count(width(), how.resolution), count(height(), how.resolution));
      Cells cells = parts.cells(how);
      boolean few = cells.shares.length < FEW;
      if (few && Arrays.stream(new Strips(List.of(this), false).at(cells.xy)).allMatch(v -> v == 0))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s: no cell of %s has its centre inside the polygon, which is %.4g by %.4g; make the cells smaller",
                name,
                how.resolution,
                width(),
                height()));
      return cells;
    }
    for (double cells = how.count; cells < 1e8; cells *= 4) { // of the box
      Parts parts = parts(how, cells);
      if (parts.size < FEW) continue;
      if (parts.size < 0.8 * how.count) parts = parts(how, cells * how.count / parts.size);
      return parts.cells(how);
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%s: the polygon is empty: hardly any of its box of %.4g by %.4g lies inside; remove it or correct its corners",
            name,
            width(),
            height()));
  }

  /// The inner parts of about `cells` cells of the box.
  private Parts parts(Cut how, double cells) {
    double shrink =
        how.geographic ? Math.max(0.01, Math.cos(Math.toRadians(0.5 * (south + north)))) : 1;
    double aspect = how.square ? width() * shrink / height() : 1;
    int nx = (int) Math.clamp(Math.ceil(Math.sqrt(cells * aspect)), 1, MOST_ACROSS);
    int ny = (int) Math.clamp(Math.ceil(Math.sqrt(cells / aspect)), 1, MOST_ACROSS);
    return parts(nx, ny);
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

  /// The inner parts of cells, in the order of their rows from the north.
  private final class Parts {
    private double[] found = new double[3 * 512]; // x, y, share
    private int size = 0;
    private final double dx;
    private final double[] area; // of the cells of one row, followed by their moments of x and y
    private final double[] byX;
    private final double[] byY;
    private int first = Integer.MAX_VALUE; // the first column of this row with an inner part
    private int last = -1;

    Parts(int nx) {
      dx = width() / nx;
      area = new double[nx];
      byX = new double[nx];
      byY = new double[nx];
    }

    /// Adds the part between two x, in a strip of some height around y.
    void add(double from, double to, double y, double height) {
      int left = column(from);
      int right = column(to);
      first = Math.min(first, left);
      last = Math.max(last, right);
      for (int k = left; k <= right; k++) {
        double low = k == left ? from : west + k * dx;
        double high = k == right ? to : west + (k + 1) * dx;
        double part = (high - low) * height;
        area[k] += part;
        byX[k] += part * 0.5 * (low + high);
        byY[k] += part * y;
      }
    }

    private int column(double x) {
      return (int) Math.clamp(Math.floor((x - west) / dx), 0, area.length - 1);
    }

    /// Ends a row of cells with this centre and height.
    void endRow(double y, double dy) {
      for (int k = first; k <= last; k++) {
        double share = Math.min(1, area[k] / (dx * dy));
        if (share > NOTHING) {
          if (size >= MOST)
            throw new IllegalArgumentException(
                String.format(
                    Locale.ROOT, "%s has more than %,d cells; make them larger", name, MOST));
          if (3 * size == found.length) found = Arrays.copyOf(found, 6 * size);
          boolean whole = share > 1 - NOTHING;
          found[3 * size] = whole ? west + (k + 0.5) * dx : byX[k] / area[k];
          found[3 * size + 1] = whole ? y : byY[k] / area[k];
          found[3 * size + 2] = whole ? 1 : share;
          size++;
        }
        area[k] = byX[k] = byY[k] = 0;
      }
      first = Integer.MAX_VALUE;
      last = -1;
    }

    Cells cells(Cut how) {
      double[] xy = new double[2 * size];
      double[] shares = new double[size];
      double[] weights = new double[size];
      for (int i = 0; i < size; i++) {
        xy[2 * i] = found[3 * i];
        xy[2 * i + 1] = found[3 * i + 1];
        shares[i] = found[3 * i + 2];
        double ground =
            how.geographic ? Math.max(0, Math.cos(Math.toRadians(found[3 * i + 1]))) : 1;
        weights[i] = shares[i] * ground;
      }
      return new Cells(xy, weights, shares);
    }
  }

  /// The inner parts of nx × ny cells of the box. A row of cells is cut into strips, which end
  /// where an edge runs along the row. The rings cross the middle of a strip at some x. The parts
  /// between the first and second, the third and fourth, … are inside.
  private Parts parts(int nx, int ny) {
    double dy = height() / ny;
    var parts = new Parts(nx);
    double[] edges = edges();
    double[] near = new double[edges.length];
    double[] crossings = new double[16];
    for (int row = 0; row < ny; row++) {
      double top = north - row * dy;
      double bottom = top - dy;
      int count = 0;
      for (int i = 0; i < edges.length; i += 4) {
        double y0 = edges[i + 1];
        double y1 = edges[i + 3];
        if (Math.min(y0, y1) > top || Math.max(y0, y1) < bottom) continue;
        System.arraycopy(edges, i, near, count, 4);
        count += 4;
      }
      double[] ends = ends(near, count, top, bottom, parts.dx);
      for (int s = 0; s + 1 < ends.length; s++) {
        double height = ends[s] - ends[s + 1];
        int strips = (int) Math.ceil(STRIPS * height / dy);
        for (int k = 0; k < strips; k++) {
          double y = ends[s] - (k + 0.5) * height / strips;
          int crossed = 0;
          for (int i = 0; i < count; i += 4) {
            double y0 = near[i + 1];
            double y1 = near[i + 3];
            if ((y0 > y) == (y1 > y)) continue;
            if (crossed == crossings.length) crossings = Arrays.copyOf(crossings, 2 * crossed);
            crossings[crossed++] = near[i] + (y - y0) / (y1 - y0) * (near[i + 2] - near[i]);
          }
          Arrays.sort(crossings, 0, crossed);
          for (int c = 0; c + 1 < crossed; c += 2)
            parts.add(crossings[c], crossings[c + 1], y, height / strips);
        }
      }
      parts.endRow(0.5 * (top + bottom), dy);
    }
    return parts;
  }

  /// All edges as x0, y0, x1, y1.
  private double[] edges() {
    int count = rings.stream().mapToInt(ring -> ring.length / 2 - 1).sum();
    double[] edges = new double[4 * count];
    int size = 0;
    for (double[] ring : rings)
      for (int i = 0; i + 3 < ring.length; i += 2) {
        System.arraycopy(ring, i, edges, size, 4);
        size += 4;
      }
    return edges;
  }

  /// The ends of the strips of a row, from the north: the row's own ends, and edges that are long
  /// and hardly rise, up to a number of them.
  private static double[] ends(double[] near, int count, double top, double bottom, double dx) {
    double[] ends = new double[2 + BREAKS];
    int size = 0;
    for (int i = 0; i < count && size < BREAKS; i += 4) {
      double rise = Math.abs(near[i + 3] - near[i + 1]);
      boolean flat = rise < FLAT * (top - bottom) && Math.abs(near[i + 2] - near[i]) > FLAT * dx;
      double y = 0.5 * (near[i + 1] + near[i + 3]);
      if (flat && y < top && y > bottom) ends[size++] = y;
    }
    ends[size++] = top;
    ends[size++] = bottom;
    double[] sorted = Arrays.copyOf(ends, size);
    Arrays.sort(sorted);
    for (int i = 0; i < size / 2; i++) {
      double low = sorted[i];
      sorted[i] = sorted[size - 1 - i];
      sorted[size - 1 - i] = low;
    }
    return sorted;
  }
}
