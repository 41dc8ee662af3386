package lovelace.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PlaceMapTest {

  private static final List<Column> COLUMNS = List.of(Column.of("lon"), Column.of("lat"));
  private static final Place WGS = Place.lonLat("lon", "lat");

  private static PlaceMap over(double west, double east, double south, double north) {
    return PlaceMap.local(WGS, COLUMNS, new double[] {west, south, east, north}, false, 0);
  }

  private static double[] apply(FeatureMap map, double... x) {
    double[] out = new double[x.length];
    map.apply(x, x.length / map.inputs(), out);
    return out;
  }

  private static double distance(FeatureMap map, double... fromTo) {
    double[] z = apply(map, fromTo);
    return Math.hypot(z[2] - z[0], z[3] - z[1]);
  }

  /// Snyder (1987), numerical example of the ellipsoidal form, page 333: Clarke's ellipsoid, centre
  /// 40° N 100° W, point 30° N 110° W.
  @Test
  void agreesWithSnydersExample() {
    Place.Ellipsoid clarke = new Place.Ellipsoid(6378206.4, 294.9786982);
    Place place = Place.geographic("lon", "lat", "NAD27", clarke);
    double[] box = {-110, 30, -90, 50}; // its middle is the centre
    PlaceMap map = PlaceMap.local(place, COLUMNS, box, false, 0);
    assertArrayEquals(new double[] {-965.9321, -1056.8149}, apply(map, -110, 30), 1e-4);
    assertEquals(-100, map.longitude());
    assertEquals(40, map.latitude());
  }

  /// Geodesics by Vincenty's inverse formula, in kilometres.
  private static double geodesic(double lon1, double lat1, double lon2, double lat2) {
    double a = 6378.137;
    double f = 1 / 298.257223563;
    double b = a * (1 - f);
    double big = Math.toRadians(Math.IEEEremainder(lon2 - lon1, 360));
    double u1 = Math.atan((1 - f) * Math.tan(Math.toRadians(lat1)));
    double u2 = Math.atan((1 - f) * Math.tan(Math.toRadians(lat2)));
    double lambda = big;
    for (int i = 0; ; i++) {
      double s =
          Math.hypot(
              Math.cos(u2) * Math.sin(lambda),
              Math.cos(u1) * Math.sin(u2) - Math.sin(u1) * Math.cos(u2) * Math.cos(lambda));
      double c = Math.sin(u1) * Math.sin(u2) + Math.cos(u1) * Math.cos(u2) * Math.cos(lambda);
      double sigma = Math.atan2(s, c);
      double sinAlpha = Math.cos(u1) * Math.cos(u2) * Math.sin(lambda) / s;
      double cos2 = 1 - sinAlpha * sinAlpha;
      double m = cos2 == 0 ? 0 : c - 2 * Math.sin(u1) * Math.sin(u2) / cos2;
      double k = f / 16 * cos2 * (4 + f * (4 - 3 * cos2));
      double next = big + (1 - k) * f * sinAlpha * (sigma + k * s * (m + k * c * (2 * m * m - 1)));
      if (Math.abs(next - lambda) < 1e-13 || i == 200) {
        double w = cos2 * (a * a - b * b) / (b * b);
        double p = 1 + w / 16384 * (4096 + w * (-768 + w * (320 - 175 * w)));
        double q = w / 1024 * (256 + w * (-128 + w * (74 - 47 * w)));
        double step =
            q
                * s
                * (m
                    + q
                        / 4
                        * (c * (2 * m * m - 1) - q / 6 * m * (4 * s * s - 3) * (4 * m * m - 3)));
        return b * p * (sigma - step);
      }
      lambda = next;
    }
  }

  @Test
  void distancesAreThoseOnTheEarthWithinTheDistortionThatIsSaid() {
    double[][] boxes = {
      {5, 15, 47, 55}, {-180 + 3, 178, -20, -12}, {-75, -73, 40, 42}, {100, 130, -10, 30}
    };
    for (long seed = 1; seed <= 4; seed++) {
      double[] box = boxes[(int) seed - 1];
      boolean crosses = box[0] < 0 && box[1] > 170;
      double width = crosses ? 5 : box[1] - box[0];
      double west = crosses ? 178 : box[0];
      for (boolean regular : new boolean[] {false, true}) {
        PlaceMap map =
            PlaceMap.local(
                WGS,
                COLUMNS,
                new double[] {box[0], box[2], box[1], box[3]},
                regular,
                Double.POSITIVE_INFINITY);
        var random = new SplittableRandom(seed);
        double worst = 0;
        for (int i = 0; i < 300; i++) {
          double[] x = new double[4];
          for (int p = 0; p < 2; p++) {
            double lon = west + width * random.nextDouble();
            x[2 * p] = lon > 180 ? lon - 360 : lon;
            x[2 * p + 1] = box[2] + (box[3] - box[2]) * random.nextDouble();
          }
          double truth = geodesic(x[0], x[1], x[2], x[3]);
          worst = Math.max(worst, Math.abs(distance(map, x) / truth - 1));
        }
        String what = "seed " + seed + " " + map + " worst " + worst;
        assertTrue(worst <= map.distortion() + 1e-6, what);
        assertTrue(worst >= 0.1 * map.distortion(), what); // it is not a bound from nowhere
      }
    }
  }

  @Test
  void aDegreeOfLatitudeHasItsKilometres() {
    PlaceMap map = over(8, 12, 47, 49);
    assertTrue(map.distortion() < 1e-3, map.toString());
    assertEquals(geodesic(10, 47.5, 10, 48.5), distance(map, 10, 47.5, 10, 48.5), 1e-3);
    // a(1 − e²)(1 − e² sin² 48°)^−3/2 π/180
    assertEquals(111.190, distance(map, 10, 47.5, 10, 48.5), 2e-3);
  }

  @Test
  void longitudesMayCross180AndBeWrittenTo360() {
    PlaceMap map = over(177, -178, -20, -12);
    assertEquals(179.5, map.longitude(), 1e-12);
    assertEquals(geodesic(179.9, -16, -179.9, -16), distance(map, 179.9, -16, -179.9, -16), 1e-3);
    assertArrayEquals(apply(map, -178.5, -15), apply(map, 181.5, -15), 1e-9);
    PlaceMap east = over(350, 355, 40, 44);
    assertEquals(over(-10, -5, 40, 44), east);
  }

  @Test
  void aPoleIsTheCentreOfWhatSurroundsIt() {
    double[] ring = {-170, 75, -60, 80, 50, 70, 140, 72};
    PlaceMap map = PlaceMap.local(WGS, COLUMNS, ring, false, 0);
    assertEquals(90, map.latitude());
    assertEquals(geodesic(10, 85, -170, 85), distance(map, 10, 85, -170, 85), 2);
    assertArrayEquals(new double[] {0, 0}, apply(map, 33, 90), 1e-9);
  }

  @Test
  void halfOfTheEarthHasNoLocalProjection() {
    var wide =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> over(-80, 90, -60, 80))
                .getMessage());
    assertTrue(wide.contains("half of the Earth") && wide.contains("as they stand"), wide);
    double[] all = {-170, -70, -60, 80, 50, 70, 140, 72};
    assertThrows(IllegalArgumentException.class, () -> PlaceMap.local(WGS, COLUMNS, all, false, 0));
  }

  @Test
  void aGridOfDegreesStaysAGridWhereThatHardlyDistorts() {
    double[] small = {5, 47, 6, 47.5};
    PlaceMap grid = PlaceMap.local(WGS, COLUMNS, small, true, 0.02);
    assertEquals(PlaceMap.Projection.EQUIRECTANGULAR, grid.projection());
    double[] z = apply(grid, 5, 47, 5.1, 47, 5.2, 47.1);
    assertEquals(z[2] - z[0], z[4] - z[2], 1e-12);
    assertEquals(z[1], z[3]);
    double[] large = {5, 37, 16, 57};
    assertEquals(
        PlaceMap.Projection.EQUAL_AREA,
        PlaceMap.local(WGS, COLUMNS, large, true, 0.02).projection());
  }

  @Test
  void gradientsAndInversesAreThoseOfTheMap() {
    List<Column> three = List.of(Column.of("depth"), Column.of("lat"), Column.of("lon"));
    double[] box = {0, 44, -3, 0, 52, 9};
    var random = new SplittableRandom(5);
    for (boolean regular : new boolean[] {false, true})
      for (double angle : new double[] {0, 33, 120}) {
        PlaceMap map =
            PlaceMap.local(WGS, three, box, regular, Double.POSITIVE_INFINITY).turned(angle);
        for (int i = 0; i < 20; i++) {
          double[] x = {
            random.nextDouble(), 44 + 8 * random.nextDouble(), -3 + 12 * random.nextDouble()
          };
          double[] g = {random.nextGaussian(), random.nextGaussian(), random.nextGaussian()};
          double[] back = new double[3];
          map.pullBack(x, 0, g, 0, back, 0);
          double[] inverse = new double[3];
          map.columns(apply(map, x), 1, inverse);
          assertArrayEquals(x, inverse, 1e-10);
          for (int j = 0; j < 3; j++) {
            double h = 1e-4;
            double[] up = x.clone();
            double[] down = x.clone();
            up[j] += h;
            down[j] -= h;
            double[] a = apply(map, up);
            double[] b = apply(map, down);
            double difference = 0;
            for (int f = 0; f < 3; f++) difference += g[f] * (a[f] - b[f]) / (2 * h);
            assertEquals(difference, back[j], 1e-6 * (1 + Math.abs(difference)), map.toString());
          }
        }
      }
  }

  @Test
  void theSecondAxisRunsAtTheAngleClockwiseFromNorth() {
    PlaceMap map = PlaceMap.turned(COLUMNS, 0, 1, 30);
    double s = Math.sin(Math.toRadians(30));
    double c = Math.cos(Math.toRadians(30));
    assertArrayEquals(new double[] {0, 7}, apply(map, 7 * s, 7 * c), 1e-12); // 7 to the north-east
    assertEquals(
        List.of("across", "along"), map.features(COLUMNS).stream().map(Column::name).toList());
    assertEquals("km", over(5, 6, 47, 48).features(COLUMNS).getFirst().unit());
  }

  @Test
  void travelsByItsBytes() {
    PlaceMap map = over(5, 15, 47, 55).turned(12.5, 0.75);
    FeatureMap again = FeatureMap.read("place", map.bytes());
    assertEquals(map, again);
    assertArrayEquals(apply(map, 7, 50), apply(again, 7, 50));
    byte[] bytes = map.bytes();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(IllegalArgumentException.class, () -> FeatureMap.read("place", cut));
    }
    byte[] wrong = bytes.clone();
    wrong[12] = 7;
    assertThrows(IllegalArgumentException.class, () -> FeatureMap.read("place", wrong));
  }

  @Test
  void saysWhyAPlaceIsNone() {
    PlaceMap map = over(5, 15, 47, 55);
    assertTrue(map.refusal(new double[] {7, 50}, 0).isEmpty());
    String lat = map.refusal(new double[] {170, 95}, 0).orElseThrow();
    assertTrue(lat.contains("'lat' is 95.0") && lat.contains("-90 to 90"), lat);
    String metres = map.refusal(new double[] {500_000, 50}, 0).orElseThrow();
    assertTrue(metres.contains("'lon' is 500000.0") && metres.contains("metres"), metres);
    assertTrue(Double.isNaN(apply(map, 7, 95)[0]));
  }

  @Test
  void placesHalfAWorldAwayHaveNoFeatures() {
    double[] box = {5, 47, 15, 47, 5, 55, 15, 55, 10, 51};
    for (boolean regular : new boolean[] {false, true}) {
      PlaceMap map = PlaceMap.local(WGS, COLUMNS, box, regular, Double.POSITIVE_INFINITY);
      double[][] far = {{-170, -51}, {-170, 38.9}, {10, -39.1}, {101, 0}, {180, 20}};
      for (double[] x : far) {
        assertTrue(Double.isNaN(apply(map, x)[0]), map + ": " + Arrays.toString(x));
        String said = map.refusal(x, 0).orElseThrow();
        assertTrue(said.contains("the centre of the model's local projection"), said);
        assertTrue(said.contains("'lon' is " + x[0] + " and 'lat' is " + x[1]), said);
      }
      double[][] near = {{10, -38.9}, {-170, 89}, {99, 0}, {-350, 51}, {-80, 39.5}};
      for (double[] x : near) {
        assertTrue(Double.isFinite(apply(map, x)[0]), map + ": " + Arrays.toString(x));
        assertTrue(map.refusal(x, 0).isEmpty(), map + ": " + Arrays.toString(x));
      }
    }
    assertEquals(190, over(170, 180, -5, 5).near(-170), 1e-12);
    assertEquals(-170, PlaceMap.turned(COLUMNS, 0, 1, 20).near(-170));
  }
}
