package lovelace.chain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import lovelace.budget.Budget;
import lovelace.budget.Budget.MemoryLimitException;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The chain beside the dense process of the same rows.
class ChainGpTest {

  private static final boolean LONG = Boolean.getBoolean("lovelace.long");
  private static final int CASES = LONG ? 500 : 60;

  /// Random rows, parameters and points.
  private static final class Case {
    final Dataset data;
    final Hyperparameters h;
    final double[] points;

    /// Rows with noise of 10^−digits of the signal's variance, or more.
    Case(long seed, int most, double digits) {
      SplittableRandom random = new SplittableRandom(seed);
      int n = 1 + random.nextInt(most);
      double lengthscale = Math.exp(3 * random.nextGaussian());
      double signal = Math.exp(3 * random.nextGaussian());
      double ratio = Math.pow(10, -digits * random.nextDouble());
      double range = lengthscale * Math.exp(1.5 * random.nextGaussian() + 1);
      double origin = range * random.nextGaussian();
      double[] x = new double[n];
      double[] y = new double[n];
      double[] w = new double[n];
      for (int i = 0; i < n; i++) {
        int like = random.nextInt(Math.max(1, i));
        x[i] =
            switch (i == 0 ? 0 : random.nextInt(6)) {
              case 0, 1 -> origin + range * random.nextDouble();
              case 2 -> x[like]; // the same place
              case 3 -> x[like] + 1e-9 * lengthscale * random.nextDouble();
              case 4 -> x[like] + 1e-3 * lengthscale * random.nextGaussian(); // a cluster
              default -> x[like] + lengthscale * random.nextGaussian();
            };
        double noise = Math.sqrt(ratio) * random.nextGaussian();
        y[i] = Math.sqrt(signal) * (Math.sin(3 * x[i] / lengthscale) + noise);
        w[i] = seed % 3 == 0 ? Math.exp(random.nextGaussian()) : 1;
      }
      data = Dataset.of(x, 1, y, w);
      String shape = List.of("matern12", "matern32", "matern52").get((int) (seed % 3));
      Kernel kernel = Kernel.parse(shape + "(lengthscale=" + lengthscale + ")").times(signal);
      double noise = ratio * signal;
      if (seed % 4 == 1) kernel = kernel.plus(Kernel.parse("white(variance=" + noise + ")"));
      PriorMean mean =
          switch ((int) (seed % 3)) {
            case 0 -> PriorMean.linear(random.nextGaussian(), random.nextGaussian() / range);
            case 1 -> PriorMean.constant(random.nextGaussian());
            default -> PriorMean.ZERO;
          };
      h = Hyperparameters.of(kernel.bind(1), noise, mean);
      points = new double[40];
      for (int p = 0; p < points.length; p++)
        points[p] =
            switch (p % 4) {
              case 0 -> x[random.nextInt(n)];
              case 1 -> origin + range * random.nextDouble();
              case 2 -> origin + range * (3 * random.nextDouble() - 1);
              default -> x[random.nextInt(n)] + 1e-6 * lengthscale * random.nextGaussian();
            };
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, CASES);
  }

  private static Case one(long seed) {
    return new Case(seed, seed % 5 == 0 ? 300 : 80, 4);
  }

  /// The dense process itself is only known to the condition of its matrix, about 1e-16 · 300 /
  /// 1e-4 of the signal here.
  @ParameterizedTest
  @MethodSource("seeds")
  void predictionsAreThoseOfTheDenseProcess(long seed) {
    Case one = one(seed);
    Prediction mine = ChainGp.of(one.data, one.h).predict(one.points);
    Prediction theirs = ExactGp.of(one.data, one.h).predict(one.points);
    for (int p = 0; p < one.points.length; p++) {
      int at = p;
      double sd = theirs.deviation(p);
      assertEquals(theirs.mean(p), mine.mean(p), 1e-7 * sd, () -> "mean " + at + ", seed " + seed);
      assertEquals(1, mine.variance(p) / theirs.variance(p), 1e-7, () -> "variance, seed " + seed);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void likelihoodAndGradientAreThoseOfTheDenseProcess(long seed) {
    Case one = one(seed);
    ChainGp mine = ChainGp.of(one.data, one.h);
    ExactGp theirs = ExactGp.of(one.data, one.h);
    double scale = one.data.size() + Math.abs(theirs.logMarginalLikelihood());
    assertEquals(
        theirs.logMarginalLikelihood(),
        mine.logMarginalLikelihood(),
        1e-8 * scale,
        () -> "seed " + seed);
    double[] g = mine.likelihoodGradient();
    double[] exact = theirs.likelihoodGradient();
    double[] values = one.h.values();
    for (int i = 0; i < g.length; i++) {
      int at = i;
      // derivatives in logarithms, as large as the rows are many; in units for the mean
      double slack = 1e-7 * (scale / Math.abs(values[i]) + Math.abs(exact[i]));
      assertEquals(exact[i], g[i], slack, () -> one.h.names().get(at) + ", seed " + seed);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void gradientIsThatOfTheLikelihood(long seed) {
    Case one = new Case(seed, 120, 8);
    double[] values = one.h.values();
    double[] g = ChainGp.of(one.data, one.h).likelihoodGradient();
    for (int i = 0; i < g.length; i++) {
      double step = 1e-5 * Math.abs(values[i]);
      double up = at(one, i, values[i] + step);
      double down = at(one, i, values[i] - step);
      double difference = (up - down) / (2 * step);
      double curvature = Math.abs(up - 2 * at(one, i, values[i]) + down) / step;
      double slack = 1e-4 * curvature + 1e-5 * Math.abs(g[i]) + 1e-12 * Math.abs(up) / step;
      int k = i;
      assertEquals(difference, g[i], slack + 1e-9, () -> one.h.names().get(k) + ", seed " + seed);
    }
  }

  private static double at(Case one, int parameter, double value) {
    double[] values = one.h.values();
    values[parameter] = value;
    return ChainGp.of(one.data, one.h.with(values)).logMarginalLikelihood();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void covariancesAreThoseOfTheDenseProcess(long seed) {
    Case one = one(seed);
    double[] some = Arrays.copyOf(one.points, 7);
    ChainGp gp = ChainGp.of(one.data, one.h);
    ExactGp exact = ExactGp.of(one.data, one.h);
    double[] mine = gp.covariance(one.points, some);
    double[] theirs = exact.covariance(one.points, some);
    Prediction rows = exact.predict(one.points);
    Prediction columns = exact.predict(some);
    for (int i = 0; i < one.points.length; i++)
      for (int j = 0; j < some.length; j++) {
        double scale = rows.deviation(i) * columns.deviation(j);
        String where = i + ", " + j + ", seed " + seed;
        assertEquals(theirs[i * 7 + j], mine[i * 7 + j], 1e-6 * scale, where);
        assertEquals( // in any batch
            gp.covariance(new double[] {one.points[i]}, new double[] {some[j]})[0],
            mine[i * 7 + j],
            where);
      }
  }

  /// A dense process in forty digits, which no condition of a matrix spoils. Rounding of the rows
  /// alone is 1e-10 of their noise, where that is 1e-12 of the signal's variance.
  @Test
  void digitsAreKeptWhereNoiseIsTiny() {
    for (long seed = 0; seed < (LONG ? 100 : 12); seed++) {
      Case one = new Case(seed, 24, 12);
      ChainGp gp = ChainGp.of(one.data, one.h);
      double[] points = Arrays.copyOf(one.points, 8);
      Prediction mine = gp.predict(points);
      ManyDigits oracle = new ManyDigits(one.data, one.h);
      assertEquals(
          oracle.logLikelihood,
          gp.logMarginalLikelihood(),
          1e-8 * (one.data.size() + Math.abs(oracle.logLikelihood)),
          "seed " + seed);
      for (int p = 0; p < points.length; p++) {
        double[] exact = oracle.predict(points[p]);
        double sd = Math.sqrt(exact[1]);
        String where = "point " + p + ", seed " + seed;
        assertEquals(exact[0], mine.mean(p), 1e-7 * sd, where);
        assertEquals(1, mine.variance(p) / exact[1], 1e-7, where);
      }
    }
  }

  @Test
  void drawsHaveTheJointDistribution() {
    int count = 20_000;
    for (long seed = 0; seed < 6; seed++) {
      Case one = one(seed);
      ChainGp gp = ChainGp.of(one.data, one.h);
      double[] points = Arrays.copyOf(one.points, 9);
      points[8] = points[1];
      double[] draws = gp.sample(points, count, new SplittableRandom(seed));
      Prediction exact = ExactGp.of(one.data, one.h).predict(points);
      double[] covariance = ExactGp.of(one.data, one.h).covariance(points, points);
      for (int i = 0; i < 9; i++)
        for (int j = 0; j <= i; j++) {
          double product = 0;
          double sum = 0;
          for (int s = 0; s < count; s++) {
            double off = draws[s * 9 + i] - exact.mean(i);
            product += off * (draws[s * 9 + j] - exact.mean(j));
            sum += off;
          }
          // five standard errors of a mean and of a covariance
          double scale = exact.deviation(i) * exact.deviation(j);
          String where = i + ", " + j + ", seed " + seed;
          assertEquals(0, sum / count, 5 * exact.deviation(i) / Math.sqrt(count), where);
          assertEquals(
              covariance[i * 9 + j], product / count, 5 * scale * Math.sqrt(2.0 / count), where);
        }
      for (int s = 0; s < count; s++) assertEquals(draws[s * 9 + 1], draws[s * 9 + 8]);
      double[] first = gp.sample(points, 3, new SplittableRandom(seed));
      assertArrayEquals(Arrays.copyOf(draws, first.length), first);
    }
  }

  @Test
  void anyBatchHasTheSameBits() {
    Case one = new Case(20, 300, 4);
    ChainGp gp = ChainGp.of(one.data, one.h);
    double[] many = new double[5000];
    for (int i = 0; i < many.length; i++) many[i] = one.points[i % 40];
    Prediction all = gp.predict(many);
    for (int p = 0; p < 40; p++) {
      Prediction alone = gp.predict(new double[] {one.points[p]});
      assertEquals(alone.mean(0), all.mean(4960 + p));
      assertEquals(alone.variance(0), all.variance(4960 + p));
    }
  }

  /// The same function of rows whose order is another.
  @Test
  void orderOfTheRowsDoesNotMatter() {
    Case one = new Case(15, 300, 4);
    int n = one.data.size();
    int[] back = IntStream.range(0, n).map(i -> n - 1 - i).toArray();
    ChainGp a = ChainGp.of(one.data, one.h);
    ChainGp b = ChainGp.of(one.data.select(back), one.h);
    assertEquals(a.logMarginalLikelihood(), b.logMarginalLikelihood(), 1e-10 * n);
    assertEquals(a.places(), b.places());
    assertTrue(a.places() < n, "no two rows share a place");
  }

  @Test
  void covariancesKeepToTheMemoryThatIsAllowed() {
    Case one = new Case(15, 50, 4);
    ChainGp gp = ChainGp.of(one.data, one.h);
    double[] points = new SplittableRandom(3).doubles(1000).toArray();
    Budget small = Budget.of(Duration.ofDays(1), 1 << 20, () -> 0);
    var refused =
        assertThrows(
            MemoryLimitException.class, () -> small.run(() -> gp.covariance(points, points)));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("a covariance matrix needs 8 MB"),
        String.valueOf(refused.getMessage()));
    double[] long1 = new double[1 << 16];
    var large = assertThrows(MemoryLimitException.class, () -> gp.covariance(long1, long1));
    assertTrue(
        String.valueOf(large.getMessage()).contains("65,536 x 65,536 numbers"),
        String.valueOf(large.getMessage()));
  }

  /// A dense process of as many rows would take 320 GB.
  @Test
  void twoHundredThousandRowsAreOnePass() {
    int n = 200_000;
    SplittableRandom random = new SplittableRandom(7);
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = 1000 * random.nextDouble();
      y[i] = Math.sin(x[i]) + 0.3 * random.nextGaussian();
    }
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("1*matern52(lengthscale=1.5)").bind(1), 0.09, PriorMean.constant(0));
    ChainGp gp = ChainGp.of(Dataset.of(x, 1, y), h);
    double[] points = new double[200];
    for (int p = 0; p < 200; p++) points[p] = 5 + 990 * random.nextDouble();
    Prediction mine = gp.predict(points);
    // with 200 rows a unit, those a lengthscale away say nothing more
    for (int p = 0; p < 3; p++) {
      double at = points[p];
      int[] near = IntStream.range(0, n).filter(i -> Math.abs(x[i] - at) < 1.5).toArray();
      Prediction exact = ExactGp.of(Dataset.of(x, 1, y).select(near), h).predict(new double[] {at});
      assertEquals(exact.mean(0), mine.mean(p), 0.01 * exact.deviation(0));
      assertEquals(1, mine.variance(p) / exact.variance(0), 0.01);
    }
    double squares = 0;
    for (int p = 0; p < 200; p++) {
      assertEquals(Math.sin(points[p]), mine.mean(p), 6 * mine.deviation(p));
      squares += Math.pow((Math.sin(points[p]) - mine.mean(p)) / mine.deviation(p), 2) / 200;
    }
    assertTrue(squares < 2, "squared errors over variances are " + squares);
  }

  @Test
  void whatIsNoChainIsRefused() {
    Dataset rows = Dataset.of(new double[] {1, 2}, 1, new double[] {1, 3});
    Hyperparameters rbf = Hyperparameters.of(Kernel.rbf(1).bind(1), 0.1, PriorMean.constant(0));
    String told =
        assertThrows(IllegalArgumentException.class, () -> ChainGp.of(rows, rbf)).toString();
    assertTrue(told.contains("one Matérn kernel in one dimension"), told);
    Hyperparameters matern =
        Hyperparameters.of(Kernel.parse("1*matern32(lengthscale=1)").bind(1), 0.1, PriorMean.ZERO);
    ChainGp gp = ChainGp.of(rows, matern);
    assertThrows(IllegalArgumentException.class, () -> gp.predict(new double[] {Double.NaN}));
    assertThrows(
        MemoryLimitException.class,
        () ->
            Budget.of(Duration.ofHours(1), 100, System::nanoTime)
                .run(() -> ChainGp.of(rows, matern)));
  }
}
