package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import lovelace.Model;
import lovelace.maps.Crs;
import lovelace.maps.Frame;
import lovelace.maps.Raster;
import lovelace.maps.RasterWriter;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Maps of small models in this process.
class MapCommandTest {

  /// A fit that learns nothing, on a grid.
  private static final String GIVEN =
      " --no-train --kernel rbf --grid 24x20 --set lengthscale=30 --set outputscale=4"
          + " --set noise=0.04 --set mean=5";

  @TempDir private Path folder;
  private Trial trial;

  @BeforeEach
  void tables() throws IOException {
    trial = new Trial(folder);
    var random = new SplittableRandom(5);
    StringBuilder plane = new StringBuilder("east,north,rain\n");
    StringBuilder dated = new StringBuilder("east,north,day,rain\n");
    for (int i = 0; i < 150; i++) {
      double x = 500 + 100 * random.nextDouble();
      double y = 200 + 80 * random.nextDouble();
      double z = 5 + Math.sin(x / 20) + Math.cos(y / 15) + 0.2 * random.nextGaussian();
      plane.append("%s,%s,%s%n".formatted(x, y, z));
      LocalDate day = LocalDate.of(2024, 1, 1).plusDays(random.nextInt(120));
      if (i < 80) dated.append("%s,%s,%s,%s%n".formatted(x, y, day, z));
    }
    trial.write("t.csv", plane.toString());
    trial.write("d.csv", dated.toString());
  }

  private void fit() {
    trial.ok("fit @t.csv --target rain --model @m.lvl" + GIVEN);
  }

  private double[] band(String file, int band) throws IOException {
    try (Raster raster = Raster.open(trial.file(file))) {
      Frame frame = raster.frame();
      double[] values = new double[frame.width() * frame.height()];
      raster.read(band, 0, 0, frame.width(), frame.height(), values);
      return values;
    }
  }

  private Frame frame(String file) throws IOException {
    try (Raster raster = Raster.open(trial.file(file))) {
      return raster.frame();
    }
  }

  private List<String> descriptions(String file) throws IOException {
    try (Raster raster = Raster.open(trial.file(file))) {
      List<String> all = new ArrayList<>();
      for (int b = 0; b < raster.bands(); b++) all.add(raster.description(b));
      return all;
    }
  }

  private void write(String name, Frame frame, double[] values) throws IOException {
    int tile = RasterWriter.TILE;
    float[] padded = new float[tile * tile];
    for (int i = 0; i < values.length; i++)
      padded[i / frame.width() * tile + i % frame.width()] = (float) values[i];
    try (var writer = RasterWriter.create(trial.file(name), frame, List.of(name))) {
      writer.write(0, 0, new float[][] {padded});
    }
  }

  @Test
  void aMapOfATableIsThatOfItsModelAndHoldsPredictions() throws IOException {
    fit();
    String asked = " --resolution 0.35 --quantiles 0.1 --exceeds 5.5 --draws 2 --seed 3";
    String said =
        trial.ok(
            "map @m.lvl --out @a.tif --out @a.png --out @a.html --out @a.geojson --contours 6"
                + asked);
    assertTrue(
        said.contains("bands       mean of rain; standard deviation of rain; quantile 0.1"), said);
    trial.ok("map @t.csv --target rain --out @b.tif" + asked + GIVEN);
    assertArrayEquals(
        Files.readAllBytes(trial.file("a.tif")), Files.readAllBytes(trial.file("b.tif")));
    assertEquals(
        List.of(
            "mean of rain",
            "standard deviation of rain",
            "quantile 0.1 of rain",
            "P(rain > 5.5)",
            "draw 1 of rain",
            "draw 2 of rain"),
        descriptions("a.tif"));
    Frame frame = frame("a.tif");
    assertTrue(frame.width() > RasterWriter.TILE, "more than one tile: " + frame.width());
    Model model = Model.load(trial.file("m.lvl"));
    double[] mean = band("a.tif", 0);
    double[] above = band("a.tif", 3);
    for (int column : new int[] {0, 254, 255, 256, 257, frame.width() - 1}) {
      Prediction p = model.predict(frame.x(column), frame.y(100));
      assertEquals((float) p.mean(0), (float) mean[100 * frame.width() + column], "at " + column);
      assertEquals((float) (1 - p.cumulative(0, 5.5)), (float) above[100 * frame.width() + column]);
    }
    JsonNode lines = new ObjectMapper().readTree(trial.file("a.geojson").toFile());
    assertTrue(lines.get("features").size() >= 6);
    for (JsonNode line : lines.get("features")) {
      JsonNode first = line.at("/geometry/coordinates/0");
      Prediction p = model.predict(first.get(0).asDouble(), first.get(1).asDouble());
      // linear between the middles of two pixels, of a smooth function
      assertEquals(line.at("/properties/value").asDouble(), p.mean(0), 1e-3);
    }
    assertTrue(
        trial.err().isEmpty() || !trial.err().contains("a.geojson"), "of the second command");
    assertTrue(Files.size(trial.file("a.png")) > 10_000);
    String page = Files.readString(trial.file("a.html"));
    assertFalse(page.contains("http://") || page.contains("https://"), "no network");
  }

  @Test
  void bandsOfObservationsSaySo() throws IOException {
    fit();
    String asked =
        "map @m.lvl --of observation --resolution 5 --quantiles 0.1 --exceeds 5.5 --draws 1";
    List<String> names =
        List.of(
            "mean of an observation of rain",
            "standard deviation of an observation of rain",
            "quantile 0.1 of an observation of rain",
            "P(an observation of rain > 5.5)",
            "draw 1 of an observation of rain");
    String said = trial.ok(asked + " --out @o.tif --out @o.html --out @o.png");
    assertTrue(said.contains("bands       " + String.join("; ", names)), said);
    assertEquals(names, descriptions("o.tif"));
    String page = Files.readString(trial.file("o.html"));
    for (String name : names) assertTrue(page.contains(name), name);
    JsonNode found = new ObjectMapper().readTree(trial.ok(asked + " --json --out @o.tif"));
    List<String> listed = new ArrayList<>();
    for (JsonNode band : found.get("bands")) listed.add(band.asText());
    assertEquals(names, listed);
  }

  @Test
  void drawsAreTheSameForASeedAndDifferForAnother() throws IOException {
    fit();
    trial.ok("map @m.lvl --bands none --draws 2 --seed 3 --resolution 5 --out @a.tif");
    trial.ok("--threads 1 map @m.lvl --bands none --draws 2 --seed 3 --resolution 5 --out @b.tif");
    trial.ok("map @m.lvl --bands none --draws 2 --seed 4 --resolution 5 --out @c.tif");
    assertArrayEquals(band("a.tif", 1), band("b.tif", 1));
    assertFalse(Arrays.equals(band("a.tif", 1), band("c.tif", 1)));
    assertFalse(Arrays.equals(band("a.tif", 0), band("a.tif", 1)));
  }

  @Test
  void pixelsAreThoseAskedFor() throws IOException {
    fit();
    trial.ok("map @m.lvl --extent 510,210,590,270 --resolution 4,3 --out @a.tif");
    assertEquals(new Frame(510, 270, 4, 3, 20, 20, Optional.empty()), frame("a.tif"));
    trial.ok("map @m.lvl --like @a.tif --out @b.tif");
    assertArrayEquals(band("a.tif", 0), band("b.tif", 0));
    trial.ok("map @m.lvl --out @c.tif");
    Frame usual = frame("c.tif");
    assertEquals(500, usual.width());
    assertEquals(usual.dx(), usual.dy());
    assertTrue(usual.west() >= 495 && usual.east() <= 605, usual.toString());
    String said = trial.ok("map @m.lvl --extent 0,200,600,280 --resolution 10 --out @d.tif");
    assertTrue(
        said.matches("(?s).*outside +\\d+ pixels lie beyond the model's grid; --inside.*"), said);
    trial.ok("map @m.lvl --extent 0,200,600,280 --resolution 10 --inside --out @e.tif");
    assertTrue(Double.isFinite(band("d.tif", 0)[0]) && Double.isNaN(band("e.tif", 0)[0]));
  }

  @Test
  void rastersAndPolygonsCutPixelsOut() throws IOException {
    fit();
    Frame frame = new Frame(510, 270, 4, 3, 20, 20, Optional.empty());
    double[] half = new double[400];
    Arrays.setAll(half, i -> i % 20 < 5 ? Double.NaN : i % 20 < 10 ? 0 : 2);
    write("mask.tif", frame, half);
    trial.ok("map @m.lvl --like @mask.tif --mask @mask.tif --out @a.tif");
    double[] mean = band("a.tif", 0);
    for (int i = 0; i < 400; i++) assertEquals(i % 20 < 10, Double.isNaN(mean[i]), "pixel " + i);
    trial.write(
        "area.geojson",
        """
        {"type": "Polygon", "coordinates": [[[510, 240], [590, 240], [590, 270], [510, 270], [510, 240]],
          [[530, 250], [550, 250], [550, 260], [530, 260], [530, 250]]]}
        """);
    trial.ok("map @m.lvl --like @mask.tif --mask @area.geojson --out @b.tif");
    mean = band("b.tif", 0);
    for (int i = 0; i < 400; i++) {
      double x = frame.x(i % 20);
      double y = frame.y(i / 20);
      boolean hole = x > 530 && x < 550 && y > 250 && y < 260;
      assertEquals(y < 240 || hole, Double.isNaN(mean[i]), x + ", " + y);
    }
    trial.write(
        "far.geojson",
        "{\"type\": \"Polygon\", \"coordinates\": [[[1, 2], [3, 2], [3, 4], [1, 2]]]}");
    String message = trial.refused("map @m.lvl --mask @far.geojson --out @c.tif");
    assertTrue(message.contains("--mask: the polygons cover 1 to 3, 2 to 4"), message);
    write("away.tif", new Frame(0, 9, 1, 1, 9, 9, Optional.empty()), new double[81]);
    message = trial.refused("map @m.lvl --mask @away.tif --out @c.tif");
    assertTrue(
        message.contains(
            "the raster '@away.tif' has no value anywhere on the map; it covers 0 to 9, 0 to 9"),
        message);
    message = trial.refused("map @m.lvl --like @away.tif --out @c.tif");
    assertTrue(message.contains("--like: the raster '@away.tif' covers 0,0,9,9"), message);
    assertTrue(message.contains("the model's data lie outside it, at "), message);
    assertTrue(
        message.contains(
            " in an unknown coordinate system; give a raster that covers the data, or name the model's coordinate system with --crs"),
        message);
    assertFalse(Files.exists(trial.file("c.tif")));
  }

  @Test
  void timesMakeBandsOrFiles() throws IOException {
    trial.ok(
        "fit @d.csv --target rain --model @d.lvl --engine exact --no-train --kernel rbf"
            + " --set lengthscale=30 --set outputscale=4 --set noise=0.04 --set mean=5");
    trial.ok(
        "map @d.lvl --resolution 10 --times 2024-01-31/2024-03-31/P1M --out @a.tif"
            + " --out @a-{time}.tif --out @a.html --out @a.png");
    assertEquals(
        List.of(
            "2024-01-31: mean of rain",
            "2024-01-31: standard deviation of rain",
            "2024-02-29: mean of rain",
            "2024-02-29: standard deviation of rain",
            "2024-03-31: mean of rain",
            "2024-03-31: standard deviation of rain"),
        descriptions("a.tif"));
    assertEquals(
        List.of("2024-02-29: mean of rain", "2024-02-29: standard deviation of rain"),
        descriptions("a-2024-02-29.tif"));
    assertArrayEquals(band("a.tif", 2), band("a-2024-02-29.tif", 0));
    Model model = Model.load(trial.file("d.lvl"));
    Frame frame = frame("a.tif");
    double day = model.columns().get(2).time().orElseThrow().parse("2024-02-29");
    assertEquals(
        (float) model.predict(frame.x(3), frame.y(2), day).mean(0),
        (float) band("a.tif", 2)[2 * frame.width() + 3]);
    String message = trial.refused("map @d.lvl --out @b.tif");
    assertTrue(message.contains("the model also has the input 'day'"), message);
    message = trial.refused("map @d.lvl --times 2023-02-29 --out @b.tif");
    assertTrue(message.contains("--times: '2023-02-29' is not a date"), message);
    fit();
    message = trial.refused("map @m.lvl --times 2024-02-29 --out @b.tif");
    assertTrue(message.contains("--times 2024-02-29: the model's inputs are east, north"), message);
    message = trial.refused("map @m.lvl --out @b-{time}.tif");
    assertTrue(message.contains("has {time} in its name, and the model has no time"), message);
  }

  @Test
  void covariatesComeFromRastersInTheirOwnSystem() throws IOException {
    StringBuilder rows = new StringBuilder("lon,lat,elevation,rain\n");
    var random = new SplittableRandom(9);
    for (int i = 0; i < 120; i++) {
      double x = 9 + random.nextDouble();
      double y = 48 + random.nextDouble();
      double e = 100 * (x - 9) + 50 * (y - 48);
      rows.append("%s,%s,%s,%s%n".formatted(x, y, e, 3 + 0.1 * e + 0.1 * random.nextGaussian()));
    }
    trial.write("e.csv", rows.toString());
    Frame dem = new Frame(9, 49, 0.05, 0.05, 20, 10, Optional.of(Crs.parse("EPSG:4326")));
    double[] heights = new double[200];
    Arrays.setAll(
        heights, i -> i == 47 ? Double.NaN : 100 * (dem.x(i % 20) - 9) + 50 * (dem.y(i / 20) - 48));
    write("dem.tif", dem, heights);
    String said =
        trial.ok(
            "map @e.csv --target rain --drift elevation=@dem.tif --engine exact --model @e.lvl"
                + " --resolution 0.05 --extent 9,48,10,49 --out @a.tif");
    assertTrue(said.matches("(?s).*covariates +2\\d\\d pixels have no value.*"), said);
    double[] mean = band("a.tif", 0);
    assertTrue(Double.isNaN(mean[47]) && Double.isNaN(mean[399]), "no elevation, no value");
    for (int i : new int[] {0, 19, 90, 130})
      assertEquals(3 + 0.1 * heights[i], mean[i], 0.3, "pixel " + i);
    assertEquals("EPSG:4326", frame("a.tif").crs().orElseThrow().toString());
    // the same places in metres: the raster is in another system
    trial.ok(
        "map @e.lvl --drift elevation=@dem.tif --out-crs EPSG:32632 --resolution 4000 --out @b.tif");
    assertTrue(Arrays.stream(band("b.tif", 0)).filter(Double::isFinite).count() > 50);
    assertTrue(frame("b.tif").west() > 400_000, frame("b.tif").toString());
    String message = trial.refused("map @e.lvl --out @c.tif");
    assertTrue(message.contains("--drift elevation=FILE.tif"), message);
    message = trial.refused("map @e.lvl --drift elevation --out @c.tif");
    assertTrue(
        message.contains("--drift needs COLUMN=FILE, got 'elevation', and a map needs"), message);
    message =
        trial.refused("map @e.lvl --drift elevation=@dem.tif --extent 20,20,21,21 --out @c.tif");
    assertTrue(message.contains("has no value anywhere on the map; it covers 9 to 10"), message);
  }

  @Test
  void dataOnBothSidesOf180DegreesMakeOneMap() throws IOException {
    StringBuilder rows = new StringBuilder("lon,lat,rain\n");
    var random = new SplittableRandom(9);
    for (int i = 0; i < 60; i++) {
      double x = 170 + 20 * (i == 0 ? 0 : i == 1 ? 1 : random.nextDouble());
      double y = -5 + 10 * random.nextDouble();
      rows.append("%s,%s,%s%n".formatted(x > 180 ? x - 360 : x, y, Math.sin(x / 4) + y / 10));
    }
    trial.write("f.csv", rows.toString());
    trial.ok(
        "fit @f.csv --target rain --model @f.lvl --engine exact --no-train --kernel rbf"
            + " --set lengthscale=800 --set outputscale=1 --set noise=0.01 --set mean=0");
    trial.ok("map @f.lvl --resolution 0.5 --out @a.tif --out @a.geojson");
    Frame frame = frame("a.tif");
    assertEquals(170, frame.west(), 1e-9);
    assertEquals(190, frame.east(), 1e-9);
    double[] mean = band("a.tif", 0);
    assertEquals(
        (float) Model.load(trial.file("f.lvl")).predict(frame.x(30) - 360, frame.y(4)).mean(0),
        (float) mean[4 * frame.width() + 30]);
    // rasters and polygons that say longitudes as most do
    Crs wgs = Crs.parse("EPSG:4326");
    double[] ones = new double[180 * 90];
    Arrays.fill(ones, 1);
    write("world.tif", new Frame(-180, 90, 2, 2, 180, 90, Optional.of(wgs)), ones);
    trial.ok("map @f.lvl --resolution 0.5 --mask @world.tif --out @b.tif");
    assertArrayEquals(mean, band("b.tif", 0));
    String west = "{\"type\": \"Polygon\", \"coordinates\": [[[-179, -9], [-160, -9], [-160, 9],";
    trial.write("west.geojson", west + " [-179, 9], [-179, -9]]]}");
    trial.ok("map @f.lvl --resolution 0.5 --mask @west.geojson --out @c.tif");
    double[] cut = band("c.tif", 0);
    for (int i = 0; i < cut.length; i++)
      assertEquals(frame.x(i % frame.width()) < 181, Double.isNaN(cut[i]), "pixel " + i);
    write("like.tif", new Frame(-180, 5, 1, 1, 10, 10, Optional.of(wgs)), new double[100]);
    trial.ok("map @f.lvl --like @like.tif --out @d.tif");
    assertTrue(Arrays.stream(band("d.tif", 0)).allMatch(Double::isFinite));
    // half a world away is no place near the data
    trial.ok("map @f.lvl --extent -200,-10,170,10 --resolution 5 --out @e.tif");
    double[] around = band("e.tif", 0);
    for (int i = 0; i < around.length; i++) {
      double x = frame("e.tif").x(i % 74);
      assertEquals(x > -90 && x < 90, Double.isNaN(around[i]), "at " + x);
    }
    String said = trial.refused("map @f.lvl --extent -10,-5,10,5 --out @g.tif");
    assertTrue(said.contains("all lie more than 90° from the model's data"), said);
    trial.write("p.csv", "lon,lat\n175,0\n-5,1\n");
    said = trial.refused("predict @f.lvl @p.csv --out @p.out.csv");
    assertTrue(said.contains("row 2") && said.contains("'lon' is -5.0 and 'lat' is 1.0"), said);
    String two =
        "{\"type\": \"MultiPolygon\", \"coordinates\": [[[[175, 0], [176, 0], [176, 1], [175, 0]]],";
    trial.write("two.geojson", two + " [[[1, 0], [2, 0], [2, 1], [1, 0]]]]}");
    said = trial.refused("areas @f.lvl @two.geojson");
    assertTrue(said.contains("two.geojson") && said.contains("which reaches 90°"), said);
  }

  /// Faults of the options and of the names of columns are reported before a fit, whose output
  /// would be lost.
  @Test
  void mistakesAreFoundBeforeTheFit() throws IOException {
    trial.write(
        "st.csv",
        """
        id,lon,lat,elevation,year,rain
        1,9,48,300,2020,1
        2,9.5,48.5,400,2020,2
        3,10,48.2,500,2020,1.5
        4,9.2,48.9,200,2020,3
        """);
    trial.write(
        "empty.geojson",
        "{\"type\": \"Polygon\", \"coordinates\": [[[9, 48], [9, 48], [9, 48], [9, 48]]]}");
    trial.write("a.png", "no picture");
    String[][] cases = {
      {
        "",
        "--inputs lon,lat, or give the values at every pixel as a raster with --drift id=FILE.tif"
      },
      {"", "the model has 'id', 'elevation' besides"},
      {
        "--inputs lon,lat --like @nope.tif",
        "--like: there is no raster '@nope.tif'; name a GeoTIFF"
      },
      {
        "--inputs lon,lat --like @st.csv",
        "--like: the raster '@st.csv' cannot be used: it is not a TIFF; give a GeoTIFF"
      },
      {"--inputs lon,lat --mask @nope.geojson", "--mask: there is no file '@nope.geojson'"},
      {"--inputs lon,lat --mask @empty.geojson", "--mask: "},
      {"--inputs lon,lat --mask @a.png", "--mask: the raster '@a.png' cannot be used"},
      {"--inputs lon,lat --drift elevation=@st.csv", "--drift elevation: the raster '@st.csv'"},
      {"--inputs lon,lat --drift elevation", "a map needs the values at every pixel"},
      {"--inputs lon,lat --out-crs EPSG:999", "--out-crs: "},
      {
        "--inputs lon,lat --times 2024-01-01", "--times 2024-01-01: the model's inputs are lon, lat"
      },
      {"--inputs lon,lat --of rate", "--of rate"},
      {"--inputs lon,lat --out @a-{time}.tif", "has {time} in its name"},
      {
        "--inputs lon,lat --extent 8,46,14,95",
        "--extent 8,46,14,95: the map is in EPSG:4326, where latitudes lie from -90 to 90 degrees"
      },
      {
        "--inputs lon,lat --extent 500000,46,600000,50",
        "say the system of these numbers with --out-crs"
      },
    };
    String fitting =
        " --no-train --engine exact --kernel rbf --set lengthscale=30"
            + " --set outputscale=4 --set noise=0.04 --set mean=5";
    List<String> before = files();
    for (String[] one : cases) {
      String message = trial.refused("map @st.csv --target rain --out @z.tif " + one[0] + fitting);
      assertTrue(message.contains(one[1]), one[0] + ": " + message);
      assertFalse(trial.out().contains("fitted"), one[0] + ": " + trial.out());
    }
    assertEquals(before, files());
    // a column of one value is left out by the fit
    trial.ok(
        "map @st.csv --target rain --inputs lon,lat,year --resolution 0.1 --out @z.tif" + fitting);
    assertFalse(trial.err().contains("look like degrees"), trial.err());
    trial.ok(
        "map @st.csv --target rain --inputs lon,lat --crs EPSG:32632 --resolution 0.1 --out @z.tif"
            + fitting);
    assertTrue(
        trial
            .err()
            .contains("the columns 'lon' and 'lat' look like degrees (they reach 10.0 and 48.9)"),
        trial.err());
    trial.ok("fit @t.csv --target rain --crs EPSG:32632 --model @q.lvl" + fitting);
    assertFalse(trial.err().contains("look like degrees"), trial.err());
    // what only the model tells
    write(
        "away.tif",
        new Frame(0, 9, 1, 1, 9, 9, Optional.of(Crs.parse("EPSG:4326"))),
        new double[81]);
    String late =
        trial.refused(
            "map @st.csv --target rain --inputs lon,lat --like @away.tif --out @y.tif" + fitting);
    assertTrue(
        late.matches(
            "(?s).*lie outside it, at .*; give a raster that covers the data, or check --crs.*The fit took [0-9.]+ s; pass --model FILE to keep it.*"),
        late);
  }

  @Test
  void pixelsAndAreasFarFromAllRowsAreCounted() throws IOException {
    String given =
        " --no-train --engine exact --kernel rbf --set lengthscale=5 --set outputscale=4"
            + " --set noise=0.04 --set mean=5";
    trial.ok("fit @t.csv --target rain --model @h.lvl" + given);
    String said = trial.ok("map @h.lvl --extent 400,200,600,280 --resolution 10 --out @a.tif");
    double[] sd = band("a.tif", 1);
    long far = Arrays.stream(sd).filter(v -> v >= 0.99 * 2).count();
    assertTrue(far > 50 && far < sd.length, far + " of " + sd.length);
    assertTrue(
        said.contains("%s of %s pixels are so far from the data".formatted(far, sd.length)), said);
    said =
        trial.ok(
            "map @h.lvl --of observation --json --extent 400,200,600,280 --resolution 10 --out @a.tif");
    assertEquals(far, new ObjectMapper().readTree(said).get("pixels_far_from_data").asLong());
    said = trial.ok("map @h.lvl --extent 540,230,560,250 --resolution 10 --out @b.tif");
    assertFalse(said.contains("so far from the data"), said);
    String square =
        "{\"type\": \"Feature\", \"properties\": {}, \"geometry\": {\"type\": \"Polygon\", \"coordinates\":"
            + " [[[%s, 230], [%s, 230], [%s, 240], [%s, 230]]]}}";
    trial.write(
        "two.geojson",
        "{\"type\": \"FeatureCollection\", \"features\": [%s, %s]}"
            .formatted(square.formatted(540, 550, 550, 540), square.formatted(440, 450, 450, 440)));
    trial.ok("areas @h.lvl @two.geojson --out @areas.csv");
    assertTrue(trial.err().contains("1 of 2 areas are so far from the data"), trial.err());
    trial.ok("fit @d.csv --target rain --model @s.lvl" + given);
    said = trial.ok("map @s.lvl --times 2024-02-01,2030-01-01 --resolution 20 --out @c.tif");
    assertTrue(said.contains("so far from the data, at some of the times, that"), said);
  }

  @Test
  void messagesNameWhatWasGiven() throws IOException {
    fit();
    String said = trial.refused("map @m.lvl --resolution 0.0005 --draws 900 --out @z.tif");
    assertTrue(said.contains("give a coarser --resolution, a smaller --extent or fewer"), said);
    said = trial.refused("fit @t.csv --target rain --kernel matern33 --model @z.lvl");
    assertTrue(
        said.contains("no kernel is called 'matern33', did you mean 'matern32'? There are "), said);
    trial.write("bad.geojson", "{\"type\": \"Polygon\", \"coordinates\": [[[1, 2]");
    said = trial.refused("areas @m.lvl @bad.geojson");
    assertTrue(said.contains("is not GeoJSON") && !said.contains("Source"), said);
    trial.write("by.csv", "east,north,region,w\n550,240,a,1\n560,250,b,0\n");
    said = trial.refused("areas @m.lvl @by.csv --by region --weight w");
    assertTrue(said.contains("--weight w: the weights of region 'b' sum to 0.0"), said);
    StringBuilder wet = new StringBuilder("x,y,wet\n");
    var random = new SplittableRandom(2);
    for (int i = 0; i < 40; i++)
      wet.append("%s,%s,%s%n".formatted(random.nextDouble(), random.nextDouble(), i % 2));
    trial.write("wet.csv", wet.toString());
    trial.ok(
        "map @wet.csv --target wet --likelihood bernoulli --exceeds 0.5 --resolution 0.2 --out @w.tif"
            + " --no-train --kernel rbf --set lengthscale=1 --set outputscale=1 --set mean=0");
    assertEquals("P(probability of wet > 0.5)", descriptions("w.tif").get(2));
  }

  @Test
  void jsonTellsTheMapAndTheFit() throws IOException {
    String said =
        trial.ok(
            "map @t.csv --target rain --resolution 10 --json --model @k.lvl --out @a.tif" + GIVEN);
    JsonNode all = new ObjectMapper().readTree(said);
    assertEquals(2, all.get("bands").size());
    assertEquals(150, all.at("/fit/rows").asInt());
    assertTrue(all.at("/fit/model").asText().endsWith("k.lvl"));
    assertEquals(
        List.of(10.0, 10.0),
        List.of(all.at("/resolution/0").asDouble(), all.at("/resolution/1").asDouble()));
    assertTrue(Files.exists(trial.file("k.lvl")));
  }

  @Test
  void wrongUseIsNamedAndLeavesNothing() throws IOException {
    fit();
    trial.write("one.csv", "x,y\n1,2\n2,3\n3,5\n4,4\n");
    trial.ok(
        "fit @one.csv --target y --model @one.lvl --engine exact --no-train --set lengthscale=1"
            + " --set outputscale=1 --set noise=0.1 --set mean=0");
    String[][] cases = {
      {"@m.lvl --out @a.jpg", "--out '@a.jpg' must end in .tif, .png, .html or .geojson"},
      {"@m.lvl --out @no/a.tif", "there is no folder"},
      {"@m.lvl --out @a.tif --out @a.tif", "twice"},
      {
        "@m.lvl --kernel rbf --out @a.tif",
        "--kernel is for fitting a table, and '@m.lvl' is a model already"
      },
      {"@m.lvl --model @n.lvl --out @a.tif", "--model is for fitting a table"},
      {"@one.lvl --out @a.tif", "a map needs two coordinates, but the model's inputs are x"},
      {"@m.lvl --bands median --out @a.tif", "--bands must be mean, sd or none, got 'median'"},
      {"@m.lvl --bands none --out @a.tif", "--bands none leaves nothing"},
      {"@m.lvl --quantiles 1.5 --out @a.tif", "--quantiles must lie between 0 and 1"},
      {"@m.lvl --exceeds NaN --out @a.tif", "--exceeds: a threshold must be a finite number"},
      {"@m.lvl --draws -1 --out @a.tif", "--draws must lie between 0 and 1,000"},
      {"@m.lvl --extent 1,2,3 --out @a.tif", "--extent needs four numbers"},
      {"@m.lvl --extent 9,2,3,4 --out @a.tif", "west < east"},
      {"@m.lvl --resolution 0 --out @a.tif", "--resolution must be one or two numbers > 0"},
      {"@m.lvl --resolution 1e-9 --out @a.tif", "at most 1,000,000 a side"},
      {"@m.lvl --like @none.tif --out @a.tif", "none.tif"},
      {"@m.lvl --like @t.csv --out @a.tif", "t.csv"},
      {"@m.lvl --like @none.tif --extent 1,2,3,4 --out @a.tif", "--like takes the pixels"},
      {"@m.lvl --out-crs EPSG:25832 --out @a.tif", "coordinate system of the model is not known"},
      {"@m.lvl --contours 5 --out @a.tif", "--contours makes lines for .geojson and .html"},
      {"@m.lvl --contours 0 --out @a.geojson", "--contours must be 1 to 1,000 lines"},
      {"@m.lvl --contours a,b --out @a.geojson", "--contours: 'a' is not a number"},
      {
        "@m.lvl --extent 9000,9000,9100,9100 --inside --out @a.tif",
        "no pixel of the map has a value"
      },
      {"@m.lvl --of rate --out @a.tif", "--of rate"},
      {"@m.lvl", "--out FILE is missing; add it"},
      {"@gone.lvl --out @a.tif", "there is no model '@gone.lvl'"},
      {"@t.csv --out @a.tif", "--target"},
    };
    List<String> before = files();
    for (String[] one : cases) {
      String message = trial.refused("map " + one[0]);
      assertTrue(message.contains(one[1]), one[0] + ": " + message);
    }
    assertEquals(before, files());
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(Path::toString).sorted().toList();
    }
  }
}
