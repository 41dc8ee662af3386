package lovelace.latent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.latent.VecchiaLaplaceTest.Dense;
import lovelace.likelihood.Likelihood;
import lovelace.linear.Cholesky;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Predictions, covariances and draws beside those of dense Laplace.
class LatentNeighbourGpTest {

  /// Means and covariances at points by dense Laplace.
  private static final class Exact {
    final double[] means;
    final double[] covariance;

    Exact(Dataset rows, Hyperparameters h, double[] points) {
      Dense dense = VecchiaLaplaceTest.dense(rows, h);
      int n = rows.size();
      int d = rows.dimensions();
      int t = points.length / d;
      double[][] cross = new double[t][n];
      means = new double[t];
      for (int i = 0; i < t; i++) {
        h.kernel().covariances(points, i * d, rows.inputs(), 0, n, cross[i], 0);
        means[i] = h.mean().at(points, i * d);
        for (int j = 0; j < n; j++) means[i] += cross[i][j] * dense.dual[j];
      }
      covariance = new double[t * t];
      double[] own = new double[t];
      for (int i = 0; i < t; i++) {
        h.kernel().covariances(points, i * d, points, 0, t, own, 0);
        for (int j = 0; j < t; j++)
          covariance[i * t + j] = dense.covariance(own[j], cross[i], cross[j]);
      }
    }
  }

  private static double[] points(Dataset rows, int t, long seed) {
    int d = rows.dimensions();
    double[] points = new SplittableRandom(seed).doubles(t * d, -0.3, 3.3).toArray();
    System.arraycopy(rows.inputs(), 0, points, d, d); // one at a row, one twice
    System.arraycopy(points, 0, points, 2 * d, d);
    return points;
  }

  /// The draws then estimate 0, up to the tolerance of the solves.
  @ParameterizedTest
  @CsvSource({
    "poisson, matern32",
    "bernoulli, 4*matern32",
    "gamma, 2*matern52",
    "negative-binomial, matern12",
    "student-t, matern52"
  })
  void allRowsAsNeighboursGiveDenseLaplace(String name, String kernel) {
    Likelihood l = VecchiaLaplaceTest.named(name);
    Dataset rows = VecchiaLaplaceTest.rows(name, 90, 2, 11);
    Hyperparameters h = VecchiaLaplaceTest.parameters(l, kernel, 2, 0.7, 1.1);
    double[] points = points(rows, 8, 2);
    Exact exact = new Exact(rows, h, points);
    LatentNeighbourGp ours = LatentNeighbourGp.of(rows, h, 100, 1);
    Prediction found = ours.predict(points);
    for (int i = 0; i < 8; i++) {
      double v = exact.covariance[i * 9];
      assertEquals(exact.means[i], found.mean(i), 2e-4 * Math.sqrt(v), "mean " + i);
      assertEquals(v, found.variance(i), 1e-4 * v, "variance " + i);
    }
    double[] covariance = ours.covariance(points, points);
    assertArrayEquals(exact.covariance, covariance, 2e-4 * h.kernel().variance(points, 0));
    assertTrue(ours.residual() <= 1e-6 && ours.steps() > 1);
    assertTrue(ours.varianceError() < 1e-4, "error " + ours.varianceError());
  }

  /// 500 rows over four columns, of which each place uses 30.
  @Test
  void errorsAreSmallAndAsStated() {
    Likelihood l = Likelihood.bernoulli();
    Dataset rows = VecchiaLaplaceTest.rows("bernoulli", 500, 4, 6);
    Hyperparameters h = VecchiaLaplaceTest.parameters(l, "4*matern52", 4, 3.0);
    double[] points = points(rows, 60, 3);
    Exact exact = new Exact(rows, h, points);
    LatentNeighbourGp ours = LatentNeighbourGp.of(rows, h, 30, 1);
    Prediction found = ours.predict(points);
    double[] joint = ours.covariance(points, points);
    double means = 0;
    double variances = 0;
    double correlations = 0;
    int t = 60;
    for (int i = 0; i < t; i++) {
      double v = exact.covariance[i * (t + 1)];
      means += Math.pow(found.mean(i) - exact.means[i], 2) / v / t;
      variances += Math.pow(found.variance(i) / v - 1, 2) / t;
      for (int j = 0; j < t; j++)
        correlations +=
            Math.pow(
                    exact.covariance[i * t + j] / Math.sqrt(v * exact.covariance[j * (t + 1)])
                        - joint[i * t + j] / Math.sqrt(joint[i * (t + 1)] * joint[j * (t + 1)]),
                    2)
                / t
                / t;
    }
    double stated = ours.varianceError();
    String what =
        String.format(
            Locale.ROOT,
            "mean %.3f sd, variance %.3f, stated %.3f, correlation %.3f",
            Math.sqrt(means),
            Math.sqrt(variances),
            stated,
            Math.sqrt(correlations));
    assertTrue(Math.sqrt(means) < 0.2, what);
    assertTrue(Math.sqrt(variances) < 0.12, what);
    assertTrue(stated > 0.005 && stated < 0.1, what);
    assertTrue(Math.sqrt(correlations) < 0.1, what);
  }

  @Test
  void covarianceIsPositiveAndHasTheVariancesOfPredictions() {
    Dataset rows = VecchiaLaplaceTest.rows("poisson", 300, 3, 8);
    Hyperparameters h =
        VecchiaLaplaceTest.parameters(Likelihood.poisson(), "matern32", 3, 0.9, 1.5);
    LatentNeighbourGp ours = LatentNeighbourGp.of(rows, h, 12, 1);
    double[] points = new SplittableRandom(5).doubles(40 * 3, 0, 3).toArray();
    double[] covariance = ours.covariance(points, points);
    Prediction found = ours.predict(points);
    for (int i = 0; i < 40; i++) {
      assertEquals(found.variance(i), covariance[i * 41], 1e-12);
      for (int j = 0; j < 40; j++) assertEquals(covariance[i * 40 + j], covariance[j * 40 + i]);
    }
    assertEquals(0, Cholesky.adopt(covariance, 40).jitter());
  }

  @Test
  void drawsHaveTheMeansAndCovariancesOfThePosterior() {
    Dataset rows = VecchiaLaplaceTest.rows("bernoulli", 200, 2, 8);
    Hyperparameters h =
        VecchiaLaplaceTest.parameters(Likelihood.bernoulli(), "3*matern32", 2, 0.9, 1.5);
    LatentNeighbourGp ours = LatentNeighbourGp.of(rows, h, 12, 1);
    int t = 6;
    double[] points = points(rows, t, 9);
    Prediction found = ours.predict(points);
    double[] covariance = ours.covariance(points, points);
    int count = 20_000;
    double[] draws = ours.sample(points, count, new SplittableRandom(4));
    for (int i = 0; i < t; i++) {
      double sum = 0;
      for (int s = 0; s < count; s++) sum += draws[s * t + i] / count;
      double sd = Math.sqrt(found.variance(i));
      assertEquals(found.mean(i), sum, 5 * sd / Math.sqrt(count), "mean " + i);
      for (int j = 0; j < t; j++) {
        double product = 0;
        for (int s = 0; s < count; s++)
          product +=
              (draws[s * t + i] - found.mean(i)) * (draws[s * t + j] - found.mean(j)) / count;
        double scale = sd * Math.sqrt(found.variance(j));
        assertEquals(covariance[i * t + j], product, 7 * scale / Math.sqrt(count), i + ", " + j);
      }
    }
    assertEquals(draws[0], draws[2]); // the same point
    double[] fewer = ours.sample(points, 3, new SplittableRandom(4));
    assertArrayEquals(Arrays.copyOf(draws, 3 * t), fewer, 0.0);
  }

  @Test
  void sameBitsForAnyNumberOfThreadsAndAnyBatch() throws Exception {
    Dataset rows = VecchiaLaplaceTest.rows("gamma", 400, 3, 3);
    Hyperparameters h =
        VecchiaLaplaceTest.parameters(VecchiaLaplaceTest.named("gamma"), "matern52", 3, 1, 2);
    double[] points = points(rows, 50, 9);
    double[][] found = new double[3][];
    for (int run = 0; run < 3; run++)
      try (ForkJoinPool pool = new ForkJoinPool(run == 0 ? 1 : 4)) {
        int own = run;
        found[run] =
            pool.submit(
                    () -> {
                      LatentNeighbourGp gp = LatentNeighbourGp.of(rows, h, 15, 1);
                      double[] all = new double[150];
                      for (int from = 0; from < 50; from += own == 2 ? 7 : 50) {
                        int to = Math.min(50, from + (own == 2 ? 7 : 50));
                        Prediction p = gp.predict(Arrays.copyOfRange(points, 3 * from, 3 * to));
                        for (int i = from; i < to; i++) {
                          all[i] = p.mean(i - from);
                          all[50 + i] = p.variance(i - from);
                        }
                      }
                      System.arraycopy(
                          gp.sample(points, 1, new SplittableRandom(1)), 0, all, 100, 50);
                      return all;
                    })
                .get();
      }
    assertArrayEquals(found[0], found[1], 0.0);
    assertArrayEquals(found[0], found[2], 0.0);
  }

  /// Rows at one place are one value of f, whether the likelihood adds them up or not.
  @Test
  void otherRowsGiveThePosteriorOfThose() {
    Dataset rows = VecchiaLaplaceTest.rows("poisson", 120, 2, 3);
    Hyperparameters h =
        VecchiaLaplaceTest.parameters(Likelihood.poisson(), "matern32", 2, 0.9, 1.5);
    LatentNeighbourGp whole = LatentNeighbourGp.of(rows, h, 10, 5);
    LatentNeighbourGp again = LatentNeighbourGp.of(rows.rows(0, 60), h, 10, 5).with(rows, h);
    double[] points = points(rows, 10, 9);
    assertArrayEquals(whole.predict(points).means(), again.predict(points).means(), 0.0);
    assertArrayEquals(whole.predict(points).variances(), again.predict(points).variances(), 0.0);
    assertEquals(120, again.data().size());
    assertEquals(whole.logMarginalLikelihood(), again.logMarginalLikelihood());
    assertEquals(h.size(), whole.likelihoodGradient().length);
    assertTrue(whole.likelihoodError() > 0);
    assertThrows(IllegalArgumentException.class, () -> LatentNeighbourGp.of(rows, h, 0, 5));
  }

  /// The estimate lies between what its two parts say, and has about the stated variance.
  @Test
  void varianceIsTheLikeliestOfTwoIndependentParts() {
    SplittableRandom random = new SplittableRandom(3);
    int draws = 128;
    for (double part : new double[] {0.3, 0.7, 0.95}) {
      double squares = 0;
      int runs = 400;
      for (int run = 0; run < runs; run++) {
        double a = 0;
        double c = 0;
        for (int s = 0; s < draws; s++) {
          a += part * Math.pow(random.nextGaussian(), 2) / draws;
          c += (1 - part) * Math.pow(random.nextGaussian(), 2) / draws;
        }
        double v = LatentDraws.likeliest(2 * a, 2 * c, 2);
        double low = Math.min(2 * a, 2 - 2 * c) - 1e-12;
        assertTrue(v >= low && v <= Math.max(2 * a, 2 - 2 * c) + 1e-12, "v " + v);
        squares += Math.pow(v / (2 * part) - 1, 2) / runs;
      }
      double expected = Math.sqrt(2.0 / draws / (1 + Math.pow(part / (1 - part), 2)));
      assertEquals(expected, Math.sqrt(squares), 0.15 * expected, "part " + part);
    }
  }
}
