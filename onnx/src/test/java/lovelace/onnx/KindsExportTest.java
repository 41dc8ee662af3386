package lovelace.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Place;
import lovelace.data.PlaceMap;
import lovelace.grid.AdditiveGrid;
import lovelace.lattice.MappedPosterior;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Models other than a plain grid: sums, features, rough kernels, drifts.
class KindsExportTest {

  private static final int ROWS = 10_000;
  private static final double ROUNDING = 1e-12;

  private static void requireSame(Model model, double[] x, double tolerance, String about)
      throws Exception {
    Exported.of(model, OnnxExport.DEFAULT, x).requireSame(x, tolerance, about);
  }

  @Test
  void sumsOverColumns() throws Exception {
    Model model =
        Fit.DEFAULT
            .withShape(Options.Shape.ADDITIVE)
            .withTraining(false)
            .withGrid(GridChoice.DEFAULT.withPoints(20))
            .withKernel("matern52")
            .set("lengthscale", 3)
            .set("outputscale", 0.7)
            .set("noise", 0.02)
            .set("mean", 0.3)
            .to(GridExportTest.data(6, 400, 3));
    var sum = (AdditiveGrid) model.lattice().orElseThrow().statistics().lattice();
    assertEquals(6, sum.components());
    double[] x = Exported.points(model, ROWS, new SplittableRandom(4));
    requireSame(model, x, ROUNDING, "additive, seed 4");
  }

  @Test
  void sumsOverPairsOfColumnsWithALinearMean() throws Exception {
    Model model =
        Fit.DEFAULT
            .withShape(Options.Shape.ADDITIVE)
            .withTraining(false)
            .withMean("linear")
            .withGrid(GridChoice.DEFAULT.withPoints(12))
            .withKernel(
                "2*rbf(lengthscale=[4,5],columns=[0,1]) + 0.5*matern52(lengthscale=3,columns=[2])")
            .set("noise", 0.02)
            .set("mean", 0.3)
            .set("slope", 0.1, -0.2, 0.05)
            .to(GridExportTest.data(3, 300, 3));
    double[] x = Exported.points(model, ROWS, new SplittableRandom(5));
    requireSame(model, x, ROUNDING, "pairs, seed 5");
  }

  @Test
  void projections() throws Exception {
    Model model =
        Fit.DEFAULT.withShape(Options.Shape.PROJECTION).to(GridExportTest.data(4, 150, 6));
    assertTrue(model.posterior() instanceof MappedPosterior);
    double[] x = scattered(4, -4, 14, 7);
    requireSame(model, x, ROUNDING, "projection, seed 7");
  }

  private static double[] scattered(int d, double low, double high, int seed) {
    return new SplittableRandom(seed).doubles((long) ROWS * d, low, high).toArray();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void coordinates(boolean regular) throws Exception {
    SplittableRandom random = new SplittableRandom(8);
    int n = 300;
    double[] x = new double[2 * n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[2 * i] = regular ? 8 + 0.02 * (i % 20) : 179 + 3 * random.nextDouble();
      x[2 * i + 1] = regular ? 47 + 0.02 * (i / 20) : -46 - 2 * random.nextDouble();
      y[i] = Math.sin(x[2 * i] * 3) + Math.cos(x[2 * i + 1] * 4) + 0.1 * random.nextGaussian();
    }
    List<Column> columns = List.of(Column.of("lon"), Column.of("lat"));
    Fit turned =
        regular
            ? Fit.DEFAULT
            : Fit.DEFAULT.withAnisotropy(30).withGrid(GridChoice.DEFAULT.withPoints(20));
    Model model =
        turned
            .withKernel("matern52")
            .withPlace(Place.lonLat("lon", "lat"))
            .withEngine(regular ? Engine.SPARSE : Engine.SPECTRAL)
            .withTraining(false)
            .set("lengthscale", 60, 45)
            .set("outputscale", 1.5)
            .set("noise", 0.02)
            .set("mean", 0.3)
            .to(Dataset.of(x, columns, y, Column.of("y")));
    assertEquals(
        regular ? PlaceMap.Projection.EQUIRECTANGULAR : PlaceMap.Projection.EQUAL_AREA,
        ((PlaceMap) model.map().orElseThrow()).projection());
    double[] points = new double[2 * ROWS];
    for (int i = 0; i < ROWS; i++) {
      points[2 * i] =
          (regular || random.nextBoolean() ? 0 : -360)
              + (regular ? 7.9 + 0.6 * random.nextDouble() : 177.5 + 6 * random.nextDouble());
      points[2 * i + 1] =
          regular ? 46.9 + 0.5 * random.nextDouble() : -49.5 + 5 * random.nextDouble();
    }
    // lengthscales of many cells make the weights of kriging differ by more than rounding
    requireSame(model, points, regular ? 1e-11 : 1e-12, model.map().orElseThrow() + ", seed 8");
  }

  @ParameterizedTest
  @CsvSource({
    "1,matern12,60,0.01",
    "1,matern12,60,0",
    "2,matern12,14,0.01",
    "2,matern32,14,0.01",
    "3,matern12,7,0.05"
  })
  void roughKernels(int d, String kernel, int points, double noise) throws Exception {
    SplittableRandom random = new SplittableRandom(9);
    int all = (int) Math.round(Math.pow(points, d));
    int[] nodes = IntStream.range(0, all).filter(i -> random.nextInt(4) > 0).toArray();
    double[] x = new double[nodes.length * d]; // some nodes of a grid
    double[] y = new double[nodes.length];
    for (int i = 0; i < nodes.length; i++)
      for (int a = 0, rest = nodes[i]; a < d; a++, rest /= points) {
        x[i * d + a] = rest % points;
        y[i] += Math.sin(x[i * d + a] / 3) + 0.1 * random.nextGaussian();
      }
    List<Column> columns = IntStream.range(0, d).mapToObj(j -> Column.of("x" + j)).toList();
    double[] lengthscales = new double[d];
    Arrays.fill(lengthscales, 4);
    Model model =
        Fit.DEFAULT
            .withKernel(kernel)
            .withEngine(Engine.SPARSE)
            .withTraining(false)
            .set("lengthscale", lengthscales)
            .set("outputscale", 1.5)
            .set("noise", noise)
            .set("mean", 0.3)
            .to(Dataset.of(x, columns, y, Column.of("y")));
    assertTrue(model.lattice().isPresent() && model.lattice().get().kriges(), model.toString());
    double[] at = Exported.points(model, d == 3 ? 2000 : ROWS, new SplittableRandom(10));
    requireSame(model, at, 1e-12, kernel + " of " + d + " axes, seed 10");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SPECTRAL", "SPARSE"})
  void drifts(Engine engine) throws Exception {
    int n = 150;
    SplittableRandom random = new SplittableRandom(11);
    double[] x = new double[3 * n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[3 * i] = i % 15;
      x[3 * i + 1] = i / 15;
      x[3 * i + 2] = 100 + 10 * random.nextGaussian();
      y[i] = Math.sin(x[3 * i] / 2) + 0.1 * x[3 * i + 2] + 0.1 * random.nextGaussian();
    }
    List<Column> columns = List.of(Column.of("a"), Column.of("b"), Column.of("height"));
    Fit fit =
        Fit.DEFAULT
            .withKernel(engine == Engine.SPARSE ? "matern12" : "matern52")
            .withEngine(engine)
            .withDrift(List.of("height"))
            .withTraining(false)
            .set("lengthscale", 4, 5)
            .set("outputscale", 1.5)
            .set("noise", 0.02);
    if (engine == Engine.SPECTRAL) fit = fit.withGrid(GridChoice.DEFAULT.withPoints(16, 16));
    Model model = fit.to(Dataset.of(x, columns, y, Column.of("y")));
    double[] inner = Exported.points(model, ROWS, new SplittableRandom(12));
    double[] at = new double[3 * ROWS];
    for (int i = 0; i < ROWS; i++) {
      at[3 * i] = inner[2 * i];
      at[3 * i + 1] = inner[2 * i + 1];
      at[3 * i + 2] = 100 + 20 * random.nextGaussian();
    }
    requireSame(model, at, 1e-12, "drift, seed 12");
  }
}
