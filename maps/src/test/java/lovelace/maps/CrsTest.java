package lovelace.maps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import lovelace.testing.Needs;
import lovelace.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CrsTest {

  @TempDir Path folder;

  @Test
  void theCodesThatAreListedAreKnown() {
    for (int code :
        new int[] {
          4326, 4258, 4269, 4267, 4230, 4322, 3857, 3395, 5041, 5042, 32601, 32660, 32701, 32760,
          25828, 25837, 26901, 26923, 26701, 26722, 23028, 23038, 32201, 32260, 32301, 32360
        }) {
      Crs crs = Crs.parse("EPSG:" + code);
      assertEquals("EPSG:" + code, crs.toString());
      assertEquals("EPSG:" + code, crs.text());
      assertEquals(code, crs.epsg().orElseThrow());
      assertEquals(crs, Crs.parse(crs.wkt()));
      assertEquals(code > 4000 && code < 5000, crs.isGeographic());
    }
    assertEquals(Crs.parse("EPSG:4326"), Crs.parse(" 4326 "));
    assertEquals(Crs.parse("EPSG:4326"), Crs.parse("CRS:84"));
    assertNotEquals(Crs.parse("EPSG:32632"), Crs.parse("EPSG:32633"));
  }

  /// Codes that need WKT here are explained by GDAL, and places compared with what GDAL makes of
  /// them: axes north before east (3035), feet (2263), no Greenwich axis order (3031), an ellipsoid
  /// of its own (2154).
  @Needs("gdal")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "EPSG:32632",
        "EPSG:3857",
        "EPSG:3035",
        "EPSG:2154",
        "EPSG:2263",
        "EPSG:3031",
        "EPSG:5070"
      })
  void placesAgreeWithThoseOfGdal(String code) throws Exception {
    double[] places = {9.5, 44.25, -74, 40.5, 3, -71};
    var text = new StringBuilder();
    for (int i = 0; i < 6; i += 2) text.append(places[i] + " " + places[i + 1] + "\n");
    String said =
        Gdal.run(
            Programs.require("gdal").resolveSibling("gdaltransform"),
            text.toString(),
            "-s_srs",
            "EPSG:4326",
            "-t_srs",
            code);
    double[] theirs = new double[6];
    int n = 0;
    for (String line : said.lines().toList())
      for (int k = 0; k < 2; k++) theirs[n++] = Double.parseDouble(line.split(" ", -1)[k]);
    for (String form : new String[] {"wkt1", "wkt2", "wkt_esri"}) {
      if (form.equals("wkt1") && code.equals("EPSG:3031")) continue; // WKT 1 has no such projection
      Path file = folder.resolve(form + ".wkt");
      Files.writeString(file, Gdal.run("gdalsrsinfo", "-o", form, code));
      Crs crs = Crs.parse(file.toString());
      if (!form.equals("wkt_esri")) assertEquals(code, crs.toString());
      double[] ours = places.clone();
      Crs.parse("EPSG:4326").to(crs).apply(ours, 3);
      // a millimetre near the projection's place; far away the series differ more
      for (int i = 0; i < 6; i++)
        if (near(code, i / 2)) assertEquals(theirs[i], ours[i], 1e-3, form + " " + i);
      crs.to(Crs.parse("EPSG:4326")).apply(ours, 3);
      for (int i = 0; i < 6; i++)
        if (near(code, i / 2)) assertEquals(places[i], ours[i], 1e-7, form + " back " + i);
      assertEquals(crs, Crs.parse(crs.text()));
      assertEquals(code.equals("EPSG:2263") ? 1200 / 3937.0 : 1, crs.metres(), 1e-12);
      assertEquals(6_378_137, crs.semiMajorAxis(), 1e-9);
      assertEquals(1 / 298.2572, crs.flattening(), 1e-9);
    }
  }

  private static boolean near(String code, int place) {
    return switch (code) {
      case "EPSG:3857" -> true;
      case "EPSG:2263", "EPSG:5070" -> place == 1;
      case "EPSG:3031" -> place == 2;
      default -> place == 0;
    };
  }

  @Test
  void coordinatesAreEastBeforeNorth() {
    double[] xy = {9, 0, 15, 60, 10, 50};
    Crs.parse("EPSG:4326").to(Crs.parse("EPSG:32632")).apply(xy, 1);
    // the central meridian of zone 32 at the equator; the other places are not touched
    assertArrayEquals(new double[] {500_000, 0, 15, 60, 10, 50}, xy, 1e-6);
  }

  @Test
  void aPlaceWithoutCoordinatesIsNaNAndOthersAreNot() {
    double[] xy = {9, 45, 10, 95, Double.NaN, 3, 9, 46};
    Crs.parse("EPSG:4326").to(Crs.parse("EPSG:32632")).apply(xy, 4);
    assertEquals(500_000, xy[0], 1e-6);
    assertTrue(Double.isNaN(xy[2]) && Double.isNaN(xy[3]));
    assertTrue(Double.isNaN(xy[4]) && Double.isNaN(xy[5]));
    assertEquals(500_000, xy[6], 1e-6);
  }

  @Test
  void whatIsNotKnownIsSaidWithItsRemedy() throws Exception {
    assertEquals(
        "the coordinate system 'EPSG:2154' is not known by its code; give its WKT, or a file with it whose name ends in .wkt or .prj (known EPSG codes: "
            + Crs.CODES
            + ")",
        refused("EPSG:2154"));
    assertTrue(refused("PROJCS[\"oops\"").contains("is not WKT that can be read"));
    assertTrue(refused(folder.resolve("none.prj").toString()).contains("cannot be read"));
    assertTrue(refused("EPSG:4978").contains("cannot be used for a map"));
    assertTrue(refused("lon/lat").contains("'lon/lat' is not known"));
    Path grads = folder.resolve("grads.wkt");
    Files.writeString(
        grads,
        "GEOGCS[\"g\",DATUM[\"d\",SPHEROID[\"s\",6378249.2,293.466]],PRIMEM[\"Greenwich\",0],UNIT[\"grad\",0.01570796326794897]]");
    assertTrue(
        refused(grads.toString()).contains("give one in degrees"), refused(grads.toString()));
  }

  private static String refused(String text) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> Crs.parse(text)).getMessage());
  }

  @Test
  void degreesHaveNoLength() {
    assertThrows(IllegalStateException.class, () -> Crs.parse("EPSG:4326").metres());
    assertFalse(Crs.parse("EPSG:3857").isGeographic());
  }
}
