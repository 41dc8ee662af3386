package lovelace.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import lovelace.data.Dataset;
import lovelace.dense.DenseEngine;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.optimize.Lbfgs;
import lovelace.options.GridChoice;
import lovelace.planning.GridRule;
import lovelace.posterior.Prediction;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Data that leave a likelihood without a maximum, or nearly: every fit ends, with numbers.
class FitRobustnessTest {

  private static final Learner BRIEF =
      Learner.DEFAULT.withOptimizer(Lbfgs.DEFAULT.withMaxIterations(40));

  /// Inputs and targets with a name.
  static final class Case {
    final String name;
    final double[] x;
    final double[] y;

    Case(String name, double[] x, double[] y) {
      this.name = name;
      this.x = x;
      this.y = y;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> awkward() {
    var random = new SplittableRandom(5);
    int n = 60;
    double[] x = random.doubles(n, 0, 10).toArray();
    double[] wave = Arrays.stream(x).map(Math::sin).toArray();
    double[] constant = new double[n];
    Arrays.fill(constant, 1e6);
    double[] pairs = new double[n];
    for (int i = 0; i < n; i++) pairs[i] = x[i / 2];
    double[] noise = Arrays.stream(x).map(v -> random.nextGaussian()).toArray();
    double[] rough = Arrays.stream(x).map(v -> Math.sin(40 * v)).toArray();
    double[] one = new double[n];
    Arrays.fill(one, 4);
    double[] tiny = Arrays.stream(wave).map(v -> 1e-9 * v).toArray();
    double[] huge = Arrays.stream(wave).map(v -> 1e9 * v + 1e12).toArray();
    return Stream.of(
        new Case("noise-free", x, wave),
        new Case("constant target", x, constant),
        new Case("zero target", x, new double[n]),
        new Case(
            "duplicate inputs, same targets", pairs, Arrays.stream(pairs).map(Math::sin).toArray()),
        new Case("duplicate inputs, other targets", pairs, noise),
        new Case("noise alone", x, noise),
        new Case("many wiggles", x, rough),
        new Case("one place", one, noise),
        new Case("one observation", new double[] {2}, new double[] {3}),
        new Case("two observations", new double[] {2, 3}, new double[] {3, -1}),
        new Case("tiny numbers", x, tiny),
        new Case("huge numbers", x, huge));
  }

  /// Learned parameters, and the engine that they were learned by.
  private record Outcome(LatticeEngine engine, Learned learned) {}

  private static Outcome learn(String kernel, GridStatistics statistics, double[] x, double[] y) {
    Hyperparameters unset = Draws.unset(kernel, 1);
    SpectralEngine spectral =
        new SpectralEngine(statistics, SpectralEngine.TOLERANCE, SpectralEngine.MOST);
    boolean applies = spectral.applies(unset.fill(x, y)) && !kernel.contains("sm");
    LatticeEngine engine = applies ? spectral : new DenseEngine(statistics);
    return new Outcome(engine, BRIEF.learn(engine, unset, Dataset.of(x, 1, y), 1));
  }

  private static Prediction requireFinite(Outcome outcome, double... points) {
    Learned learned = outcome.learned;
    String said = learned.hyperparameters().toString();
    assertTrue(Double.isFinite(learned.logLikelihood()), said);
    for (double v : learned.hyperparameters().values()) assertTrue(Double.isFinite(v), said);
    LatticeDistribution c = outcome.engine.posterior(learned.hyperparameters(), 0.1);
    Prediction p = LatticePosterior.of(c, 0.1).predict(points);
    for (int i = 0; i < p.size(); i++) {
      assertTrue(Double.isFinite(p.mean(i)), said);
      assertTrue(p.variance(i) >= 0 && p.variance(i) < Double.POSITIVE_INFINITY, said);
    }
    return p;
  }

  @ParameterizedTest
  @MethodSource("awkward")
  void awkwardDataGiveNumbers(Case data) {
    Grid grid = GridRule.of(GridChoice.DEFAULT.withPoints(80)).choose(data.x, 1).grid();
    GridStatistics statistics = GridStatistics.of(grid, data.x, data.y);
    for (String kernel : new String[] {"rbf", "matern52", "sm(3)"}) {
      Prediction p = requireFinite(learn(kernel, statistics, data.x, data.y), data.x);
      if (data.name.equals("constant target")) assertEquals(1e6, p.mean(0), 1e3, kernel);
      if (data.name.equals("noise-free")) assertEquals(data.y[0], p.mean(0), 0.05, kernel);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rq", "periodic*rbf + rbf", "cosine + rbf", "rbf + matern32", "sm(2) + rbf"})
  void everyFormFitsAWave(String kernel) {
    var random = new SplittableRandom(6);
    int n = 80;
    double[] x = random.doubles(n, 0, 10).toArray();
    double[] y = Arrays.stream(x).map(v -> Math.sin(4 * v) + 0.1 * random.nextGaussian()).toArray();
    GridStatistics statistics = Draws.statistics(Draws.grid(-2, 12, 100, 1), x, y);
    Prediction p = requireFinite(learn(kernel, statistics, x, y), x);
    for (int i = 0; i < n; i++) assertEquals(Math.sin(4 * x[i]), p.mean(i), 0.35, kernel);
  }

  @Test
  void lengthscaleFarBelowTheSpacingEndsWithNumbers() {
    var random = new SplittableRandom(7);
    int n = 200;
    double[] x = random.doubles(n, 0, 100).toArray();
    double[] y = Arrays.stream(x).map(v -> Math.sin(40 * v)).toArray();
    GridStatistics statistics = Draws.statistics(Draws.grid(-5, 105, 30, 1), x, y);
    requireFinite(learn("rbf", statistics, x, y), x);
  }

  @Test
  void aMillionObservationsInOneCellAgreeOnTheirMean() {
    var random = new SplittableRandom(8);
    int n = 1_000_000;
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = 5 + 0.01 * random.nextDouble();
      y[i] = 7 + random.nextGaussian();
    }
    GridStatistics statistics = Draws.statistics(Draws.grid(0, 10, 40, 1), x, y);
    double[] someX = Arrays.copyOf(x, 2000);
    double[] someY = Arrays.copyOf(y, 2000);
    Outcome outcome = learn("rbf", statistics, someX, someY);
    assertEquals(7, requireFinite(outcome, 5.005).mean(0), 0.01);
    assertEquals(1, outcome.learned.hyperparameters().noise(), 0.01);
  }
}
