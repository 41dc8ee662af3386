package lovelace.optimize;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.learning.MultiStart;
import lovelace.optimize.Optimizer.Objective;
import lovelace.optimize.Optimizer.Optimum;
import lovelace.optimize.Optimizer.Progress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LbfgsTest {

  private static final Lbfgs TIGHT =
      Lbfgs.DEFAULT.withGradientTolerance(1e-8).withRelativeTolerance(0).withMaxIterations(2_000);

  /// `Σ 100 (x_{i+1} − x_i²)² + (1 − x_i)²`, minimum 0 at (1, …, 1).
  static double rosenbrock(double[] x, double[] g) {
    Arrays.fill(g, 0);
    double f = 0;
    for (int i = 0; i + 1 < x.length; i++) {
      double a = x[i + 1] - x[i] * x[i];
      double b = 1 - x[i];
      f += 100 * a * a + b * b;
      g[i + 1] += 200 * a;
      g[i] += -400 * a * x[i] - 2 * b;
    }
    return f;
  }

  /// Beale's function, minimum 0 at (3, 0.5).
  static double beale(double[] x, double[] g) {
    double[] c = {1.5, 2.25, 2.625};
    Arrays.fill(g, 0);
    double f = 0;
    double power = 1;
    for (int k = 0; k < 3; k++) {
      double derivative = (k + 1) * power;
      power *= x[1];
      double r = c[k] - x[0] * (1 - power);
      f += r * r;
      g[0] += -2 * r * (1 - power);
      g[1] += 2 * r * x[0] * derivative;
    }
    return f;
  }

  private static double[] filled(int n, double value) {
    double[] x = new double[n];
    Arrays.fill(x, value);
    return x;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 10, 50})
  void findsTheMinimumOfRosenbrock(int n) {
    double[] start = filled(n, 1);
    for (int i = 0; i < n; i += 2) start[i] = -1.2;
    Optimum optimum = TIGHT.minimize(LbfgsTest::rosenbrock, start);
    assertTrue(optimum.converged(), optimum::toString);
    assertTrue(optimum.gradientNorm() <= 1e-8, optimum::toString);
    // dimensions of 4 and more have a second, local minimum near x1 = -1
    if (optimum.x()[0] > 0) assertArrayEquals(filled(n, 1), optimum.x(), 1e-6);
    if (n < 4) assertTrue(optimum.value() < 1e-14 && optimum.evaluations() < 80, optimum::toString);
  }

  @Test
  void findsTheMinimumOfBeale() {
    Optimum optimum = TIGHT.minimize(LbfgsTest::beale, 1, 1);
    assertTrue(optimum.converged(), optimum::toString);
    assertArrayEquals(new double[] {3, 0.5}, optimum.x(), 1e-7);
  }

  @Test
  void convergesOnBadlyScaledQuadratics() {
    for (int seed = 1; seed <= 20; seed++) {
      var random = new SplittableRandom(seed);
      int n = 2 + random.nextInt(12);
      double[] scale = random.doubles(n, -3, 3).map(e -> Math.pow(10, e)).toArray();
      double[] centre = random.doubles(n, -3, 3).toArray();
      double offset = random.nextDouble(-5, 5);
      Objective f =
          (x, g) -> {
            double sum = offset;
            for (int i = 0; i < n; i++) {
              double r = x[i] - centre[i];
              g[i] = scale[i] * r;
              sum += 0.5 * scale[i] * r * r;
            }
            return sum;
          };
      Optimum optimum = TIGHT.withMemory(20).minimize(f, new double[n]);
      assertTrue(optimum.converged(), "seed " + seed + ": " + optimum);
      assertEquals(offset, optimum.value(), 1e-11, "seed " + seed + ": " + optimum);
    }
  }

  @Test
  void boundsActiveAtTheSolutionAreFoundOnRandomConvexProblems() {
    for (int seed = 1; seed <= 50; seed++) {
      var random = new SplittableRandom(seed);
      int n = 1 + random.nextInt(10);
      double[] a = random.doubles((long) n * n, -1, 1).toArray();
      double[] b = random.doubles(n, -3, 3).toArray();
      Objective f = // ½ xᵀ(AᵀA + I/10)x − bᵀx + Σ x⁴/40
          (x, g) -> {
            double sum = 0;
            for (int i = 0; i < n; i++) {
              sum += 0.05 * x[i] * x[i] - b[i] * x[i] + Math.pow(x[i], 4) / 40;
              g[i] = 0.1 * x[i] - b[i] + Math.pow(x[i], 3) / 10;
            }
            for (int k = 0; k < n; k++) {
              double r = 0;
              for (int i = 0; i < n; i++) r += a[k * n + i] * x[i];
              sum += 0.5 * r * r;
              for (int i = 0; i < n; i++) g[i] += a[k * n + i] * r;
            }
            return sum;
          };
      double[] lower = random.doubles(n, -1, 0).toArray();
      double[] upper = random.doubles(n, 0, 1).toArray();
      Optimum optimum = TIGHT.minimize(f, random.doubles(n, -2, 2).toArray(), lower, upper);
      assertTrue(optimum.converged(), "seed " + seed + ": " + optimum);
      assertTrue(optimum.iterations() < 100, "seed " + seed + ": " + optimum);
      double[] x = optimum.x();
      double[] g = new double[n];
      f.evaluate(x, g);
      for (int i = 0; i < n; i++) { // Karush–Kuhn–Tucker: the problem is convex
        assertTrue(x[i] >= lower[i] && x[i] <= upper[i]);
        if (x[i] > lower[i]) assertTrue(g[i] < 1e-7, "seed " + seed + ": " + optimum);
        if (x[i] < upper[i]) assertTrue(g[i] > -1e-7, "seed " + seed + ": " + optimum);
      }
    }
  }

  @Test
  void aBoundThatCutsRosenbrocksValleyIsActiveAtTheSolution() {
    double inf = Double.POSITIVE_INFINITY;
    Optimum optimum =
        TIGHT.minimize(
            LbfgsTest::rosenbrock,
            new double[] {-1.2, 1},
            new double[] {-inf, -inf},
            new double[] {0.5, inf});
    assertTrue(optimum.converged(), optimum::toString);
    assertArrayEquals(new double[] {0.5, 0.25}, optimum.x(), 1e-9);
    assertEquals(0.25, optimum.value(), 1e-12);
  }

  @Test
  void rosenbrockInRandomBoxesReachesStationaryPointsDownhill() {
    for (int seed = 1; seed <= 200; seed++) {
      var random = new SplittableRandom(seed);
      int n = 2 + random.nextInt(20);
      double[] lower = random.doubles(n, -2, 1.2).toArray();
      double[] upper = new double[n];
      for (int i = 0; i < n; i++) upper[i] = lower[i] + random.nextDouble(0, 2);
      for (int i = 0; i < n; i += 3) upper[i] = Double.POSITIVE_INFINITY;
      double[] start = random.doubles(n, -3, 3).toArray();
      Optimum optimum = TIGHT.minimize(LbfgsTest::rosenbrock, start, lower, upper);
      assertTrue(optimum.converged(), "seed " + seed + ": " + optimum);
      assertTrue(optimum.gradientNorm() < 1e-6, "seed " + seed + ": " + optimum);
      double last = Double.POSITIVE_INFINITY;
      for (Optimum.Step step : optimum.trace()) {
        assertTrue(step.value() <= last * (1 + 1e-14), "seed " + seed + ": " + optimum);
        last = step.value();
      }
    }
  }

  @Test
  void equalBoundsHoldACoordinateStill() {
    Optimum optimum =
        TIGHT.minimize(
            LbfgsTest::rosenbrock,
            new double[] {7, 0},
            new double[] {2, -100},
            new double[] {2, 100});
    assertArrayEquals(new double[] {2, 4}, optimum.x(), 1e-9);
  }

  @Test
  void regionsWithoutAFiniteValueAreAvoided() {
    for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      Objective f = // x − log x, minimum at 1; long first steps leave the domain
          (x, g) -> {
            if (!(x[0] > 0)) return bad;
            g[0] = 1e3 * (1 - 1 / x[0]);
            return 1e3 * (x[0] - Math.log(x[0]));
          };
      for (double start : new double[] {1e-6, 0.5, 900}) {
        Optimum optimum = TIGHT.minimize(f, start);
        assertTrue(optimum.converged(), optimum::toString);
        assertEquals(1, optimum.x()[0], 1e-6);
      }
    }
  }

  @Test
  void aStartWithoutAFiniteValueIsReported() {
    Optimum optimum = TIGHT.minimize((x, g) -> Double.NaN, 1, 2);
    assertFalse(optimum.converged());
    assertEquals(Double.POSITIVE_INFINITY, optimum.value());
    assertTrue(optimum.reason().contains("not finite at the start"));
    assertArrayEquals(new double[] {1, 2}, optimum.x());
  }

  @Test
  void aWrongGradientIsReported() {
    Objective f =
        (x, g) -> {
          g[0] = -2 * x[0] - 1;
          return x[0] * x[0] + x[0];
        };
    Optimum optimum = Lbfgs.DEFAULT.minimize(f, 3);
    assertFalse(optimum.converged(), optimum::toString);
    assertTrue(optimum.reason().contains("the gradient is wrong"), optimum::toString);
  }

  @Test
  void progressSeesEveryStepAndCancels() {
    int[] calls = {0};
    double inf = Double.POSITIVE_INFINITY;
    Optimum optimum =
        Lbfgs.DEFAULT.minimize(
            LbfgsTest::rosenbrock,
            new double[] {-1.2, 1},
            new double[] {-inf, -inf},
            new double[] {inf, inf},
            (iteration, value, norm, x) -> calls[0]++ < 4);
    assertTrue(optimum.cancelled());
    assertFalse(optimum.converged());
    assertEquals(4, optimum.iterations());
    assertEquals(5, optimum.trace().size());
    double last = inf;
    for (Optimum.Step step : optimum.trace()) {
      assertTrue(step.value() < last);
      last = step.value();
    }
    assertEquals(last, optimum.value());
  }

  @Test
  void limitsAreKept() {
    Lbfgs few = Lbfgs.DEFAULT.withMaxEvaluations(7);
    Optimum optimum = few.minimize(LbfgsTest::rosenbrock, -1.2, 1);
    assertEquals(7, optimum.evaluations());
    assertTrue(optimum.reason().contains("evaluation limit"));
    optimum = Lbfgs.DEFAULT.withMaxIterations(3).minimize(LbfgsTest::rosenbrock, -1.2, 1);
    assertEquals(3, optimum.iterations());
    assertTrue(optimum.reason().contains("iteration limit"));
  }

  @Test
  void sameStartGivesSameBits() {
    double[] start = new SplittableRandom(5).doubles(20, -2, 2).toArray();
    Optimum one = Lbfgs.DEFAULT.minimize(LbfgsTest::rosenbrock, start);
    Optimum two = Lbfgs.DEFAULT.minimize(LbfgsTest::rosenbrock, start);
    assertArrayEquals(one.x(), two.x(), 0);
    assertEquals(one.trace(), two.trace());
  }

  @Test
  void aRaceFollowsTheStartsThatDescendFurthest() {
    // minima −1 at −2 and −3 at 2 with a barrier; the start nearest to the barrier looks worst
    Objective f =
        (x, g) -> {
          double left = Math.exp(-(x[0] + 2) * (x[0] + 2));
          double right = 3 * Math.exp(-(x[0] - 2) * (x[0] - 2));
          g[0] = 2 * (x[0] + 2) * left + 2 * (x[0] - 2) * right;
          return -left - right;
        };
    double[] lower = {-5};
    double[] upper = {5};
    List<double[]> starts = List.of(new double[] {-2.1}, new double[] {-1.8}, new double[] {0.8});
    MultiStart race = MultiStart.race(TIGHT, f, starts, lower, upper, 3, 1, Progress.NONE);
    assertEquals(1, race.all().size());
    assertEquals(2, race.best().x()[0], 1e-3);
    assertTrue(race.best().converged());
    int last = -1;
    for (Optimum.Step step : race.best().trace()) {
      assertEquals(last + 1, step.iteration(), "one trace of both legs");
      last = step.iteration();
    }
    MultiStart judged = MultiStart.race(TIGHT, f, starts, lower, upper, 0, 1, Progress.NONE);
    assertEquals(-2, judged.best().x()[0], 1e-1, "by their own values the left looks better");
    MultiStart cancelled =
        MultiStart.race(TIGHT, f, starts, lower, upper, 3, 1, (i, v, n, x) -> false);
    assertTrue(cancelled.best().cancelled());
  }

  @Test
  void theBestOfSeveralStartsWins() {
    Objective f = // two wells, the deeper one at −1.06
        (x, g) -> {
          g[0] = 4 * x[0] * (x[0] * x[0] - 1) + 0.5;
          return Math.pow(x[0] * x[0] - 1, 2) + 0.5 * x[0];
        };
    List<double[]> starts = List.of(new double[] {2}, new double[] {-2}, new double[] {-1});
    MultiStart result =
        MultiStart.minimize(TIGHT, f, starts, new double[] {-5}, new double[] {5}, Progress.NONE);
    assertEquals(3, result.all().size());
    assertTrue(result.bestStart() > 0);
    assertEquals(-1.0575, result.best().x()[0], 1e-3);
    assertTrue(result.all().getFirst().value() > result.best().value() + 0.5);
  }

  @Test
  void badArgumentsAreNamed() {
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                TIGHT.minimize(
                    LbfgsTest::rosenbrock,
                    new double[] {0, 0},
                    new double[] {0, 2},
                    new double[] {1, 1}));
    assertEquals(
        "bounds of coordinate 1 must satisfy lower <= upper, got 2.0 and 1.0", e.getMessage());
    assertThrows(
        IllegalArgumentException.class, () -> TIGHT.minimize(LbfgsTest::rosenbrock, 0, Double.NaN));
  }

  /// Curvatures from 1 to 1e8: a matching unit makes them equal, and points stay what they were.
  @Test
  void unitsSaveStepsAndKeepCoordinates() {
    int n = 12;
    double[] units = new double[n];
    double[] centre = new double[n];
    for (int i = 0; i < n; i++) {
      units[i] = Math.pow(10, -4.0 * i / (n - 1));
      centre[i] = i % 3 - 1;
    }
    Objective bowl =
        (x, g) -> {
          double f = 0;
          for (int i = 0; i < n; i++) {
            double t = (x[i] - centre[i]) / units[i];
            f += 0.5 * t * t + 0.05 * t * t * t * t / 1e6;
            g[i] = (t + 0.2 * t * t * t / 1e6) / units[i];
          }
          return f;
        };
    double[] lower = filled(n, -3);
    double[] upper = filled(n, 0.5);
    double[] start = filled(n, -2);
    double[][] told = new double[1][];
    Progress progress =
        (iteration, value, norm, x) -> {
          if (iteration == 0) told[0] = x.clone();
          return true;
        };
    Optimum plain = TIGHT.minimize(bowl, start, lower, upper);
    Optimum scaled = TIGHT.inUnits(units).minimize(bowl, start, lower, upper, progress);
    for (int i = 0; i < n; i++) assertEquals(Math.min(centre[i], 0.5), scaled.x()[i], 1e-6);
    assertTrue(2 * scaled.evaluations() < plain.evaluations(), scaled + " and " + plain);
    assertArrayEquals(start, told[0], 1e-12);
    assertEquals(-2, scaled.trace().getFirst().x().getFirst(), 1e-12);
    assertThrows(IllegalArgumentException.class, () -> TIGHT.inUnits(1, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> TIGHT.inUnits(1, 2).minimize(bowl, start, lower, upper));
  }
}
