package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The distribution of an observation beside that of the function.
class ObservationTest {

  private static final long SEED = 20;
  private static final double[] POINTS = {0.3, 2.0, 3.5, 5.9};

  /// `y = exp(sin x + e)`, e of variance 0.25/w.
  private static Dataset data(int n, long seed) {
    var random = new SplittableRandom(seed);
    double[] x = random.doubles(n, 0, 6).toArray();
    double[] y = new double[n];
    double[] w = new double[n];
    for (int i = 0; i < n; i++) {
      w[i] = random.nextDouble(0.2, 20);
      y[i] = Math.exp(Math.sin(x[i]) + 0.5 * random.nextGaussian() / Math.sqrt(w[i]));
    }
    return Dataset.of(x, 1, y, w);
  }

  private static Model model(TargetTransform transform, Engine engine) {
    return Fit.DEFAULT
        .withTransform(transform)
        .withEngine(engine)
        .withTraining(false)
        .set("lengthscale", 1)
        .set("outputscale", 1)
        .set("noise", 0.25)
        .set("mean", 0)
        .to(data(60, SEED));
  }

  @ParameterizedTest
  @CsvSource({"none, EXACT", "log, EXACT", "none, SPECTRAL", "log, SPECTRAL"})
  void noiseJoinsTheVarianceBeforeATransformIsUndone(TargetTransform transform, Engine engine) {
    Model model = model(transform, engine);
    double[] weights = {1, 0.5, 4, 20};
    Prediction z = model.posterior().predict(POINTS);
    Prediction one = model.predictObservation(POINTS);
    Prediction weighted = model.predictObservation(POINTS, weights);
    for (int i = 0; i < POINTS.length; i++) {
      double m = z.mean(i);
      double v = z.variance(i) + 0.25;
      double u = z.variance(i) + 0.25 / weights[i];
      boolean log = transform.equals(TargetTransform.LOG);
      assertEquals(log ? Math.exp(m + v / 2) : m, one.mean(i), 1e-12 * Math.abs(one.mean(i)));
      assertEquals(
          log ? (Math.exp(u) - 1) * Math.exp(2 * m + u) : u, weighted.variance(i), 1e-9 * 20);
      double upper = m + 1.959963984540054 * Math.sqrt(u);
      assertEquals(log ? Math.exp(upper) : upper, weighted.upper(i, 0.95), 1e-10);
      assertEquals(one.outside(i), z.outside(i));
    }
  }

  @Test
  void anObservationIsADrawOfTheFunctionWithNoise() {
    Model model = model(TargetTransform.LOG, Engine.EXACT);
    int draws = 40_000;
    var random = new SplittableRandom(SEED);
    double[] z = model.posterior().sample(POINTS, draws, random);
    double sigma = Math.sqrt(model.noise());
    Prediction p = model.predictObservation(POINTS);
    for (int i = 0; i < POINTS.length; i++) {
      double[] y = new double[draws];
      for (int s = 0; s < draws; s++)
        y[s] = Math.exp(z[s * POINTS.length + i] + sigma * random.nextGaussian());
      Arrays.sort(y);
      double mean = Arrays.stream(y).average().orElseThrow();
      String seed = "seed " + SEED + ", point " + i;
      // five standard errors of a mean
      assertEquals(mean, p.mean(i), 5 * p.deviation(i) / Math.sqrt(draws), seed);
      for (double q : new double[] {0.025, 0.5, 0.975}) {
        double below = -Arrays.binarySearch(y, p.quantile(i, q)) - 1;
        assertEquals(q, below / draws, 5 * Math.sqrt(q * (1 - q) / draws), seed + ", " + q);
      }
    }
  }

  @Test
  void newRowsLieInTheIntervalsOfObservationsAndNotInThoseOfTheFunction() {
    Model model = model(TargetTransform.LOG, Engine.EXACT);
    Dataset rows = data(2000, SEED + 1);
    Scores right =
        Scores.of(model.predictObservation(rows.inputs(), rows.weights()), rows.target());
    Scores wrong = Scores.of(model.predict(rows.inputs()), rows.target());
    assertEquals(0.95, right.coverage(0.95), 0.03, () -> "seed " + SEED + ": " + right);
    assertTrue(wrong.coverage(0.95) < 0.85, () -> "seed " + SEED + ": " + wrong);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "log", "ranks"})
  void noiseAddedByHandGivesTheSameBits(TargetTransform transform) {
    Model model = model(transform, Engine.SPECTRAL);
    Prediction byHand = model.predict(POINTS).withNoise(model.noise());
    assertArrayEquals(byHand.means(), model.predictObservation(POINTS).means());
    assertArrayEquals(byHand.variances(), model.predictObservation(POINTS).variances());
    double[] ones = {1, 1, 1, 1};
    assertArrayEquals(byHand.variances(), model.predictObservation(POINTS, ones).variances());
  }

  @Test
  void weightsThatAreNoneAreRefused() {
    Model model = model(TargetTransform.NONE, Engine.EXACT);
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      var e =
          assertThrows(
              IllegalArgumentException.class,
              () -> model.predictObservation(new double[] {1, 2}, new double[] {1, bad}));
      assertTrue(e.toString().contains("weight of point 1"), e::toString);
    }
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> model.predictObservation(new double[] {1, 2}, new double[] {1}));
    assertTrue(e.toString().contains("one weight per point"), e::toString);
  }
}
