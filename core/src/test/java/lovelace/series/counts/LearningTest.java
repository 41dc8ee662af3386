package lovelace.series.counts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.linear.Gaussian;
import lovelace.series.Outlook;
import org.junit.jupiter.api.Test;

class LearningTest {

  private static final int SERIES = Boolean.getBoolean("lovelace.long") ? 2_000 : 150;
  private static final int HORIZON = 7;

  private static double gamma(double shape, SplittableRandom random) {
    if (shape < 1) return gamma(shape + 1, random) * Math.pow(random.nextDouble(), 1 / shape);
    double d = shape - 1. / 3;
    while (true) { // Marsaglia and Tsang 2000
      double z = CountFuture.normal(random);
      double v = Math.pow(1 + z / Math.sqrt(9 * d), 3);
      if (v > 0 && Math.log(random.nextDouble()) < 0.5 * z * z + d - d * v + d * Math.log(v))
        return d * v;
    }
  }

  private static double poisson(double rate, SplittableRandom random) {
    double p = Math.exp(-rate);
    double u = random.nextDouble();
    int y = 0;
    while (u > p && y < 1_000) {
      u -= p;
      p *= rate / ++y;
    }
    return y;
  }

  /// Counts with a rate of their own, a week, and a spread.
  static List<double[]> counts(int n, SplittableRandom random) {
    List<double[]> all = new ArrayList<>();
    for (int i = 0; i < SERIES; i++) {
      double mean = Math.exp(random.nextDouble(-1.5, 2));
      double shape = Math.exp(random.nextDouble(-0.5, 2));
      double[] y = new double[n];
      for (int t = 0; t < n; t++) {
        double week = t % 7 == 5 ? 1.8 : 0.87;
        y[t] = poisson(mean * week * gamma(shape, random) / shape, random);
      }
      all.add(y);
    }
    return all;
  }

  private static final Outlook FLAT =
      new Outlook() {
        @Override
        public double cdf(int step, double y) {
          return Gaussian.cdf((y - 10) / 30);
        }

        @Override
        public double[] quantiles(int step, double... levels) {
          return Arrays.stream(levels).map(p -> 10 + 30 * Gaussian.quantile(p)).toArray();
        }

        @Override
        public double[][] paths(int count, SplittableRandom random) {
          throw new IllegalStateException("no paths");
        }
      };

  /// The distribution function at a count, spread evenly over its step, is uniform.
  @Test
  void intervalsOfCountsHold() {
    SplittableRandom random = new SplittableRandom(21);
    List<double[]> all = counts(60 + HORIZON, random);
    List<CountLearner.Case> cases = new ArrayList<>();
    for (double[] y : all)
      cases.add(new CountLearner.Case(Support.COUNTS, Arrays.copyOf(y, 60), HORIZON, FLAT));
    CountModel model = new CountLearner(7).learn(cases);
    assertEquals(SERIES, model.learnedFrom(Support.COUNTS));
    assertTrue(model.share(Support.COUNTS, all.getFirst()) > 0.9, "a flat library hardly counts");
    double[] levels = {0.5, 0.8, 0.95};
    double[] inside = new double[3];
    for (double[] y : all) {
      Outlook outlook = model.own(Support.COUNTS, Arrays.copyOf(y, 60), HORIZON);
      for (int k = 0; k < HORIZON; k++) {
        double low = outlook.cdf(k, y[60 + k] - 1);
        double u = low + (outlook.cdf(k, y[60 + k]) - low) * random.nextDouble();
        for (int l = 0; l < 3; l++) if (Math.abs(u - 0.5) < levels[l] / 2) inside[l]++;
      }
    }
    for (int l = 0; l < 3; l++)
      assertEquals(
          levels[l],
          inside[l] / SERIES / HORIZON,
          4 * Math.sqrt(levels[l] * (1 - levels[l]) / SERIES / HORIZON) + 0.01);
  }

  @Test
  void gradientsAreThoseOfTheLosses() {
    SplittableRandom random = new SplittableRandom(22);
    List<Evidence> evidence = new ArrayList<>();
    CountModel start = CountModel.start();
    for (double[] y : counts(40, random).subList(0, 6))
      evidence.add(Evidence.of(start.tracks(Support.COUNTS), y, 5, true, 1));
    int size = evidence.getFirst().evidence().length;
    SharesLearner learner =
        new SharesLearner(Shares.even(size), Point.terms(Point.counts(0)), evidence);
    double[] x = new double[learner.size()];
    for (int j = 0; j < x.length; j++) x[j] = random.nextDouble(-1, 1);
    assertGradient(learner::loss, x);
    Pool.Case one =
        new Pool.Case(new double[] {1, 0.5, -1}, new double[] {0.3, 0.1}, new double[] {0.2, 0.4});
    assertGradient(
        (a, gradient) -> Pool.loss(Pool.COUNTS, List.of(one), a, gradient), 0.3, -0.2, 0.7);
  }

  private static void assertGradient(lovelace.optimize.Optimizer.Objective loss, double... x) {
    double[] gradient = new double[x.length];
    loss.evaluate(x, gradient);
    for (int j = 0; j < x.length; j++) {
      double h = 1e-5;
      double[] a = x.clone();
      double[] b = x.clone();
      a[j] -= h;
      b[j] += h;
      double[] none = new double[x.length];
      assertEquals(
          (loss.evaluate(b, none) - loss.evaluate(a, none)) / (2 * h),
          gradient[j],
          1e-6,
          "at " + j);
    }
  }

  @Test
  void kindsFollowFromValues() {
    assertEquals(Support.COUNTS, Support.of(0, 2, Double.NaN, 1));
    assertEquals(Support.COUNTS, Support.of(0, 0));
    assertEquals(Support.NUMBERS, Support.of(3, 3, 3));
    assertEquals(Support.NUMBERS, Support.of(-1, 3, 3));
    assertEquals(Support.NUMBERS, Support.of(500, 700));
    assertEquals(Support.AMOUNTS, Support.of(0, 0.4));
    assertEquals(Support.NUMBERS, Support.of(2, 0.4));
    assertEquals(1, Support.COUNTS.firstOther(2, 0.4));
    assertEquals(-1, Support.AMOUNTS.firstOther(2, Double.NaN, 0.4));
  }

  @Test
  void seriesThatHardlyVaryAreLeftToTheLibrary() {
    double[] y = new double[40];
    for (int t = 0; t < y.length; t++) y[t] = 100 + t % 2;
    CountModel start = CountModel.start(7);
    assertTrue(start.share(Support.COUNTS, y) < 0.02);
    assertEquals(FLAT, start.outlook(Support.COUNTS, y, 3, FLAT, false));
    Outlook whole = start.outlook(Support.COUNTS, y, 3, FLAT, true);
    assertEquals(new WholeOutlook(FLAT), whole);
  }
}
