package lovelace.experiments;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Gaussian;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MapBenchmarkTest {

  private static final MapBenchmark.Phases QUIET =
      new MapBenchmark.Phases() {
        @Override
        public void fitting(MapCase map) {}

        @Override
        public void predicting(Model model) {}
      };

  @TempDir private Path folder;

  private void write(String name, String text) throws IOException {
    try (var out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(name)))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private String refused() {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> MapCase.read(folder)).getMessage());
  }

  /// 12 × 9 pixels with a hole in the middle; one held-out pixel was never observed.
  private void hole() throws IOException {
    var random = new SplittableRandom(5);
    StringBuilder train = new StringBuilder("east,north,warmth\n");
    StringBuilder test = new StringBuilder("east,north,warmth\n");
    for (int i = 0; i < 12; i++)
      for (int j = 0; j < 9; j++) {
        double y = 20 + 3 * Math.sin(0.5 * i) + 2 * Math.cos(0.6 * j) + 0.2 * random.nextGaussian();
        boolean hidden = i >= 4 && i < 8 && j >= 3 && j < 6;
        String value = hidden && i == 5 && j == 4 ? "NA" : String.valueOf(y);
        (hidden ? test : train).append(10 + 0.25 * i).append(',').append(j).append(',');
        (hidden ? test : train).append(value).append('\n');
      }
    write("train.csv.gz", train.toString());
    write("test.csv.gz", test.toString());
  }

  @Test
  void scoresAreThoseOfTheExactProcessByHand() throws IOException {
    hole();
    MapCase map = MapCase.read(folder);
    assertEquals(12 * 9, map.size());
    assertEquals(12 * 9 - 12, map.train().size());
    assertEquals(11, map.testTargets().length, "the pixel never observed is not scored");
    Fit fit =
        Fit.DEFAULT
            .withKernel("matern32(lengthscale=[0.9, 3])")
            .withTraining(false)
            .set("outputscale", 6)
            .set("noise", 0.09)
            .set("mean", 20);
    MapBenchmark run = MapBenchmark.run(map, fit, QUIET);
    var h =
        Hyperparameters.of(
            Kernel.parse("6*matern32(lengthscale=[0.9, 3])").bind(2), 0.09, PriorMean.constant(20));
    ExactGp exact = ExactGp.of(map.train(), h);
    Prediction p = exact.predict(map.places());
    double absolute = 0;
    double squares = 0;
    double ranked = 0;
    double interval = 0;
    int inside = 0;
    int n = map.testTargets().length;
    for (int i = 0; i < n; i++) {
      double y = map.testTargets()[i];
      double m = p.mean(map.testPlaces()[i]);
      double sd = Math.sqrt(p.variance(map.testPlaces()[i]) + 0.09);
      double z = (y - m) / sd;
      double l = m - 1.959963984540054 * sd;
      double u = m + 1.959963984540054 * sd;
      absolute += Math.abs(y - m) / n;
      squares += (y - m) * (y - m) / n;
      ranked +=
          sd
              * (z * (2 * Gaussian.cdf(z) - 1) + 2 * Gaussian.density(z) - 1 / Math.sqrt(Math.PI))
              / n;
      interval += (u - l + 40 * Math.max(0, l - y) + 40 * Math.max(0, y - u)) / n;
      inside += l <= y && y <= u ? 1 : 0;
    }
    assertEquals(absolute, run.scores().mae(), 1e-9);
    assertEquals(Math.sqrt(squares), run.scores().rmse(), 1e-9);
    assertEquals(ranked, run.scores().crps(), 1e-9);
    assertEquals(interval, run.scores().intervalScore(0.95), 1e-8);
    assertEquals((double) inside / n, run.scores().coverage(0.95), 1e-15);
    assertEquals(12 * 9, run.predictions().size());
    assertTrue(run.fitSeconds() > 0 && run.predictSeconds() > 0 && run.peakBytes() > 10_000_000);
  }

  @Test
  void theLikelihoodIsOfTheStandardisedTarget() throws IOException {
    hole();
    MapCase map = MapCase.read(folder);
    double[] y = map.train().target();
    double mean = 0;
    for (double v : y) mean += v / y.length;
    double variance = 0;
    for (double v : y) variance += (v - mean) * (v - mean) / y.length;
    double[] z = new double[y.length];
    for (int i = 0; i < z.length; i++) z[i] = (y[i] - mean) / Math.sqrt(variance);
    String kernel = "matern32(lengthscale=[0.9, 3])";
    Fit raw =
        Fit.DEFAULT
            .withKernel(kernel)
            .withTraining(false)
            .set("outputscale", 6)
            .set("noise", 0.09)
            .set("mean", 20);
    var h =
        Hyperparameters.of(
            Kernel.parse(6 / variance + "*" + kernel).bind(2),
            0.09 / variance,
            PriorMean.constant((20 - mean) / Math.sqrt(variance)));
    double expected = ExactGp.of(Dataset.of(map.train().inputs(), 2, z), h).logMarginalLikelihood();
    assertEquals(expected, MapBenchmark.run(map, raw, QUIET).logLikelihood(), 1e-8);
  }

  @Test
  void theGridReachesToPixelsBeyondThoseLearnedFrom() throws IOException {
    StringBuilder train = new StringBuilder("x,y,v\n");
    StringBuilder test = new StringBuilder("x,y,v\n");
    for (int i = 0; i < 20; i++)
      for (int j = 0; j < 6; j++)
        (i > 11 ? test : train).append("%s,%s,%s%n".formatted(i, j, Math.sin(0.4 * i) + 0.1 * j));
    write("train.csv.gz", train.toString());
    write("test.csv.gz", test.toString());
    MapBenchmark run =
        MapBenchmark.run(
            MapCase.read(folder),
            Fit.DEFAULT
                .withEngine(Engine.SPECTRAL)
                .withTraining(false)
                .set("lengthscale", 3, 3)
                .set("outputscale", 1)
                .set("noise", 0.01)
                .set("mean", 0),
            QUIET);
    for (int i = 0; i < run.predictions().size(); i++)
      assertFalse(run.predictions().outside(i), "place " + i);
  }

  @Test
  void axesOfAGridHaveTheLinesThatNoFileNames() throws IOException {
    // the line at x = 2 is missing altogether, and coordinates are rounded differently
    write("train.csv.gz", "x,y,v\n0,0,1\n1,0,2\n1.00000000001,1,\n3,0,4\n4,1,5\n");
    write("test.csv.gz", "x,y,v\n3,1,2.5\n-0.0,0,1.5\n");
    MapCase map = MapCase.read(folder);
    assertArrayEquals(new double[] {0, 1, 2, 3, 4}, map.axis(0), 1e-9);
    assertArrayEquals(new double[] {0, 1}, map.axis(1), 0);
    assertEquals(4, map.train().size(), "a row without a target is not learned from");
    assertEquals(6, map.size(), "−0 is the place 0, and is not there twice");
    assertEquals(0, map.testPlaces()[1]);
    assertFalse(map.isHeaton());
  }

  @Test
  void ofThreeColumnsOneSliceIsDrawn() throws IOException {
    StringBuilder train = new StringBuilder("x,y,depth,v\n");
    StringBuilder test = new StringBuilder("x,y,depth,v\n");
    for (int i = 0; i < 5; i++)
      for (int j = 0; j < 4; j++)
        for (int k = 0; k < 3; k++)
          (k == 2 && i > 2 ? test : train)
              .append("%s,%s,%s,%s%n".formatted(i, j, 10 * k, Math.sin(i) + j * 0.1 + k * 0.2));
    write("train.csv.gz", train.toString());
    write("test.csv.gz", test.toString());
    MapBenchmark run =
        MapBenchmark.run(
            MapCase.read(folder),
            Fit.DEFAULT
                .withTraining(false)
                .set("lengthscale", 2, 2, 20)
                .set("outputscale", 1)
                .set("noise", 0.01)
                .set("mean", 0),
            QUIET);
    assertTrue(run.picture("t").svg().contains("depth = 20.0"));
  }

  @Test
  void whatIsWrongIsNamed() throws IOException {
    String missing = refused();
    assertTrue(missing.contains("train.csv.gz") && missing.contains("test.csv.gz"), missing);
    write("train.csv.gz", "x,y,v\n0,0,1\n1,0,2\n0,1,3\n1,1,4\n");
    assertTrue(refused().contains("no file 'test.csv.gz'"), refused());
    write("test.csv.gz", "x,v\n0,1\n");
    assertTrue(refused().contains("must have the columns of train.csv.gz, x, y, v"), refused());
    write("test.csv.gz", "x,y,v\n0,0,NA\n1,0,\n");
    assertTrue(refused().contains("no row with a value of 'v'"), refused());
    write("test.csv.gz", "x,y,v\n0,0,1\nNA,0,2\n");
    assertTrue(refused().contains("row 2: column 'x' is 'NA', not a number"), refused());
    write("test.csv.gz", "x,y,v\n0,0,1\n0,0,warm\n");
    assertTrue(refused().contains("row 2: column 'v' is 'warm', not a number"), refused());
    write("test.csv.gz", "x,y,v\n0,0,1\n");
    write("train.csv.gz", "x,y,v\n0,0,1\n0,1,2\n");
    assertTrue(refused().contains("pixels of a grid"), refused());
    Files.writeString(folder.resolve("train.csv.gz"), "x,y,v\n0,0,1\n");
    assertTrue(refused().contains("not compressed by gzip"), refused());
    write("train.csv.gz", "x,v\n0,1\n");
    assertTrue(refused().contains("two or three columns of places"), refused());
  }
}
