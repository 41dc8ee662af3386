package lovelace.posterior;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.linear.Gaussian;
import org.junit.jupiter.api.Test;

class LikelihoodScoresTest {

  /// Predictions that are sure of these probabilities.
  private static Prediction sure(Of of, double... probabilities) {
    double[] f = new double[probabilities.length];
    for (int i = 0; i < f.length; i++) f[i] = Math.log(probabilities[i] / (1 - probabilities[i]));
    return Prediction.adopt(f, new double[f.length]).of(Likelihood.bernoulli(), of, new double[0]);
  }

  @Test
  void classesByHand() {
    double[] labels = {0, 1, 1, 0};
    for (Of of : new Of[] {Of.PROBABILITY, Of.OBSERVATION}) {
      Scores.Classes scores = Scores.classes(sure(of, 0.1, 0.8, 0.3, 0.5), labels);
      assertEquals(
          -(Math.log(0.9) + Math.log(0.8) + Math.log(0.3) + Math.log(0.5)) / 4,
          scores.nlpd(),
          1e-12);
      assertEquals((0.01 + 0.04 + 0.49 + 0.25) / 4, scores.brier(), 1e-14);
      assertEquals(1.5 / 4, scores.errorRate()); // one wrong, one at 1/2
      assertEquals(0.75, scores.areaUnderCurve()); // 0.3 lies below 0.5
    }
  }

  @Test
  void areaCountsPairsAndHalfOfTies() {
    long seed = 3;
    var random = new SplittableRandom(seed);
    int n = 200;
    double[] p = new double[n];
    double[] labels = new double[n];
    for (int i = 0; i < n; i++) {
      p[i] = random.nextInt(1, 10) / 10.0; // many ties
      labels[i] = random.nextDouble() < p[i] ? 1 : 0;
    }
    double wins = 0;
    double pairs = 0;
    Prediction prediction = sure(Of.PROBABILITY, p);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (labels[i] == 1 && labels[j] == 0) {
          pairs++;
          double a = prediction.mean(i);
          double b = prediction.mean(j);
          wins += a > b ? 1 : a == b ? 0.5 : 0;
        }
    assertEquals(wins / pairs, Scores.classes(prediction, labels).areaUnderCurve(), 1e-14);
    double[] ones = {1, 1};
    assertTrue(Double.isNaN(Scores.classes(sure(Of.PROBABILITY, 0.2, 0.3), ones).areaUnderCurve()));
  }

  @Test
  void calibrationSortsPointsIntoBins() {
    Scores.Classes scores =
        Scores.classes(
            sure(Of.PROBABILITY, 0.05, 0.15, 0.1, 0.97, 0.99), new double[] {0, 1, 0, 1, 1});
    List<Scores.Classes.Bin> bins = scores.calibration(5);
    assertEquals(2, bins.size());
    assertEquals(3, bins.getFirst().count());
    assertEquals(0.1, bins.getFirst().predicted(), 1e-12);
    assertEquals(1.0 / 3, bins.getFirst().observed(), 1e-15);
    assertEquals(0.8, bins.getLast().lower(), 1e-15);
    assertEquals(1, bins.getLast().upper());
    assertEquals((3 * (1.0 / 3 - 0.1) + 2 * (1 - 0.98)) / 5, scores.calibrationError(5), 1e-12);
    assertThrows(IllegalArgumentException.class, () -> scores.calibration(0));
  }

  @Test
  void certainClassesKeepTheDigitsOfTheirScore() {
    Prediction prediction =
        Prediction.adopt(new double[] {60}, new double[] {1})
            .of(Likelihood.bernoulli(), Of.OBSERVATION, new double[0]);
    assertEquals(59.5, Scores.classes(prediction, new double[] {0}).nlpd(), 1e-9);
  }

  @Test
  void wrongLabelsAreNamed() {
    Prediction prediction = sure(Of.PROBABILITY, 0.2, 0.3);
    String message =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Scores.classes(prediction, new double[] {1, 2}))
                .getMessage());
    assertTrue(message.contains("point 1") && message.contains("2.0"), message);
    assertThrows(
        IllegalArgumentException.class, () -> Scores.classes(prediction, new double[] {1}));
    assertThrows(
        IllegalArgumentException.class, () -> Scores.residuals(prediction, new double[] {1}, 1));
  }

  private static Prediction counts(int n, double variance) {
    double[] m = new double[n];
    double[] v = new double[n];
    for (int i = 0; i < n; i++) {
      m[i] = -1 + 3.0 * i / n;
      v[i] = variance;
    }
    return Prediction.adopt(m, v).of(Likelihood.poisson(), Of.OBSERVATION, new double[0]);
  }

  @Test
  void residualsAreUniformWhereThePredictionsHold() {
    long seed = 4;
    var random = new SplittableRandom(seed);
    int n = 1500;
    Prediction truth = counts(n, 0.3);
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = truth.draw(i, random);
    Scores.Residuals residuals = Scores.residuals(truth, y, 1);
    // once in 2,000 by chance
    assertTrue(residuals.distance() < 2 / Math.sqrt(n), "seed " + seed);
    assertArrayEquals(residuals.ranks(), Scores.residuals(truth, y, 1).ranks());
    assertFalse(residuals.ranks()[0] == Scores.residuals(truth, y, 2).ranks()[0]);
    double wrong = Scores.residuals(counts(n, 0), y, 1).distance();
    assertTrue(wrong > 2 / Math.sqrt(n), "too narrow predictions pass: " + wrong);
    for (int i = 0; i < 20; i++) {
      double below = truth.cumulative(i, y[i] - 1);
      double at = truth.cumulative(i, y[i]);
      double rank = residuals.ranks()[i];
      assertTrue(below <= rank && rank <= at);
      assertEquals(Gaussian.quantile(rank), residuals.deviations()[i], 1e-12);
    }
  }

  @Test
  void distanceIsThatOfTheStepsFromTheLine() {
    // of one residual: the larger of rank and 1 − rank
    Prediction gaussian = Prediction.adopt(new double[] {0}, new double[] {1});
    double[] y = {Gaussian.quantile(0.3)};
    assertEquals(0.7, Scores.residuals(gaussian, y, 1).distance(), 1e-12);
  }

  @Test
  void countsHaveScoresAndCoverageOfTheirIntervals() {
    int n = 400;
    Prediction truth = counts(n, 0.3);
    var random = new SplittableRandom(6);
    double[] y = new double[n];
    double squares = 0;
    double absolute = 0;
    double logs = 0;
    int inside = 0;
    double widths = 0;
    for (int i = 0; i < n; i++) {
      y[i] = truth.draw(i, random);
      squares += Math.pow(y[i] - truth.mean(i), 2);
      absolute += Math.abs(y[i] - truth.quantile(i, 0.5));
      logs -= truth.logDensity(i, y[i]);
      double lower = truth.lower(i, 0.9);
      double upper = truth.upper(i, 0.9);
      if (lower <= y[i] && y[i] <= upper) inside++;
      widths += upper - lower + 20 * Math.max(0, Math.max(lower - y[i], y[i] - upper));
    }
    Scores scores = Scores.of(truth, y);
    assertEquals(Math.sqrt(squares / n), scores.rmse(), 1e-12);
    assertEquals(absolute / n, scores.mae(), 1e-12);
    assertEquals(logs / n, scores.nlpd(), 1e-12);
    assertEquals((double) inside / n, scores.coverage(0.9), 1e-12);
    assertEquals(widths / n, scores.intervalScore(0.9), 1e-9);
    assertTrue(Double.isNaN(scores.crps()));
    assertFalse(scores.toString().contains("CRPS"), scores.toString());
  }
}
