package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/// How long a map is said to take. Times are made up.
class MapWorkTest {

  /// A map whose rate grows for some seconds, and then stays: when the estimate comes and what it
  /// is.
  private static double[] told(double slow, double fast, double warm, double step, double pixels) {
    var estimate = new MapWork.Estimate(pixels);
    double done = 0;
    for (double now = step; done < pixels; now += step) {
      done += step * (now < warm ? slow + (fast - slow) * now / warm / 2 : fast);
      OptionalDouble known = estimate.after(now, done, Math.min(now, warm) * 0.8);
      if (known.isPresent()) return new double[] {now, known.getAsDouble()};
    }
    return new double[] {Double.NaN, Double.NaN};
  }

  private static double truth(double slow, double fast, double warm, double step, double pixels) {
    double done = 0;
    double now = 0;
    while (done < pixels) {
      now += step;
      done += step * (now < warm ? slow + (fast - slow) * now / warm / 2 : fast);
    }
    return now;
  }

  @Test
  void theEstimateWaitsForTheCompilerAndIsThenRight() {
    double[][] cases = {{1, 1, 0, 0.1}, {0.1, 1, 1, 0.1}, {0.2, 3, 4, 0.3}, {0.5, 2, 3, 1.7}};
    for (double[] c : cases) {
      double[] told = told(c[0], c[1], c[2], c[3], 100);
      double truth = truth(c[0], c[1], c[2], c[3], 100);
      assertTrue(told[0] >= c[2] && told[0] <= c[2] + 5, "told after " + told[0]);
      assertEquals(truth, told[1], 0.1 * truth, "warm after " + c[2]);
    }
  }

  @Test
  void theEstimateComesAtLastEvenIfTheCompilerNeverRests() {
    double[] told = told(1, 1, 1_000, 0.5, 100);
    assertTrue(told[0] > 9 && told[0] < 11, "told after " + told[0]);
    assertEquals(100, told[1], 1);
  }

  @Test
  void aShortMapIsOverBeforeAnythingIsSaid() {
    assertTrue(Double.isNaN(told(1, 1, 0, 0.1, 1.5)[0]));
  }
}
