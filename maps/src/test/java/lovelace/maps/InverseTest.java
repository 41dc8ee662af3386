package lovelace.maps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Column;
import lovelace.data.FeatureMap;
import lovelace.data.LinearMap;
import lovelace.data.Place;
import lovelace.data.PlaceMap;
import org.junit.jupiter.api.Test;

class InverseTest {

  private static final long SEED = 5;

  /// Longitudes and latitudes with a column between them.
  private static final List<Column> COLUMNS =
      List.of(Column.of("lat"), Column.of("depth"), Column.of("lon"));

  private static PlaceMap map(double west, double east, double south, double north, double kept) {
    double[] corners = {south, 0, west, north, 0, east};
    return PlaceMap.local(Place.lonLat("lon", "lat"), COLUMNS, corners, kept > 0, kept);
  }

  /// Random rows of places of a rectangle.
  private static double[] rows(double west, double east, double south, double north) {
    var random = new SplittableRandom(SEED);
    double[] rows = new double[3 * 200];
    for (int i = 0; i < rows.length; i += 3) {
      rows[i] = random.nextDouble(south, north);
      rows[i + 1] = random.nextDouble();
      rows[i + 2] = random.nextDouble(west, east);
    }
    return rows;
  }

  /// Features with a target behind each, as statistics hold them.
  private static double[] features(FeatureMap map, double[] rows) {
    int d = map.outputs();
    double[] out = new double[rows.length / map.inputs() * d];
    map.apply(rows, rows.length / map.inputs(), out);
    double[] wide = new double[out.length / d * (d + 1)];
    for (int i = 0; i < out.length; i++) wide[i / d * (d + 1) + i % d] = out[i];
    return wide;
  }

  /// All places are found again: those that lie furthest out come first, then the others in order.
  private static void assertFound(double[] rows, double[] places) {
    int n = rows.length / 3;
    assertEquals(2 * (32 + n), places.length);
    for (int i = 0; i < n; i++) {
      // a millimetre on the ground
      assertEquals(rows[3 * i + 2], places[2 * (32 + i)], 1e-8, "longitude " + i + ", " + SEED);
      assertEquals(rows[3 * i], places[2 * (32 + i) + 1], 1e-8, "latitude " + i + ", " + SEED);
    }
  }

  @Test
  void placesComeBackFromLocalProjections() {
    double[][] boxes = {
      {5, 15, 47, 55},
      {-75, -60, -30, 10},
      {170, 179, -45, -35},
      {-179, -172, 10, 20},
      {175, 184, 0, 10}, // across 180°
      {20, 21, 0, 1},
      {-10, 30, 60, 80}
    };
    for (double[] b : boxes)
      for (double kept : new double[] {0, 1}) {
        PlaceMap map = map(b[0], b[1], b[2], b[3], kept);
        double[] rows = rows(b[0], b[1], b[2], b[3]);
        assertFound(rows, Inverse.of(map, 2, 0, features(map, rows), 4));
      }
  }

  /// Against the projection of Apache SIS: a place in kilometres is turned back by both.
  @Test
  void placesAreThoseOfAnotherProgram() {
    PlaceMap map = map(5, 15, 47, 55, 0); // equal-area about 10° E, 51° N
    Crs sis =
        Crs.parse(
            RasterWriterTest.projection(
                "Lambert_Azimuthal_Equal_Area", "latitude_of_center=51,longitude_of_center=10"));
    var random = new SplittableRandom(SEED);
    double[] features = new double[4 * 50];
    double[] expected = new double[2 * 50];
    for (int i = 0; i < 50; i++) {
      features[4 * i + 2] = random.nextDouble(-300, 300);
      features[4 * i] = random.nextDouble(-400, 400);
      expected[2 * i] = 300_000 + 1000 * features[4 * i + 2]; // false easting and northing
      expected[2 * i + 1] = 200_000 + 1000 * features[4 * i];
    }
    sis.to(Crs.parse("EPSG:4326")).apply(expected, 50);
    double[] places = Inverse.of(map, 2, 0, features, 4);
    for (int i = 0; i < 100; i++) assertEquals(expected[i], places[64 + i], 1e-7, "number " + i);
  }

  /// Turned by θ, `(e, n)` is `(e cos θ − n sin θ, e sin θ + n cos θ)`, and back by the transpose.
  @Test
  void aTurnedPlaneIsTurnedBack() {
    PlaceMap map = PlaceMap.turned(COLUMNS, 2, 0, 30);
    double cos = Math.cos(Math.PI / 6);
    double sin = Math.sin(Math.PI / 6);
    double[] rows = rows(500_000, 600_000, 5_000_000, 5_050_000);
    double[] features = features(map, rows);
    double[] places = Inverse.of(map, 2, 0, features, 4);
    for (int i = 0; i < 200; i++) {
      double across = features[4 * i + 2];
      double along = features[4 * i];
      assertEquals(across * cos + along * sin, places[64 + 2 * i], 1e-3, "east " + i);
      assertEquals(-across * sin + along * cos, places[64 + 2 * i + 1], 1e-3, "north " + i);
    }
  }

  @Test
  void theOutermostPlacesAreAmongThem() {
    PlaceMap map = PlaceMap.turned(COLUMNS, 2, 0, 0);
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) rows.add(new double[] {0.5, 0, 0.5});
    rows.set(19_997, new double[] {0.5, 0, 9}); // none of the rows that are taken in order
    double[] features = features(map, rows.stream().flatMapToDouble(Arrays::stream).toArray());
    double[] places = Inverse.of(map, 2, 0, features, 4);
    double east = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < places.length; i += 2) east = Math.max(east, places[i]);
    assertEquals(9, east, 1e-6);
    assertTrue(places.length / 2 <= 5_032, places.length + " numbers");
  }

  @Test
  void whatCannotBeTurnedBackIsSaidToBeSo() {
    PlaceMap map = map(5, 15, 47, 55, 0);
    // 20,000 km from the centre lies beyond the Earth, which ends at 12,742 km
    assertEquals(0, Inverse.of(map, 2, 0, new double[] {20_000, 0, 0, 1}, 4).length);
    assertEquals(0, Inverse.of(map, 2, 0, new double[0], 4).length);
    LinearMap fewer = LinearMap.of(new double[] {1, 0, 0, 0, 0, 1}, new double[3]);
    assertEquals(0, Inverse.of(fewer, 2, 0, new double[] {1, 2, 3}, 3).length);
  }
}
