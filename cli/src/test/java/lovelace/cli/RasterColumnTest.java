package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import lovelace.cli.Reading.Missing;
import lovelace.data.Column;
import lovelace.data.Place;
import lovelace.maps.Crs;
import lovelace.maps.Frame;
import lovelace.maps.RasterWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RasterColumnTest {

  private static final Place LON_LAT = Place.lonLat("lon", "lat");

  @TempDir Path folder;

  /// A raster on which the value of a pixel is `100 x + y` of its middle, with a hole in one
  /// corner.
  private Path raster(String name, Optional<Crs> crs, String... bands) throws IOException {
    Path file = folder.resolve(name);
    var frame = new Frame(8, 46, 0.5, 0.25, 10, 8, crs);
    float[][] tile = new float[bands.length][RasterWriter.TILE * RasterWriter.TILE];
    for (int y = 0; y < 8; y++)
      for (int x = 0; x < 10; x++)
        for (float[] band : tile)
          band[y * RasterWriter.TILE + x] =
              x == 9 && y == 0 ? Float.NaN : (float) (100 * frame.x(x) + frame.y(y));
    try (var writer = RasterWriter.create(file, frame, List.of(bands))) {
      writer.write(0, 0, tile);
    }
    return file;
  }

  private Path dem() throws IOException {
    return raster("dem.tif", Optional.of(Crs.parse("EPSG:4326")), "height");
  }

  private Table table(String rows) throws IOException {
    Path file = folder.resolve("rows.csv");
    Files.writeString(file, "lon,lat,z\n" + rows);
    return Table.open(file.toString(), System.in);
  }

  private static List<Double> read(Table table, String column, Missing missing) throws IOException {
    List<Double> values = new ArrayList<>();
    table.read(
        Reading.of(missing, Column.of(column)),
        (count, columns) -> {
          for (int i = 0; i < count; i++) values.add(columns[0][i]);
        });
    return values;
  }

  @Test
  void rowsHaveTheValuesOfTheRasterAtTheirPlaces() throws Exception {
    try (Table table = table("9.5,45,1\n10.25,44.5,2\n8.25,45.875,3\n")) {
      table.add(RasterColumn.open("elevation", dem(), LON_LAT));
      assertEquals(Table.Kind.NUMBER, table.field("elevation").kind());
      List<Double> values = read(table, "elevation", Missing.ERROR);
      double[] expected = {995, 1025 + 44.5, 825 + 45.875};
      for (int i = 0; i < 3; i++) assertEquals(expected[i], values.get(i), 1e-3);
      assertEquals(List.of(1.0, 2.0, 3.0), read(table, "z", Missing.ERROR));
    }
  }

  @Test
  void placesOfAnotherSystemAreTransformed() throws Exception {
    double[] xy = {9.5, 45, 10.25, 44.5};
    Crs.parse("EPSG:4326").to(Crs.parse("EPSG:32632")).apply(xy, 2);
    try (Table table = table("%s,%s,1\n%s,%s,2\n".formatted(xy[0], xy[1], xy[2], xy[3]))) {
      table.add(
          RasterColumn.open("elevation", dem(), Place.projected("lon", "lat", "EPSG:32632", 1)));
      List<Double> values = read(table, "elevation", Missing.ERROR);
      assertArrayEquals(
          new double[] {995, 1025 + 44.5},
          values.stream().mapToDouble(Double::doubleValue).toArray(),
          1e-3);
    }
  }

  @Test
  void aRowOutsideTheRasterIsNamedWithItsPlace() throws Exception {
    Path dem = dem();
    try (Table table = table("9.5,45,1\n7.5,45,2\n12.75,45.875,3\n")) {
      table.add(RasterColumn.open("elevation", dem, LON_LAT));
      var e =
          assertThrows(
              IllegalArgumentException.class, () -> read(table, "elevation", Missing.ERROR));
      assertEquals(
          "row 2 of '%s': column 'elevation' has no value in the raster '%s' at lon 7.5, lat 45; correct the place, take a raster that covers it, or pass --missing skip"
              .formatted(table.name(), dem),
          e.getMessage());
      assertEquals(
          List.of(995.0), read(table, "elevation", Missing.SKIP)); // the third is in a hole
    }
  }

  private String refused(Path raster, String name, Place place) {
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> {
              try (Table table = table("9.5,45,1\n")) {
                table.add(RasterColumn.open(name, raster, place));
              }
            });
    return String.valueOf(e.getMessage());
  }

  @Test
  void aRasterThatDoesNotSuitIsRefused() throws Exception {
    Path dem = dem();
    assertEquals(
        "'%s' has a column 'z', and --drift z=%s takes it from a raster; leave out one of the two"
            .formatted(folder.resolve("rows.csv"), dem),
        refused(dem, "z", LON_LAT));
    String local = refused(dem, "elevation", Place.projected("lon", "lat", "local", 1));
    assertTrue(local.contains("'EPSG:4326'") && local.contains("'lat' is not known"), local);
    Path unknown = raster("unknown.tif", Optional.empty(), "height");
    String of = refused(unknown, "elevation", LON_LAT);
    assertTrue(of.contains("does not say its coordinate system") && of.contains("'EPSG:4326'"), of);
    Path two = raster("two.tif", Optional.of(Crs.parse("EPSG:4326")), "height", "slope");
    String bands = refused(two, "elevation", LON_LAT);
    assertTrue(bands.contains("'height', 'slope', but none is 'elevation'"), bands);
    assertTrue(refused(folder.resolve("rows.csv"), "elevation", LON_LAT).contains("not a TIFF"));
  }

  @Test
  void aPlaneOfItsOwnTakesARasterWithoutASystem() throws Exception {
    Path plane = raster("plane.tif", Optional.empty(), "height");
    try (Table table = table("9.5,45,1\n")) {
      table.add(RasterColumn.open("elevation", plane, Place.projected("lon", "lat", "local", 1)));
      assertEquals(List.of(995.0), read(table, "elevation", Missing.ERROR));
    }
  }

  @Test
  void ofSeveralBandsTheOneWithTheNameIsTaken() throws Exception {
    Path two = raster("two.tif", Optional.of(Crs.parse("EPSG:4326")), "height", "slope");
    try (Table table = table("9.5,45,1\n")) {
      table.add(RasterColumn.open("slope", two, LON_LAT));
      assertEquals(List.of(995.0), read(table, "slope", Missing.ERROR));
    }
  }
}
