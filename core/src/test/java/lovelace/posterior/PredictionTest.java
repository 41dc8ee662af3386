package lovelace.posterior;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import lovelace.data.TargetTransform;
import org.junit.jupiter.api.Test;

class PredictionTest {

  private static final Prediction GAUSSIAN =
      Prediction.adopt(
          new double[] {-1.5, 0.2},
          new double[] {0.25, 0.04},
          new byte[] {0, Prediction.mark(true, false)});

  @Test
  void undoingNoTransformChangesNothing() {
    Prediction same = GAUSSIAN.undo(TargetTransform.NONE);
    assertArrayEquals(new double[] {-1.5, 0.2}, same.means());
    assertArrayEquals(new double[] {0.25, 0.04}, same.variances());
    assertEquals(-1.5, same.quantile(0, 0.5));
    assertEquals(-1.5 - 0.5 * 1.959963984540054, same.lower(0, 0.95), 1e-14);
  }

  @Test
  void logTransformGivesTheMomentsOfDrawsPutThroughExp() {
    Prediction y = GAUSSIAN.undo(TargetTransform.LOG).withNoise(0.11);
    var random = new SplittableRandom(5);
    int draws = 400_000;
    double sum = 0;
    double squares = 0;
    int below = 0;
    for (int i = 0; i < draws; i++) {
      double value = Math.exp(-1.5 + 0.6 * random.nextGaussian());
      sum += value;
      squares += value * value;
      if (value < y.quantile(0, 0.9)) below++;
    }
    double mean = sum / draws;
    assertEquals(mean, y.mean(0), 0.01 * mean);
    double variance = squares / draws - mean * mean;
    assertEquals(variance, y.variance(0), 0.05 * variance);
    assertEquals(Math.sqrt(y.variance(0)), y.deviation(0));
    assertEquals(0.9, (double) below / draws, 0.003);
    assertTrue(y.lower(0, 0.95) > 0);
    assertTrue(y.outside(1));
  }

  @Test
  void noiseIsAddedBeforeTheTransformIsUndoneInEitherOrder() {
    Prediction a = GAUSSIAN.undo(TargetTransform.LOG).withNoise(0.3);
    Prediction b = GAUSSIAN.withNoise(0.3).undo(TargetTransform.LOG);
    assertArrayEquals(a.means(), b.means());
    assertArrayEquals(a.variances(), b.variances());
    assertEquals(a.upper(1, 0.9), b.upper(1, 0.9));
    assertThrows(IllegalStateException.class, () -> a.undo(TargetTransform.LOG));
  }

  @Test
  void densityIntegratesToOne() {
    Prediction y = GAUSSIAN.undo(TargetTransform.LOG);
    double sum = 0;
    for (double t = 0.0005; t < 5; t += 0.001) sum += 0.001 * Math.exp(y.logDensity(0, t));
    assertEquals(1, sum, 1e-6);
  }
}
