package lovelace.drift;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Kriging with drift against dense matrices written from the definition.
class DriftTest {

  private static final double NOISE = 0.05;

  /// Rows of x, y, elevation and slope; the target has a trend in both and something smooth.
  static Dataset rows(int n, long seed, boolean weighted) {
    return rows(n, seed, weighted, 0);
  }

  /// @param cells the number of cells per unit of the grid that places lie on; 0 for anywhere
  static Dataset rows(int n, long seed, boolean weighted, int cells) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = new double[n * 4];
    double[] z = new double[n];
    double[] w = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < 2; j++) {
        double u = random.nextDouble();
        x[4 * i + j] = cells == 0 ? u : Math.rint(cells * u) / cells;
      }
      x[4 * i + 2] = 300 + 400 * random.nextDouble() + 200 * x[4 * i];
      x[4 * i + 3] = random.nextGaussian();
      z[i] =
          1000
              + 2 * Math.sin(5 * x[4 * i]) * Math.cos(4 * x[4 * i + 1])
              - 0.0065 * x[4 * i + 2]
              + 0.3 * x[4 * i + 3]
              + 0.2 * random.nextGaussian();
      w[i] = weighted ? 0.5 + random.nextDouble() : 1;
    }
    List<Column> columns =
        List.of(Column.of("x"), Column.of("y"), Column.of("elevation"), Column.of("slope"));
    Dataset data = Dataset.of(x, columns, z, Column.of("z"));
    return weighted ? data.withWeights(w) : data;
  }

  static final List<String> BOTH = List.of("elevation", "slope");

  static Fit fixed(String kernel) {
    return Fit.DEFAULT
        .withKernel(kernel)
        .withTraining(false)
        .set("lengthscale", 0.3)
        .set("outputscale", 2)
        .set("noise", NOISE);
  }

  private static double[] points(int n, long seed) {
    double[] x = rows(n, seed, false).inputs();
    for (int i = 0; i < n; i++)
      for (int j = 0; j < 2; j++) x[4 * i + j] = 0.05 + 0.9 * x[4 * i + j];
    return x;
  }

  /// Compares predictions, covariances, coefficients and the likelihood with the definition.
  static void requireLike(
      DenseKriging dense, Model model, int process, int[] places, double[] points, double slack) {
    int d = model.columns().size();
    double[][] x = DenseKriging.rows(points, d, process);
    double[][] f = DenseKriging.terms(points, d, places);
    Prediction p = model.predict(points);
    double[] covariance = model.posterior().covariance(points, points);
    int t = x.length;
    for (int i = 0; i < t; i++) {
      assertEquals(dense.mean(x[i], f[i]), p.mean(i), slack * 10, "mean at " + i);
      double variance = dense.covariance(x[i], f[i], x[i], f[i]);
      assertEquals(variance, p.variance(i), slack * (1 + variance), "variance at " + i);
      for (int j = 0; j < t; j++)
        assertEquals(
            dense.covariance(x[i], f[i], x[j], f[j]),
            covariance[i * t + j],
            slack * (1 + variance),
            "covariance of " + i + " and " + j);
    }
    for (int j = 0; j < dense.beta.length; j++) {
      Model.Coefficient c = model.drift().get(j);
      assertEquals(dense.beta[j], c.value(), slack * (1 + Math.abs(dense.beta[j])), c.name());
      assertEquals(dense.errors[j], c.standardError(), slack * dense.errors[j] * 10, c.name());
    }
    assertEquals(
        dense.logLikelihood,
        model.logMarginalLikelihood(),
        100 * slack * Math.abs(dense.logLikelihood));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void exactEngineIsKrigingWithExternalDrift(boolean weighted) {
    Dataset data = rows(60, 7, weighted);
    Model model = fixed("matern32").withEngine(Engine.EXACT).withDrift(BOTH).to(data);
    assertEquals(
        List.of("intercept", "elevation", "slope"),
        model.drift().stream().map(Model.Coefficient::name).toList());
    DenseKriging dense =
        DenseKriging.of(data, 2, new int[] {2, 3}, model.hyperparameters().kernel(), NOISE);
    requireLike(dense, model, 2, new int[] {2, 3}, points(9, 8), 1e-8);
  }

  @Test
  void noColumnIsOrdinaryKriging() {
    Dataset data = rows(50, 3, true).keeping(0, 1);
    Model model = fixed("rbf").withEngine(Engine.EXACT).withDrift(List.of()).to(data);
    DenseKriging dense =
        DenseKriging.of(data, 2, new int[0], model.hyperparameters().kernel(), NOISE);
    double[] points = {0.2, 0.3, 0.9, 0.9, 2, 3};
    requireLike(dense, model, 2, new int[0], points, 1e-8);
  }

  @Test
  void linearMeanIsUniversalKriging() {
    Dataset data = rows(50, 4, false);
    Fit fit = fixed("matern52").withEngine(Engine.EXACT).withMean("linear");
    Model model = fit.withDrift(List.of("elevation", "slope")).to(data);
    int[] places = {0, 1, 2, 3};
    DenseKriging dense = DenseKriging.of(data, 2, places, model.hyperparameters().kernel(), NOISE);
    requireLike(dense, model, 2, places, points(6, 9), 1e-8);
  }

  @Test
  void aColumnMayBeInputAndDrift() {
    Dataset data = rows(50, 5, false);
    Fit fit = fixed("matern52").withEngine(Engine.EXACT);
    Model model = fit.withDrift(List.of("slope", "elevation"), List.of("y")).to(data);
    assertEquals(
        List.of("intercept", "y", "elevation", "slope").stream().sorted().toList(),
        model.drift().stream().map(Model.Coefficient::name).sorted().toList());
    Dataset moved = data.keeping(0, 1, 3, 2);
    int[] places = {1, 2, 3};
    DenseKriging dense = DenseKriging.of(moved, 2, places, model.hyperparameters().kernel(), NOISE);
    double[] points =
        Dataset.of(points(6, 9), data.columns(), new double[6], data.targetColumn())
            .keeping(0, 1, 3, 2)
            .inputs();
    requireLike(dense, model, 2, places, points, 1e-8);
    requireMessage("twice", () -> fit.withDrift(BOTH, List.of("slope")).to(data));
    requireMessage("'height' is not among", () -> fit.withDrift(BOTH, List.of("height")).to(data));
  }

  @ParameterizedTest
  @EnumSource(names = {"SPECTRAL", "DENSE", "KRYLOV"})
  void gridEnginesAreKrigingOnTheirLattice(Engine engine) {
    Dataset data = rows(80, 11, true);
    Model model =
        fixed(engine == Engine.SPECTRAL ? "rbf" : "matern32")
            .withEngine(engine)
            .withTolerance(1e-4)
            .withGrid(GridChoice.DEFAULT.withPoints(12, 10))
            .withMean("linear")
            .withDrift(BOTH)
            .to(data);
    int[] places = {0, 1, 2, 3};
    requireLike(interpolated(model, data, 2, places), model, 2, places, points(7, 12), 2e-6);
  }

  @Test
  void markovEngineIsKrigingOnItsLattice() {
    Dataset data = rows(80, 13, true).keeping(0, 2);
    Model model =
        fixed("matern32")
            .withEngine(Engine.MARKOV)
            .withGrid(GridChoice.DEFAULT.withPoints(20))
            .withDrift(List.of("elevation"))
            .to(data);
    double[] all = points(8, 14);
    double[] points = new double[16];
    for (int i = 0; i < 8; i++) {
      points[2 * i] = all[4 * i];
      points[2 * i + 1] = all[4 * i + 2];
    }
    requireLike(interpolated(model, data, 1, new int[] {1}), model, 1, new int[] {1}, points, 1e-7);
  }

  @ParameterizedTest
  @ValueSource(doubles = {NOISE, 0})
  void sparseEngineIsKrigingOfRowsOnNodes(double noise) {
    Dataset all = rows(90, 15, false, 12);
    Dataset data = all.select(distinct(all));
    Model model =
        fixed("matern12")
            .set("noise", noise)
            .withEngine(Engine.SPARSE)
            .withGrid(GridChoice.DEFAULT.onData())
            .withDrift(BOTH)
            .to(data);
    int[] places = {2, 3};
    DenseKriging dense = DenseKriging.of(data, 2, places, model.hyperparameters().kernel(), noise);
    double[] points = points(6, 16);
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 2; j++) points[4 * i + j] = Math.rint(12 * points[4 * i + j]) / 12;
    double[][] x = DenseKriging.rows(points, 4, 2);
    double[][] f = DenseKriging.terms(points, 4, places);
    Prediction p = model.predict(points);
    for (int i = 0; i < 6; i++) {
      double variance = dense.covariance(x[i], f[i], x[i], f[i]);
      // the engine keeps variances within its tolerance, one per cent, and means of true kernels
      assertEquals(dense.mean(x[i], f[i]), p.mean(i), 1e-3);
      assertEquals(variance, p.variance(i), 0.02 * variance + 1e-9);
    }
    for (int j = 0; j < 3; j++) {
      assertEquals(dense.beta[j], model.drift().get(j).value(), 1e-3 * dense.errors[j]);
      assertEquals(dense.errors[j], model.drift().get(j).standardError(), 1e-3 * dense.errors[j]);
    }
  }

  /// The first row at every place.
  private static int[] distinct(Dataset data) {
    var seen = new java.util.HashSet<List<Double>>();
    return IntStream.range(0, data.size())
        .filter(i -> seen.add(List.of(data.inputs()[4 * i], data.inputs()[4 * i + 1])))
        .toArray();
  }

  private static DenseKriging interpolated(Model model, Dataset data, int process, int[] places) {
    Grid grid = (Grid) model.lattice().orElseThrow().statistics().lattice();
    BiFunction<double[], double[], Double> kernel =
        DenseKriging.interpolated(grid, model.hyperparameters().kernel());
    return new DenseKriging(
        DenseKriging.rows(data.inputs(), data.dimensions(), process),
        DenseKriging.terms(data.inputs(), data.dimensions(), places),
        data.target(),
        data.weights(),
        NOISE,
        kernel);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void predictionsAreTheSameBitsInAnyBatch(int dimensions) {
    Dataset all = rows(80, 81, false);
    double[] x = new double[80 * (dimensions + 1)];
    for (int i = 0; i < 80; i++) {
      for (int j = 0; j < dimensions; j++)
        x[i * (dimensions + 1) + j] = all.inputs()[4 * ((i + 11 * j) % 80)];
      x[i * (dimensions + 1) + dimensions] = all.inputs()[4 * i + 2];
    }
    List<Column> columns =
        IntStream.rangeClosed(0, dimensions).mapToObj(j -> Column.of("c" + j)).toList();
    Dataset data = Dataset.of(x, columns, all.target(), all.targetColumn());
    int[] points = new int[dimensions];
    Arrays.fill(points, 9);
    Model model =
        fixed("rbf")
            .withEngine(Engine.KRYLOV)
            .withGrid(GridChoice.DEFAULT.withPoints(points))
            .withDrift(List.of("c" + dimensions))
            .to(data);
    double[] asked = Arrays.copyOf(x, 20 * (dimensions + 1));
    asked[0] = 3; // beyond the grid
    Prediction together = model.predict(asked);
    double[] covariance = model.posterior().covariance(asked, asked);
    assertTrue(together.outside(0));
    for (int i = 0; i < 20; i++) {
      double[] one = Arrays.copyOfRange(asked, i * (dimensions + 1), (i + 1) * (dimensions + 1));
      assertEquals(model.predict(one).mean(0), together.mean(i), 0);
      assertEquals(model.predict(one).variance(0), together.variance(i), 0);
      assertEquals(covariance[i * 20 + i], together.variance(i), 1e-8 * together.variance(i));
    }
  }

  @Test
  void beyondTheGridTheDriftGoesOn() {
    Dataset data = rows(80, 17, false);
    Fit fit = fixed("rbf").withDrift(BOTH);
    Model exact = fit.withEngine(Engine.EXACT).to(data);
    Model grid =
        fit.withEngine(Engine.SPECTRAL).withGrid(GridChoice.DEFAULT.withPoints(40, 40)).to(data);
    double[] beyond = {1.4, 0.5, 500, 0.2, -0.3, 1.2, 900, 1};
    Prediction p = exact.predict(beyond);
    Prediction q = grid.predict(beyond);
    for (int i = 0; i < 2; i++) {
      assertTrue(q.outside(i));
      assertEquals(p.mean(i), q.mean(i), 1e-3);
      assertEquals(p.variance(i), q.variance(i), 1e-3 * p.variance(i));
    }
  }

  @Test
  void gradientOfTheRestrictedLikelihoodIsItsSlope() {
    Dataset data = rows(40, 19, true);
    DriftedRows gp =
        (DriftedRows)
            fixed("matern52").withEngine(Engine.EXACT).withDrift(BOTH).to(data).posterior();
    Hyperparameters h = gp.hyperparameters();
    double[] gradient = gp.likelihoodGradient();
    for (int k = 0; k < h.size(); k++) {
      double[] values = h.values();
      double step = 1e-5 * Math.max(0.1, Math.abs(values[k]));
      values[k] += step;
      double up = gp.with(data, h.with(values)).logMarginalLikelihood();
      values[k] -= 2 * step;
      double down = gp.with(data, h.with(values)).logMarginalLikelihood();
      assertEquals((up - down) / (2 * step), gradient[k], 1e-4 * (1 + Math.abs(gradient[k])));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACT", "SPECTRAL"})
  void drawsHaveTheMomentsOfThePosterior(Engine engine) {
    Dataset data = rows(60, 21, false);
    Model model = fixed("rbf").withEngine(engine).withDrift(BOTH).to(data);
    double[] points = {0.2, 0.3, 900, 2, 0.7, 0.7, 300, -2};
    int count = 20_000;
    double[] draws = model.sample(points, count, new SplittableRandom(5));
    Prediction p = model.predict(points);
    double cross = model.posterior().covariance(points, points)[1];
    double[] mean = new double[2];
    for (int s = 0; s < count; s++) for (int i = 0; i < 2; i++) mean[i] += draws[2 * s + i] / count;
    double product = 0;
    for (int i = 0; i < 2; i++) {
      double sum = 0;
      for (int s = 0; s < count; s++) sum += Math.pow(draws[2 * s + i] - mean[i], 2) / count;
      double error = 5 / Math.sqrt(count);
      assertEquals(p.mean(i), mean[i], error * p.deviation(i));
      assertEquals(p.variance(i), sum, 1.5 * error * p.variance(i));
    }
    for (int s = 0; s < count; s++)
      product += (draws[2 * s] - mean[0]) * (draws[2 * s + 1] - mean[1]) / count;
    assertEquals(cross, product, 5 / Math.sqrt(count) * p.deviation(0) * p.deviation(1) * 1.5);
  }

  @ParameterizedTest
  @EnumSource(names = {"EXACT", "SPECTRAL", "AUTO"})
  void learningFindsTheCoefficients(Engine engine) {
    Dataset data = rows(engine == Engine.EXACT ? 300 : 1200, 23, false);
    Model model = Fit.DEFAULT.withKernel("rbf").withEngine(engine).withDrift(BOTH).to(data);
    List<Model.Coefficient> drift = model.drift();
    assertEquals(-0.0065, drift.get(1).value(), 5 * drift.get(1).standardError());
    assertEquals(0.3, drift.get(2).value(), 5 * drift.get(2).standardError());
    assertTrue(drift.get(1).standardError() < 0.001, drift.toString());
    assertEquals(0.04, model.noise(), 0.012);
    assertTrue(Double.isFinite(model.logMarginalLikelihood()));
    assertTrue(model.count() == data.size());
  }

  @Test
  void restrictedLikelihoodIsHighestAtWhatIsLearned() {
    Dataset data = rows(120, 25, false);
    Model model = Fit.DEFAULT.withKernel("rbf").withEngine(Engine.EXACT).withDrift(BOTH).to(data);
    DriftedRows gp = (DriftedRows) model.posterior();
    Hyperparameters h = gp.hyperparameters();
    for (int k = 0; k < h.size(); k++)
      for (double factor : new double[] {0.8, 1.25}) {
        double[] values = h.values();
        values[k] *= factor;
        double other = gp.with(gp.data(), h.with(values)).logMarginalLikelihood();
        assertTrue(other < gp.logMarginalLikelihood(), "parameter " + k + " times " + factor);
      }
  }

  @Test
  void transformIsOfTheTargetBeforeTheDrift() {
    Dataset data = rows(60, 27, false);
    double[] y = Arrays.stream(data.target()).map(v -> Math.exp(v - 998)).toArray();
    Dataset positive = Dataset.of(data.inputs(), data.columns(), y, data.targetColumn());
    Fit fit = fixed("rbf").withEngine(Engine.EXACT).withDrift(BOTH);
    Model log = fit.withTransform(TargetTransform.LOG).to(positive);
    Model plain = fit.to(data);
    double[] points = points(5, 28);
    for (int i = 0; i < 5; i++) {
      double median = log.predict(points).quantile(i, 0.5);
      assertEquals(plain.predict(points).mean(i) - 998, Math.log(median), 1e-8);
    }
  }

  @Test
  void columnsOfTheDriftComeLastWhereverTheyStand() {
    Dataset data = rows(50, 29, false);
    Fit fit = fixed("rbf").withEngine(Engine.EXACT).withDrift(BOTH);
    Model model = fit.to(data);
    Model other = fit.to(data.keeping(3, 0, 2, 1));
    assertEquals(
        List.of("x", "y", "elevation", "slope"),
        other.columns().stream().map(Column::name).toList());
    double[] points = points(4, 30);
    assertEquals(model.predict(points).mean(2), other.predict(points).mean(2), 1e-9);
    Dataset more = rows(10, 31, false);
    assertEquals(
        model.with(more).predict(points).mean(1),
        other.with(more.keeping(3, 0, 2, 1)).predict(points).mean(1),
        1e-9);
  }

  @Test
  void whatCannotBeIsRefusedInWords() {
    Dataset data = rows(40, 33, false);
    Fit fit = fixed("rbf").withDrift(BOTH);
    requireMessage("'height' is not among", () -> fit.withDrift(List.of("height")).to(data));
    requireMessage("twice", () -> fit.withDrift(List.of("slope", "slope")).to(data));
    requireMessage("mean is zero", () -> fit.withMean("zero").to(data));
    requireMessage("shape is additive", () -> fit.withShape(Options.Shape.ADDITIVE).to(data));
    requireMessage("poisson", () -> fit.withLikelihood("poisson").to(data));
    requireMessage(
        "every column", () -> fit.withDrift(List.of("x", "y", "elevation", "slope")).to(data));
    requireMessage("1 rows are too few", () -> fit.to(data.rows(0, 1)));
    double[] x = data.inputs().clone();
    for (int i = 0; i < 40; i++) x[4 * i + 3] = 7;
    Dataset flat = Dataset.of(x, data.columns(), data.target(), data.targetColumn());
    requireMessage("column 'slope' is constant (7.0 in all 40 rows)", () -> fit.to(flat));
    double[] y = data.inputs().clone();
    for (int i = 0; i < 40; i++) y[4 * i + 3] = 3 - 0.1 * y[4 * i + 2];
    Dataset alike = Dataset.of(y, data.columns(), data.target(), data.targetColumn());
    requireMessage("'slope' is a linear function of 'elevation'", () -> fit.to(alike));
    double[] exact = new double[40];
    for (int i = 0; i < 40; i++) exact[i] = 2 + data.inputs()[4 * i + 2];
    Dataset explained = Dataset.of(data.inputs(), data.columns(), exact, data.targetColumn());
    requireMessage("nothing is left", () -> fit.to(explained));
  }

  private static void requireMessage(String part, org.junit.jupiter.api.function.Executable body) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, body);
    assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
  }

  @Test
  void theProgramOfThePageRuns() throws IOException {
    Dataset stations = rows(60, 37, false).keeping(0, 1, 2);
    Model model = Fit.DEFAULT.withKernel("matern52").withDrift(List.of("elevation")).to(stations);
    for (Model.Coefficient c : model.drift())
      System.out.printf("%s %.4f ± %.4f%n", c.name(), c.value(), c.standardError());
    // the columns of the process first, then those of the drift
    Prediction p = model.predict(0.5, 0.5, 800);
    assertTrue(p.variance(0) > 0);
    String page = Files.readString(Path.of("../docs/drift.md")).split("```java\n", -1)[1];
    String own = Files.readString(Path.of("src/test/java/lovelace/drift/DriftTest.java"));
    for (String line : page.substring(0, page.indexOf("```")).lines().toList())
      assertTrue(own.contains(line.strip()), line);
  }

  @Test
  void constantInputIsLeftOutBesideADrift() {
    Dataset data = rows(50, 35, false);
    double[] x = data.inputs().clone();
    for (int i = 0; i < 50; i++) x[4 * i + 1] = 2;
    Dataset flat = Dataset.of(x, data.columns(), data.target(), data.targetColumn());
    Model model = fixed("rbf").withEngine(Engine.EXACT).withMean("linear").withDrift(BOTH).to(flat);
    assertEquals(1, model.leftOut().size());
    assertEquals(
        List.of("x", "elevation", "slope"), model.columns().stream().map(Column::name).toList());
    assertEquals(4, model.drift().size());
    Kernel kernel = model.hyperparameters().kernel();
    DenseKriging dense =
        DenseKriging.of(flat.keeping(0, 2, 3), 1, new int[] {0, 1, 2}, kernel, NOISE);
    requireLike(
        dense, model, 1, new int[] {0, 1, 2}, new double[] {0.4, 500, 1, 0.8, 700, 0}, 1e-8);
  }
}
