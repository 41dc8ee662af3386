package lovelace.data;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The part of the Earth that some places cover, and the local projection that suits it.
final class PlaceSpan {

  private final int east;
  private final int north;
  private final double[] arc; // of longitudes: where it begins, and its length
  private final double low; // latitudes
  private final double high;
  private final Place.Ellipsoid ellipsoid;

  /// @param points some rows of the columns, row-major
  PlaceSpan(Place place, List<Column> columns, double[] points) {
    ellipsoid =
        place
            .ellipsoid()
            .orElseThrow(() -> new IllegalArgumentException("coordinates are already on a plane"));
    int d = columns.size();
    east = place(columns, place.east());
    north = place(columns, place.north());
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    double[] longitudes = new double[points.length / d];
    for (int i = 0; i < longitudes.length; i++) {
      longitudes[i] = Centre.wrapped(points[i * d + east]);
      least = Math.min(least, points[i * d + north]);
      most = Math.max(most, points[i * d + north]);
    }
    low = least;
    high = most;
    arc = arc(longitudes);
  }

  private static int place(List<Column> columns, String name) {
    for (int j = 0; j < columns.size(); j++) if (columns.get(j).name().equals(name)) return j;
    throw new IllegalArgumentException(
        "there is no input column '%s' of coordinates; the inputs are %s"
            .formatted(name, columns.stream().map(Column::name).toList()));
  }

  /// The shortest arc of the circle that holds all longitudes: where it begins and how long it is.
  private static double[] arc(double[] longitudes) {
    double[] sorted = longitudes.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double widest = sorted[0] + 360 - sorted[n - 1];
    double begin = sorted[0];
    for (int i = 1; i < n; i++)
      if (sorted[i] - sorted[i - 1] > widest) {
        widest = sorted[i] - sorted[i - 1];
        begin = sorted[i];
      }
    return new double[] {begin, 360 - widest};
  }

  /// The local projection with the least distortion, or the one that keeps a grid of degrees if its
  /// distortion is small enough.
  ///
  /// @param regular whether the rows lie on a grid of degrees
  /// @param most the largest distortion up to which a grid of degrees is kept
  /// @throws IllegalArgumentException if the places cover half of the Earth or more
  PlaceMap map(List<Column> columns, boolean regular, double most) {
    boolean around = arc[1] > 180; // a pole is nearer to all of them than a point of the arc
    double longitude = around ? 0 : Centre.wrapped(arc[0] + arc[1] / 2);
    double latitude = (low + high) / 2;
    if (around) latitude = low >= 0 ? 90 : high <= 0 ? -90 : latitude;
    PlaceMap.Projection[] all = {
      PlaceMap.Projection.EQUIRECTANGULAR, PlaceMap.Projection.EQUAL_AREA
    };
    for (PlaceMap.Projection projection : all) {
      boolean exact = projection == PlaceMap.Projection.EQUAL_AREA;
      if (!exact && (!regular || around || high >= 90 || low <= -90)) continue;
      PlaceMap map =
          new PlaceMap(
              columns.size(),
              east,
              north,
              columns.get(east).name(),
              columns.get(north).name(),
              projection,
              longitude,
              latitude,
              ellipsoid,
              0,
              0,
              0);
      requireLocal(longitude, latitude);
      double distortion = distortion(map);
      if (exact || distortion <= most) return map.with(distortion, 0, 0);
    }
    throw new AssertionError();
  }

  /// Throws if the places cover a hemisphere, which has no local projection.
  private void requireLocal(double longitude, double latitude) {
    double furthest = 0;
    double phi1 = Math.toRadians(latitude);
    for (int i = 0; i <= 24; i++)
      for (double lat : new double[] {low, (low + high) / 2, high}) {
        double phi = Math.toRadians(lat);
        double lambda = Math.toRadians(arc[0] + arc[1] * i / 24 - longitude);
        double cosine =
            Math.sin(phi1) * Math.sin(phi) + Math.cos(phi1) * Math.cos(phi) * Math.cos(lambda);
        furthest = Math.max(furthest, Math.acos(Math.clamp(cosine, -1, 1)));
      }
    if (!(furthest < Math.PI / 2))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the places reach %.0f° from their middle (longitudes over %.0f°, latitudes %.4g to %.4g), and there is no local projection of half of the Earth; use a part of the rows, or use the columns as they stand (no coordinate system)",
              Math.toDegrees(furthest),
              arc[1],
              low,
              high));
  }

  /// The largest error of a short distance, as a fraction of it.
  private double distortion(PlaceMap map) {
    double worst = 0;
    double[] x = new double[map.inputs()];
    double[] gradient = new double[map.inputs()];
    double[] unit = new double[map.inputs()];
    for (int i = 0; i <= 16; i++)
      for (int j = 0; j <= 16; j++) {
        x[east] = arc[0] + arc[1] * i / 16;
        x[north] = Math.clamp(low + (high - low) * j / 16, -89.9, 89.9);
        double phi = Math.toRadians(x[north]);
        double[] jacobian = new double[4]; // kilometres on the plane for kilometres on the Earth
        for (int f = 0; f < 2; f++) {
          Arrays.fill(unit, 0);
          unit[f == 0 ? east : north] = 1;
          map.pullBack(x, 0, unit, 0, gradient, 0);
          jacobian[2 * f] = gradient[east] / Math.toRadians(ellipsoid.parallel(phi));
          jacobian[2 * f + 1] = gradient[north] / Math.toRadians(ellipsoid.meridian(phi));
        }
        double sum = 0;
        for (double v : jacobian) sum += v * v;
        double area = Math.abs(jacobian[0] * jacobian[3] - jacobian[1] * jacobian[2]);
        double root = Math.sqrt(Math.max(0, sum * sum / 4 - area * area));
        worst = Math.max(worst, Math.abs(Math.sqrt(sum / 2 + root) - 1));
        worst = Math.max(worst, Math.abs(Math.sqrt(Math.max(0, sum / 2 - root)) - 1));
      }
    return worst;
  }
}
