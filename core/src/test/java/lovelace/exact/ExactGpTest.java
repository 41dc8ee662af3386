package lovelace.exact;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.JointNormal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExactGpTest {

  private static Hyperparameters parameters(Kernel kernel, int d, double noise, PriorMean mean) {
    return Hyperparameters.of(kernel.bind(d), noise, mean);
  }

  private static PriorMean mean(int kind, int d) {
    double[] slopes = new double[d];
    for (int j = 0; j < d; j++) slopes[j] = 0.4 - 0.3 * j;
    return switch (kind) {
      case 0 -> PriorMean.ZERO;
      case 1 -> PriorMean.constant(0.7);
      default -> PriorMean.linear(-0.2, slopes);
    };
  }

  @Test
  void oneObservationByHand() {
    var h = parameters(Kernel.parse("2*rbf(lengthscale=1)"), 1, 0.5, PriorMean.constant(1));
    var gp = ExactGp.of(Dataset.of(new double[] {0}, 1, new double[] {4}), h);
    Prediction p = gp.predict(new double[] {1});
    assertEquals(1 + 2 * Math.exp(-0.5) * 3 / 2.5, p.mean(0), 1e-15);
    assertEquals(2 - 4 * Math.exp(-1) / 2.5, p.variance(0), 1e-15);
    double likelihood = -0.5 * 9 / 2.5 - 0.5 * Math.log(2.5) - 0.5 * Math.log(2 * Math.PI);
    assertEquals(likelihood, gp.logMarginalLikelihood(), 1e-15);
    // d/ds (−9/2s − ½ log s) at s = 2.5 for scale and noise alike; α = 3/2.5 for the constant
    double ds = 0.5 * (9 / 6.25 - 1 / 2.5);
    assertArrayEquals(new double[] {ds, 0, ds, 1.2}, gp.likelihoodGradient(), 1e-15);
    Prediction loo = gp.leaveOneOut();
    assertEquals(1, loo.mean(0), 1e-15);
    assertEquals(2.5, loo.variance(0), 1e-15);
  }

  @Test
  void twoWeightedObservationsByHand() {
    var h = parameters(Kernel.parse("1*matern12(lengthscale=2)"), 1, 0.3, PriorMean.ZERO);
    Dataset data = Dataset.of(new double[] {0, 2}, 1, new double[] {1, -1}, new double[] {1, 3});
    ExactGp gp = ExactGp.of(data, h);
    double a = 1.3;
    double b = 1.1;
    double c = Math.exp(-1);
    double det = a * b - c * c;
    double k = Math.exp(-0.5); // the point between lies one from each
    Prediction p = gp.predict(new double[] {1});
    assertEquals(k * ((b + c) - (c + a)) / det, p.mean(0), 1e-15);
    assertEquals(1 - k * k * (b - 2 * c + a) / det, p.variance(0), 1e-15);
    double likelihood = -0.5 * ((a + b + 2 * c) / det + Math.log(det)) - Math.log(2 * Math.PI);
    assertEquals(likelihood, gp.logMarginalLikelihood(), 1e-15);
    assertEquals(c / b * -1, gp.leaveOneOut().mean(0), 1e-15);
    assertEquals(b - c * c / a, gp.leaveOneOut().variance(1), 1e-15);
  }

  @Test
  void threeNoiseFreeObservationsOfAMarkovProcessByHand() {
    var h = parameters(Kernel.parse("1*matern12(lengthscale=1)"), 1, 1e-15, PriorMean.ZERO);
    double r = Math.exp(-1);
    double[] y = {1, 2, -1};
    ExactGp gp = ExactGp.of(Dataset.of(new double[] {0, 1, 2}, 1, y), h);
    // beyond the last point only the last point counts: mean r·y₃, variance 1 − r²
    Prediction p = gp.predict(new double[] {3, 2});
    assertEquals(-r, p.mean(0), 1e-14);
    assertEquals(1 - r * r, p.variance(0), 1e-14);
    assertEquals(-1, p.mean(1), 1e-14);
    assertTrue(p.atBound(1));
    assertFalse(p.atBound(0));
    double s = 1 - r * r;
    double q = 1 + sq(2 - r) / s + sq(-1 - 2 * r) / s;
    assertEquals(
        -0.5 * (q + 2 * Math.log(s) + 3 * Math.log(2 * Math.PI)),
        gp.logMarginalLikelihood(),
        1e-13);
  }

  private static double sq(double x) {
    return x * x;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void agreesWithTheTextbookOverKernelsMeansAndWeights(long seed) {
    var random = new SplittableRandom(seed);
    int d = (int) seed;
    for (Kernel kernel : Textbook.kernels()) {
      int kind = random.nextInt(3);
      Dataset data = Textbook.data(17 + random.nextInt(20), d, random.nextBoolean(), random);
      Hyperparameters h = parameters(kernel, d, 0.1 + random.nextDouble(), mean(kind, d));
      ExactGp gp = ExactGp.of(data, h);
      Textbook book = new Textbook(data, h);
      String where = "seed " + seed + ", " + kernel;
      assertEquals(book.logLikelihood(), gp.logMarginalLikelihood(), 1e-10, where);
      double[] points = Textbook.points(9, d, random);
      Prediction p = gp.predict(points);
      double[] covariance = gp.covariance(points, Arrays.copyOf(points, 4 * d));
      for (int i = 0; i < 9; i++) {
        assertEquals(book.mean(points, i * d), p.mean(i), 1e-11, where);
        assertEquals(book.covariance(points, i * d, points, i * d), p.variance(i), 1e-11, where);
        for (int j = 0; j < 4; j++)
          assertEquals(
              book.covariance(points, i * d, points, j * d), covariance[i * 4 + j], 1e-11, where);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void likelihoodGradientAgreesWithCentralDifferences(long seed) {
    var random = new SplittableRandom(seed);
    int d = (int) seed;
    for (Kernel kernel : Textbook.kernels()) {
      Dataset data = Textbook.data(25, d, true, random);
      Hyperparameters h = parameters(kernel, d, 0.3, mean(2, d));
      double[] gradient = ExactGp.of(data, h).likelihoodGradient();
      double[] values = h.values();
      assertEquals(values.length, gradient.length);
      for (int k = 0; k < values.length; k++) {
        double step = 1e-5 * Math.max(0.1, Math.abs(values[k]));
        double[] moved = values.clone();
        moved[k] = values[k] + step;
        double up = ExactGp.of(data, h.with(moved)).logMarginalLikelihood();
        moved[k] = values[k] - step;
        double down = ExactGp.of(data, h.with(moved)).logMarginalLikelihood();
        double expected = (up - down) / (2 * step);
        // truncation h² and rounding 1e-13/h, both far below
        assertEquals(
            expected,
            gradient[k],
            1e-5 * Math.max(1, Math.abs(expected)),
            "seed " + seed + ", " + kernel + ", " + h.names().get(k));
      }
    }
  }

  @Test
  void leaveOneOutIsPredictionWithoutThePoint() {
    var random = new SplittableRandom(5);
    Dataset data = Textbook.data(70, 2, true, random);
    Hyperparameters h =
        parameters(Kernel.parse("1.3*matern52(lengthscale=0.7)"), 2, 0.2, mean(2, 2));
    Prediction loo = ExactGp.of(data, h).leaveOneOut();
    for (int i = 0; i < 70; i++) {
      int left = i;
      Dataset rest = data.select(IntStream.range(0, 70).filter(j -> j != left).toArray());
      Prediction p =
          ExactGp.of(rest, h).predict(Arrays.copyOfRange(data.inputs(), 2 * i, 2 * i + 2));
      assertEquals(p.mean(0), loo.mean(i), 1e-11);
      assertEquals(p.variance(0) + 0.2 / data.weight(i), loo.variance(i), 1e-11);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 37, 301})
  void predictionsDoNotDependOnTheirBatch(int n) {
    var random = new SplittableRandom(n);
    Dataset data = Textbook.data(n, 2, false, random);
    Hyperparameters h = parameters(Kernel.parse("1.3*rbf(lengthscale=0.7)"), 2, 0.1, mean(1, 2));
    ExactGp gp = ExactGp.of(data, h);
    int t = 300;
    double[] points = Textbook.points(t, 2, random);
    Prediction all = gp.predict(points);
    double[] covariances = gp.covariance(points, Arrays.copyOf(points, 2 * 70));
    for (int i = 0; i < t; i++) {
      // alone, and at a random place of a random batch
      int from = Math.max(0, i - random.nextInt(200));
      int to = Math.min(t, i + 1 + random.nextInt(200));
      Prediction alone = gp.predict(Arrays.copyOfRange(points, 2 * i, 2 * i + 2));
      assertEquals(all.mean(i), alone.mean(0), 0);
      assertEquals(all.variance(i), alone.variance(0), 0);
      if (i % 5 != 0) continue;
      Prediction some = gp.predict(Arrays.copyOfRange(points, 2 * from, 2 * to));
      assertEquals(all.mean(i), some.mean(i - from), 0);
      assertEquals(all.variance(i), some.variance(i - from), 0);
      int j = random.nextInt(70);
      double[] one =
          gp.covariance(
              Arrays.copyOfRange(points, 2 * i, 2 * i + 2),
              Arrays.copyOfRange(points, 2 * j, 2 * j + 2));
      assertEquals(covariances[i * 70 + j], one[0], 0);
    }
  }

  @Test
  void anyNumberOfThreadsGivesTheSameBits() throws Exception {
    var random = new SplittableRandom(8);
    Dataset data = Textbook.data(600, 2, true, random);
    Hyperparameters h = parameters(Kernel.parse("1.3*rbf(lengthscale=0.7)"), 2, 0.1, mean(2, 2));
    double[] points = Textbook.points(150, 2, random);
    double[][] expected = null;
    for (int threads : new int[] {1, 2, 5})
      try (ForkJoinPool pool = new ForkJoinPool(threads)) {
        double[][] got =
            pool.submit(
                    () -> {
                      ExactGp gp = ExactGp.of(data, h);
                      Prediction p = gp.predict(points);
                      return new double[][] {
                        {gp.logMarginalLikelihood()},
                        gp.likelihoodGradient(),
                        p.means(),
                        p.variances(),
                        gp.leaveOneOut().variances(),
                        gp.sample(points, 3, new SplittableRandom(1))
                      };
                    })
                .get();
        if (expected == null) expected = got;
        for (int k = 0; k < got.length; k++) assertArrayEquals(expected[k], got[k], 0.0);
      }
  }

  /// Whitened by the textbook covariance the draws are S × t standard normals. Three statistics:
  /// mean (χ² with t degrees), total (normal approximation at five deviations) and the largest of
  /// the t(t−1)/2 sample correlations (six deviations). Together they alarm falsely less than once
  /// in 10⁵ seeds.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void samplesHaveThePosteriorsMeanAndCovariance(long seed) {
    var random = new SplittableRandom(seed);
    Dataset data = Textbook.data(15, 1, true, random);
    Hyperparameters h =
        parameters(Kernel.parse("1.3*matern32(lengthscale=0.7)"), 1, 0.2, mean(1, 1));
    Textbook book = new Textbook(data, h);
    ExactGp gp = ExactGp.of(data, h);
    int t = 6;
    int draws = 4000;
    double[] points = {-2, -0.7, 0.1, 0.9, 1.6, 3};
    assertEquals(0, gp.joint(points).jitter());
    double[] samples = gp.sample(points, draws, random);
    double[][] l = new double[t][t];
    for (int i = 0; i < t; i++)
      for (int j = 0; j <= i; j++) {
        double s = book.covariance(points, i, points, j);
        for (int k = 0; k < j; k++) s -= l[i][k] * l[j][k];
        l[i][j] = i == j ? Math.sqrt(s) : s / l[j][j];
      }
    double[] sum = new double[t];
    double[][] products = new double[t][t];
    for (int s = 0; s < draws; s++) {
      double[] z = new double[t];
      for (int i = 0; i < t; i++) {
        z[i] = samples[s * t + i] - book.mean(points, i);
        for (int k = 0; k < i; k++) z[i] -= l[i][k] * z[k];
        z[i] /= l[i][i];
        sum[i] += z[i];
        for (int j = 0; j <= i; j++) products[i][j] += z[i] * z[j];
      }
    }
    double meanStatistic = 0;
    double total = 0;
    for (int i = 0; i < t; i++) {
      meanStatistic += sum[i] * sum[i] / draws;
      total += products[i][i];
      for (int j = 0; j < i; j++) assertEquals(0, products[i][j] / Math.sqrt(draws), 6);
    }
    assertTrue(meanStatistic < 38.3, "seed " + seed + ": " + meanStatistic); // P = 1e-6
    assertEquals(0, (total - draws * t) / Math.sqrt(2.0 * draws * t), 5);
  }

  @Test
  void jointDrawsReportTheirJitterWherePointsRepeat() {
    Dataset data = Textbook.data(20, 1, false, new SplittableRandom(3));
    Hyperparameters h = parameters(Kernel.parse("1*rbf(lengthscale=1)"), 1, 0.1, PriorMean.ZERO);
    double[] points = new double[40];
    Arrays.setAll(points, i -> i % 20 * 0.05);
    JointNormal joint = ExactGp.of(data, h).joint(points);
    assertTrue(joint.jitter() > 0 && joint.jitter() < 1e-9, "jitter " + joint.jitter());
    double[] draw = joint.draw(1, new SplittableRandom(1));
    for (int i = 0; i < 20; i++) assertEquals(draw[i], draw[i + 20], 1e-3);
  }

  @Test
  void varianceShrinksAsDataGrows() {
    Dataset data = Textbook.data(60, 2, true, new SplittableRandom(4));
    Hyperparameters h =
        parameters(Kernel.parse("1.2*matern52(lengthscale=0.8)"), 2, 0.2, mean(0, 2));
    double[] points = Textbook.points(30, 2, new SplittableRandom(9));
    Prediction before = null;
    for (int n = 5; n <= 60; n += 5) {
      Prediction now = ExactGp.of(data.rows(0, n), h).predict(points);
      for (int i = 0; i < 30 && before != null; i++)
        assertTrue(now.variance(i) <= before.variance(i) + 1e-14);
      before = now;
    }
  }

  @Test
  void varianceIsNeverNegativeAndABoundSaysSo() {
    double[] x = IntStream.range(0, 100).mapToDouble(i -> i * 0.01).toArray();
    double[] y = Arrays.stream(x).map(Math::sin).toArray();
    Hyperparameters h = parameters(Kernel.parse("1*rbf(lengthscale=1)"), 1, 1e-12, PriorMean.ZERO);
    Prediction p = ExactGp.of(Dataset.of(x, 1, y), h).predict(x);
    for (int i = 0; i < x.length; i++) {
      assertTrue(p.variance(i) > 0);
      assertEquals(y[i], p.mean(i), 1e-4);
    }
  }

  @Test
  void weightTwoIsTheSameObservationTwice() {
    double[] x = {0, 1, 1, 2};
    double[] y = {0.3, 1.2, 1.2, -0.4};
    Hyperparameters h = parameters(Kernel.parse("1*rbf(lengthscale=1)"), 1, 0.2, PriorMean.ZERO);
    ExactGp twice = ExactGp.of(Dataset.of(x, 1, y), h);
    ExactGp weighted =
        ExactGp.of(
            Dataset.of(
                new double[] {0, 1, 2}, 1, new double[] {0.3, 1.2, -0.4}, new double[] {1, 2, 1}),
            h);
    double[] points = {-1, 0.4, 1, 3};
    assertArrayEquals(twice.predict(points).means(), weighted.predict(points).means(), 1e-14);
    assertArrayEquals(
        twice.predict(points).variances(), weighted.predict(points).variances(), 1e-14);
  }

  @Test
  void whiteKernelIsNoise() {
    Dataset data = Textbook.data(20, 1, true, new SplittableRandom(3));
    Kernel smooth = Kernel.parse("1*rbf(lengthscale=1)");
    ExactGp split =
        ExactGp.of(data, parameters(smooth.plus(Kernel.white(0.2)), 1, 0.1, PriorMean.ZERO));
    ExactGp whole = ExactGp.of(data, parameters(smooth, 1, 0.1 + 0.2, PriorMean.ZERO));
    assertEquals(whole.noise(), split.noise(), 0);
    assertEquals(whole.logMarginalLikelihood(), split.logMarginalLikelihood(), 1e-13);
    double[] x = data.inputs();
    assertArrayEquals(whole.predict(x).variances(), split.predict(x).variances(), 1e-14);
  }

  @Test
  void refusesPointsOfTheWrongShape() {
    Dataset data = Textbook.data(5, 2, false, new SplittableRandom(3));
    ExactGp gp =
        ExactGp.of(data, parameters(Kernel.parse("1*rbf(lengthscale=1)"), 2, 0.1, PriorMean.ZERO));
    assertThrows(IllegalArgumentException.class, () -> gp.predict(new double[3]));
    assertThrows(IllegalArgumentException.class, () -> gp.predict(new double[] {0, Double.NaN}));
    assertEquals(0, gp.predict(new double[0]).size());
  }
}
