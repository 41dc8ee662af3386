package lovelace.neighbours;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.inference.Evidence;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The likelihood by neighbours beside the exact one, and its gradient beside differences.
class VecchiaLikelihoodTest {

  private static final double INF = Double.POSITIVE_INFINITY;

  /// Random rows with some at one place, weights in every other case, and random parameters.
  private static final class Case {
    final Dataset data;
    final Hyperparameters h;

    Case(String kernel, long seed, int n, double noise) {
      SplittableRandom random = new SplittableRandom(seed);
      int d = 1 + random.nextInt(3);
      double[] x = new double[n * d];
      double[] y = new double[n];
      double[] w = new double[n];
      for (int i = 0; i < n; i++) {
        int like = random.nextInt(Math.max(1, i));
        boolean same = i > 0 && random.nextInt(6) == 0;
        for (int c = 0; c < d; c++) x[i * d + c] = same ? x[like * d + c] : 3 * random.nextDouble();
        y[i] = Math.sin(2 * x[i * d]) + 0.3 * random.nextGaussian();
        w[i] = 0.5 + 2 * random.nextDouble();
      }
      data = random.nextBoolean() ? Dataset.of(x, d, y, w) : Dataset.of(x, d, y);
      Kernel bound = Kernel.parse(kernel).bind(d);
      double[] values = bound.values();
      for (int i = 0; i < values.length; i++)
        if (Double.isNaN(values[i])) values[i] = Math.exp(0.5 * random.nextGaussian());
      double[] slopes = random.doubles(d).toArray();
      PriorMean mean =
          switch (random.nextInt(3)) {
            case 0 -> PriorMean.ZERO;
            case 1 -> PriorMean.constant(0.3);
            default -> PriorMean.linear(0.2, slopes);
          };
      h = Hyperparameters.of(bound.with(values), noise, mean);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "matern12",
        "matern32",
        "matern52",
        "rq",
        "rbf",
        "matern12 + matern32",
        "matern32(columns=[0]) + rbf + white",
        "rbf*periodic + matern12",
        "linear + matern32",
        "linear*matern12 + constant + white"
      })
  void allEarlierRowsGiveTheExactLikelihood(String kernel) {
    for (int seed = 0; seed < 6; seed++) {
      Case c = new Case(kernel, seed, 1 + 9 * seed, 0.05);
      Evidence exact = ExactGp.likelihood(c.data).evidence(c.h);
      Evidence ours = VecchiaLikelihood.of(c.data, c.h, c.data.size(), 40 + seed).evidence(c.h);
      assertEquals(exact.value(), ours.value(), 1e-9 * Math.abs(exact.value()), "seed " + seed);
      assertEquals(0, ours.standardError());
      assertClose(exact.gradient(), ours.gradient(), 1e-9, "seed " + seed);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "matern12",
        "matern32",
        "matern52",
        "rq",
        "rbf",
        "matern12 + matern32",
        "matern32(columns=[0]) + rbf + white",
        "rbf*periodic + matern12",
        "matern12*(rbf + matern52)",
        "linear + matern32",
        "linear*matern12 + constant + white"
      })
  void gradientIsTheSlopeWithNeighboursHeld(String kernel) {
    for (int seed = 0; seed < 6; seed++) {
      Case c = new Case(kernel, seed, 60, seed % 2 == 0 ? 0.02 : 0.2);
      VecchiaLikelihood v = VecchiaLikelihood.of(c.data, c.h, 1 + 3 * seed, seed);
      if (seed == 3) v = v.some(25, 4);
      assertClose(differences(v, c.h, 1e-5), v.evidence(c.h).gradient(), 1e-6, "seed " + seed);
    }
  }

  /// Rows at one place with almost no noise: the guards against rounding are at work, and the
  /// gradient is that of the guarded value. Targets at one place agree.
  @ParameterizedTest
  @ValueSource(strings = {"matern12", "matern32 + matern12", "linear + matern32"})
  void rowsAtOnePlaceWithoutNoiseAreGuarded(String kernel) {
    for (double noise : new double[] {1e-8, 1e-10, 1e-13}) {
      Case c = new Case(kernel, 5, 60, noise);
      int d = c.data.dimensions();
      double[] y = new double[60];
      for (int i = 0; i < y.length; i++) y[i] = Math.sin(2 * c.data.inputs()[i * d]);
      Dataset data = Dataset.of(c.data.inputs(), d, y);
      VecchiaLikelihood v = VecchiaLikelihood.of(data, c.h, 10, 1);
      Evidence e = v.evidence(c.h);
      assertTrue(Double.isFinite(e.value()), noise + " gives " + e.value());
      // what is left of a row has few digits, and a wide step is not lost among them
      double[] differences = differences(v, c.h, 1e-3);
      double[] values = c.h.values();
      for (int i = 0; i < values.length; i++)
        assertEquals(
            values[i] * differences[i],
            values[i] * e.gradient()[i],
            1e-2 * (1 + Math.abs(values[i] * differences[i])),
            "noise " + noise + ", parameter " + i);
    }
  }

  /// Other targets at one place contradict a noise of nothing: the likelihood is low, finite, and
  /// rises with the noise.
  @Test
  void targetsThatDifferAtOnePlaceAskForNoise() {
    for (double noise : new double[] {1e-4, 1e-8, 1e-10, 1e-13}) {
      Case c = new Case("matern12", 5, 60, noise);
      Evidence e = VecchiaLikelihood.of(c.data, c.h, 10, 1).evidence(c.h);
      assertTrue(e.value() > -1e15 && e.value() < -1e3, noise + " gives " + e.value());
      double slope = e.gradient()[c.h.kernel().parameterCount()];
      assertTrue(slope > 0 && slope < INF, noise + " gives " + slope);
    }
  }

  private static double[] differences(VecchiaLikelihood v, Hyperparameters h, double relative) {
    double[] values = h.values();
    double[] slopes = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      double step = relative * (values[i] > 0 ? values[i] : 1);
      double[] at = values.clone();
      at[i] = values[i] + step;
      double above = v.evidence(h.with(at)).value();
      at[i] = values[i] - step;
      slopes[i] = (above - v.evidence(h.with(at)).value()) / (2 * step);
    }
    return slopes;
  }

  /// Close as slopes in logarithms would be: a slope in a small parameter is large.
  private static void assertClose(
      double[] expected, double[] actual, double tolerance, String what) {
    double size = 1;
    for (double e : expected) size = Math.max(size, Math.abs(e));
    for (int i = 0; i < expected.length; i++)
      assertEquals(
          expected[i],
          actual[i],
          tolerance * Math.max(Math.abs(expected[i]), Math.min(size, 100)),
          what + ", parameter " + i);
  }

  @Test
  void threadsDoNotChangeABit() throws Exception {
    Case c = new Case("matern12 + matern32", 2, 2000, 0.01);
    double[][] results = new double[2][];
    for (int t = 0; t < 2; t++)
      try (var pool = new ForkJoinPool(1 + 2 * t)) {
        results[t] =
            pool.submit(
                    () -> {
                      Evidence e = VecchiaLikelihood.of(c.data, c.h, 8, 3).evidence(c.h);
                      double[] all = Arrays.copyOf(e.gradient(), c.h.size() + 1);
                      all[c.h.size()] = e.value();
                      return all;
                    })
                .get();
      }
    assertArrayEquals(results[0], results[1]);
  }

  @Test
  void moreNeighboursComeCloser() {
    Case c = new Case("matern32", 11, 200, 0.01);
    double exact = ExactGp.likelihood(c.data).evidence(c.h).value();
    double few = VecchiaLikelihood.of(c.data, c.h, 5, 1).evidence(c.h).value();
    double many = VecchiaLikelihood.of(c.data, c.h, 40, 1).evidence(c.h).value();
    assertTrue(
        Math.abs(many - exact) < 0.1 * Math.abs(few - exact), few + ", " + many + ", " + exact);
    assertEquals(exact, many, 0.5);
  }

  /// The mean over many choices of terms is the likelihood of all, and its spread is the standard
  /// error that each of them states.
  @Test
  void someTermsEstimateAll() {
    Case c = new Case("matern32", 4, 120, 0.1);
    VecchiaLikelihood v = VecchiaLikelihood.of(c.data, c.h, 6, 9);
    double all = v.evidence(c.h).value();
    double[] gradient = v.evidence(c.h).gradient();
    int trials = 2000;
    double sum = 0;
    double squares = 0;
    double errors = 0;
    double[] slopes = new double[gradient.length];
    for (int seed = 0; seed < trials; seed++) {
      Evidence e = v.some(30, seed).evidence(c.h);
      sum += e.value();
      squares += Math.pow(e.value() - all, 2);
      errors += Math.pow(e.standardError(), 2);
      for (int i = 0; i < slopes.length; i++) slopes[i] += e.gradient()[i] / trials;
    }
    double spread = Math.sqrt(squares / trials);
    assertEquals(all, sum / trials, 4 * spread / Math.sqrt(trials));
    assertEquals(1, Math.sqrt(errors / trials) / spread, 0.1);
    for (int i = 0; i < slopes.length; i++)
      assertEquals(gradient[i], slopes[i], 0.1 * (1 + Math.abs(gradient[i])), "parameter " + i);
    assertEquals(all, v.some(120, 1).evidence(c.h).value(), 1e-9 * Math.abs(all));
  }

  @Test
  void neighboursFollowLengthscalesOnlyWhenTold() {
    SplittableRandom random = new SplittableRandom(13);
    Dataset data = Dataset.of(random.doubles(600).toArray(), 2, random.doubles(300).toArray());
    Hyperparameters one = wide(1, 1);
    Hyperparameters other = wide(1, 30);
    VecchiaLikelihood v = VecchiaLikelihood.of(data, one, 5, 2);
    double found = VecchiaLikelihood.of(data, other, 5, 2).evidence(other).value();
    assertNotEquals(found, v.evidence(other).value());
    assertEquals(found, v.withNeighbours(other).evidence(other).value());
    assertEquals(3, v.moved(wide(1, 3)), 1e-9);
    assertEquals(1, v.moved(wide(7, 7)), 1e-9);
  }

  /// A column that does not matter hardly has a say in who is near, so its lengthscale may go where
  /// it will. One that begins to matter counts.
  @Test
  void neighboursStayWhereColumnsDoNotMatter() {
    SplittableRandom random = new SplittableRandom(14);
    double[] x = new double[4 * 300];
    for (int i = 0; i < 300; i++)
      for (int c = 0; c < 3; c++) x[4 * i + c] = random.nextDouble(); // the last one is constant
    Dataset data = Dataset.of(x, 4, random.doubles(300).toArray());
    VecchiaLikelihood v = VecchiaLikelihood.of(data, four(1, 2, 100, 1), 5, 2);
    assertEquals(1, v.moved(four(3, 6, 1e5, 1)), 0.1);
    assertEquals(1, v.moved(four(1, 2, 100, 1e-3)), 1e-9);
    assertEquals(2, v.moved(four(1, 1, 1e5, 1)), 0.2);
    assertTrue(v.moved(four(1, 2, 2, 1)) > 4);
    assertTrue(v.moved(four(100, 2, 100, 1)) > 4);
  }

  private static Hyperparameters four(double... lengthscales) {
    Kernel kernel = Kernel.matern12(lengthscales).times(1).bind(4);
    return Hyperparameters.of(kernel, 0.01, PriorMean.ZERO);
  }

  /// The slopes of one block are squared; over many it is the curvature of the likelihood, where
  /// the parameters are those of the rows.
  @Test
  void informationIsTheSquareOfSlopes() {
    SplittableRandom random = new SplittableRandom(15);
    int n = 4000;
    double[] x = random.doubles(2L * n).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = 2 + 0.3 * random.nextGaussian();
    Hyperparameters h =
        Hyperparameters.of(
                Kernel.matern32(0.4, 0.7).times(1).bind(2).fix(), 0.09, PriorMean.constant(2))
            .fix("mean");
    Dataset few = Dataset.of(x, 2, y).rows(0, 20);
    double[] slope = new double[1];
    VecchiaLikelihood small = VecchiaLikelihood.of(few, h, 6, 3);
    small.evidence(h).objective(h, slope);
    assertEquals(slope[0] * slope[0], small.information(h)[0], 1e-9 * slope[0] * slope[0]);
    // of a variance alone, in its logarithm: n/2
    Hyperparameters none =
        Hyperparameters.of(
                Kernel.matern32(1e-6, 1e-6).times(1e-9).bind(2).fix(), 0.09, PriorMean.constant(2))
            .fix("mean");
    VecchiaLikelihood all = VecchiaLikelihood.of(Dataset.of(x, 2, y), none, 3, 3);
    // 125 blocks: the square of each has a relative standard deviation of about √2
    assertEquals(1, all.information(none)[0] / (n / 2.0), 5 * Math.sqrt(2.0 / 125));
  }

  private static Hyperparameters wide(double first, double second) {
    Kernel kernel = Kernel.matern12(first, second).times(1).bind(2);
    return Hyperparameters.of(kernel, 0.01, PriorMean.ZERO);
  }

  @Test
  void columnsAreMeasuredByLengthscalesAndAmplitudes() {
    Dataset data = Dataset.of(new double[] {0, 0, 0, 4, 5, 6}, 3, new double[2]);
    assertArrayEquals(
        new double[] {1 / 4.0, 1 / (0.25 + 2.5), 1 / 2.5},
        scales(data, "3*rbf(columns=[0,1],lengthscale=[0.5,3]) + rbf(lengthscale=0.1)"),
        1e-12);
    assertArrayEquals(
        new double[] {4, 10, INF},
        scales(data, "white + rbf(columns=[0],lengthscale=2) + linear(columns=[1])"));
    assertArrayEquals(
        new double[] {4, 1, 12},
        scales(
            data,
            "rbf(columns=[0,1],lengthscale=2)*matern12(columns=[1],lengthscale=0.5)"
                + " + periodic(columns=[2],period=1,lengthscale=1)"));
  }

  private static double[] scales(Dataset data, String kernel) {
    Kernel bound = Kernel.parse(kernel).bind(3);
    double[] values = bound.values();
    for (int i = 0; i < values.length; i++) if (Double.isNaN(values[i])) values[i] = 1;
    return VecchiaLikelihood.scales(
        data, Hyperparameters.of(bound.with(values), 1, PriorMean.ZERO));
  }

  @Test
  void wrongCountsAreRefused() {
    Case c = new Case("rbf", 1, 20, 0.1);
    VecchiaLikelihood v = VecchiaLikelihood.of(c.data, c.h, 3, 1);
    for (int count : new int[] {0, 21}) {
      var e = assertThrows(IllegalArgumentException.class, () -> v.some(count, 1));
      assertEquals("terms must be between 1 and 20, got " + count, e.getMessage());
    }
    assertThrows(IllegalArgumentException.class, () -> VecchiaLikelihood.of(c.data, c.h, 0, 1));
  }

  @Test
  void anEvaluationEndsWithItsTime() {
    Case c = new Case("rbf", 1, 50, 0.1);
    VecchiaLikelihood v = VecchiaLikelihood.of(c.data, c.h, 3, 1);
    long[] now = {0};
    Budget budget = Budget.of(java.time.Duration.ofNanos(1), 1L << 40, () -> now[0]++);
    assertThrows(Budget.TimeUpException.class, () -> budget.call(() -> v.evidence(c.h)));
  }
}
