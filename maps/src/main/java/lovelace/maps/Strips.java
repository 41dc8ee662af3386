package lovelace.maps;

import java.util.Arrays;
import java.util.List;

/// Finds places inside polygons. The edges are sorted into strips from south to north, so that a
/// place is compared only with the edges of its strip.
final class Strips {

  private static final int MOST = 4_096;

  private final boolean degrees;
  private final double west;
  private final double east;
  private final double south;
  private final double north;
  private final double[][] strips; // edges x0, y0, x1, y1, and the number of their polygon

  /// @param degrees whether corners are longitudes, which may differ by whole turns
  Strips(List<Polygon> polygons, boolean degrees) {
    this.degrees = degrees;
    double[] box = {
      Double.POSITIVE_INFINITY,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      Double.NEGATIVE_INFINITY
    };
    int edges = 0;
    for (Polygon polygon : polygons)
      for (double[] ring : polygon.rings())
        for (int i = 0; i < ring.length; i += 2) {
          edges++;
          box[0] = Math.min(box[0], ring[i]);
          box[1] = Math.min(box[1], ring[i + 1]);
          box[2] = Math.max(box[2], ring[i]);
          box[3] = Math.max(box[3], ring[i + 1]);
        }
    west = box[0];
    south = box[1];
    east = box[2];
    north = box[3];
    strips = new double[Math.clamp(edges, 1, MOST)][0];
    int[] sizes = new int[strips.length];
    for (int p = 0; p < polygons.size(); p++)
      for (double[] ring : polygons.get(p).rings())
        for (int i = 0; i + 3 < ring.length; i += 2) {
          int from = strip(Math.min(ring[i + 1], ring[i + 3]));
          int to = strip(Math.max(ring[i + 1], ring[i + 3]));
          for (int s = from; s <= to; s++) {
            if (sizes[s] + 5 > strips[s].length)
              strips[s] = Arrays.copyOf(strips[s], Math.max(40, 2 * sizes[s]));
            System.arraycopy(ring, i, strips[s], sizes[s], 4);
            strips[s][sizes[s] + 4] = p;
            sizes[s] += 5;
          }
        }
    for (int s = 0; s < strips.length; s++) strips[s] = Arrays.copyOf(strips[s], sizes[s]);
  }

  private int strip(double y) {
    return (int) Math.clamp((y - south) / (north - south) * strips.length, 0, strips.length - 1);
  }

  /// 1 for each place inside some polygon by the even-odd rule, 0 for others.
  double[] at(double[] places) {
    double[] values = new double[places.length / 2];
    for (int i = 0; i < values.length; i++)
      if (holds(places[2 * i], places[2 * i + 1])
          || (degrees
              && (holds(places[2 * i] - 360, places[2 * i + 1])
                  || holds(places[2 * i] + 360, places[2 * i + 1])))) values[i] = 1;
    return values;
  }

  private boolean holds(double x, double y) {
    return covers(x, y) && inside(x, y);
  }

  private boolean covers(double x, double y) {
    return x >= west && x <= east && y >= south && y <= north;
  }

  private boolean inside(double x, double y) {
    double[] edges = strips[strip(y)];
    boolean odd = false;
    for (int i = 0; i < edges.length; i += 5) {
      // the edges of a polygon are consecutive
      if (i > 0 && edges[i + 4] != edges[i - 1]) {
        if (odd) return true;
        odd = false;
      }
      double y0 = edges[i + 1];
      double y1 = edges[i + 3];
      if ((y0 > y) == (y1 > y)) continue;
      if (edges[i] + (y - y0) / (y1 - y0) * (edges[i + 2] - edges[i]) > x) odd = !odd;
    }
    return odd;
  }

  /// Whether the box around the places meets the box of the polygons.
  boolean meets(double[] places) {
    double[] low = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
    double[] high = {Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY};
    for (int i = 0; i < places.length; i++) {
      low[i % 2] = Math.min(low[i % 2], places[i]);
      high[i % 2] = Math.max(high[i % 2], places[i]);
    }
    boolean there = false;
    for (double turn : degrees ? new double[] {0, 360, -360} : new double[] {0})
      there |= low[0] <= east + turn && high[0] >= west + turn;
    return there && low[1] <= north && high[1] >= south;
  }

  @Override
  public String toString() {
    return "%s to %s, %s to %s"
        .formatted(
            Extent.number(west), Extent.number(east), Extent.number(south), Extent.number(north));
  }
}
