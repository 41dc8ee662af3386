package lovelace.optimize;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import lovelace.optimize.Adam.Schedule;
import lovelace.optimize.Optimizer.Objective;
import lovelace.optimize.Optimizer.Optimum;
import org.junit.jupiter.api.Test;

class AdamTest {

  private static final double INF = Double.POSITIVE_INFINITY;

  @Test
  void theFirstStepHasTheLengthOfTheLearningRate() {
    Adam one = Adam.DEFAULT.withMaxIterations(1).withKeepBest(false);
    Objective f =
        (x, g) -> {
          g[0] = 1e4;
          g[1] = -1e-3;
          return 1e4 * x[0] - 1e-3 * x[1];
        };
    assertArrayEquals(new double[] {-0.1, 0.1}, one.minimize(f, 0, 0).x(), 1e-5);
  }

  @Test
  void findsTheMinimumOfBeale() {
    Adam adam = Adam.DEFAULT.withMaxIterations(3_000).withSchedule(Schedule.COSINE);
    Optimum optimum = adam.minimize(LbfgsTest::beale, 1, 1);
    assertArrayEquals(new double[] {3, 0.5}, optimum.x(), 1e-3);
  }

  @Test
  void boundsHoldAtEveryStep() {
    double[] lower = {-2, -2};
    double[] upper = {0.5, 2};
    Optimum optimum =
        Adam.DEFAULT
            .withMaxIterations(2_000)
            .withLearningRate(0.02)
            .minimize(
                LbfgsTest::rosenbrock,
                new double[] {-1.2, 1},
                lower,
                upper,
                (iteration, value, norm, x) -> {
                  assertTrue(x[0] <= 0.5);
                  return true;
                });
    assertArrayEquals(new double[] {0.5, 0.25}, optimum.x(), 1e-3);
  }

  @Test
  void schedulesFall() {
    assertEquals(1, Schedule.COSINE.factor(0));
    assertEquals(0.5, Schedule.COSINE.factor(0.5), 1e-15);
    assertEquals(0.01, Schedule.STEPS.factor(0.9));
  }

  @Test
  void aNoisyObjectiveComesNearItsMinimum() {
    var random = new SplittableRandom(3);
    Objective f =
        (x, g) -> {
          double noise = random.nextGaussian();
          g[0] = x[0] - 2 + noise;
          return 0.5 * (x[0] - 2) * (x[0] - 2) + noise * x[0];
        };
    Optimum optimum =
        Adam.DEFAULT
            .withKeepBest(false)
            .withMaxIterations(2_000)
            .withSchedule(Schedule.COSINE)
            .minimize(f, 10);
    assertEquals(2, optimum.x()[0], 0.2);
  }

  @Test
  void stepsWithoutAFiniteValueAreTakenBack() {
    Objective f =
        (x, g) -> {
          g[0] = 1 - 0.01 / x[0];
          return x[0] > 0 ? x[0] - 0.01 * Math.log(x[0]) : Double.NaN;
        };
    Optimum optimum = Adam.DEFAULT.withMaxIterations(2_000).minimize(f, 0.35);
    assertEquals(0.01, optimum.x()[0], 1e-3);
    assertFalse(Adam.DEFAULT.minimize((x, g) -> INF, 1).converged());
  }

  @Test
  void sameStartGivesSameBitsAndCancellationStops() {
    Optimum one = Adam.DEFAULT.minimize(LbfgsTest::rosenbrock, -1, 2, 3);
    Optimum two = Adam.DEFAULT.minimize(LbfgsTest::rosenbrock, -1, 2, 3);
    assertEquals(one.trace(), two.trace());
    assertArrayEquals(one.x(), two.x(), 0);
    double[] lower = {-INF, -INF};
    double[] upper = {INF, INF};
    Optimum stopped =
        Adam.DEFAULT.minimize(
            LbfgsTest::rosenbrock,
            new double[2],
            lower,
            upper,
            (iteration, value, norm, x) -> iteration < 3);
    assertTrue(stopped.cancelled());
    assertEquals(3, stopped.iterations());
    assertThrows(IllegalArgumentException.class, () -> Adam.DEFAULT.withLearningRate(Double.NaN));
  }
}
