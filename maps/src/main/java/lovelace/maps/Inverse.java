package lovelace.maps;

import java.util.Arrays;
import lovelace.data.FeatureMap;
import lovelace.data.PlaceMap;

/// Turns features back into their two coordinates by Newton's method. The map must keep the columns
/// in their places.
final class Inverse {

  private static final int STEPS = 50;

  /// The most points to invert. More of them would not show better where the data lie.
  private static final int MOST = 5_000;

  private final FeatureMap map;
  private final int east;
  private final int north;
  private final int d;

  private Inverse(FeatureMap map, int east, int north) {
    this.map = map;
    this.east = east;
    this.north = north;
    d = map.inputs();
  }

  /// Inverts points of features, which are `stride` apart, to pairs of coordinates; empty if the
  /// map cannot be inverted.
  static double[] of(FeatureMap map, int east, int north, double[] features, int stride) {
    int n = features.length / stride;
    if (n == 0 || map.outputs() != map.inputs() || map.outputs() > stride) return new double[0];
    var inverse = new Inverse(map, east, north);
    int[] outer = outer(features, stride, east, north, n);
    double[] places = new double[2 * outer.length];
    double[] start = inverse.start(features, outer[0] * stride);
    for (int i = 0; i < outer.length; i++) {
      double[] place = inverse.solve(start, features, outer[i] * stride);
      if (!Double.isFinite(place[0] + place[1])) return new double[0];
      places[2 * i] = place[0];
      places[2 * i + 1] = place[1];
      start = place;
    }
    if (map instanceof PlaceMap local) // the turn that contains the centre
    for (int i = 0; i < places.length; i += 2) places[i] = local.near(places[i]);
    return places;
  }

  /// Chooses the points that are furthest out in some direction, and some others.
  private static int[] outer(double[] features, int stride, int east, int north, int n) {
    int directions = 32;
    int[] found = new int[directions + Math.min(n, MOST)];
    for (int k = 0; k < directions; k++) {
      double cos = Math.cos(2 * Math.PI * k / directions);
      double sin = Math.sin(2 * Math.PI * k / directions);
      double best = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < n; i++) {
        double along = cos * features[i * stride + east] + sin * features[i * stride + north];
        if (along > best) {
          best = along;
          found[k] = i;
        }
      }
    }
    int some = found.length - directions;
    for (int i = 0; i < some; i++) found[directions + i] = (int) ((long) i * n / some);
    return found;
  }

  /// The best start among places all over the world and the centre of the plane.
  private double[] start(double[] features, int at) {
    double[] best = {0, 0};
    double least = Double.POSITIVE_INFINITY;
    for (int lon = -180; lon <= 180; lon += 15)
      for (int lat = -75; lat <= 75; lat += 15) {
        double[] place = {lon, lat};
        double miss = miss(place, features, at);
        if (miss < least) {
          least = miss;
          best = place;
        }
      }
    return best;
  }

  private double[] features(double[] place) {
    double[] x = new double[d];
    x[east] = place[0];
    x[north] = place[1];
    double[] out = new double[d];
    try {
      map.apply(x, 1, out);
    } catch (IllegalArgumentException e) {
      Arrays.fill(out, Double.NaN); // no such place
    }
    return new double[] {out[east], out[north]};
  }

  private double miss(double[] place, double[] features, int at) {
    double[] own = features(place);
    double miss = Math.hypot(own[0] - features[at + east], own[1] - features[at + north]);
    return Double.isNaN(miss) ? Double.POSITIVE_INFINITY : miss;
  }

  private double[] solve(double[] start, double[] features, int at) {
    double[] place = start.clone();
    double miss = miss(place, features, at);
    for (int step = 0; step < STEPS; step++) {
      double[] f = features(place);
      double h = 1e-6 * Math.max(1, Math.max(Math.abs(place[0]), Math.abs(place[1])));
      double[] fx = features(new double[] {place[0] + h, place[1]});
      double[] fy = features(new double[] {place[0], place[1] + h});
      double a = (fx[0] - f[0]) / h;
      double b = (fy[0] - f[0]) / h;
      double c = (fx[1] - f[1]) / h;
      double e = (fy[1] - f[1]) / h;
      double determinant = a * e - b * c;
      double r = features[at + east] - f[0];
      double s = features[at + north] - f[1];
      double dx = (e * r - b * s) / determinant;
      double dy = (a * s - c * r) / determinant;
      double scale = 1;
      double[] next = place;
      double better = Double.POSITIVE_INFINITY;
      for (; scale > 1e-4; scale /= 2) {
        next = new double[] {place[0] + scale * dx, place[1] + scale * dy};
        better = miss(next, features, at);
        if (better < miss) break;
      }
      if (!(better < miss)) { // as near as numbers allow
        double size = Math.hypot(features[at + east], features[at + north]);
        return miss < 1e-6 * (1 + size) ? place : new double[] {Double.NaN, Double.NaN};
      }
      place = next;
      miss = better;
      if (scale * Math.hypot(dx, dy) < 1e-9) return place;
    }
    return new double[] {Double.NaN, Double.NaN};
  }
}
