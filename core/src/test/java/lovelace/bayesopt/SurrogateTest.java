package lovelace.bayesopt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.surrogate.DataSurrogate;
import lovelace.bayesopt.surrogate.ExactSurrogate;
import lovelace.bayesopt.surrogate.FeatureSurrogate;
import lovelace.bayesopt.surrogate.GridSurrogate;
import lovelace.bayesopt.surrogate.Surrogate;
import lovelace.bayesopt.surrogate.Surrogate.FunctionDraw;
import lovelace.bayesopt.surrogate.SurrogateLearning;
import lovelace.bayesopt.surrogate.Surrogates;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.dense.DenseEngine;
import lovelace.exact.ExactGp;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.LatticeDistribution;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.posterior.Prediction;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SurrogateTest {

  private final SplittableRandom random = new SplittableRandom(11);

  private double[] points(int n, int d) {
    double[] x = new double[n * d];
    for (int i = 0; i < x.length; i++) x[i] = random.nextDouble();
    return x;
  }

  private static double[] target(double[] x, int d) {
    double[] z = new double[x.length / d];
    for (int i = 0; i < z.length; i++)
      for (int a = 0; a < d; a++) z[i] += Math.sin((3 + a) * x[i * d + a]);
    return z;
  }

  private static Hyperparameters smooth(int d) {
    return Hyperparameters.of(
        Kernel.matern52(0.5).times(1.1).bind(d), 1e-3, PriorMean.constant(0.3));
  }

  @Test
  void exactSurrogateIsTheExactGp() {
    double[] x = points(30, 2);
    double[] z = target(x, 2);
    double[] t = points(20, 2);
    Prediction expected = ExactGp.of(Dataset.of(x, 2, z), smooth(2)).predict(t);
    Surrogate surrogate = ExactSurrogate.of(smooth(2), x, z, 17);
    double[] means = new double[20];
    double[] variances = new double[20];
    surrogate.predict(20, t, means, variances);
    assertArrayEquals(expected.means(), means, 1e-8);
    assertArrayEquals(expected.variances(), variances, 1e-8);
  }

  @Test
  void rowsThatJoinLaterHaveTheSameBits() {
    double[] x = points(40, 3);
    double[] z = target(x, 3);
    double[] t = points(9, 3);
    ExactSurrogate whole = ExactSurrogate.of(smooth(3), x, z, 20);
    ExactSurrogate grown =
        ExactSurrogate.of(smooth(3), Arrays.copyOf(x, 75), Arrays.copyOf(z, 25), 20);
    for (int i = 25; i < 40; i++)
      grown = grown.with(Arrays.copyOfRange(x, 3 * i, 3 * i + 3), new double[] {z[i]});
    double[][] a = new double[2][9];
    double[][] b = new double[2][9];
    whole.predict(9, t, a[0], a[1]);
    grown.predict(9, t, b[0], b[1]);
    assertArrayEquals(a[0], b[0], 0);
    assertArrayEquals(a[1], b[1], 0);
  }

  @Test
  void gridSurrogateAgreesWithTheExactOne() {
    double[] x = points(150, 2);
    double[] z = target(x, 2);
    double[] t = points(30, 2);
    Surrogate exact = ExactSurrogate.of(smooth(2), x, z, 150);
    SurrogateLearning learner =
        new SurrogateLearning(
            Surrogates.DEFAULT.withKind(Surrogates.Kind.GRID).withGridPoints(60), 2, 1e-3);
    agree(exact, learner.wholeGrid(smooth(2), x, z), t);
    Surrogate quick = learner.condition(smooth(2), x, z, 150);
    assertInstanceOf(DataSurrogate.class, quick);
    agree(exact, quick, t);
  }

  private static void agree(Surrogate exactly, Surrogate onGrid, double[] t) {
    Surrogate exact = exactly;
    Surrogate grid = onGrid;
    double[] pending = {0.31, 0.77};
    for (int round = 0; round < 3; round++) {
      double[][] a = new double[2][30];
      double[][] b = new double[2][30];
      exact.predict(30, t, a[0], a[1]);
      grid.predict(30, t, b[0], b[1]);
      assertArrayEquals(a[0], b[0], 2e-3);
      for (int i = 0; i < 30; i++) assertEquals(a[1][i], b[1][i], 0.1 * a[1][i] + 2e-5);
      AcquisitionTest.checkGradient(
          new Merit.Modelled(grid, Criterion.bound(2), List.of(), new double[0]), 2);
      exact = exact.believing(pending);
      grid = grid.believing(pending);
      pending = new double[] {0.6, 0.1 * (round + 1)};
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"matern52", "rbf"})
  void suggestionsOnAGridKnowTheInterpolatedProcessItself(String shape) {
    double[] x = points(80, 2);
    double[] z = target(x, 2);
    SurrogateLearning learner =
        new SurrogateLearning(
            Surrogates.DEFAULT.withKind(Surrogates.Kind.GRID).withGridPoints(24), 2, 1e-3);
    Hyperparameters rough =
        Hyperparameters.of(
            Kernel.parse("1.3*%s(lengthscale=[0.11,0.2])".formatted(shape)).bind(2),
            1e-3,
            PriorMean.constant(0.1));
    DataSurrogate quick = (DataSurrogate) learner.condition(rough, x, z, 80);
    // from the definition: stencils and the kernel between all grid points
    GridStatistics statistics =
        GridStatistics.of(Grid.of(Axis.covering(0, 1, 24), Axis.covering(0, 1, 24)), x, z);
    DenseEngine engine = new DenseEngine(statistics);
    LatticeDistribution c = engine.posterior(rough, 1e-12);
    LatticePosterior whole = LatticePosterior.of(c, 1e-6);
    double[] scanned = quick.scan();
    double[] t = Arrays.copyOf(points(20, 2), 2 * 20 + scanned.length);
    System.arraycopy(scanned, 0, t, 40, scanned.length);
    int count = t.length / 2;
    double[][] got = new double[2][count];
    quick.predict(count, t, got[0], got[1]);
    Prediction expected = whole.predict(t);
    assertArrayEquals(expected.means(), got[0], 1e-8);
    assertArrayEquals(expected.variances(), got[1], 1e-8);
    double[] slopes = new double[6];
    double[] same = new double[6];
    quick.gradient(Arrays.copyOf(t, 2), slopes);
    whole.gradient(t, 0, same);
    assertArrayEquals(same, slopes, 1e-6);
    double[] few = Arrays.copyOf(t, 6);
    int draws = 4000;
    double[] drawn = quick.sample(few, draws, random);
    double[] covariance = whole.covariance(few, few);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        double sum = 0;
        for (int s = 0; s < draws; s++)
          sum += (drawn[3 * s + i] - got[0][i]) * (drawn[3 * s + j] - got[0][j]);
        double scale = Math.sqrt(covariance[4 * i] * covariance[4 * j]);
        assertEquals(covariance[3 * i + j], sum / draws, 0.1 * scale);
      }
    assertEquals(2, quick.functions(2, random).size());
  }

  @Test
  void maximaOfTheLikeliestPlacesAreThoseOfAll() {
    double[] x = points(80, 2);
    SurrogateLearning learner =
        new SurrogateLearning(
            Surrogates.DEFAULT.withKind(Surrogates.Kind.GRID).withGridPoints(40), 2, 1e-3);
    DataSurrogate quick = (DataSurrogate) learner.condition(smooth(2), x, target(x, 2), 80);
    double[] places = GridSurrogate.places(2, 15);
    int draws = 3000;
    double[] some = quick.maxima(places, 80, draws, random);
    double[] drawn = quick.sample(places, draws, random);
    double[] all = new double[draws];
    for (int s = 0; s < draws; s++)
      all[s] = Arrays.stream(drawn, s * 225, (s + 1) * 225).max().orElseThrow();
    double mean = Arrays.stream(all).average().orElseThrow();
    double variance = Arrays.stream(all).map(v -> (v - mean) * (v - mean)).sum() / (draws - 1);
    // two means of as many draws: beyond 5 standard errors once in 1.7 million
    assertEquals(
        mean, Arrays.stream(some).average().orElseThrow(), 5 * Math.sqrt(2 * variance / draws));
  }

  @Test
  void believingChangesVariancesOnly() {
    double[] x = points(20, 2);
    Surrogate before = ExactSurrogate.of(smooth(2), x, target(x, 2), 20);
    double[] at = {0.4, 0.6};
    Surrogate after = before.believing(at);
    double[] t = points(15, 2);
    double[][] a = new double[2][15];
    double[][] b = new double[2][15];
    before.predict(15, t, a[0], a[1]);
    after.predict(15, t, b[0], b[1]);
    assertArrayEquals(a[0], b[0], 1e-9);
    for (int i = 0; i < 15; i++) assertTrue(b[1][i] <= a[1][i] + 1e-12);
    after.predict(1, at, b[0], b[1]);
    assertTrue(b[1][0] < 1.1e-3);
  }

  @Test
  void drawnFunctionsHaveThePosteriorsMoments() {
    double[] x = points(10, 2);
    Surrogate surrogate = ExactSurrogate.of(smooth(2), x, target(x, 2), 10);
    double[] t = {0.5, 0.5, 0.05, 0.95};
    double[][] expected = new double[2][2];
    surrogate.predict(2, t, expected[0], expected[1]);
    int count = 600;
    double[] sum = new double[2];
    double[] squares = new double[2];
    for (FunctionDraw f : surrogate.functions(count, random))
      for (int i = 0; i < 2; i++) {
        double v = f.evaluate(Arrays.copyOfRange(t, 2 * i, 2 * i + 2), new double[2]);
        sum[i] += v / count;
        squares[i] += (v - expected[0][i]) * (v - expected[0][i]) / count;
      }
    for (int i = 0; i < 2; i++) {
      assertEquals(expected[0][i], sum[i], 5 * Math.sqrt(expected[1][i] / count));
      assertEquals(expected[1][i], squares[i], 0.35 * expected[1][i]); // 5 standard errors
    }
  }

  @Test
  void additiveGroupsAreFoundByLikelihood() {
    double[] x = points(90, 6);
    double[] z = new double[90];
    for (int i = 0; i < 90; i++) {
      double a = x[6 * i + 1];
      double b = x[6 * i + 4];
      z[i] = 2 * Math.sin(9 * a * b) + Math.cos(4 * x[6 * i]) + x[6 * i + 2];
    }
    SurrogateLearning learner =
        new SurrogateLearning(Surrogates.DEFAULT.withKind(Surrogates.Kind.ADDITIVE), 6, 1e-6);
    Hyperparameters h = learner.learn(x, z, null, 0);
    assertTrue(
        h.kernel().toString().contains("columns=[1, 4]")
            || h.kernel().toString().contains("columns=[1,4]"),
        h.kernel()::toString);
    Hyperparameters back = learner.read(SurrogateLearning.write(h));
    assertEquals(h.kernel(), back.kernel());
    assertEquals(h.noise(), back.noise());
  }

  @Test
  void additiveModelsOfManyObservationsLiveOnLattices() {
    double[] x = points(120, 5);
    double[] z = target(x, 5);
    Surrogates options = Surrogates.DEFAULT.withGroups(List.of(List.of(0, 3))).withExactLimit(100);
    SurrogateLearning learner = new SurrogateLearning(options, 5, 1e-4);
    Hyperparameters h = learner.learn(x, z, null, 0);
    Surrogate grid = learner.condition(h, x, z, 120);
    assertInstanceOf(GridSurrogate.class, grid);
    Surrogate exact = ExactSurrogate.of(h, x, z, 120);
    double[] t = points(10, 5);
    double[][] a = new double[2][10];
    double[][] b = new double[2][10];
    exact.predict(10, t, a[0], a[1]);
    grid.predict(10, t, b[0], b[1]);
    assertArrayEquals(a[0], b[0], 0.02);
  }

  @Test
  void featureSurrogateFollowsTheChainRule() {
    FeatureMap map =
        new FeatureMap() {
          @Override
          public int inputs() {
            return 4;
          }

          @Override
          public int outputs() {
            return 2;
          }

          @Override
          public void apply(double[] p, int count, double[] f) {
            for (int i = 0; i < count; i++) {
              f[2 * i] = p[4 * i] * p[4 * i + 1];
              f[2 * i + 1] = Math.sin(p[4 * i + 2]) + p[4 * i + 3];
            }
          }

          @Override
          public void pullBack(double[] p, int po, double[] w, int wo, double[] slope, int so) {
            slope[so] = w[wo] * p[po + 1];
            slope[so + 1] = w[wo] * p[po];
            slope[so + 2] = w[wo + 1] * Math.cos(p[po + 2]);
            slope[so + 3] = w[wo + 1];
          }

          @Override
          public String type() {
            return "test";
          }

          @Override
          public byte[] bytes() {
            return new byte[0];
          }
        };
    double[] x = points(30, 4);
    double[] z = target(x, 4);
    Surrogate inner = ExactSurrogate.of(smooth(2), FeatureSurrogate.features(map, x), z, 30);
    Surrogate outer = new FeatureSurrogate(map, inner);
    AcquisitionTest.checkGradient(
        new Merit.Modelled(outer, Criterion.logImprovement(1), List.of(), new double[0]), 4);
    // and a search in features from end to end
    SearchSpace space =
        SearchSpace.of(
            Variable.real("a", 0, 1),
            Variable.real("b", 0, 1),
            Variable.real("c", 0, 1),
            Variable.real("e", 0, 1));
    Tuning tuning =
        Tuning.DEFAULT
            .withNoise(0)
            .withSurrogates(Surrogates.DEFAULT.withFeatures(data -> map))
            .withAcquisition(Acquisition.LOG_EI);
    Tuner tuner = Tuner.of(space, tuning);
    for (int i = 0; i < 20; i++) {
      Point p = tuner.ask();
      double u = p.number("a") * p.number("b") - 0.3;
      double v = Math.sin(p.number("c")) + p.number("e") - 0.8;
      tuner.tell(p, u * u + v * v);
    }
    assertTrue(tuner.best().orElseThrow().value() < 0.01);
  }
}
