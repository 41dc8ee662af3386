package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Coordinates on the command line.
class PlaceCommandTest {

  private static final String SET =
      " --target y --kernel matern32 --no-train --set lengthscale=60,40 --set outputscale=1 --set"
          + " noise=0.05 --set mean=0 --model @m.lvl";

  @TempDir Path folder;
  private Trial trial = new Trial(Path.of("."));

  @BeforeEach
  void table() throws IOException {
    trial = new Trial(folder);
    trial.write("lonlat.csv", table("Longitude,Latitude,y", 1, ""));
    trial.write("utm.csv", table("easting,northing,y", 100_000, ""));
    trial.write("wrong.csv", table("lon,lat,y", 1, "9.5,95,1\n"));
    trial.write("swapped.csv", table("lat,lon,y", 1, "").replace("\n1", "\n-11"));
  }

  private static String table(String header, double factor, String more) {
    var random = new SplittableRandom(4);
    StringBuilder csv = new StringBuilder(header + "\n");
    for (int i = 0; i < 60; i++) {
      double x = 10 + 3 * random.nextDouble();
      double y = 46 + 2 * random.nextDouble();
      csv.append(
          String.format(
              Locale.ROOT, "%.4f,%.4f,%.4f%n", factor * x, factor * y, Math.sin(3 * x + y)));
    }
    return csv + more;
  }

  @Test
  void longitudesAndLatitudesAreFoundByTheirNames() {
    String said = trial.ok("fit @lonlat.csv" + SET);
    assertTrue(
        said.contains(
            "coordinates Longitude, Latitude in EPSG:4326: kilometres by the Lambert azimuthal equal-area projection around 11."),
        said);
    assertTrue(said.contains("assumed     by their names, Longitude and Latitude"), said);
    assertTrue(said.contains("60.0000 km east, 40.0000 km north"), said);
    String again = trial.ok("inspect @m.lvl");
    assertTrue(again.contains("kilometres by the Lambert"), again);
    String json = trial.ok("inspect @m.lvl --json");
    assertTrue(json.contains("\"crs\": \"EPSG:4326\"") && json.contains("\"distortion\": "), json);
    String predicted = trial.ok("predict @m.lvl @lonlat.csv");
    trial.ok("fit @lonlat.csv --crs EPSG:4326" + SET);
    assertEquals(predicted, trial.ok("predict @m.lvl @lonlat.csv"));
    trial.ok("update @m.lvl @lonlat.csv --model @u.lvl");
    assertTrue(trial.ok("inspect @u.lvl").contains("kilometres by the Lambert"));
    said = trial.ok("fit @lonlat.csv --crs none" + SET);
    assertFalse(said.contains("kilometres") || said.contains("assumed"), said);
  }

  @Test
  void systemsAreCodesWktOrFiles() throws IOException {
    String said = trial.ok("fit @utm.csv --crs EPSG:32632" + SET);
    assertTrue(said.contains("coordinates easting, northing in EPSG:32632: as they stand"), said);
    trial.write(
        "grs.wkt",
        "GEOGCS[\"own sphere\",DATUM[\"D\",SPHEROID[\"S\",6371000,0]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]");
    said = trial.ok("fit @lonlat.csv --crs " + folder.resolve("grs.wkt") + SET);
    assertTrue(said.contains("Longitude, Latitude in own sphere: kilometres"), said);
    said = trial.ok("fit @utm.csv --crs local --coordinates northing,easting" + SET);
    assertTrue(said.contains("northing, easting in local: as they stand"), said);
    assertTrue(trial.refused("fit @utm.csv --crs EPSG:99" + SET).contains("--crs: "));
    assertTrue(
        trial
            .refused("fit @utm.csv --coordinates easting,up" + SET)
            .contains("not one of the inputs"));
    said = trial.refused("fit @utm.csv --crs EPSG:4326" + SET);
    assertTrue(said.contains("not degrees") && said.contains("1000"), said);
  }

  @Test
  void wrongPlacesAreNamed() throws IOException {
    String said = trial.refused("fit @wrong.csv" + SET);
    assertTrue(
        said.contains("row 61 (data rows count from 1): 'lat' is 95.0")
            && said.contains("-90 to 90"),
        said);
    said = trial.refused("fit @swapped.csv" + SET);
    assertTrue(said.contains("look swapped"), said);
    trial.ok("fit @swapped.csv --coordinates lat,lon" + SET);
    trial.ok("fit @wrong.csv --crs none" + SET);
    trial.ok("predict @m.lvl @wrong.csv");
    trial.write("rows.csv", "lat,lon,y\n" + "47,11,1\n".repeat(5000) + "95,11,1\n");
    trial.write("good.csv", table("lon,lat,y", 1, ""));
    trial.ok("fit @good.csv" + SET);
    for (String command :
        List.of(
            "predict @m.lvl @rows.csv --out @p.csv",
            "evaluate @m.lvl @rows.csv",
            "update @m.lvl @rows.csv --model @u.lvl")) {
      said = trial.refused(command);
      assertTrue(
          said.contains("row 5,001 of '@rows.csv': column 'lat' is 95.0, and a latitude lies"),
          command + ": " + said);
    }
  }

  @Test
  void aDirectionIsGivenOrLearned() {
    String said = trial.ok("fit @lonlat.csv --anisotropy 30" + SET);
    assertTrue(said.contains("anisotropy  axes at 30.0° clockwise from north, as given"), said);
    assertTrue(said.contains("60.0000 km across, 40.0000 km along"), said);
    assertTrue(trial.ok("inspect @m.lvl --json").contains("\"angle\": 30"), trial.out());
    said = trial.ok("fit @utm.csv --target y --anisotropy learn --model @m.lvl");
    // sin(3x + y) does not vary along (1, -3), which is 161.6 degrees clockwise from north
    Matcher angle = Pattern.compile("varies most slowly at ([0-9.]+)°").matcher(said);
    assertTrue(angle.find(), said);
    assertEquals(161.6, Double.parseDouble(angle.group(1)), 5, said);
    assertTrue(trial.ok("inspect @m.lvl --json").contains("\"angle\": 16"), trial.out());
    assertTrue(
        trial
            .refused("fit @utm.csv --anisotropy north" + SET)
            .contains("--anisotropy needs learn"));
  }

  @Test
  void aMapChoosesItsKernel() throws IOException {
    String said = trial.ok("fit @lonlat.csv --target y --model @m.lvl");
    assertTrue(
        said.contains("compared    kernel ") && said.contains(", chosen among 4 by the likelihood"),
        said);
    assertTrue(trial.ok("inspect @m.lvl").contains(", chosen among 4 by the likelihood"));
    said = trial.ok("fit @lonlat.csv --target y --kernel rbf --model @m.lvl");
    assertTrue(said.contains("rbf") && !said.contains("chosen among"), said);
    said = trial.ok("fit @utm.csv --target y --model @m.lvl");
    assertTrue(said.contains("rbf") && !said.contains("chosen among"), "no map: " + said);
    said = trial.ok("map @utm.csv --target y --resolution 100000 --out @map.tif --model @m.lvl");
    assertTrue(said.contains("coordinates easting, northing in local: as they stand"), said);
    assertTrue(said.contains(", chosen among 4 by the likelihood"), said);
    assertFalse(said.contains("assumed"), said);
    trial.write(
        "area.geojson",
        "{\"type\":\"Polygon\",\"coordinates\":[[[1050000,4650000],[1200000,4650000],[1200000,4750000],[1050000,4650000]]]}");
    trial.ok("areas @m.lvl @area.geojson --out @areas.csv"); // a plane without a name
  }

  @Test
  void aDateIsNoCoordinate() throws IOException {
    StringBuilder csv = new StringBuilder("day,north,east,y\n");
    var random = new SplittableRandom(4);
    for (int i = 0; i < 40; i++) {
      double x = 3 * random.nextDouble();
      double y = 2 * random.nextDouble();
      csv.append(
          String.format(
              Locale.ROOT, "2024-03-%02d,%.3f,%.3f,%.3f%n", 1 + i % 28, y, x, Math.sin(3 * x + y)));
    }
    trial.write("dated.csv", csv.toString());
    for (String options :
        List.of("fit @dated.csv --crs local", "fit @dated.csv --crs EPSG:25832")) {
      String said = trial.ok(options + " --target y --model @m.lvl");
      assertTrue(said.contains("coordinates east, north in "), said);
    }
    String said =
        trial.ok(
            "map @dated.csv --target y --times 2024-03-05 --resolution 0.5 --out @m.tif --model @m.lvl");
    assertTrue(said.contains("coordinates east, north in local"), said);
  }
}
