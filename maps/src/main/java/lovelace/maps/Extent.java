package lovelace.maps;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.PlaceMap;
import lovelace.grid.Lattice;
import lovelace.laplace.Window;
import lovelace.lattice.LatticePosterior;
import lovelace.statistics.GridStatistics;
import org.jspecify.annotations.Nullable;

/// A rectangle of a map, and the size of the data's pixels if they lie on a grid of their own;
/// otherwise 0.
public record Extent(double west, double south, double east, double north, double dx, double dy) {

  /// The number of pixels of the longer side if no resolution is given.
  private static final int PIXELS = 500;

  /// The most pixels along a side.
  private static final int MOST = 1_000_000;

  /// The number of points of a side that are transformed when a rectangle is converted to another
  /// system.
  private static final int ALONG = 64;

  public Extent {
    if (!(west < east
        && south < north
        && Double.isFinite(east - west)
        && Double.isFinite(north - south)))
      throw new IllegalArgumentException(
          "an extent is west,south,east,north with west < east and south < north, got %s,%s,%s,%s"
              .formatted(west, south, east, north));
  }

  /// A rectangle.
  public static Extent of(double west, double south, double east, double north) {
    return new Extent(west, south, east, north, 0, 0);
  }

  /// The area of a model's data as far as it is known: from its rows, the cells of its grid that
  /// contain some, or its window. Empty for a model of features that cannot be inverted.
  public static Optional<Extent> of(Model model, MapColumns columns) {
    Window window = model.window().orElse(null);
    int[] at = {columns.east(), columns.north()};
    if (window != null) {
      return Optional.of(
          of(window.low(at[0]), window.low(at[1]), window.high(at[0]), window.high(at[1])));
    }
    Dataset rows = model.observed().orElse(null);
    FeatureMap map = model.map().orElse(null);
    if (rows != null) {
      double[] x = rows.inputs().clone();
      if (map instanceof PlaceMap local) // keeps data on both sides of 180 degrees together
      for (int i = at[0]; i < x.length; i += rows.dimensions()) x[i] = local.near(x[i]);
      return Optional.of(around(x, rows.dimensions(), at, null));
    }
    LatticePosterior posterior = model.lattice().orElse(null);
    if (posterior == null) return Optional.empty();
    if (posterior.statistics() instanceof GridStatistics statistics) {
      double[] averages = statistics.averages();
      int d = statistics.grid().dimensions() + 1; // the last is the target
      if (map == null)
        return averages.length == 0
            ? Optional.empty()
            : Optional.of(around(averages, d, at, statistics));
      double[] back = Inverse.of(map, at[0], at[1], averages, d);
      return back.length == 0
          ? Optional.empty()
          : Optional.of(around(back, 2, new int[] {0, 1}, null));
    }
    if (map != null) return Optional.empty();
    Lattice lattice = posterior.statistics().lattice();
    return Optional.of(
        of(lattice.low(at[0]), lattice.low(at[1]), lattice.high(at[0]), lattice.high(at[1])));
  }

  /// The rectangle of some points. Rows on the nodes of a grid are pixels, and their edges are
  /// included.
  private static Extent around(double[] points, int d, int[] at, @Nullable GridStatistics on) {
    double[] low = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
    double[] high = {Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY};
    for (int i = 0; i < points.length; i += d)
      for (int k = 0; k < 2; k++) {
        low[k] = Math.min(low[k], points[i + at[k]]);
        high[k] = Math.max(high[k], points[i + at[k]]);
      }
    double[] step = {0, 0};
    for (int k = 0; k < 2; k++) {
      if (on != null && on.onNodes()) {
        step[k] = on.grid().axis(at[k]).step();
        low[k] -= step[k] / 2;
        high[k] += step[k] / 2;
      }
      if (!(low[k] < high[k])) { // only one place: adds a margin
        double pad = Math.max(1e-6 * Math.abs(low[k]), 0.5);
        low[k] -= pad;
        high[k] += pad;
      }
    }
    return new Extent(low[0], low[1], high[0], high[1], step[0], step[1]);
  }

  /// The rectangle that contains this one in another system.
  public Extent transformed(Crs.Transform transform) {
    double[] border = new double[8 * (ALONG + 1)];
    for (int i = 0; i <= ALONG; i++) {
      double x = west + (east - west) * i / ALONG;
      double y = south + (north - south) * i / ALONG;
      double[] four = {x, south, x, north, west, y, east, y};
      System.arraycopy(four, 0, border, 8 * i, 8);
    }
    transform.apply(border, border.length / 2);
    double[] finite = new double[border.length];
    int size = 0;
    for (int i = 0; i < border.length; i += 2)
      if (Double.isFinite(border[i]) && Double.isFinite(border[i + 1])) {
        finite[size++] = border[i];
        finite[size++] = border[i + 1];
      }
    if (size == 0)
      throw new IllegalArgumentException(
          "the extent %s cannot be expressed in the coordinate system of the map; choose another system with --out-crs, or give --extent"
              .formatted(this));
    return around(Arrays.copyOf(finite, size), 2, new int[] {0, 1}, null);
  }

  /// Its pixels, the first in the north-west corner. Without a resolution (0) they are the pixels
  /// of the data, or squares, with 500 along the longer side.
  public Frame frame(double width, double height, Optional<Crs> crs) {
    double side = Math.max(east - west, north - south) / PIXELS;
    double x = width > 0 ? width : dx > 0 ? dx : side;
    double y = height > 0 ? height : dy > 0 ? dy : side;
    double across = Math.max(1, Math.ceil((east - west) / x - 1e-6));
    double down = Math.max(1, Math.ceil((north - south) / y - 1e-6));
    if (across > MOST || down > MOST)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the map would have %,.0f by %,.0f pixels, at most %,d a side; give a coarser resolution or a smaller extent",
              across,
              down,
              MOST));
    return new Frame(west, north, x, y, (int) across, (int) down, crs);
  }

  @Override
  public String toString() {
    return "%s,%s,%s,%s".formatted(number(west), number(south), number(east), number(north));
  }

  /// A number with seven digits, without zeros at its end.
  static String number(double value) {
    String text = String.format(Locale.ROOT, "%.7g", value);
    return text.contains("e") || !text.contains(".")
        ? text
        : text.replaceAll("0+$", "").replaceAll("\\.$", "");
  }
}
