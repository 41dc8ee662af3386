package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Place;
import lovelace.data.TargetTransform;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.linear.Cholesky;
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

/// `lovelace areas` beside dense algebra over cells that the tests make themselves.
class AreasReferenceTest {

  private static final int ROWS = 60;
  private static final double LENGTH = 3;
  private static final double SCALE = 1.5;
  private static final double NOISE = 0.05;

  @TempDir private static Path folder;

  private static Trial trial;
  private static double[] x; // x, y, elevation
  private static double[] target;
  private static Model plain;

  private static Fit fit(Engine engine) {
    return Fit.DEFAULT
        .withKernel("matern32")
        .withEngine(engine)
        .withTraining(false)
        .set("lengthscale", LENGTH, LENGTH)
        .set("outputscale", SCALE)
        .set("noise", NOISE);
  }

  @BeforeAll
  static void models() throws IOException {
    trial = new Trial(folder);
    var random = new SplittableRandom(8);
    x = random.doubles(3 * ROWS, 0, 10).toArray();
    target = new double[ROWS];
    double[] places = new double[2 * ROWS];
    for (int i = 0; i < ROWS; i++) {
      target[i] = 2 + Math.sin(x[3 * i]) - 0.4 * x[3 * i + 2] + 0.2 * random.nextGaussian();
      System.arraycopy(x, 3 * i, places, 2 * i, 2);
    }
    List<Column> columns = List.of(Column.of("x"), Column.of("y"), Column.of("elevation"));
    Dataset rows = Dataset.of(x, columns, target, Column.of("v"));
    fit(Engine.EXACT).withDrift(List.of("elevation")).to(rows).save(folder.resolve("drift.lvl"));
    plain =
        fit(Engine.EXACT)
            .set("mean", 1)
            .to(Dataset.of(places, columns.subList(0, 2), target, Column.of("v")));
    plain.save(folder.resolve("plain.lvl"));
  }

  private static void raster(String name, Frame frame, DoubleBinaryOperator value)
      throws IOException {
    try (RasterWriter writer =
        RasterWriter.create(folder.resolve(name), frame, List.of("elevation"))) {
      float[] values = new float[RasterWriter.TILE * RasterWriter.TILE];
      Arrays.fill(values, Float.NaN);
      for (int row = 0; row < frame.height(); row++)
        for (int column = 0; column < frame.width(); column++)
          values[row * RasterWriter.TILE + column] =
              (float) value.applyAsDouble(frame.x(column), frame.y(row));
      writer.write(0, 0, new float[][] {values});
    }
  }

  private static String feature(String name, String type, String coordinates) {
    return "{'type':'Feature','properties':{'name':'%s'},'geometry':{'type':'%s','coordinates':%s}}"
        .formatted(name, type, coordinates)
        .replace('\'', '"');
  }

  private static String square(double west, double south, double side) {
    return String.format(
        Locale.ROOT,
        "[[%1$s,%2$s],[%3$s,%2$s],[%3$s,%4$s],[%1$s,%4$s],[%1$s,%2$s]]",
        west,
        south,
        west + side,
        south + side);
  }

  private static void collection(String file, String... features) throws IOException {
    trial.write(
        file, "{\"type\":\"FeatureCollection\",\"features\":[" + String.join(",", features) + "]}");
  }

  /// `mean, standard_error, lower, upper, cells, outside` of each line after the header.
  private static List<double[]> numbers(String csv) {
    return csv.lines()
        .skip(1)
        .map(line -> Arrays.stream(line.split(",", -1)).skip(1))
        .map(parts -> parts.mapToDouble(Double::parseDouble).toArray())
        .toList();
  }

  private static double[] solved(Cholesky factor, double[] b) {
    double[] out = b.clone();
    factor.solve(out);
    return out;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
  }

  private static double k(double[] a, int i, double[] b, int j) {
    double r = Math.hypot(a[i] - b[j], a[i + 1] - b[j + 1]) * Math.sqrt(3) / LENGTH;
    return SCALE * (1 + r) * Math.exp(-r);
  }

  /// Universal kriging of a mean over cells of equal weight from its definition: with `F = (1,
  /// elevation)`, `A = K + σ²I` and `u = f − FᵀA⁻¹k`, the variance is `k** − kᵀA⁻¹k +
  /// uᵀ(FᵀA⁻¹F)⁻¹u`.
  private static double[] universal(double[] cells) {
    int n = ROWS;
    int c = cells.length / 3;
    double[] a = new double[n * n];
    double[][] f = new double[2][n];
    double[] cross = new double[n];
    double[] own = {1, 0};
    double prior = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) a[i * n + j] = k(x, 3 * i, x, 3 * j) + (i == j ? NOISE : 0);
      for (int j = 0; j < c; j++) cross[i] += k(x, 3 * i, cells, 3 * j) / c;
      f[0][i] = 1;
      f[1][i] = x[3 * i + 2];
    }
    for (int i = 0; i < c; i++) {
      own[1] += cells[3 * i + 2] / c;
      for (int j = 0; j < c; j++) prior += k(cells, 3 * i, cells, 3 * j) / c / c;
    }
    Cholesky factor = Cholesky.adopt(a, n);
    double[] solvedY = solved(factor, target);
    double[] solvedCross = solved(factor, cross);
    double[][] solvedF = {solved(factor, f[0]), solved(factor, f[1])};
    double[][] g = new double[2][2];
    double[] right = new double[2];
    double[] u = new double[2];
    for (int i = 0; i < 2; i++) {
      for (int j = 0; j < 2; j++) g[i][j] = dot(f[i], solvedF[j]);
      right[i] = dot(f[i], solvedY);
      u[i] = own[i] - dot(f[i], solvedCross);
    }
    double det = g[0][0] * g[1][1] - g[0][1] * g[1][0];
    double[][] inverse = {{g[1][1] / det, -g[0][1] / det}, {-g[1][0] / det, g[0][0] / det}};
    double mean = dot(cross, solvedY);
    double variance = prior - dot(cross, solvedCross);
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) {
        mean += u[i] * inverse[i][j] * right[j];
        variance += u[i] * inverse[i][j] * u[j];
      }
    return new double[] {mean, Math.sqrt(variance)};
  }

  /// The covariate comes from a raster, from the table of the cells, or is one number.
  @Test
  void areasWithADriftAreUniversalKriging() throws IOException {
    // bilinear values of a plane are the plane
    raster(
        "plane.tif",
        new Frame(0, 10, 0.5, 0.5, 20, 20, Optional.empty()),
        (east, north) -> 3 + 0.5 * east - 0.25 * north);
    collection(
        "two.geojson",
        feature("a", "Polygon", "[" + square(2, 2, 4) + "]"),
        feature("b", "Polygon", "[" + square(6, 1, 2) + "]"));
    List<double[]> cells = List.of(new double[300], new double[75]);
    StringBuilder table = new StringBuilder("name,x,y,elevation\n");
    for (int a = 0; a < 2; a++)
      for (int i = 0; i < cells.get(a).length / 3; i++) {
        int side = a == 0 ? 10 : 5;
        double east = (a == 0 ? 2 : 6) + 0.4 * (i % side + 0.5);
        double north = (a == 0 ? 2 : 1) + 0.4 * (i / side + 0.5);
        double[] cell = {east, north, 3 + 0.5 * east - 0.25 * north};
        System.arraycopy(cell, 0, cells.get(a), 3 * i, 3);
        table.append(a == 0 ? "a," : "b,").append(east).append(',').append(north).append(',');
        table.append(cell[2]).append('\n');
      }
    trial.write("cells.csv", table.toString());
    String cut = "areas @drift.lvl @two.geojson --resolution 0.4";
    List<double[]> sampled = numbers(trial.ok(cut + " --drift elevation=@plane.tif"));
    List<double[]> listed = numbers(trial.ok("areas @drift.lvl @cells.csv --by name"));
    List<double[]> fixed = numbers(trial.ok(cut + " --at elevation=7"));
    for (int a = 0; a < 2; a++) {
      double[] expected = universal(cells.get(a));
      for (double[] line : List.of(sampled.get(a), listed.get(a))) {
        assertEquals(expected[0], line[0], 1e-6 * Math.abs(expected[0]));
        assertEquals(expected[1], line[1], 1e-6 * expected[1]);
        assertEquals(cells.get(a).length / 3, line[4]);
      }
      for (int i = 2; i < cells.get(a).length; i += 3) cells.get(a)[i] = 7;
      expected = universal(cells.get(a));
      assertEquals(expected[0], fixed.get(a)[0], 1e-6 * Math.abs(expected[0]));
      assertEquals(expected[1], fixed.get(a)[1], 1e-6 * expected[1]);
    }
    raster(
        "half.tif",
        new Frame(0, 10, 0.5, 0.5, 20, 20, Optional.empty()),
        (east, north) -> east < 5 ? 3 : Double.NaN);
    String said = trial.refused(cut + " --drift elevation=@half.tif");
    assertTrue(
        said.contains("--drift elevation: '@half.tif' has no value at ")
            && said.contains("feature 1 ('a') of '@two.geojson'; fill the raster"),
        said);
  }

  /// The mean and standard error of weighted cells by all their covariances.
  private static double[] brute(Model model, List<double[]> cells, double[] w) {
    int n = cells.size();
    double[] points = new double[2 * n];
    for (int i = 0; i < n; i++) System.arraycopy(cells.get(i), 0, points, 2 * i, 2);
    Prediction each = model.posterior().predict(points);
    double[] covariance = model.posterior().covariance(points, points);
    double total = Arrays.stream(w).sum();
    double mean = 0;
    double variance = 0;
    for (int i = 0; i < n; i++) {
      mean += w[i] / total * each.mean(i);
      for (int j = 0; j < n; j++) variance += w[i] / total * (w[j] / total) * covariance[i * n + j];
    }
    return new double[] {mean, Math.sqrt(variance)};
  }

  /// A raster of people over longitudes and latitudes, with none known in the east.
  @Test
  void cellsOfLongitudesAndLatitudesAreWeightedByARaster() throws IOException {
    double[] places = new double[2 * ROWS];
    for (int i = 0; i < ROWS; i++) {
      places[2 * i] = 8 + 0.2 * x[3 * i];
      places[2 * i + 1] = 60 + 0.1 * x[3 * i + 1];
    }
    Model model =
        fit(Engine.EXACT)
            .withPlace(Place.lonLat("lon", "lat"))
            .set("lengthscale", 40, 40)
            .set("mean", 1)
            .to(
                Dataset.of(
                    places, List.of(Column.of("lon"), Column.of("lat")), target, Column.of("v")));
    model.save(folder.resolve("degrees.lvl"));
    Optional<Crs> degrees = Optional.of(Crs.parse("EPSG:4326"));
    raster(
        "people.tif",
        new Frame(8, 61, 0.0625, 0.0625, 24, 16, degrees),
        (east, north) -> 1 + 32 * (east - 8) + 16 * (61 - north));
    collection("box.geojson", feature("box", "Polygon", "[" + square(8.75, 60.125, 0.8) + "]"));
    List<double[]> cells = new ArrayList<>();
    double[] w = new double[256];
    for (int i = 0; i < 256; i++) {
      double[] cell = {8.75 + 0.05 * (i % 16 + 0.5), 60.125 + 0.05 * (i / 16 + 0.5)};
      if (cell[0] < 9.5) w[i] = 1 + 32 * (cell[0] - 8) + 16 * (61 - cell[1]);
      // the last half pixel takes the pixels at the edge
      if (cell[0] < 9.5 && cell[0] > 9.46875) w[i] = 1 + 32 * 1.46875 + 16 * (61 - cell[1]);
      cells.add(cell);
    }
    String line = "areas @degrees.lvl @box.geojson --resolution 0.05 --weights @people.tif";
    double[] weighted = numbers(trial.ok(line)).getFirst();
    double[] expected = brute(model, cells, w);
    assertEquals(expected[0], weighted[0], 1e-6 * Math.abs(expected[0]));
    assertEquals(expected[1], weighted[1], 1e-6 * expected[1]);
    assertTrue(
        trial.err().contains("16 of 256 cells have no value in '")
            && trial.err().contains("people.tif'; their weight is 0"),
        trial.err());
    // without a raster cells weigh their area on the ground
    for (int i = 0; i < 256; i++) w[i] = Math.cos(Math.toRadians(cells.get(i)[1]));
    double[] even = numbers(trial.ok(line.replaceAll(" --weights.*", ""))).getFirst();
    expected = brute(model, cells, w);
    assertEquals(expected[0], even[0], 1e-6 * Math.abs(expected[0]));
    assertEquals(expected[1], even[1], 1e-6 * expected[1]);
  }

  /// The points inside a shape of a box.
  private interface Shape {
    boolean has(double east, double north);
  }

  /// Compares with cells of which 64 × 64 places tell the share inside, and its centre. Edges along
  /// the cells make that exact, others to about a thousandth.
  private static void expect(
      double[] line, Shape shape, double west, double south, int side, boolean along) {
    List<double[]> cells = new ArrayList<>();
    List<Double> shares = new ArrayList<>();
    int fine = 64;
    for (int i = 0; i < side * side; i++) {
      double[] centre = new double[2];
      int inside = 0;
      for (int k = 0; k < fine * fine; k++) {
        double east = west + 0.25 * (i % side + (k % fine + 0.5) / fine);
        double north = south + 0.25 * (i / side + (k / fine + 0.5) / fine);
        if (!shape.has(east, north)) continue;
        centre[0] += east;
        centre[1] += north;
        inside++;
      }
      if (inside == 0) continue;
      cells.add(new double[] {centre[0] / inside, centre[1] / inside});
      shares.add((double) inside / (fine * fine));
    }
    double[] w = shares.stream().mapToDouble(v -> v).toArray();
    double[] expected = brute(plain, cells, w);
    if (along) assertEquals(cells.size(), line[4]);
    double rest = along ? 1e-6 : 2e-3;
    assertEquals(expected[0], line[0], rest * (along ? Math.abs(expected[0]) : expected[1]));
    assertEquals(expected[1], line[1], rest * expected[1]);
  }

  @Test
  void holesPartsAndCrossingsFollowTheEvenOddRule() throws IOException {
    collection(
        "shapes.geojson",
        feature("hole", "Polygon", "[" + square(1, 1, 4) + "," + square(2, 2, 2) + "]"),
        feature("parts", "MultiPolygon", "[[" + square(1, 5, 1) + "],[" + square(4, 8, 1) + "]]"),
        feature("bow", "Polygon", "[[[1,1.1],[5,5],[5,1],[1,4.9],[1,1.1]]]"),
        feature("twin", "Polygon", "[" + square(6, 6, 2) + "]"),
        feature("twin", "Polygon", "[" + square(7, 2, 2) + "]"));
    String csv = trial.ok("areas @plain.lvl @shapes.geojson --resolution 0.25");
    List<double[]> lines = numbers(csv);
    assertEquals(5, lines.size());
    expect(lines.get(0), (e, n) -> Math.max(Math.abs(e - 3), Math.abs(n - 3)) > 1, 1, 1, 16, true);
    expect(lines.get(1), (e, n) -> (e < 2 && n < 6) || (e > 4 && n > 8), 1, 5, 16, true);
    // between its two edges, which cross in the middle
    expect(
        lines.get(2),
        (e, n) -> (n - 1.1 - 0.975 * (e - 1)) * (n - 1 - 0.975 * (5 - e)) < 0,
        1,
        1,
        16,
        false);
    // equal names are two areas
    assertEquals(2, csv.lines().filter(line -> line.startsWith("twin,")).count());
    expect(lines.get(3), (e, n) -> true, 6, 6, 8, true);
    expect(lines.get(4), (e, n) -> true, 7, 2, 8, true);
  }

  /// More areas than are averaged at a time.
  @Test
  void manyAreasAreEachTheSameAsAlone() throws IOException {
    StringBuilder table = new StringBuilder("name,x,y,people\n");
    for (int i = 0; i < 900; i++)
      table.append(
          String.format(Locale.ROOT, "a%d,%s,%s,%d%n", i % 300, 0.01 * i, i % 7, 1 + i % 4));
    trial.write("many.csv", table.toString());
    String how = " --by name --weight people";
    List<double[]> all = numbers(trial.ok("areas @plain.lvl @many.csv" + how));
    assertEquals(300, all.size());
    for (int a : new int[] {0, 127, 128, 299}) {
      String name = "a" + a + ",";
      String own = table.toString().lines().filter(l -> l.startsWith(name)).toList().toString();
      trial.write(
          "one.csv",
          "name,x,y,people\n" + own.replaceAll("[\\[\\] ]", "").replace(",a", "\na") + "\n");
      double[] one = numbers(trial.ok("areas @plain.lvl @one.csv" + how)).getFirst();
      for (int j = 0; j < one.length; j++) assertEquals(one[j], all.get(a)[j], 0, name + j);
    }
  }

  /// One that lies wholly outside keeps its row, and is named.
  @Test
  void anAreaBeyondTheGridIsNamed() throws IOException {
    double[] places = Arrays.copyOf(x, 2 * ROWS);
    fit(Engine.SPECTRAL)
        .withKernel("rbf")
        .set("mean", 1)
        .to(Dataset.of(places, List.of(Column.of("x"), Column.of("y")), target, Column.of("v")))
        .save(folder.resolve("grid.lvl"));
    collection(
        "out.geojson",
        feature("near", "Polygon", "[" + square(2, 2, 4) + "]"),
        feature("away", "Polygon", "[" + square(60, 60, 4) + "]"));
    List<double[]> lines = numbers(trial.ok("areas @grid.lvl @out.geojson --resolution 0.5"));
    assertEquals(0, lines.get(0)[5]);
    assertEquals(64, lines.get(1)[5]);
    assertEquals(1, lines.get(1)[0], 1e-6); // the prior mean
    assertTrue(
        trial
            .err()
            .contains(
                "1 of 2 areas lie wholly beyond the model's grid, where predictions are uncertain: feature 2 ('away')"),
        trial.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Polygon | [] | feature 2 ('bad'): the polygon is empty: it has no rings; remove it or give it corners",
        "Polygon | [[[0,0],[1,0],[2,0],[0,0]]] | feature 2 ('bad'): the polygon is empty: all its corners lie on one line, so it has no area; remove it or correct its corners",
        "Polygon | [[[0,0],[1,1],[2,2],[0,0]]] | feature 2 ('bad'): the polygon is empty: hardly any of its box of 2.000 by 2.000 lies inside; remove it or correct its corners",
        "MultiPolygon | [] | feature 2 ('bad'): the polygon is empty",
        "Polygon | [[[0,0],[1,0],[1,1],[0,1]]] | the ring is not closed"
      })
  void anEmptyPolygonIsNamed(String type, String coordinates, String message) throws IOException {
    collection(
        "bad.geojson",
        feature("good", "Polygon", "[" + square(2, 2, 4) + "]"),
        feature("bad", type, coordinates));
    String said = trial.refused("areas @plain.lvl @bad.geojson --out @bad.csv");
    assertTrue(said.contains("'@bad.geojson'") && said.contains(message), said);
    assertTrue(!trial.file("bad.csv").toFile().exists());
  }

  /// Far from the rows, the mean over an area of a log-normal function is skewed: its standard
  /// error is `√Σᵢⱼ wᵢwⱼ mᵢmⱼ (exp cᵢⱼ − 1)`, whatever the seed of the draws.
  @Test
  void standardErrorsOfALogTargetAreThoseOfLogNormals() throws IOException {
    double[] positive = Arrays.stream(target).map(v -> Math.exp(0.3 * v)).toArray();
    double[] places = new double[2 * ROWS];
    for (int i = 0; i < ROWS; i++) System.arraycopy(x, 3 * i, places, 2 * i, 2);
    Model model =
        fit(Engine.EXACT)
            .withTransform(TargetTransform.LOG)
            .set("outputscale", 3)
            .set("mean", 0)
            .to(
                Dataset.of(
                    places, List.of(Column.of("x"), Column.of("y")), positive, Column.of("v")));
    model.save(folder.resolve("log.lvl"));
    StringBuilder table = new StringBuilder("name,x,y,people\n");
    for (int i = 0; i < 50; i++)
      table.append("far,%s,%s,%s%n".formatted(12 + i % 10, 9 + i / 10, 1 + i % 3));
    for (int i = 0; i < 20; i++) table.append("near,%s,%s,1%n".formatted(4 + 0.1 * i, 5));
    trial.write("log.csv", table.toString());
    double[] points = new double[100];
    double[] w = new double[50];
    for (int i = 0; i < 50; i++) {
      points[2 * i] = 12 + i % 10;
      points[2 * i + 1] = 9 + i / 10;
      w[i] = (1.0 + i % 3);
    }
    double total = Arrays.stream(w).sum();
    double[] means = model.posterior().predict(points).means();
    double[] c = model.posterior().covariance(points, points);
    double variance = 0;
    for (int i = 0; i < 50; i++)
      for (int j = 0; j < 50; j++)
        variance +=
            w[i]
                / total
                * (w[j] / total)
                * Math.exp(means[i] + means[j] + 0.5 * (c[51 * i] + c[51 * j]))
                * Math.expm1(c[50 * i + j]);
    for (int seed = 1; seed <= 3; seed++) {
      String line = "areas @log.lvl @log.csv --by name --weight people --seed " + seed;
      double[] far = numbers(trial.ok(line)).getFirst();
      assertEquals(Math.sqrt(variance), far[1], 1e-9 * far[1], "seed " + seed);
      assertTrue(
          trial.err().contains("lower and upper come from 1,000 joint draws")
              && trial.err().contains("'far'")
              && !trial.err().contains("standard errors come"),
          trial.err());
    }
  }

  /// The remark on the draws is measured by them: normal draws give a standard error to 2 %.
  @Test
  void theErrorOfDrawnStandardErrorsIsMeasured() throws IOException {
    double[] places = new double[2 * ROWS];
    for (int i = 0; i < ROWS; i++) System.arraycopy(x, 3 * i, places, 2 * i, 2);
    var columns = List.of(Column.of("x"), Column.of("y"));
    fit(Engine.EXACT)
        .withTransform(TargetTransform.RANKS)
        .set("mean", 0)
        .to(Dataset.of(places, columns, target, Column.of("v")))
        .save(folder.resolve("ranks.lvl"));
    trial.write("ranks.csv", "name,x,y\na,5,5\na,6,5\nb,2,2\n");
    trial.ok("areas @ranks.lvl @ranks.csv --by name");
    String said = trial.err();
    assertTrue(
        said.matches(
            "(?s).*standard_error, lower and upper come from 1,000 joint draws\\. By these draws,"
                + " standard errors are uncertain by up to \\d+(\\.\\d)? %, and lower and upper by up"
                + " to \\d+ % of a standard error, most in '[ab]'; --draws N changes that.*"),
        said);
    // log-normal draws of which a few are larger than all others together
    DrawnErrors errors = new DrawnErrors(List.of("'calm'", "'wild'"), 0.95, 1000);
    var random = new SplittableRandom(5);
    double[][] drawn = new double[2][1000];
    for (int i = 0; i < 1000; i++) {
      drawn[0][i] = random.nextGaussian();
      drawn[1][i] = Math.exp(3 * random.nextGaussian());
    }
    double[] unknown = {Double.NaN, Double.NaN};
    double[] means = {0, Math.exp(4.5)};
    errors.add(
        Prediction.adopt(new double[2], new double[2])
            .drawn(Likelihood.poisson(), Of.RATE, means, unknown, drawn));
    assertEquals(2, errors.remarks().size());
    assertTrue(
        errors
            .remarks()
            .get(1)
            .contains(
                "in 1 of 2 areas a few draws make most of the standard error, which may be far too small: 'wild'"),
        errors.remarks().get(1));
  }
}
