package lovelace.drift;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.Fit;
import lovelace.Model;
import lovelace.chain.ChainGp;
import lovelace.data.Dataset;
import lovelace.diagnostics.LeaveOneOut;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.neighbours.NeighbourGp;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.LinearRows;
import lovelace.sites.SiteGp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A drift beside the processes that hold their rows, against dense matrices from the definition.
class DriftedRowsTest {

  private static final double NOISE = 0.05;
  private static final int[] PLACES = {2, 3};
  private static final double[] POINTS = {
    0.2, 0.3, 500, 0.1, 0.81, 0.75, 900, -1, 0.5, 0.5, 350, 2, 0.02, 0.97, 700, 0
  };

  private static Hyperparameters parameters(String kernel, double noise, int dimensions) {
    return Hyperparameters.of(Kernel.parse(kernel).bind(dimensions), noise, PriorMean.ZERO);
  }

  /// A linear function of one input and one covariate, with rows that share a place.
  private static Dataset line(int n, boolean weighted) {
    Dataset data = DriftTest.rows(n, 61, weighted).keeping(0, 2);
    double[] x = data.inputs().clone();
    for (int i = 0; i < 5; i++) x[2 * i] = x[2 * i + 20];
    Dataset moved = Dataset.of(x, data.columns(), data.target(), data.targetColumn());
    return weighted ? moved.withWeights(data.weights()) : moved;
  }

  private static Terms terms(Dataset data, int process, int... places) {
    LeastSquares sums = new LeastSquares(data.dimensions(), process, places);
    for (int i = 0; i < data.size(); i++)
      sums.add(data.inputs(), i * data.dimensions(), data.target()[i], data.weight(i));
    List<String> names = IntStream.range(0, data.dimensions()).mapToObj(j -> "c" + j).toList();
    return sums.found(names, "y").terms();
  }

  /// The largest errors of means, variances, covariances and coefficients, in their own units.
  private static double error(DenseKriging dense, DriftedRows rows, int process, int[] places) {
    int d = rows.dimensions();
    double[] points = d == 4 ? POINTS : new double[] {0.2, 500, 0.81, 900, -0.2, 350, 1.4, 700};
    double[][] x = DenseKriging.rows(points, d, process);
    double[][] f = DenseKriging.terms(points, d, places);
    Prediction p = rows.predict(points);
    double[] covariance = rows.covariance(points, points);
    double worst = 0;
    for (int i = 0; i < x.length; i++) {
      double variance = dense.covariance(x[i], f[i], x[i], f[i]);
      worst = Math.max(worst, Math.abs(dense.mean(x[i], f[i]) - p.mean(i)) / Math.sqrt(variance));
      worst = Math.max(worst, Math.abs(variance - p.variance(i)) / variance);
      for (int j = 0; j < x.length; j++) {
        double own = dense.covariance(x[i], f[i], x[j], f[j]);
        worst = Math.max(worst, Math.abs(own - covariance[i * x.length + j]) / variance);
      }
    }
    double[] values = rows.trend().values();
    double[] errors = rows.trend().standardErrors();
    for (int j = 0; j < values.length; j++) {
      worst = Math.max(worst, Math.abs(values[j] - dense.beta[j]) / dense.errors[j]);
      worst = Math.max(worst, Math.abs(errors[j] / dense.errors[j] - 1));
    }
    return worst;
  }

  private static DriftedRows drifted(Dataset data, LinearRows process) {
    return DriftedRows.of(data, terms(data, 2, PLACES), null, process);
  }

  private static Grid grid() {
    return Grid.of(new Axis(-1, 0.5, 7), new Axis(-1, 0.5, 7));
  }

  @ParameterizedTest
  @ValueSource(doubles = {NOISE, 0})
  void sitesApproachKrigingAsNeighboursGrow(double noise) {
    Dataset data = DriftTest.rows(90, 63, noise > 0);
    Dataset seen = data.keeping(0, 1);
    Hyperparameters h = parameters("2*matern32(lengthscale=0.3)", noise, 2);
    DenseKriging dense = DenseKriging.of(data, 2, PLACES, h.kernel(), noise);
    double[] errors = new double[3];
    int[] neighbours = {8, 40, 400};
    for (int i = 0; i < 3; i++)
      errors[i] = error(dense, drifted(data, SiteGp.of(seen, grid(), h, neighbours[i])), 2, PLACES);
    assertTrue(errors[1] < 0.5 * errors[0], Arrays.toString(errors));
    assertTrue(errors[1] < 0.05, Arrays.toString(errors));
    assertTrue(errors[2] < 1e-6, Arrays.toString(errors));
    DriftedRows all = drifted(data, SiteGp.of(seen, grid(), h, 400));
    assertEquals(dense.logLikelihood, all.logMarginalLikelihood(), 1e-4);
  }

  @Test
  void neighboursApproachKrigingAsTheyGrow() {
    Dataset data = DriftTest.rows(90, 65, true);
    double[] x = data.inputs().clone();
    for (int i = 0; i < 6; i++) System.arraycopy(x, 4 * (i + 20), x, 4 * i, 2); // shared places
    Dataset rows =
        Dataset.of(x, data.columns(), data.target(), data.targetColumn())
            .withWeights(data.weights());
    Hyperparameters h = parameters("2*matern32(lengthscale=0.3)", NOISE, 2);
    DenseKriging dense = DenseKriging.of(rows, 2, PLACES, h.kernel(), NOISE);
    double[] errors = new double[3];
    int[] neighbours = {5, 20, 120};
    for (int i = 0; i < 3; i++)
      errors[i] =
          error(
              dense,
              drifted(rows, NeighbourGp.of(rows.keeping(0, 1), h, neighbours[i])),
              2,
              PLACES);
    assertTrue(errors[1] < 0.5 * errors[0], Arrays.toString(errors));
    assertTrue(errors[1] < 0.2, Arrays.toString(errors));
    assertTrue(errors[2] < 1e-6, Arrays.toString(errors));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void chainIsKriging(boolean weighted) {
    Dataset data = line(70, weighted);
    Hyperparameters h = parameters("2*matern32(lengthscale=0.3)", NOISE, 1);
    DenseKriging dense = DenseKriging.of(data, 1, new int[] {1}, h.kernel(), NOISE);
    DriftedRows rows =
        DriftedRows.of(data, terms(data, 1, 1), null, ChainGp.of(data.keeping(0), h));
    double error = error(dense, rows, 1, new int[] {1});
    assertTrue(error < 1e-7, "" + error);
    assertEquals(dense.logLikelihood, rows.logMarginalLikelihood(), 1e-6);
  }

  @ParameterizedTest
  @EnumSource(names = {"SITES", "CHAIN", "NEIGHBOURS"})
  void gradientOfTheRestrictedLikelihoodIsItsSlope(Engine engine) {
    int process = engine == Engine.CHAIN ? 1 : 2;
    Dataset data = engine == Engine.CHAIN ? line(40, true) : DriftTest.rows(40, 67, true);
    Dataset seen = data.keeping(IntStream.range(0, process).toArray());
    Hyperparameters h = parameters("2*matern32(lengthscale=0.3)", NOISE, process);
    int[] places = engine == Engine.CHAIN ? new int[] {1} : PLACES;
    Terms terms = terms(data, process, places);
    // neighbours stay only where all are neighbours
    java.util.function.Function<Hyperparameters, DriftedRows> of =
        other ->
            DriftedRows.of(
                data,
                terms,
                null,
                switch (engine) {
                  case SITES -> SiteGp.of(seen, grid(), other, 400);
                  case CHAIN -> ChainGp.of(seen, other);
                  default -> NeighbourGp.of(seen, other, 60);
                });
    double[] gradient = of.apply(h).likelihoodGradient();
    for (int k = 0; k < h.size(); k++) {
      double[] values = h.values();
      double step = 1e-5 * Math.max(0.1, Math.abs(values[k]));
      values[k] += step;
      double up = of.apply(h.with(values)).logMarginalLikelihood();
      values[k] -= 2 * step;
      double down = of.apply(h.with(values)).logMarginalLikelihood();
      double slope = (up - down) / (2 * step);
      // the likelihood of neighbours has 30 of them
      double slack = engine == Engine.NEIGHBOURS ? 2e-2 : 1e-4;
      assertEquals(slope, gradient[k], slack * (1 + Math.abs(slope)), "parameter " + k);
    }
  }

  private static Fit fit(Engine engine) {
    Fit fit = DriftTest.fixed("matern32").withEngine(engine);
    return engine == Engine.CHAIN
        ? fit.withDrift(List.of("elevation"))
        : fit.withDrift(DriftTest.BOTH);
  }

  private static Dataset data(Engine engine, int n, long seed) {
    Dataset data = DriftTest.rows(n, seed, true);
    return engine == Engine.CHAIN ? data.keeping(0, 2) : data;
  }

  private static double[] points(Engine engine) {
    return engine == Engine.CHAIN ? new double[] {0.2, 500, 0.81, 900, 0.5, 350} : POINTS;
  }

  private static Class<? extends LinearRows> type(Engine engine) {
    return switch (engine) {
      case SITES -> SiteGp.class;
      case CHAIN -> ChainGp.class;
      default -> NeighbourGp.class;
    };
  }

  @ParameterizedTest
  @EnumSource(names = {"SITES", "CHAIN", "NEIGHBOURS"})
  void modelsAreUpdatedWrittenAndRead(Engine engine, @TempDir Path directory) throws IOException {
    Dataset all = data(engine, 160, 71);
    Model whole = fit(engine).to(all);
    DriftedRows rows = assertInstanceOf(DriftedRows.class, whole.posterior());
    assertInstanceOf(type(engine), rows.inner());
    assertEquals(engine, whole.plan().chosen());
    Model part = fit(engine).to(all.rows(0, 100));
    double[] points = points(engine);
    Prediction p = whole.predict(points);
    for (Model same :
        List.of(
            part.with(all.rows(100, 160)), Model.merge(part, fit(engine).to(all.rows(100, 160))))) {
      assertArrayEquals(p.means(), same.predict(points).means(), 1e-7);
      assertArrayEquals(p.variances(), same.predict(points).variances(), 1e-7);
      assertEquals(whole.logMarginalLikelihood(), same.logMarginalLikelihood(), 1e-5);
    }
    assertArrayEquals(
        part.predict(points).means(),
        whole.without(all.rows(100, 160)).predict(points).means(),
        1e-7);
    Path file = directory.resolve("m.lvl");
    whole.save(file);
    Model read = Model.load(file);
    assertArrayEquals(p.means(), read.predict(points).means(), 0);
    assertArrayEquals(p.variances(), read.predict(points).variances(), 0);
    assertEquals(whole.drift(), read.drift());
    Model other = fit(engine).set("noise", 0.2).to(all);
    Model changed = whole.with(other.hyperparameters(), engine, Options.Maker.LIBRARY);
    assertArrayEquals(other.predict(points).means(), changed.predict(points).means(), 1e-9);
    // one point at a time and all together
    for (int i = 0; i < p.size(); i++) {
      int d = all.dimensions();
      Prediction alone = whole.predict(Arrays.copyOfRange(points, i * d, i * d + d));
      assertEquals(p.mean(i), alone.mean(0), 0);
      assertEquals(p.variance(i), alone.variance(0), 0);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SITES", "CHAIN", "NEIGHBOURS"})
  void areasAndDrawsHaveTheMomentsOfThePosterior(Engine engine) {
    Model model = fit(engine).to(data(engine, 80, 73));
    double[] points = points(engine);
    int t = points.length / model.columns().size();
    double[] covariance = model.posterior().covariance(points, points);
    Prediction p = model.predict(points);
    double mean = 0;
    double variance = 0;
    for (int i = 0; i < t; i++) {
      mean += p.mean(i) / t;
      for (int j = 0; j < t; j++) variance += covariance[i * t + j] / (t * t);
    }
    Prediction area = model.posterior().average(points, new double[0], new int[] {0, t});
    assertEquals(mean, area.mean(0), 1e-9 * Math.abs(mean));
    // the joint distribution of neighbours is close to their predictions, not equal
    assertEquals(
        variance, area.variance(0), (engine == Engine.NEIGHBOURS ? 1e-2 : 1e-8) * variance);
    int count = 20_000;
    double[] draws = model.sample(points, count, new SplittableRandom(5));
    double sum = 0;
    double squares = 0;
    for (int s = 0; s < count; s++) {
      double own = 0;
      for (int i = 0; i < t; i++) own += draws[s * t + i] / t;
      sum += (own - mean) / count;
      squares += (own - mean) * (own - mean) / count;
    }
    double error = 5 / Math.sqrt(count);
    assertEquals(0, sum, error * Math.sqrt(variance) + 1e-2 * Math.sqrt(variance));
    assertEquals(variance, squares, 1.5 * error * variance + 1e-2 * variance);
  }

  @ParameterizedTest
  @EnumSource(names = {"SITES", "CHAIN", "NEIGHBOURS", "EXACT"})
  void rowsLeftOutEqualAFitWithoutThem(Engine engine) {
    Dataset all = data(engine, 60, 75);
    Fit fit = fit(engine);
    Prediction left = LeaveOneOut.of(fit.to(all).posterior(), fit.to(all).held(), all);
    for (int i : new int[] {0, 17, 59}) {
      int[] others = IntStream.range(0, 60).filter(r -> r != i).toArray();
      Model without = fit.to(all.select(others));
      int d = all.dimensions();
      Prediction p = without.predict(Arrays.copyOfRange(all.inputs(), i * d, i * d + d));
      double variance = p.variance(0) + NOISE / all.weight(i);
      double slack = engine == Engine.SITES ? 0.05 : 1e-5; // other neighbours without the row
      assertEquals(p.mean(0), left.mean(i), slack * Math.sqrt(variance), "row " + i);
      assertEquals(variance, left.variance(i), slack * variance, "row " + i);
    }
  }

  @Test
  void withoutNoiseTheExactEngineLeavesRowsOut() {
    Dataset all = DriftTest.rows(40, 77, false);
    Fit fit = fit(Engine.EXACT).set("noise", 0);
    Prediction left = LeaveOneOut.of(fit.to(all).posterior(), fit.to(all).held(), all);
    int[] others = IntStream.range(0, 40).filter(r -> r != 7).toArray();
    Prediction p = fit.to(all.select(others)).predict(Arrays.copyOfRange(all.inputs(), 28, 32));
    assertEquals(p.mean(0), left.mean(7), 1e-6);
    assertEquals(p.variance(0), left.variance(7), 1e-6 * p.variance(0));
  }

  @Test
  void thousandsOfRowsUnderARoughKernelBecomeSites() {
    Dataset data = DriftTest.rows(2000, 79, false);
    Model model = Fit.DEFAULT.withKernel("matern32").withDrift(DriftTest.BOTH).to(data);
    DriftedRows rows = assertInstanceOf(DriftedRows.class, model.posterior());
    assertInstanceOf(SiteGp.class, rows.inner());
    List<Model.Coefficient> drift = model.drift();
    assertEquals(-0.0065, drift.get(1).value(), 5 * drift.get(1).standardError());
    assertEquals(0.3, drift.get(2).value(), 5 * drift.get(2).standardError());
    assertEquals(0.04, model.noise(), 0.01);
    assertEquals(
        1, model.provenance().notes().stream().filter(n -> n.text().contains("sites")).count());
    Model learned = model.learn();
    assertEquals(model.logMarginalLikelihood(), learned.logMarginalLikelihood(), 1);
  }

  @Test
  void rowsAtOnePlaceThatDifferNeedNoise() {
    Dataset data = line(30, false);
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> fit(Engine.CHAIN).set("noise", 0).withEngine(Engine.SITES).to(data));
    assertTrue(String.valueOf(e.getMessage()).contains("place"), e.getMessage());
  }
}
