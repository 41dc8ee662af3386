package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lovelace.Model;
import lovelace.maps.Crs;
import lovelace.maps.Frame;
import lovelace.maps.Raster;
import lovelace.maps.RasterWriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A covariate that comes from a raster gives what the same numbers in a column give.
final class CovariateCommandTest {

  private static final String FIT = "fit @bare.csv --target t --drift elevation=@dem.tif";

  @TempDir static Path folder;

  private final Trial trial = new Trial(folder);

  @BeforeAll
  static void writeFiles() throws IOException {
    Trial trial = new Trial(folder);
    // hills in whole numbers of metres, which 32 bits hold
    var frame = new Frame(8, 46, 0.05, 0.05, 60, 40, Optional.of(Crs.parse("EPSG:4326")));
    float[][] tile = new float[1][RasterWriter.TILE * RasterWriter.TILE];
    for (int y = 0; y < 40; y++)
      for (int x = 0; x < 60; x++)
        tile[0][y * RasterWriter.TILE + x] =
            x == 59 ? Float.NaN : Math.round(800 + 700 * Math.sin(0.9 * x) * Math.cos(0.7 * y));
    try (var writer = RasterWriter.create(trial.file("dem.tif"), frame, List.of("height"))) {
      writer.write(0, 0, tile);
    }
    float[][] two = {new float[tile[0].length], tile[0]};
    List<String> bands = List.of("slope", "elevation");
    try (var writer = RasterWriter.create(trial.file("two.tif"), frame, bands)) {
      writer.write(0, 0, two);
    }
    var random = new SplittableRandom(9);
    StringBuilder bare = new StringBuilder("lon,lat,t\n");
    StringBuilder full = new StringBuilder("lon,lat,elevation,t\n");
    StringBuilder places = new StringBuilder("lon,lat\n");
    StringBuilder fullPlaces = new StringBuilder("lon,lat,elevation\n");
    for (int i = 0; i < 140; i++) { // at the middles of pixels, where no rule of sampling matters
      int x = random.nextInt(58);
      int y = random.nextInt(40);
      double elevation = tile[0][y * RasterWriter.TILE + x];
      String at = frame.x(x) + "," + frame.y(y);
      double t = 15 - 0.0065 * elevation + Math.sin(0.1 * x) + 0.1 * random.nextGaussian();
      (i < 120 ? bare : places).append(at).append(i < 120 ? "," + t : "").append('\n');
      (i < 120 ? full : fullPlaces)
          .append(at)
          .append(",")
          .append(elevation)
          .append(i < 120 ? "," + t : "")
          .append('\n');
    }
    trial.write("bare.csv", bare.toString());
    trial.write("full.csv", full.toString());
    trial.write("places.csv", places.toString());
    trial.write("full-places.csv", fullPlaces.toString());
    trial.write("beside.csv", bare + "7.5,45,3\n10.99,45,4\n");
    trial.write("plain.csv", bare.toString().replace("lon", "a").replace("lat", "b"));
    trial.ok(FIT + " --model @raster.lvl");
    trial.ok("fit @full.csv --target t --drift elevation --model @column.lvl");
  }

  private static double[] column(Path csv, String name) throws IOException {
    List<String> lines = Files.readAllLines(csv);
    int at = List.of(lines.getFirst().split(",", -1)).indexOf(name);
    return lines.stream()
        .skip(1)
        .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[at]))
        .toArray();
  }

  @Test
  void aRasterGivesTheModelOfAColumn() throws IOException {
    Model raster = Model.load(trial.file("raster.lvl"));
    Model column = Model.load(trial.file("column.lvl"));
    assertEquals(column.columns(), raster.columns());
    for (int j = 0; j < 2; j++) {
      assertEquals(column.drift().get(j).value(), raster.drift().get(j).value(), 1e-9);
      assertEquals(
          column.drift().get(j).standardError(), raster.drift().get(j).standardError(), 1e-9);
    }
    assertEquals(-0.0065, raster.drift().get(1).value(), 5e-4);
  }

  @Test
  void predictionsTakeItFromTheRasterToo() throws IOException {
    trial.ok("predict @raster.lvl @places.csv --drift elevation=@dem.tif --out @a.csv");
    trial.ok("predict @raster.lvl @full-places.csv --out @b.csv");
    for (String name : List.of("elevation", "mean", "variance")) {
      double[] a = column(trial.file("a.csv"), name);
      double[] b = column(trial.file("b.csv"), name);
      assertEquals(20, a.length);
      // coordinates are written in full, and fall on the middles of pixels but for rounding
      for (int i = 0; i < a.length; i++) assertEquals(b[i], a[i], 1e-8 * (1 + Math.abs(b[i])));
    }
    String ours = trial.ok("evaluate @raster.lvl @bare.csv --drift elevation=@dem.tif --json");
    String theirs = trial.ok("evaluate @raster.lvl @full.csv --json");
    assertEquals(
        theirs.replaceAll("(?s).*\"rmse\"[^0-9]*([0-9.]{6}).*", "$1"),
        ours.replaceAll("(?s).*\"rmse\"[^0-9]*([0-9.]{6}).*", "$1"));
    trial.ok("update @raster.lvl @bare.csv --drift elevation=@dem.tif --model @more.lvl");
    trial.ok("sample @raster.lvl @places.csv --drift elevation=@dem.tif --draws 2 --out @s.csv");
  }

  @Test
  void aMapOfATableTakesItsOwnColumnAndTheRasterForPixels() throws IOException {
    String line = " --target t --drift elevation=@dem.tif --like @dem.tif --out ";
    trial.ok("map @full.csv" + line + "@full.tif");
    trial.ok("map @bare.csv" + line + "@bare.tif");
    assertTrue(Files.size(trial.file("full.tif")) > 1000);
    assertTrue(Files.size(trial.file("bare.tif")) > 1000);
  }

  @Test
  void aRowWithoutAValueIsNamed() {
    String fit = FIT.replace("bare", "beside") + " --model @x.lvl";
    String said = trial.refused(fit);
    assertTrue(
        said.contains(
            "row 121 of '@beside.csv': column 'elevation' has no value in the raster '@dem.tif' at lon 7.5, lat 45; correct the place, take a raster that covers it, or pass --missing skip"),
        said);
    assertTrue(trial.ok(fit + " --missing skip").contains("2 rows that lack a value"), trial.out());
    String predicted =
        trial.refused("predict @raster.lvl @beside.csv --drift elevation=@dem.tif --out @y.csv");
    assertTrue(predicted.contains("row 121") && predicted.contains("lon 7.5, lat 45"), predicted);
    assertTrue(Files.notExists(trial.file("y.csv")));
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() {
    String both = trial.refused(FIT.replace("bare", "full") + " --model @x.lvl");
    assertTrue(both.contains("has a column 'elevation', and --drift elevation=@dem.tif"), both);
    String unplaced = trial.refused(FIT.replace("bare", "plain") + " --model @x.lvl");
    assertTrue(unplaced.contains("the coordinates and their system are not known"), unplaced);
    String local = trial.refused(FIT.replace("bare", "plain") + " --crs local --model @x.lvl");
    assertTrue(
        local.contains("'EPSG:4326'") && local.contains("is not known; name it with --crs"), local);
    String none = trial.refused(FIT.replace("dem.tif", "none.tif") + " --model @x.lvl");
    assertTrue(none.contains("--drift elevation=@none.tif: there is no file"), none);
    String half = trial.refused(FIT.replace("@dem.tif", "") + " --model @x.lvl");
    assertTrue(half.contains("write --drift elevation=dem.tif"), half);
    String other = trial.refused("predict @raster.lvl @places.csv --drift slope=@dem.tif");
    assertTrue(other.contains("the columns of the model's drift are elevation"), other);
  }

  @Test
  void everyCommandTakesTheBandWithTheCovariatesName() throws IOException {
    String map = "map @raster.lvl --extent 8.5,44.5,9.5,45.5 --resolution 0.1 --out @%s --drift ";
    trial.ok(map.formatted("one.tif") + "elevation=@dem.tif");
    trial.ok(map.formatted("other.tif") + "elevation=@two.tif");
    try (Raster one = Raster.open(trial.file("one.tif"));
        Raster other = Raster.open(trial.file("other.tif"))) {
      double[][] means = new double[2][100];
      one.read(0, 0, 0, 10, 10, means[0]);
      other.read(0, 0, 0, 10, 10, means[1]);
      assertTrue(Double.isFinite(means[0][55]));
      assertArrayEquals(means[0], means[1]);
    }
    trial.write(
        "square.geojson",
        "{\"type\":\"Polygon\",\"coordinates\":[[[9,45],[9.5,45],[9.5,45.4],[9,45.4],[9,45]]]}");
    String areas = "areas @raster.lvl @square.geojson --drift elevation=@";
    assertEquals(trial.ok(areas + "dem.tif"), trial.ok(areas + "two.tif"));
    String unnamed = trial.refused(areas + "one.tif");
    assertTrue(unnamed.contains("2 bands") && unnamed.contains("none is 'elevation'"), unnamed);
    unnamed = trial.refused(map.formatted("x.tif") + "elevation=@one.tif");
    assertTrue(unnamed.contains("2 bands") && unnamed.contains("none is 'elevation'"), unnamed);
  }

  @Test
  void kernelsAreComparedInKilometres() throws IOException {
    for (String name : List.of("bare", "full")) {
      List<String> some = Files.readAllLines(trial.file(name + ".csv")).subList(0, 41);
      trial.write(name + "-some.csv", String.join("\n", some) + "\n");
    }
    String how = " --target t --kernels rbf --folds 2 --json --drift elevation";
    String fromRaster = trial.ok("compare @bare-some.csv" + how + "=@dem.tif");
    String fromTable = trial.ok("compare @full-some.csv" + how);
    assertEquals(number(fromTable, "bic"), number(fromRaster, "bic"), 1e-4);
    assertEquals(number(fromTable, "nlpd"), number(fromRaster, "nlpd"), 1e-5);
    assertTrue(fromRaster.contains("\"crs_assumed\": true"), fromRaster);
    String fitted =
        trial.ok(FIT.replace("bare", "bare-some") + " --kernel rbf --model @compared.lvl --json");
    assertEquals(
        number(fitted, "log_marginal_likelihood"),
        number(fromRaster, "log_marginal_likelihood"),
        1e-4);
    String degrees = trial.ok("compare @full-some.csv --crs none" + how);
    assertTrue(degrees.contains("\"crs_assumed\": false"), degrees);
  }

  /// The number with this name in JSON.
  private static double number(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\": ([-0-9.eE]+)").matcher(json);
    assertTrue(found.find(), json);
    return Double.parseDouble(found.group(1));
  }

  @Test
  void placesInMetresFindTheirPixels() throws IOException {
    StringBuilder rows = new StringBuilder("x,y,t\n");
    double[] lon = column(trial.file("bare.csv"), "lon");
    double[] lat = column(trial.file("bare.csv"), "lat");
    double[] t = column(trial.file("bare.csv"), "t");
    for (int i = 0; i < t.length; i++) {
      double[] xy = {lon[i], lat[i]};
      Crs.parse("EPSG:4326").to(Crs.parse("EPSG:32632")).apply(xy, 1);
      rows.append(xy[0] + "," + xy[1] + "," + t[i] + "\n");
    }
    trial.write("metres.csv", rows.toString());
    trial.ok(
        "fit @metres.csv --target t --crs EPSG:32632 --drift elevation=@dem.tif --model @metres.lvl");
    // the same covariate; the process is on another plane, which moves the coefficient a little
    assertEquals(
        Model.load(trial.file("column.lvl")).drift().get(1).value(),
        Model.load(trial.file("metres.lvl")).drift().get(1).value(),
        1e-4);
  }
}
