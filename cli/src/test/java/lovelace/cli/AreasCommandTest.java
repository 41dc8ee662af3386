package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Place;
import lovelace.maps.Crs;
import lovelace.maps.Frame;
import lovelace.maps.RasterWriter;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `lovelace areas`.
class AreasCommandTest {

  @TempDir private static Path folder;

  private static Model model;

  private static String feature(String name, double... box) {
    return String.format(
            Locale.ROOT,
            "{'type':'Feature','properties':{'name':'%s','code':%d},'geometry':{'type':'Polygon',"
                + "'coordinates':[[[%s,%s],[%s,%s],[%s,%s],[%s,%s],[%s,%s]]]}}",
            name,
            name.length(),
            box[0],
            box[1],
            box[2],
            box[1],
            box[2],
            box[3],
            box[0],
            box[3],
            box[0],
            box[1])
        .replace('\'', '"');
  }

  private static String collection(String... features) {
    return "{\"type\":\"FeatureCollection\",\"features\":[" + String.join(",", features) + "]}";
  }

  @BeforeAll
  static void models() throws IOException {
    var random = new SplittableRandom(3);
    double[] x = random.doubles(400, 0, 10).toArray();
    double[] y = new double[200];
    for (int i = 0; i < y.length; i++)
      y[i] = Math.sin(x[2 * i]) + Math.cos(x[2 * i + 1]) + 0.1 * random.nextGaussian();
    Fit fit =
        Fit.DEFAULT
            .withKernel("rbf")
            .withEngine(Engine.SPECTRAL)
            .withTraining(false)
            .set("lengthscale", 2)
            .set("outputscale", 1)
            .set("noise", 0.01)
            .set("mean", 0);
    model =
        fit.to(Dataset.of(x, List.of(Column.of("east"), Column.of("north")), y, Column.of("v")));
    model.save(folder.resolve("m.lvl"));
    double[] t = random.doubles(600, 0, 10).toArray();
    fit.withEngine(Engine.EXACT)
        .to(
            Dataset.of(
                t,
                List.of(Column.of("x"), Column.of("y"), Column.of("depth")),
                Arrays.copyOf(y, 200),
                Column.of("v")))
        .save(folder.resolve("deep.lvl"));
    Trial trial = new Trial(folder);
    trial.write("p.geojson", collection(feature("Lake", 1, 1, 4, 3), feature("Hill", 8, 8, 16, 9)));
    trial.write("far.geojson", collection(feature("Lake", 101, 1, 104, 3)));
  }

  private static double[] numbers(String line, int from) {
    return Arrays.stream(line.split(",")).skip(from).mapToDouble(Double::parseDouble).toArray();
  }

  /// The same by the library, over cells that the test makes itself.
  private static Prediction squares(double west, double south, double east, double north, int n) {
    double[] cells = new double[2 * n * n];
    for (int i = 0; i < n * n; i++) {
      cells[2 * i] = west + (east - west) * (i % n + 0.5) / n;
      cells[2 * i + 1] = south + (north - south) * (i / n + 0.5) / n;
    }
    return model.average(cells, new double[0], new int[] {0, n * n});
  }

  @Test
  void polygonsHaveMeansStandardErrorsAndTheirProperties() {
    Trial trial = new Trial(folder);
    List<String> lines = trial.ok("areas @m.lvl @p.geojson").lines().toList();
    assertEquals("name,code,mean,standard_error,lower,upper,cells,outside", lines.getFirst());
    assertEquals(3, lines.size());
    double[] lake = numbers(lines.get(1), 2);
    Prediction fine = squares(1, 1, 4, 3, 100);
    assertEquals(fine.mean(0), lake[0], 1e-3);
    assertEquals(1, lake[1] / fine.deviation(0), 1e-3);
    assertEquals(lake[0] - 1.959964 * lake[1], lake[2], 1e-6);
    assertTrue(lake[4] > 900 && lake[4] < 1200, () -> "cells " + lake[4]);
    assertEquals(0, lake[5]);
    double[] hill = numbers(lines.get(2), 2);
    assertTrue(hill[5] > 0.3 * hill[4] && hill[5] < 0.6 * hill[4], () -> "outside " + hill[5]);
    assertTrue(trial.err().contains("corners of polygons are read as 'east' and 'north'"));
    assertTrue(trial.err().contains("1 of 2 areas lie partly beyond the model's grid"));
  }

  @Test
  void cornersAreEastAndNorthInEveryModel() throws IOException {
    Trial trial = new Trial(folder);
    StringBuilder eastFirst = new StringBuilder("x,y,v\n");
    StringBuilder northFirst = new StringBuilder("y,x,v\n");
    var random = new SplittableRandom(12);
    for (int i = 0; i < 100; i++) {
      double x = 200 + 10 * random.nextDouble();
      double y = 1000 + 10 * random.nextDouble();
      eastFirst.append(x + "," + y + "," + Math.sin(x) + "\n");
      northFirst.append(y + "," + x + "," + Math.sin(x) + "\n");
    }
    trial.write("east.csv", eastFirst.toString());
    trial.write("north.csv", northFirst.toString());
    trial.write("square.geojson", collection(feature("Lake", 203, 1002, 206, 1003)));
    String fit = " --target v --kernel rbf --model @";
    trial.ok("fit @east.csv" + fit + "east.lvl");
    trial.ok("fit @north.csv" + fit + "north.lvl");
    trial.ok("fit @north.csv --crs local" + fit + "local.lvl");
    double mean = (Math.cos(203) - Math.cos(206)) / 3;
    for (String model : List.of("east", "north", "local")) {
      String said = trial.ok("areas @" + model + ".lvl @square.geojson");
      assertEquals(mean, numbers(said.lines().toList().get(1), 2)[0], 0.02, model);
    }
    trial.ok("map @local.lvl --mask @square.geojson --resolution 0.5 --out @local.tif");
    // corners in metres without a name of their system are in that of the model, as for areas
    trial.ok("fit @east.csv --crs EPSG:32632" + fit + "metres.lvl");
    trial.ok("map @metres.lvl --mask @square.geojson --resolution 0.5 --out @metres.tif");
    trial.ok("areas @metres.lvl @square.geojson");
  }

  @Test
  void rowsOfATableAreGroupedAndWeighted() throws IOException {
    Trial trial = new Trial(folder);
    trial.write(
        "cells.csv", "region,east,north,people\nb,1,2,3\na,4,5,1\nb,2,2,1\na,5,5,0\nb,3,1,4\n");
    trial.ok("areas @m.lvl @cells.csv --by region --weight people --out @areas.parquet");
    List<String> lines =
        trial.ok("areas @m.lvl @cells.csv --by region --weight people").lines().toList();
    assertEquals("region,mean,standard_error,lower,upper,cells,outside", lines.getFirst());
    Prediction expected =
        model.average(
            new double[] {1, 2, 2, 2, 3, 1, 4, 5}, new double[] {3, 1, 4, 1}, new int[] {0, 3, 4});
    assertTrue(lines.get(1).startsWith("b,") && lines.get(2).startsWith("a,"), lines::toString);
    for (int a = 0; a < 2; a++) {
      double[] line = numbers(lines.get(a + 1), 1);
      assertEquals(expected.mean(a), line[0], 1e-12);
      assertEquals(expected.deviation(a), line[1], 1e-12);
      assertEquals(a == 0 ? 3 : 2, line[4]);
    }
    try (Table written = Table.open(folder.resolve("areas.parquet").toString(), System.in)) {
      assertEquals(7, written.fields().size());
      assertEquals(Table.Kind.NUMBER, written.field("standard_error").kind());
    }
  }

  /// Longitudes and latitudes by a model of metres, and weights by a raster of degrees.
  @Test
  void polygonsAreTransformedToTheModelsSystem() throws IOException {
    Crs utm = Crs.parse("EPSG:32632");
    double[] xy = {9, 47, 9.5, 47, 9.5, 47.4, 9, 47.4};
    Crs.parse("EPSG:4326").to(utm).apply(xy, 4);
    var random = new SplittableRandom(4);
    double[] x = new double[200];
    double[] y = new double[100];
    for (int i = 0; i < 100; i++) {
      x[2 * i] = 490_000 + 60_000 * random.nextDouble();
      x[2 * i + 1] = 5_195_000 + 70_000 * random.nextDouble();
      y[i] = (x[2 * i] - 500_000) / 1000 + random.nextGaussian();
    }
    Model metres =
        Fit.DEFAULT
            .withPlace(Place.projected("e", "n", "EPSG:32632", 1))
            .withKernel("rbf")
            .withTraining(false)
            .set("lengthscale", 50_000, 50_000)
            .set("outputscale", 400)
            .set("noise", 1)
            .set("mean", 20)
            .to(Dataset.of(x, List.of(Column.of("e"), Column.of("n")), y, Column.of("v")));
    metres.save(folder.resolve("utm.lvl"));
    Trial trial = new Trial(folder);
    trial.write("degrees.geojson", collection(feature("Box", 9, 47, 9.5, 47.4)));
    double[] plain =
        numbers(trial.ok("areas @utm.lvl @degrees.geojson").lines().toList().get(1), 2);
    // v is kilometres east of 9°: the middle of the box in metres, less at higher latitudes
    double middle = 0.25 * (xy[0] + xy[2] + xy[4] + xy[6]);
    assertEquals((middle - 500_000) / 1000, plain[0], 0.5);
    assertEquals(0, plain[5]);
    try (RasterWriter writer =
        RasterWriter.create(
            folder.resolve("people.tif"),
            new Frame(9, 47.4, 0.05, 0.05, 10, 8, Optional.of(Crs.parse("EPSG:4326"))),
            List.of("people"))) {
      float[] values = new float[RasterWriter.TILE * RasterWriter.TILE];
      Arrays.fill(values, Float.NaN);
      for (int row = 0; row < 8; row++)
        for (int column = 0; column < 10; column++)
          values[row * RasterWriter.TILE + column] = column < 5 ? 1 : 0;
      writer.write(0, 0, new float[][] {values});
    }
    double[] west =
        numbers(
            trial
                .ok("areas @utm.lvl @degrees.geojson --weights @people.tif")
                .lines()
                .toList()
                .get(1),
            2);
    assertEquals(0.5, west[0] / plain[0], 0.03); // all people live in the western half
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "@m.lvl @far.geojson | no cell of any area lies on the model's grid, which has 'east' from",
        "@m.lvl @absent.geojson | there is no file '@absent.geojson'",
        "@m.lvl | name a GeoJSON file of polygons, or a TABLE with --by COLUMN",
        "@m.lvl @p.geojson --at depth=3 | --at depth: the model has no column 'depth'; it has east, north",
        "@deep.lvl @p.geojson | the model also reads 'depth', besides the coordinates 'x' and 'y'; give its value with --at 'depth=VALUE'",
        "@deep.lvl @p.geojson --at depth=low | --at depth=low: 'low' is not a finite number",
        "@m.lvl @p.geojson --of rate | --of rate: a model with likelihood gaussian has no rate",
        "@m.lvl @p.geojson --of observation | --of observation: areas average the function",
        "@m.lvl @p.geojson --weight people | --weight needs a table with --by",
        "@m.lvl @p.geojson --cells 5 | --cells must lie between 100",
        "@deep.lvl @far.geojson --at depth=3 | no cell of any area lies in the range of the model's rows, which has 'x' from",
        "@m.lvl @p.geojson --resolution 0 | --resolution must be > 0, got 0.0",
        "@m.lvl @p.geojson --draws 5 | --draws must lie between 100",
        "@m.lvl @p.geojson --weights @m.lvl | --weights: the raster '@m.lvl' cannot be used"
      })
  void wrongInputIsRefusedInWords(String line, String message) {
    String said = new Trial(folder).refused("areas " + line);
    assertTrue(said.contains(message), said);
  }

  @Test
  void aColumnThatIsNoCoordinateIsGiven() {
    Trial trial = new Trial(folder);
    String low = trial.ok("areas @deep.lvl @p.geojson --at depth=2 --cells 200");
    String high = trial.ok("areas @deep.lvl @p.geojson --at depth=8 --cells 200");
    assertTrue(!low.equals(high));
  }
}
