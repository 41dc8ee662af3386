package lovelace.posterior;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import lovelace.dense.DenseEngine;
import lovelace.grid.Grid;
import lovelace.inference.Interpolated;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeProblem;
import lovelace.inference.Trial;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.love.Love;
import lovelace.markov.MarkovEngine;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class VarianceMarketTest {

  static LongStream seeds() {
    return LongStream.range(700, Boolean.getBoolean("lovelace.long") ? 1200 : 716);
  }

  private static LatticePosterior posterior(LatticeDistribution c) {
    return LatticePosterior.of(c, 0.01);
  }

  /// The posteriors of every engine that serves the model.
  private static List<LatticePosterior> posteriors(LatticeProblem problem) {
    List<LatticePosterior> all = new ArrayList<>();
    Hyperparameters h = problem.hyperparameters();
    GridStatistics statistics = (GridStatistics) problem.statistics();
    all.add(LatticePosterior.love(problem, Love.DEFAULT.withRank(4)));
    all.add(LatticePosterior.love(problem, Love.DEFAULT));
    all.add(posterior(new DenseEngine(statistics).posterior(h, 0.01)));
    SpectralEngine spectral = new SpectralEngine(statistics, SpectralEngine.TOLERANCE, 2000);
    if (spectral.applies(h)) all.add(posterior(spectral.posterior(h, 0.01)));
    if (MarkovEngine.applies(statistics.lattice(), h.kernel()))
      all.add(posterior(new MarkovEngine(statistics).posterior(h, 0.01)));
    return all;
  }

  private static void assertHonest(
      LatticePosterior posterior, double[] at, Interpolated truth, double[][] w, String model) {
    Prediction prediction = posterior.predict(at);
    double[][] interval = posterior.certify(at);
    for (int p = 0; p < prediction.size(); p++) {
      double exact = truth.between(w[p], w[p]);
      double v = prediction.variance(p);
      String what =
          String.format(
              Locale.ROOT,
              "%s, %s, point %d: variance %.6e%s, truth %.6e, interval [%.6e, %.6e]",
              model,
              posterior.certificate().how(),
              p,
              v,
              prediction.atBound(p) ? " at its bound" : "",
              exact,
              interval[0][p],
              interval[1][p]);
      assertTrue(v > 0 && v < Double.POSITIVE_INFINITY, what);
      assertTrue(interval[0][p] <= exact * (1 + 1e-14), what);
      assertTrue(interval[1][p] >= exact * (1 - 1e-14), what);
      // what is predicted without a mark lies where the certificate says, up to a millionth
      if (!prediction.atBound(p)) {
        assertTrue(v >= interval[0][p] * (1 - 1e-6), what);
        assertTrue(v <= interval[1][p] * (1 + 1e-6), what);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void varianceIsNeverNegative(long seed) {
    Trial trial = new Trial(seed);
    Interpolated truth = trial.truth();
    double[][] w = Interpolated.weights(trial.grid, trial.at);
    int d = trial.grid.dimensions();
    double[] beyond = Interpolated.uniform(new SplittableRandom(seed), 5 * d, -3, 3);
    for (LatticePosterior posterior : posteriors(trial.problem)) {
      assertHonest(posterior, trial.at, truth, w, trial.toString());
      Prediction prediction = posterior.predict(beyond);
      for (int p = 0; p < prediction.size(); p++) {
        double v = prediction.variance(p);
        assertTrue(
            v > 0 && v < Double.POSITIVE_INFINITY,
            "%s, %s, beyond %s: %s"
                .formatted(trial, posterior.certificate().how(), Arrays.toString(beyond), v));
      }
    }
  }

  /// A million observations of a hundred places.
  @ParameterizedTest
  @CsvSource({
    "100*rbf(lengthscale=0.5), 1, 12, 1e-8",
    "1*matern32(lengthscale=0.3), 1, 12, 1e-8",
    "2*matern52(lengthscale=0.8), 2, 5, 1e-4"
  })
  void norIsItOfAMillionObservations(String text, int d, int points, double noise) {
    SplittableRandom random = new SplittableRandom(81);
    Grid grid = Interpolated.cube(d, points);
    int n = 1_000_000;
    double[] places = Interpolated.uniform(random, 100 * d, -1, 1);
    double[] x = new double[n * d];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      int place = random.nextInt(100);
      System.arraycopy(places, place * d, x, i * d, d);
      y[i] = Math.sin(3 * x[i * d]) + 1e-4 * random.nextGaussian();
    }
    Hyperparameters h = Hyperparameters.of(Kernel.parse(text).bind(d), noise, PriorMean.ZERO);
    LatticeProblem problem = LatticeProblem.of(GridStatistics.of(grid, x, y), h);
    Interpolated truth =
        Interpolated.of(
            grid, Interpolated.kernelMatrix(grid, h.kernel()), x, Interpolated.ones(n), noise);
    double[] at = Interpolated.uniform(random, 6 * d, -1, 1);
    double[][] w = Interpolated.weights(grid, at);
    for (LatticePosterior posterior : posteriors(problem))
      assertHonest(posterior, at, truth, w, text + ", seed 81");
  }

  /// Output scale 100 and noise 1e-8: a difference of rounded numbers knows no variance of 1e-14.
  @Test
  void aValueAtItsRoundingBoundSaysSo() {
    SplittableRandom random = new SplittableRandom(82);
    Grid grid = Interpolated.cube(1, 10);
    int n = 100_000;
    double[] x = Interpolated.uniform(random, n, -1, 1);
    Hyperparameters h =
        Hyperparameters.of(Kernel.rbf(0.8).times(100.0).bind(1), 1e-8, PriorMean.ZERO);
    LatticeProblem problem =
        LatticeProblem.of(GridStatistics.of(grid, x, Interpolated.normals(random, n)), h);
    LatticePosterior love = LatticePosterior.love(problem, Love.DEFAULT);
    Prediction prediction = love.predict(Interpolated.uniform(random, 200, -1, 1));
    int marked = 0;
    for (int p = 0; p < 200; p++) {
      if (prediction.atBound(p)) {
        marked++;
        assertEquals(love.floor(), prediction.variance(p));
      }
      assertTrue(prediction.variance(p) >= love.floor());
    }
    assertTrue(marked > 100, marked + " of 200 marked");
  }
}
