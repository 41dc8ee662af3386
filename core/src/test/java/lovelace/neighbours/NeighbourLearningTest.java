package lovelace.neighbours;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import org.junit.jupiter.api.Test;

/// Learning from draws of known processes.
class NeighbourLearningTest {

  private static final Learner LEARNER = Learner.DEFAULT;

  /// Rows in the unit square with a draw of the process and noise: each term of the kernel is a sum
  /// of 400 random waves (Rahimi and Recht 2007).
  private static Dataset rows(int n, double noise, long seed, Kernel... terms) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = random.doubles(2L * n).toArray();
    double[] y = random.doubles(n).map(u -> Math.sqrt(noise) * random.nextGaussian()).toArray();
    double[] omega = new double[2];
    int waves = 400;
    for (Kernel term : terms) {
      double size = Math.sqrt(2 * term.variance(x, 0) / waves);
      for (int w = 0; w < waves; w++) {
        Arrays.fill(omega, 0);
        term.drawFrequency(random, omega, 0);
        double phase = 2 * Math.PI * random.nextDouble();
        for (int i = 0; i < n; i++)
          y[i] += size * Math.cos(omega[0] * x[2 * i] + omega[1] * x[2 * i + 1] + phase);
      }
    }
    return Dataset.of(x, 2, y);
  }

  /// The same by a factor of the whole covariance.
  private static Dataset drawn(int n, double noise, long seed, Kernel kernel) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = random.doubles(2L * n).toArray();
    double[] a = new double[n * n];
    kernel.matrix(x, n, x, n, a);
    for (int i = 0; i < n; i++) a[i * n + i] += noise;
    double[] l = Cholesky.adopt(a, n).factor();
    double[] z = random.doubles(n).map(u -> random.nextGaussian()).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Blas.dot(i + 1, l, i * n, z, 0);
    return Dataset.of(x, 2, y);
  }

  private static Hyperparameters unset(String kernel) {
    return Hyperparameters.of(Kernel.parse(kernel).bind(2), Double.NaN, PriorMean.constant());
  }

  private static Kernel matern32(double variance, double first, double second) {
    return Kernel.matern32(first, second).times(variance).bind(2);
  }

  @Test
  void recoversLengthscalesAndNoise() {
    Dataset data = drawn(1500, 0.01, 1, matern32(2, 0.2, 0.06));
    Learned learned = NeighbourLearning.learn(data, unset("matern32"), 15, LEARNER, 5);
    Hyperparameters h = learned.hyperparameters();
    double[] lengths = h.parameter("matern32.lengthscale").values();
    assertEquals(1, lengths[0] / 0.2, 0.35, h.toString());
    assertEquals(1, lengths[1] / 0.06, 0.35, h.toString());
    assertEquals(1, h.noise() / 0.01, 0.3, h.toString());
    assertTrue(learned.converged() && !learned.timeUp(), learned.ending());
    assertEquals("neighbours", learned.engine());
    // of all terms, and no less than that of the truth
    VecchiaLikelihood all = VecchiaLikelihood.of(data, h, 15, 5);
    assertEquals(all.evidence(h).value(), learned.logLikelihood(), 10);
    Hyperparameters truth = Hyperparameters.of(matern32(2, 0.2, 0.06), 0.01, PriorMean.constant(0));
    assertTrue(learned.logLikelihood() > all.evidence(truth).value() - 1, h.toString());
  }

  @Test
  void termsOfASumDoNotBecomeOne() {
    Dataset data = rows(5500, 0.01, 2, matern32(1, 0.6, 0.4), matern32(0.3, 0.04, 0.05));
    Hyperparameters unset = unset("matern32 + matern32");
    for (Hyperparameters start : NeighbourLearning.starts(data, unset, 1)) {
      double[] v = start.values();
      assertEquals(10, v[1] / v[4], 1e-9);
      assertEquals(10, v[2] / v[5], 1e-9);
    }
    Hyperparameters h = NeighbourLearning.learn(data, unset, 8, LEARNER, 5).hyperparameters();
    double[] v = h.values();
    // a square of one or two long lengthscales says little of them
    assertTrue(v[1] > 3 * v[4] && v[2] > 3 * v[5], h.toString());
    assertEquals(1, v[4] / 0.04, 0.4, h.toString());
    assertEquals(1, v[5] / 0.05, 0.4, h.toString());
  }

  @Test
  void lengthscalesThatAreGivenStayWhereTheyAre() {
    Dataset data = rows(300, 0.01, 3, matern32(1, 0.3, 0.3));
    Hyperparameters given = unset("rbf(lengthscale=0.5) + rbf + matern12(lengthscale=fixed(0.2))");
    for (Hyperparameters start : NeighbourLearning.starts(data, given, 1)) {
      double[] v = start.values();
      assertEquals(0.5, v[1]);
      assertEquals(0.2, v[7]);
      // the only term without lengthscales is not made shorter
      assertTrue(v[4] > 0.01, start.toString());
    }
  }

  @Test
  void theSameForAnyThreads() throws Exception {
    Dataset data = rows(6000, 0.05, 4, matern32(1, 0.3, 0.2));
    double[][] values = new double[2][];
    for (int t = 0; t < 2; t++)
      try (var pool = new ForkJoinPool(1 + 2 * t)) {
        values[t] =
            pool.submit(() -> NeighbourLearning.learn(data, unset("matern12"), 3, LEARNER, 5))
                .get()
                .hyperparameters()
                .values();
      }
    assertArrayEquals(values[0], values[1]);
  }

  @Test
  void givenParametersAreEvaluatedOnAllTerms() {
    Dataset data = rows(6000, 0.05, 4, matern32(1, 0.3, 0.2));
    Hyperparameters h =
        Hyperparameters.of(matern32(1, 0.3, 0.2).fix(), 0.05, PriorMean.ZERO).fix("noise");
    Learned learned = NeighbourLearning.learn(data, h, 5, LEARNER, 5);
    assertTrue(learned.given());
    assertEquals(VecchiaLikelihood.of(data, h, 5, 5).evidence(h).value(), learned.logLikelihood());
  }

  /// Time ends while terms are few, between the runs, and while they are all: what was best by then
  /// is kept, and marked.
  @Test
  void whatWasFoundInTimeIsKept() {
    Dataset data = rows(6000, 0.05, 6, matern32(1, 0.3, 0.2));
    List<Integer> steps = new ArrayList<>();
    Learned whole = limited(data, unset("matern32"), steps, Integer.MAX_VALUE);
    assertFalse(whole.timeUp());
    int second = steps.lastIndexOf(0); // where the run on all terms begins
    assertTrue(second > 3 && second < steps.size() - 1, steps.toString());
    for (int end : new int[] {3, second, second + 1}) {
      Learned learned = limited(data, unset("matern32"), new ArrayList<>(), end);
      assertTrue(
          learned.timeUp() && !learned.converged(), "after " + end + ": " + learned.ending());
      assertTrue(Double.isFinite(learned.logLikelihood()));
      assertTrue(learned.hyperparameters().unset().isEmpty());
    }
  }

  /// Learns until its time is up, after a given number of steps.
  private static Learned limited(
      Dataset data, Hyperparameters unset, List<Integer> steps, int end) {
    Learner learner =
        LEARNER.withProgress(
            (iteration, value, norm, x) -> {
              steps.add(iteration);
              return true;
            });
    return Budget.of(
            Duration.ofSeconds(10), 1L << 40, () -> steps.size() >= end ? 20_000_000_000L : 0)
        .call(() -> NeighbourLearning.learn(data, unset, 4, learner, 5));
  }

  @Test
  void cancellingEndsAllRuns() {
    Dataset data = rows(6000, 0.05, 6, matern32(1, 0.3, 0.2));
    int[] steps = {0};
    Learner learner = LEARNER.withProgress((iteration, value, norm, x) -> ++steps[0] < 3);
    Learned learned = NeighbourLearning.learn(data, unset("matern32"), 4, learner, 5);
    assertEquals(3, steps[0]);
    assertFalse(learned.converged());
  }

  // ---- more than three columns ----

  private static final double[] LENGTHS = {0.7, 1, 1.5, 2};

  /// Rows of six columns, of which the last two do not matter, with a draw of a process.
  private static Dataset six(int n, double noise, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = random.doubles(6L * n).map(u -> 2 * u).toArray();
    double[] a = new double[n * n];
    truth().matrix(x, n, x, n, a);
    for (int i = 0; i < n; i++) a[i * n + i] += Math.max(noise, 1e-9);
    double[] l = Cholesky.adopt(a, n).factor();
    double[] z = random.doubles(n).map(u -> random.nextGaussian()).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = 3 + Blas.dot(i + 1, l, i * n, z, 0);
    return Dataset.of(x, 6, y);
  }

  private static Kernel truth() {
    double[] lengths = Arrays.copyOf(LENGTHS, 6);
    Arrays.fill(lengths, 4, 6, 1e6);
    return Kernel.matern32(lengths).times(1.5).bind(6);
  }

  private static Hyperparameters wide(String kernel) {
    return Hyperparameters.of(Kernel.parse(kernel).bind(6), Double.NaN, PriorMean.constant());
  }

  private static double likelihood(Dataset data, Hyperparameters h, int k) {
    return VecchiaLikelihood.of(data, h, k, 5).evidence(h).value();
  }

  @Test
  void recoversColumnsThatMatter() {
    int k = 15;
    Dataset data = six(1200, 0.02, 11);
    Hyperparameters unset = wide("matern32");
    Learned learned = NeighbourLearning.learn(data, unset, k, LEARNER, 5);
    Hyperparameters h = learned.hyperparameters();
    double[] lengths = h.parameter("matern32.lengthscale").values();
    for (int c = 0; c < 4; c++) assertEquals(1, lengths[c] / LENGTHS[c], 0.4, h.toString());
    for (int c = 4; c < 6; c++) assertTrue(lengths[c] > 10, h.toString());
    assertEquals(1, h.noise() / 0.02, 0.4, h.toString());
    assertTrue(learned.converged() && !learned.timeUp(), learned.ending());
    Hyperparameters truth = Hyperparameters.of(truth(), 0.02, PriorMean.constant(3));
    assertTrue(learned.logLikelihood() > likelihood(data, truth, k) - 1, h.toString());
    assertEquals(likelihood(data, h, k), learned.logLikelihood(), 2);
    double start = likelihood(data, NeighbourLearning.starts(data, unset, 5).getFirst(), k);
    Learned quick = NeighbourLearning.quick(data, unset, k, LEARNER, 5);
    assertTrue(quick.logLikelihood() > start + 100, "start " + start);
    assertTrue(learned.logLikelihood() > quick.logLikelihood(), quick.toString());
    assertTrue(learned.logLikelihood() < quick.logLikelihood() + 30, quick.toString());
  }

  @Test
  void wideTablesAreLearnedAlikeByAnyThreads() throws Exception {
    Dataset data = six(700, 0.02, 12);
    double[][] values = new double[3][];
    for (int t = 0; t < 3; t++) {
      int seed = t < 2 ? 5 : 6;
      try (var pool = new ForkJoinPool(t < 1 ? 1 : 3)) {
        values[t] =
            pool.submit(() -> NeighbourLearning.learn(data, wide("matern52"), 5, LEARNER, seed))
                .get()
                .hyperparameters()
                .values();
      }
    }
    assertArrayEquals(values[0], values[1]);
    assertFalse(Arrays.equals(values[0], values[2]));
  }

  /// Every row twice says that there is no noise: it ends at its floor, and all is finite.
  @Test
  void repeatedRowsDoNoHarm() {
    Dataset data = six(300, 0.1, 13);
    int n = data.size();
    int[] twice = new int[2 * n];
    for (int i = 0; i < twice.length; i++) twice[i] = i % n;
    for (String kernel : List.of("matern12", "rbf")) {
      Learned learned = NeighbourLearning.learn(data.select(twice), wide(kernel), 10, LEARNER, 5);
      Hyperparameters h = learned.hyperparameters();
      assertTrue(Double.isFinite(learned.logLikelihood()), h.toString());
      assertEquals(0, h.noise() / floor(data), 20, h.toString());
      // each row is a copy, or learned without copies
      assertTrue(learned.logLikelihood() > 300, h.toString());
    }
  }

  private static double floor(Dataset data) {
    double mean = Arrays.stream(data.target()).average().orElseThrow();
    return 1e-6
        * Arrays.stream(data.target()).map(y -> (y - mean) * (y - mean)).average().orElse(0);
  }

  /// Columns of whole numbers, one that is constant, inputs that repeat with other targets, and
  /// targets that take three values or one.
  @Test
  void wholeNumbersAndConstantsDoNoHarm() {
    SplittableRandom random = new SplittableRandom(14);
    int n = 400;
    double[] x = new double[6 * n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      for (int c = 0; c < 5; c++) x[6 * i + c] = random.nextInt(3);
      x[6 * i + 5] = 7;
      y[i] = Math.signum(x[6 * i] - x[6 * i + 1]) + (random.nextInt(10) == 0 ? 1 : 0);
    }
    Learned learned =
        NeighbourLearning.learn(Dataset.of(x, 6, y), wide("matern32"), 10, LEARNER, 5);
    Hyperparameters h = learned.hyperparameters();
    assertEquals(0.09, h.noise(), 0.04, h.toString()); // 0.1 · 0.9
    double[] lengths = h.parameter("matern32.lengthscale").values();
    assertTrue(Math.max(lengths[0], lengths[1]) < lengths[2], h.toString());
    Arrays.fill(y, 4);
    Learned constant =
        NeighbourLearning.learn(Dataset.of(x, 6, y), wide("matern32"), 10, LEARNER, 5);
    assertTrue(Double.isFinite(constant.logLikelihood()), constant.toString());
    assertEquals(4, constant.hyperparameters().mean().at(x, 0), 0.5);
  }

  @Test
  void theNoiseHasAFloor() {
    Dataset data = six(500, 0, 15);
    Hyperparameters h =
        NeighbourLearning.learn(data, wide("matern32"), 10, LEARNER, 5).hyperparameters();
    double floor = floor(data);
    assertTrue(h.noise() >= floor * (1 - 1e-9), h.noise() + " and " + floor);
    assertTrue(h.noise() < 1e3 * floor, h.noise() + " and " + floor);
    // somebody who gives less gets less
    Hyperparameters given = wide("matern32").set("noise", 1e-3 * floor);
    double less = NeighbourLearning.quick(data, given, 10, LEARNER, 5).hyperparameters().noise();
    assertTrue(less < 0.5 * floor, less + " and " + floor);
    Hyperparameters held = wide("matern32").fix("noise", 1e-3 * floor);
    assertEquals(
        1e-3 * floor,
        NeighbourLearning.quick(data, held, 10, LEARNER, 5).hyperparameters().noise());
  }

  /// Of a trend a stationary kernel learns an output scale and lengthscales without end; there is
  /// an end, unless somebody gives another.
  @Test
  void theOutputScaleHasABound() {
    SplittableRandom random = new SplittableRandom(18);
    double[] x = random.doubles(6L * 500).toArray();
    double[] y = new double[500];
    for (int i = 0; i < y.length; i++)
      y[i] = 100 * (x[6 * i] + x[6 * i + 1]) + random.nextGaussian();
    Dataset data = Dataset.of(x, 6, y);
    double variance = 1e6 * floor(data);
    Learned learned = NeighbourLearning.learn(data, wide("rbf"), 10, LEARNER, 5);
    Hyperparameters h = learned.hyperparameters();
    assertEquals(10 * variance, h.values()[0], 1e-6 * variance, h.toString());
    assertTrue(learned.converged(), learned.ending());
    String scale = h.parameters().getFirst().path();
    Hyperparameters more = wide("rbf").withBounds(scale, 1, 1e3 * variance);
    double larger =
        NeighbourLearning.learn(data, more, 10, LEARNER, 5).hyperparameters().values()[0];
    assertTrue(larger > 15 * variance, "scale " + larger + " of " + variance);
  }

  /// The parameters that another kernel has learned lead to the same place with fewer evaluations.
  @Test
  void anotherKernelIsAGoodStart() {
    int k = 12;
    Dataset data = six(900, 0.02, 16);
    Hyperparameters first =
        NeighbourLearning.quick(data, wide("matern32"), k, LEARNER, 5).hyperparameters();
    for (String kernel : List.of("matern12", "matern52", "rbf")) {
      Hyperparameters start = NeighbourLearning.carried(wide(kernel), first);
      assertTrue(start.unset().isEmpty());
      Learned cold = NeighbourLearning.quick(data, wide(kernel), k, LEARNER, 5);
      Learned warm = NeighbourLearning.quick(data, start, k, LEARNER, 5);
      assertTrue(2 * warm.evaluations() < cold.evaluations());
      assertEquals(cold.logLikelihood(), warm.logLikelihood(), 8, kernel);
    }
    // what was given stays, and other forms are left alone
    Hyperparameters given = NeighbourLearning.carried(wide("rbf(lengthscale=3)"), first);
    assertEquals(3, given.values()[1]);
    assertEquals(first.noise(), given.noise());
    Hyperparameters sum = wide("rbf + matern12");
    assertEquals(sum, NeighbourLearning.carried(sum, first));
  }

  /// Time ends on batches, before the first step on all terms, and after it.
  @Test
  void whatWasFoundInTimeOfWideTablesIsKept() {
    Dataset data = six(400, 0.05, 17);
    for (int end : new int[] {3, 101, 104}) {
      Learned learned = limited(data, wide("matern32"), new ArrayList<>(), end);
      assertTrue(
          learned.timeUp() && !learned.converged(), "after " + end + ": " + learned.ending());
      assertTrue(Double.isFinite(learned.logLikelihood()));
      assertTrue(learned.hyperparameters().unset().isEmpty());
    }
  }

  @Test
  void cancellingKeepsTheBestOfWideTables() {
    Dataset data = six(400, 0.05, 17);
    for (int end : new int[] {3, 101, 104}) { // on batches, at the first step on all terms, later
      int[] steps = {0};
      Learner learner = LEARNER.withProgress((iteration, value, norm, x) -> ++steps[0] < end);
      Learned learned = NeighbourLearning.learn(data, wide("matern32"), 6, learner, 5);
      assertEquals(end, steps[0]);
      assertFalse(learned.converged());
      assertTrue(learned.hyperparameters().unset().isEmpty());
    }
  }
}
