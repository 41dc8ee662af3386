package lovelace.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;

class ExceedanceTest {

  private static final double[] LEARNED = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

  private static final double[] NONE = {};

  @Test
  void scoresAreThoseOfTheDefinition() {
    // P(Y > 5) is 1 - Φ(5 - m): 0.8413, 0.5, 0.0013
    Prediction prediction = Prediction.adopt(new double[] {6, 5, 2}, new double[] {1, 1, 1});
    Exceedance middle = Exceedance.of(LEARNED, prediction, new double[] {5.5, 4, 5}, NONE).get(1);
    assertEquals(0.5, middle.part());
    assertEquals(5, middle.threshold(), "five of ten lie at or below it");
    double brier =
        (Math.pow(0.8413447460685429 - 1, 2) + 0.25 + Math.pow(0.0013498980316301035, 2)) / 3;
    assertEquals(brier, middle.brier(), 1e-12);
    assertEquals(0.25, middle.baseBrier(), 1e-15, "half of those learned from lie above 5");
    assertEquals(
        List.of(0.0, 0.4, 0.8), middle.classes().stream().map(Exceedance.Part::lower).toList());
    Exceedance.Part last = middle.classes().getLast();
    assertEquals(0.95, last.upper());
    assertEquals(1, last.count());
    assertEquals(1, last.observed());
    assertEquals(0.8413447460685429, last.predicted(), 1e-12);
    double apart = (0.0013498980316301035 + 0.5 + 1 - 0.8413447460685429) / 3;
    assertEquals(apart, middle.calibrationError(), 1e-12);
    List<Exceedance> all = Exceedance.of(LEARNED, prediction, new double[] {5.5, 4, 5}, NONE);
    assertEquals(List.of(1.0, 5.0, 9.0), all.stream().map(Exceedance::threshold).toList());
    assertEquals(0.01, all.getLast().baseBrier(), 1e-15, "none is above 9");
  }

  @Test
  void honestPredictionsAreCalibratedAndOverconfidentOnesAreNot() {
    long seed = 11;
    var random = new SplittableRandom(seed);
    int n = 40_000;
    double[] means = new double[n];
    double[] targets = new double[n];
    double[] learned = new double[n];
    double[] ones = new double[n];
    double[] tenths = new double[n];
    for (int i = 0; i < n; i++) {
      means[i] = random.nextGaussian();
      targets[i] = means[i] + random.nextGaussian();
      learned[i] = Math.sqrt(2) * random.nextGaussian();
      ones[i] = 1;
      tenths[i] = 0.1;
    }
    for (Exceedance one : Exceedance.of(learned, Prediction.adopt(means, ones), targets, NONE)) {
      // seven classes, each off by about sqrt(p (1 - p) / count)
      assertTrue(one.calibrationError() < 0.012, "seed " + seed + ": " + one);
      assertTrue(one.brier() < one.baseBrier(), "seed " + seed + ": " + one);
      assertEquals(7, one.classes().size());
    }
    for (Exceedance one : Exceedance.of(learned, Prediction.adopt(means, tenths), targets, NONE))
      assertTrue(one.calibrationError() > 0.03, "seed " + seed + ": " + one);
  }

  @Test
  void jointDrawsSayHowFarDependentRowsMayMove() {
    // two groups of 50 rows that all exceed 5 together or not at all, with probability 1/2
    int n = 100;
    double[] means = new double[n];
    double[] ones = new double[n];
    double[] targets = new double[n];
    Arrays.fill(means, 5);
    Arrays.fill(ones, 1);
    Arrays.fill(targets, 6);
    var random = new SplittableRandom(3);
    double[] draws = new double[200 * n];
    for (int i = 0; i < draws.length; i += 50) {
      double all = random.nextBoolean() ? 6 : 4;
      for (int k = i; k < i + 50; k++) draws[k] = all;
    }
    Prediction prediction = Prediction.adopt(means, ones);
    Exceedance.Part one =
        Exceedance.of(LEARNED, prediction, targets, draws).get(1).classes().getFirst();
    assertEquals(0, one.low());
    assertEquals(1, one.high());
    assertTrue(one.allowed(), "all rows above: one draw in four has it");
    for (int i = 0; i < draws.length; i++) draws[i] = random.nextBoolean() ? 6 : 4;
    Exceedance.Part other =
        Exceedance.of(LEARNED, prediction, targets, draws).get(1).classes().getFirst();
    // independent rows: half of them, give or take two deviations of 0.05
    assertEquals(0.4, other.low(), 0.03);
    assertEquals(0.6, other.high(), 0.03);
    assertFalse(other.allowed());
  }
}
