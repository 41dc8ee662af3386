package lovelace.maps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.regex.Pattern;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.data.TimeScale;
import lovelace.likelihood.Likelihood.Of;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MapJobTest {

  private static final List<MapBand> MANY =
      List.of(
          new MapBand.Mean(),
          new MapBand.Deviation(),
          new MapBand.Quantile(0.05),
          new MapBand.Exceeds(0.3),
          new MapBand.Draw(1),
          new MapBand.Draw(2));

  private static final Frame FRAME = new Frame(-0.1, 1.1, 0.004, 0.005, 301, 240, Optional.empty());

  private static Dataset rows(int n, int d) {
    var random = new SplittableRandom(3);
    double[] x = new double[n * d];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < d; j++) x[i * d + j] = random.nextDouble();
      y[i] = Math.sin(5 * x[i * d]) * x[i * d + 1] + 0.1 * random.nextGaussian();
      if (d > 2) y[i] += x[i * d + 2];
    }
    List<Column> columns = List.of(Column.of("x"), Column.of("y"), Column.of("t")).subList(0, d);
    return Dataset.of(x, columns, y, Column.of("rain", "mm"));
  }

  private static Model model(Dataset rows, String kernel, Engine engine) {
    Fit fit =
        Fit.DEFAULT
            .withKernel(kernel)
            .withEngine(engine)
            .withTraining(false)
            .set("noise", 0.01)
            .set("lengthscale", 0.3)
            .set("outputscale", 1)
            .set("mean", 0);
    if (engine == Engine.SPECTRAL) fit = fit.withGrid(GridChoice.DEFAULT.withPoints("24x24"));
    return fit.to(rows);
  }

  private static MapJob job(Model model, Frame frame, List<MapBand> bands, @Nullable Layer mask) {
    return MapJob.of(
        model,
        MapColumns.of(model, Set.of(), false),
        frame,
        Optional.empty(),
        new MapJob.Asked(
            Of.FUNCTION, bands, List.of(new TimeSteps.Step(0, "")), Map.of(), mask, false, 7));
  }

  /// The whole map, from tiles of a size.
  private static float[][] tiled(MapJob job, int tile) {
    Frame frame = job.frame();
    float[][] all = new float[job.bands()][frame.width() * frame.height()];
    for (int row = 0; row < frame.height(); row += tile)
      for (int column = 0; column < frame.width(); column += tile) {
        int w = Math.min(tile, frame.width() - column);
        int h = Math.min(tile, frame.height() - row);
        float[][] part = job.tile(column, row, w, h, w);
        for (int b = 0; b < all.length; b++)
          for (int j = 0; j < h; j++)
            System.arraycopy(part[b], j * w, all[b], (row + j) * frame.width() + column, w);
      }
    return all;
  }

  private static void assertSameBits(float[][] expected, float[][] actual, String what) {
    for (int b = 0; b < expected.length; b++)
      for (int i = 0; i < expected[b].length; i++)
        if (Float.floatToRawIntBits(expected[b][i]) != Float.floatToRawIntBits(actual[b][i]))
          assertEquals(expected[b][i], actual[b][i], what + ", band " + b + ", pixel " + i);
  }

  @Test
  void tilesEqualTheWholeBitForBit() {
    Dataset some = rows(120, 2);
    for (Model model :
        List.of(
            model(some, "rbf", Engine.SPECTRAL),
            model(some, "matern12", Engine.SITES),
            model(some, "matern52", Engine.NEIGHBOURS),
            model(some, "rbf", Engine.EXACT))) {
      boolean held = model.held().isPresent();
      // draws of a model that holds its rows are joint: a small map, made once
      Frame frame = held ? new Frame(0, 1, 0.05, 0.05, 20, 19, Optional.empty()) : FRAME;
      float[][] whole = tiled(job(model, frame, MANY, null), 1000);
      for (int tile : held ? new int[] {1, 7} : new int[] {64, 97})
        assertSameBits(
            whole, tiled(job(model, frame, MANY, null), tile), model.plan() + ", tiles of " + tile);
    }
  }

  @Test
  void tilesOnAnyNumberOfThreadsAreTheSame() throws Exception {
    Model model = model(rows(120, 2), "rbf", Engine.SPECTRAL);
    float[][] whole = tiled(job(model, FRAME, MANY, null), 1000);
    for (int threads : new int[] {1, 3}) {
      float[][] all = new float[MANY.size()][FRAME.width() * FRAME.height()];
      long[] done = {0};
      try (var pool = new ForkJoinPool(threads)) {
        pool.submit(
                () -> {
                  MapRun.run(
                      job(model, FRAME, MANY, null),
                      List.of(
                          (column, row, tile) -> {
                            for (int b = 0; b < all.length; b++) copy(tile[b], column, row, all[b]);
                          }),
                      pixels -> done[0] = pixels);
                  return null;
                })
            .get();
      }
      assertEquals(FRAME.width() * FRAME.height(), done[0]);
      assertSameBits(whole, all, threads + " threads");
    }
  }

  private static void copy(float[] tile, int column, int row, float[] all) {
    int size = RasterWriter.TILE;
    for (int j = 0; j < size && row * size + j < FRAME.height(); j++)
      for (int i = 0; i < size && column * size + i < FRAME.width(); i++)
        all[(row * size + j) * FRAME.width() + column * size + i] = tile[j * size + i];
  }

  @Test
  void bandsAreThoseOfPredictAtTheMiddleOfAPixel() {
    Model model = model(rows(120, 2), "rbf", Engine.SPECTRAL);
    MapJob job = job(model, FRAME, MANY, null);
    float[][] tile = job.tile(250, 230, 10, 8, 12);
    int pixel = 3 * 12 + 9; // the tenth of the fourth row
    Prediction p = model.predict(FRAME.x(259), FRAME.y(233));
    assertEquals((float) p.mean(0), tile[0][pixel]);
    assertEquals((float) p.deviation(0), tile[1][pixel]);
    assertEquals((float) p.quantile(0, 0.05), tile[2][pixel]);
    assertEquals((float) (1 - p.cumulative(0, 0.3)), tile[3][pixel]);
    for (float[] band : tile) assertTrue(Float.isNaN(band[3 * 12 + 10]), "beyond the rectangle");
    assertEquals(
        List.of(
            "mean of rain (mm)",
            "standard deviation of rain (mm)",
            "quantile 0.05 of rain (mm)",
            "P(rain > 0.3)",
            "draw 1 of rain (mm)",
            "draw 2 of rain (mm)"),
        job.descriptions("rain (mm)"));
  }

  @Test
  void drawsHaveTheMomentsOfThePosterior() {
    Model model = model(rows(30, 2), "rbf", Engine.SPECTRAL);
    int draws = 400;
    List<MapBand> bands = new java.util.ArrayList<>();
    for (int i = 1; i <= draws; i++) bands.add(new MapBand.Draw(i));
    Frame frame = new Frame(0, 1, 0.2, 0.2, 5, 5, Optional.empty());
    float[][] all = job(model, frame, bands, null).tile(0, 0, 5, 5, 5);
    for (int pixel = 0; pixel < 25; pixel++) {
      Prediction p = model.predict(frame.x(pixel % 5), frame.y(pixel / 5));
      double sum = 0;
      double squares = 0;
      for (float[] draw : all) {
        double z = (draw[pixel] - p.mean(0)) / p.deviation(0);
        sum += z;
        squares += z * z;
      }
      // five standard errors of a mean and of a variance
      assertEquals(0, sum / draws, 5 / Math.sqrt(draws), "mean at " + pixel);
      assertEquals(1, squares / draws, 5 * Math.sqrt(2.0 / draws), "variance at " + pixel);
    }
  }

  @Test
  void drawsHaveNoValueBeyondTheGridAndInsideLeavesSuchPixelsOut() {
    Model model = model(rows(120, 2), "rbf", Engine.SPECTRAL);
    Frame wide = new Frame(-3, 4, 0.5, 0.5, 14, 14, Optional.empty());
    MapJob job = job(model, wide, MANY, null);
    float[][] tile = job.tile(0, 0, 14, 14, 14);
    assertTrue(Float.isFinite(tile[0][0]));
    assertTrue(Float.isNaN(tile[4][0]));
    assertTrue(job.outside() > 100 && job.outside() < 196, job.outside() + " outside");
    assertEquals(0, job.empty());
    MapJob inside =
        MapJob.of(
            model,
            MapColumns.of(model, Set.of(), false),
            wide,
            Optional.empty(),
            new MapJob.Asked(
                Of.FUNCTION, MANY, List.of(new TimeSteps.Step(0, "")), Map.of(), null, true, 7));
    float[][] cut = inside.tile(0, 0, 14, 14, 14);
    assertTrue(Float.isNaN(cut[0][0]));
    assertEquals(job.outside(), inside.empty());
  }

  @Test
  void aMaskCutsPixelsOut() {
    Model model = model(rows(60, 2), "rbf", Engine.EXACT);
    Layer west =
        places -> {
          double[] values = new double[places.length / 2];
          Arrays.setAll(
              values, i -> places[2 * i] < 0.5 ? 1 : places[2 * i] < 0.75 ? 0 : Double.NaN);
          return values;
        };
    Frame frame = new Frame(0, 1, 0.1, 0.1, 10, 10, Optional.empty());
    MapJob job = job(model, frame, List.of(new MapBand.Mean()), west);
    float[] mean = job.tile(0, 0, 10, 10, 10)[0];
    for (int i = 0; i < 100; i++) assertEquals(i % 10 >= 5, Float.isNaN(mean[i]), "pixel " + i);
    assertEquals(50, job.empty());
    assertEquals(0, job.uncovered());
  }

  @Test
  void covariatesComeFromLayersAndTimesMakeBands() {
    Dataset rows = rows(80, 3);
    Model model = model(rows, "rbf", Engine.EXACT);
    Frame frame = new Frame(0, 1, 0.25, 0.25, 4, 4, Optional.empty());
    List<TimeSteps.Step> times =
        List.of(new TimeSteps.Step(0.2, "0.2"), new TimeSteps.Step(0.9, "0.9"));
    MapJob timed =
        MapJob.of(
            model,
            MapColumns.of(model, Set.of(), true),
            frame,
            Optional.empty(),
            new MapJob.Asked(
                Of.FUNCTION,
                List.of(new MapBand.Mean(), new MapBand.Deviation()),
                times,
                Map.of(),
                null,
                false,
                1));
    float[][] bands = timed.tile(0, 0, 4, 4, 4);
    assertEquals(4, bands.length);
    assertEquals((float) model.predict(frame.x(1), frame.y(2), 0.9).mean(0), bands[2][2 * 4 + 1]);
    assertEquals("0.9: standard deviation of rain", timed.descriptions("rain").get(3));
    MapJob covered =
        MapJob.of(
            model,
            MapColumns.of(model, Set.of("t"), false),
            frame,
            Optional.empty(),
            new MapJob.Asked(
                Of.FUNCTION,
                List.of(new MapBand.Mean()),
                List.of(new TimeSteps.Step(0, "")),
                Map.of(
                    "t",
                    places -> {
                      double[] t = new double[places.length / 2];
                      Arrays.setAll(t, i -> places[2 * i + 1] < 0.5 ? Double.NaN : places[2 * i]);
                      return t;
                    }),
                null,
                false,
                1));
    float[] mean = covered.tile(0, 0, 4, 4, 4)[0];
    assertEquals((float) model.predict(frame.x(3), frame.y(1), frame.x(3)).mean(0), mean[4 + 3]);
    assertEquals(8, covered.uncovered());
    assertTrue(Float.isNaN(mean[8]));
  }

  @Test
  void columnsAreFoundByNameAndOtherModelsAreRefused() {
    Dataset rows = rows(30, 2);
    Dataset turned =
        Dataset.of(
            rows.inputs(),
            List.of(Column.of("Lat"), Column.of("Lon")),
            rows.target(),
            Column.of("z"));
    assertEquals(
        new MapColumns(1, 0, -1, List.of()),
        MapColumns.of(model(turned, "rbf", Engine.EXACT), Set.of(), false));
    Model three = model(rows(40, 3), "rbf", Engine.EXACT);
    String message =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class, () -> MapColumns.of(three, Set.of(), false))
                .getMessage());
    assertTrue(message.contains("--drift t=FILE.tif") && message.contains("--times"), message);
    assertEquals(2, MapColumns.of(three, Set.of(), true).time());
    message =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class, () -> MapColumns.of(three, Set.of("q"), false))
                .getMessage());
    assertTrue(message.contains("no column 'q'; its columns are x, y, t"), message);
    Dataset dated =
        Dataset.of(
            rows(40, 3).inputs(),
            List.of(
                Column.of("day", TimeScale.of("day", List.of("2024-01-01", "2024-01-05"))),
                Column.of("x"),
                Column.of("y")),
            rows(40, 3).target(),
            Column.of("z"));
    assertEquals(
        new MapColumns(1, 2, 0, List.of()),
        MapColumns.of(model(dated, "rbf", Engine.EXACT), Set.of(), false));
  }

  @Test
  void drawsThatDoNotFitIntoMemoryAreRefused() {
    Model model = model(rows(60, 2), "rbf", Engine.EXACT);
    Frame large = new Frame(0, 1, 1e-4, 1e-4, 10_000, 10_000, Optional.empty());
    String message =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class,
                    () -> job(model, large, List.of(new MapBand.Draw(1)), null))
                .getMessage());
    assertTrue(message.contains("100,000,000 of them need"), message);
    var coarser = Pattern.compile("give a --resolution (\\d+) times").matcher(message);
    assertTrue(coarser.find(), message);
    int side = 10_000 / Integer.parseInt(coarser.group(1));
    long bytes = model.jointBytes(new double[2 * side * side]);
    assertTrue(bytes <= Runtime.getRuntime().maxMemory() / 2, bytes + " bytes: " + message);
  }

  @Test
  void transformsAreUndone() throws IOException {
    Dataset rows = rows(60, 2);
    double[] y = Arrays.stream(rows.target()).map(Math::exp).toArray();
    Model model =
        Fit.DEFAULT
            .withKernel("rbf")
            .withEngine(Engine.SPECTRAL)
            .withTransform(TargetTransform.LOG)
            .withTraining(false)
            .set("noise", 0.01)
            .set("lengthscale", 0.3)
            .set("outputscale", 1)
            .set("mean", 0)
            .to(Dataset.of(rows.inputs(), rows.columns(), y, Column.of("z")));
    float[][] tile = job(model, FRAME, MANY, null).tile(150, 120, 2, 2, 2);
    Prediction p = model.predict(FRAME.x(150), FRAME.y(120));
    assertArrayEquals(
        new float[] {(float) p.mean(0), (float) p.deviation(0), (float) p.quantile(0, 0.05)},
        new float[] {tile[0][0], tile[1][0], tile[2][0]});
    assertTrue(tile[4][0] > 0, "a draw of what was logged is positive");
    assertFalse(tile[4][0] == tile[5][0]);
  }
}
