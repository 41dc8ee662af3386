package lovelace.series.counts;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.linear.Gaussian;
import lovelace.series.Outlook;
import org.junit.jupiter.api.Test;

class OutlookTest {

  private static final double[] LEVELS = {0.025, 0.1, 0.5, 0.9, 0.975, 0.999};

  private static double[] counts(int n, SplittableRandom random) {
    double[] y = new double[n];
    for (int t = 0; t < n; t++) y[t] = random.nextInt(5) * random.nextInt(2);
    return y;
  }

  private static Outlook counts(SplittableRandom random) {
    return CountModel.start(3).own(Support.COUNTS, counts(40, random), 5);
  }

  /// A normal outlook around 2.
  private record Normal(double mean) implements Outlook {
    @Override
    public double cdf(int step, double y) {
      return Gaussian.cdf(y - mean);
    }

    @Override
    public double[] quantiles(int step, double... levels) {
      return Arrays.stream(levels).map(p -> mean + Gaussian.quantile(p)).toArray();
    }

    @Override
    public double[][] paths(int count, SplittableRandom random) {
      double[][] paths = new double[count][5];
      for (double[] path : paths)
        for (int k = 0; k < 5; k++)
          path[k] = mean + Gaussian.quantile(Math.max(random.nextDouble(), 1e-12));
      return paths;
    }
  }

  private static void assertWhole(Outlook outlook) {
    for (int k = 0; k < 5; k++) {
      double[] q = outlook.quantiles(k, LEVELS);
      for (int i = 0; i < q.length; i++) {
        assertEquals(Math.rint(q[i]), q[i]);
        assertTrue(q[i] >= 0);
        assertTrue(outlook.cdf(k, q[i]) >= LEVELS[i] - 1e-9, "the quantile reaches its level");
        if (q[i] > 0)
          assertTrue(outlook.cdf(k, q[i] - 1) < LEVELS[i] + 1e-9, "no smaller one does");
        assertEquals(outlook.cdf(k, q[i]), outlook.cdf(k, q[i] + 0.7), 0);
      }
      assertEquals(0, outlook.cdf(k, -0.1), 0);
    }
    for (double[] path : outlook.paths(200, new SplittableRandom(1)))
      for (double y : path) assertTrue(y >= 0 && y == Math.rint(y));
  }

  /// Paths have the distribution of each step, within what chance allows.
  private static void assertPaths(Outlook outlook, double... places) {
    int draws = 3_000;
    double[][] paths = outlook.paths(draws, new SplittableRandom(11));
    for (int k = 0; k < 5; k++)
      for (double y : places) {
        int step = k;
        double below = Arrays.stream(paths).filter(path -> path[step] <= y).count();
        double p = outlook.cdf(k, y);
        assertEquals(p, below / draws, 4.5 * Math.sqrt(p * (1 - p) / draws) + 1e-3);
      }
  }

  @Test
  void countsAreWholeAndTheirMeanIsExact() {
    Outlook outlook = counts(new SplittableRandom(1));
    assertWhole(outlook);
    for (int k = 0; k < 5; k++) {
      double mean = 0;
      for (int y = 0; y < 5_000; y++) mean += 1 - outlook.cdf(k, y);
      assertEquals(mean, outlook.mean(k), 1e-6);
    }
    assertPaths(outlook, 0, 1, 3);
  }

  @Test
  void roundedAndPooledOutlooksAreWhole() {
    Outlook rounded = new WholeOutlook(new Normal(1.2));
    assertWhole(rounded);
    assertPaths(rounded, 0, 1, 2);
    Outlook pooled = new PooledOutlook(counts(new SplittableRandom(3)), rounded, 0.6);
    assertWhole(pooled);
    assertPaths(pooled, 0, 1, 3);
    assertEquals(
        0.6 * counts(new SplittableRandom(3)).cdf(2, 1) + 0.4 * rounded.cdf(2, 1),
        pooled.cdf(2, 1),
        1e-12);
  }

  @Test
  void amountsHaveAMassAtZero() {
    SplittableRandom random = new SplittableRandom(5);
    double[] y = new double[60];
    for (int t = 0; t < y.length; t++)
      y[t] = random.nextInt(3) == 0 ? 0 : 100 * Math.exp(random.nextDouble());
    Outlook own = CountModel.start().own(Support.AMOUNTS, y, 5);
    Outlook zero = new ZeroOutlook(new Normal(1), 0.5);
    Outlook pooled = new PooledOutlook(own, new ZeroOutlook(new Normal(150), 50), 0.7);
    for (Outlook each : new Outlook[] {own, zero, pooled}) {
      double none = each.cdf(2, 0);
      assertTrue(none > 0.1 && none < 0.7, "" + none);
      double[] q = each.quantiles(2, none - 0.02, none + 0.02, 0.9);
      assertEquals(0, q[0], 0);
      assertTrue(q[1] > 0);
      assertEquals(0.9, each.cdf(2, q[2]), 1e-5);
      assertPaths(each, 0, 130, 200);
    }
    assertEquals(0.3, 1 - own.cdf(2, own.quantiles(2, 0.7)[0]), 1e-5);
  }

  /// The variance of a sum of two steps against that of the gamma–Poisson process itself, where a
  /// rate stays: `Var = Σ E + (Σ E)²/a`.
  @Test
  void stepsOfAPathShareTheirRate() {
    Point point = new Point(Optional.of(new Rate(1, 0, 0)), 0, 0, 0);
    Track track = point.start(new Prior(0.5, 2, 1));
    for (double y : new double[] {3, 1, 4}) track.step(y);
    Future ahead = track.ahead(6);
    SplittableRandom random = new SplittableRandom(13);
    int draws = 20_000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < draws; i++) {
      double total = Arrays.stream(ahead.path(random)).sum();
      sum += total;
      squares += total * total;
    }
    double mean = 6 * ahead.mean(0);
    assertEquals(mean, sum / draws, 0.2);
    double variance = mean + mean * mean / 9;
    assertEquals(variance, squares / draws - mean * mean, 0.08 * variance);
  }

  @Test
  void numbersOfAModelAreTakenBack() {
    double[] numbers = CountModel.start(7, 30.4).numbers();
    assertArrayEquals(numbers, CountModel.of(numbers).orElseThrow().numbers());
    numbers[4]++;
    assertTrue(CountModel.of(numbers).isEmpty(), "another library");
    assertTrue(CountModel.of(Arrays.copyOf(numbers, 9)).isEmpty());
  }
}
