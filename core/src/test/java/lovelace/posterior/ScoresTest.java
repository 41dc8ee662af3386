package lovelace.posterior;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import lovelace.data.TargetTransform;
import lovelace.linear.Gaussian;
import org.junit.jupiter.api.Test;

class ScoresTest {

  private static Scores one(double mean, double variance, double y, TargetTransform transform) {
    Prediction prediction = Prediction.adopt(new double[] {mean}, new double[] {variance});
    return Scores.of(prediction, new double[] {y}, transform);
  }

  /// `∫ (F(u) − [u ≥ y])² du`, by the midpoint rule on either side of y.
  private static double crps(double m, double v, double y, TargetTransform transform) {
    double sd = Math.sqrt(v);
    double lower = Math.min(y, transform.quantile(m, v, -6.5));
    double upper = Math.max(y, transform.quantile(m, v, 6.5));
    int steps = 40_000;
    double sum = 0;
    for (int i = 0; i < steps; i++) {
      double a = lower + (i + 0.5) / steps * (y - lower);
      double below = Gaussian.cdf((transform.apply(a) - m) / sd);
      sum += below * below * (y - lower) / steps;
      double b = y + (i + 0.5) / steps * (upper - y);
      double above = 1 - Gaussian.cdf((transform.apply(b) - m) / sd);
      sum += above * above * (upper - y) / steps;
    }
    return sum;
  }

  @Test
  void rankedScoresAreTheirIntegrals() {
    for (double y : new double[] {0.2, 1, 3.5}) {
      assertEquals(
          crps(1.3, 0.6, y, TargetTransform.NONE),
          one(1.3, 0.6, y, TargetTransform.NONE).crps(),
          1e-7);
      assertEquals(
          crps(0.4, 0.3, y, TargetTransform.LOG),
          one(0.4, 0.3, y, TargetTransform.LOG).crps(),
          1e-7);
    }
  }

  @Test
  void valuesByHand() {
    Scores scores = Scores.of(new double[] {0, 0}, new double[] {1, 4}, new double[] {3, -4});
    assertEquals(Math.sqrt(12.5), scores.rmse(), 1e-15);
    assertEquals(3.5, scores.mae(), 1e-15);
    assertEquals(
        0.5 * (0.5 * 9 + 0.5 * 16 / 4.0 + Math.log(2 * Math.PI) + 0.5 * Math.log(4)),
        scores.nlpd(),
        1e-14);
    assertEquals(0.5, scores.coverage(0.97));
    assertEquals(1, scores.coverage(0.999));
    assertEquals(0, scores.coverage(0.9));
  }

  @Test
  void intervalScoresByHand() {
    double z = 1.959963984540054; // Φ⁻¹(0.975)
    assertEquals(2 * z, one(0, 1, 1, TargetTransform.NONE).intervalScore(0.95), 1e-12);
    assertEquals(
        2 * z + 40 * (3 - z), one(0, 1, 3, TargetTransform.NONE).intervalScore(0.95), 1e-12);
    assertEquals(
        4 * z + 40 * (7 - 2 * z), one(5, 4, -2, TargetTransform.NONE).intervalScore(0.95), 1e-11);
    double q = 0.6744897501960817; // Φ⁻¹(0.75); at 50 % the penalty is 4
    assertEquals(2 * q + 4 * (1 - q), one(0, 1, 1, TargetTransform.NONE).intervalScore(0.5), 1e-12);
    Scores two = Scores.of(new double[] {0, 0}, new double[] {1, 1}, new double[] {1, 3});
    assertEquals(2 * z + 20 * (3 - z), two.intervalScore(0.95), 1e-12);
    double l = Math.exp(0.4 - z * 0.5);
    double u = Math.exp(0.4 + z * 0.5);
    assertEquals(
        u - l + 40 * (9 - u), one(0.4, 0.25, 9, TargetTransform.LOG).intervalScore(0.95), 1e-11);
    assertEquals(40 * 2, one(1, 0, 3, TargetTransform.NONE).intervalScore(0.95), 1e-12);
    assertThrows(IllegalArgumentException.class, () -> two.intervalScore(1));
  }

  @Test
  void scoresDoNotChangeWithTheArraysTheyCameFrom() {
    double[] targets = {1, 3};
    Scores scores = Scores.of(new double[2], new double[] {1, 1}, targets);
    double before = scores.intervalScore(0.95);
    targets[1] = 30;
    assertEquals(before, scores.intervalScore(0.95));
  }

  @Test
  void coverageOfRightPredictionsIsTheLevel() {
    var random = new SplittableRandom(11);
    int n = 20_000;
    double[] means = random.doubles(n, -5, 5).toArray();
    double[] variances = random.doubles(n, 0.1, 9).toArray();
    double[] targets = new double[n];
    for (int i = 0; i < n; i++)
      targets[i] = means[i] + Math.sqrt(variances[i]) * random.nextGaussian();
    Scores scores = Scores.of(means, variances, targets);
    for (double level : new double[] {0.1, 0.5, 0.9, 0.95, 0.99}) // four deviations of a binomial
    assertEquals(level, scores.coverage(level), 4 * Math.sqrt(level * (1 - level) / n), "seed 11");
  }

  @Test
  void theLogTransformScoresInTheTargetsUnit() {
    Scores scores = one(0.4, 0.3, 2.0, TargetTransform.LOG);
    assertEquals(Math.abs(2 - Math.exp(0.55)), scores.rmse(), 1e-14);
    assertEquals(2 - Math.exp(0.4), scores.mae(), 1e-14);
    assertEquals(-Gaussian.logDensity(Math.log(2), 0.4, 0.3) + Math.log(2), scores.nlpd(), 1e-14);
  }

  @Test
  void certainPredictionsHaveLimits() {
    Scores wrong = one(1, 0, 3, TargetTransform.NONE);
    assertEquals(2, wrong.crps());
    assertEquals(Double.POSITIVE_INFINITY, wrong.nlpd());
    assertEquals(0, wrong.coverage(0.95));
    Scores right = one(1, 0, 1, TargetTransform.NONE);
    assertEquals(0, right.crps());
    assertEquals(Double.NEGATIVE_INFINITY, right.nlpd());
    assertEquals(1, right.coverage(0.95));
  }

  @Test
  void badNumbersAreRejected() {
    double[] one = {1};
    assertThrows(IllegalArgumentException.class, () -> Scores.of(one, new double[] {-1}, one));
    assertThrows(
        IllegalArgumentException.class, () -> Scores.of(new double[] {Double.NaN}, one, one));
    assertThrows(IllegalArgumentException.class, () -> Scores.of(one, one, new double[2]));
    assertThrows(
        IllegalArgumentException.class,
        () -> Scores.of(new double[0], new double[0], new double[0]));
  }

  @Test
  void jointDensityIsThatOfTheNormalDistribution() {
    double[] c = {0.7, 0.3, 0.3, 0.5};
    Posterior two =
        new Posterior() {
          @Override
          public int dimensions() {
            return 1;
          }

          @Override
          public double noise() {
            return 0.2;
          }

          @Override
          public Prediction predict(double[] points) {
            return Prediction.adopt(new double[] {0.1, -0.4}, new double[] {c[0], c[3]});
          }

          @Override
          public double[] covariance(double[] a, double[] b) {
            return c.clone();
          }

          @Override
          public double[] sample(double[] points, int count, RandomGenerator random) {
            throw new UnsupportedOperationException();
          }
        };
    double[] y = {1.5, 0.8};
    double r = Math.log(y[0]) - 0.1;
    double s = Math.log(y[1]) + 0.4;
    double determinant = 0.9 * 0.7 - 0.3 * 0.3;
    double squares = (0.7 * r * r - 2 * 0.3 * r * s + 0.9 * s * s) / determinant;
    assertEquals(
        -0.5 * squares
            - 0.5 * Math.log(determinant)
            - Math.log(2 * Math.PI)
            - Math.log(y[0])
            - Math.log(y[1]),
        Scores.jointLogDensity(two, new double[] {0, 1}, y, TargetTransform.LOG),
        1e-13);
  }
}
