package lovelace.neighbours;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.inference.Evidence;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Cholesky;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Predictions, covariances and draws by neighbours beside those of the exact process.
class NeighbourGpTest {

  /// Random rows, points and parameters; every sixth row lies where another does, and so do some
  /// points.
  private static final class Case {
    final int d;
    final Dataset data;
    final Hyperparameters h;
    final double[] points;

    Case(String kernel, long seed, int n, int t, double noise) {
      this(kernel, seed, 1 + (int) (seed % 5), n, t, noise);
    }

    Case(String kernel, long seed, int d, int n, int t, double noise) {
      SplittableRandom random = new SplittableRandom(seed);
      this.d = d;
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
      data = seed % 2 == 1 ? Dataset.of(x, d, y, w) : Dataset.of(x, d, y);
      points = random.doubles(t * d, -0.5, 3.5).toArray();
      if (t > 3) {
        System.arraycopy(x, 0, points, d, d);
        System.arraycopy(points, 0, points, 2 * d, d);
      }
      Kernel bound = Kernel.parse(kernel).bind(d);
      double[] values = bound.values();
      for (int i = 0; i < values.length; i++)
        if (Double.isNaN(values[i])) values[i] = Math.exp(0.5 * random.nextGaussian());
      double[] slopes = random.doubles(d).toArray();
      PriorMean mean =
          switch ((int) (seed % 3)) {
            case 0 -> PriorMean.linear(0.2, slopes);
            case 1 -> PriorMean.constant(0.3);
            default -> PriorMean.ZERO;
          };
      h = Hyperparameters.of(bound.with(values), noise, mean);
    }

    NeighbourGp gp(int k) {
      return NeighbourGp.of(data, h, k);
    }

    ExactGp exact() {
      return ExactGp.of(data, h);
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
        "matern32(columns=[0]) + white",
        "matern12 + matern32",
        "rbf*periodic + matern12",
        "linear + matern32",
        "matern52 + constant + white"
      })
  void allRowsAsNeighboursGiveTheExactProcess(String kernel) {
    for (int seed = 0; seed < 6; seed++) {
      Case c = new Case(kernel, seed, 1 + 8 * seed, 7, 0.05);
      NeighbourGp ours = c.gp(c.data.size() + 7);
      assertSame(c.exact().predict(c.points), ours.predict(c.points), "seed " + seed);
      assertEquals(c.exact().noise(), ours.noise());
      double[] expected = c.exact().covariance(c.points, c.points);
      double[] scale = {0};
      for (double e : expected) scale[0] = Math.max(scale[0], Math.abs(e));
      assertArrayEquals(
          expected, ours.covariance(c.points, c.points), 1e-8 * scale[0], "seed " + seed);
      double[] some = Arrays.copyOf(c.points, 4 * c.d);
      assertArrayEquals(
          c.exact().covariance(some, c.points),
          ours.covariance(some, c.points),
          1e-8 * scale[0],
          "seed " + seed);
    }
  }

  private static void assertSame(Prediction expected, Prediction actual, String what) {
    double size = 1;
    for (double m : expected.means()) size = Math.max(size, Math.abs(m));
    for (int i = 0; i < expected.size(); i++) {
      assertEquals(expected.mean(i), actual.mean(i), 1e-8 * size, what + ", mean " + i);
      double v = expected.variance(i);
      assertEquals(v, actual.variance(i), 1e-8 * v + 1e-13, what + ", variance " + i);
    }
  }

  /// Each prediction is the exact process of all rows at the nearest places, found here by brute
  /// force.
  @Test
  void aPredictionIsTheExactProcessOfTheNearestPlaces() {
    for (int seed = 0; seed < 6; seed++) {
      Case c = new Case("matern32", seed, 80, 6, 0.02);
      Prediction ours = c.gp(9).predict(c.points);
      double[] scales = VecchiaLikelihood.scales(c.data, c.h);
      for (int t = 0; t < 6; t++) {
        double[] distances = new double[80];
        for (int i = 0; i < 80; i++)
          for (int j = 0; j < c.d; j++)
            distances[i] +=
                Math.pow((c.points[t * c.d + j] - c.data.inputs()[i * c.d + j]) / scales[j], 2);
        double[] places = Arrays.stream(distances).distinct().sorted().toArray();
        int[] nearest = IntStream.range(0, 80).filter(i -> distances[i] <= places[8]).toArray();
        double[] point = Arrays.copyOfRange(c.points, t * c.d, (t + 1) * c.d);
        Prediction exact = ExactGp.of(c.data.select(nearest), c.h).predict(point);
        assertEquals(exact.mean(0), ours.mean(t), 1e-9, "seed " + seed + ", point " + t);
        assertEquals(exact.variance(0), ours.variance(t), 1e-9, "seed " + seed + ", point " + t);
      }
    }
  }

  /// The points of a cell are predicted from the rows nearest to its centre; where rows lie
  /// densely, from those nearest to each point.
  @Test
  void pointsOfACellShareTheNeighboursOfItsCentre() {
    SplittableRandom random = new SplittableRandom(11);
    for (int d = 1; d <= 3; d++) {
      int n = 400;
      int k = 70;
      double[] x = new double[n * d];
      for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++)
          x[i * d + j] = i < 250 ? 10 * random.nextDouble() : 3 + 1e-3 * random.nextDouble();
      double[] y = random.doubles(n).toArray();
      Kernel kernel = Kernel.parse("1.0*matern32(lengthscale=2)").bind(d);
      Hyperparameters h = Hyperparameters.of(kernel, 0.05, PriorMean.constant(0.5));
      Dataset data = Dataset.of(x, d, y);
      NeighbourGp gp = NeighbourGp.of(data, h, k);
      double[] points = new double[40 * d]; // half of them in the cluster
      for (int i = 0; i < points.length; i++)
        points[i] = i < points.length / 2 ? 10 * random.nextDouble() : 3 + 1e-3 * (i % 7);
      Prediction ours = gp.predict(points);
      int shared = 0;
      for (int t = 0; t < 40; t++) {
        double[] centre = new double[d];
        double corner = 0;
        for (int j = 0; j < d; j++) {
          double step = gp.cells.steps[j];
          centre[j] = (Math.floor(points[t * d + j] / step) + 0.5) * step;
          corner += step * step / 4;
        }
        double[] point = Arrays.copyOfRange(points, t * d, (t + 1) * d);
        int[] nearest = nearest(x, d, centre, k);
        boolean wide =
            distance(x, nearest[k - 1] * d, centre) >= SharedCells.CLOSE * Math.sqrt(corner);
        if (!wide) nearest = nearest(x, d, point, k);
        shared += wide ? 1 : 0;
        Prediction exact = ExactGp.of(data.select(nearest), h).predict(point);
        String where = "d " + d + ", point " + t + (wide ? ", shared" : ", alone");
        assertEquals(exact.mean(0), ours.mean(t), 1e-9, where);
        assertEquals(exact.variance(0), ours.variance(t), 1e-9, where);
        Prediction one = gp.predict(point);
        assertEquals(ours.mean(t), one.mean(0), "to the bit, " + where);
        assertEquals(ours.variance(t), one.variance(0), "to the bit, " + where);
      }
      assertTrue(shared >= 5 && shared <= 35, "both ways are taken, d " + d + ": " + shared);
    }
  }

  private static double distance(double[] x, int at, double[] y) {
    double sum = 0;
    for (int j = 0; j < y.length; j++) sum += (x[at + j] - y[j]) * (x[at + j] - y[j]);
    return Math.sqrt(sum);
  }

  private static int[] nearest(double[] x, int d, double[] to, int k) {
    return IntStream.range(0, x.length / d)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> distance(x, i * d, to)))
        .limit(k)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /// Two columns of words among six: likelihood and gradient with k = n − 1, predictions and
  /// covariances with k = n + t.
  @ParameterizedTest
  @ValueSource(strings = {"matern32", "rbf", "matern12 + matern52"})
  void wordsAreToldApartAsByTheExactProcess(String kernel) {
    for (int seed = 0; seed < 3; seed++) {
      Case c = new Case(kernel, 3 * seed + 2, 6, 40, 9, 0.05); // no linear mean over words
      SplittableRandom random = new SplittableRandom(seed);
      List<Column> columns = new ArrayList<>();
      for (int j = 0; j < 6; j++)
        columns.add(j % 3 == 1 ? Column.of("c" + j, List.of("a", "b", "c")) : Column.of("c" + j));
      double[] x = c.data.inputs().clone();
      double[] points = c.points.clone();
      for (double[] some : new double[][] {x, points})
        for (int i = 0; i < some.length; i++) if (i % 3 == 1) some[i] = random.nextInt(-1, 3);
      Dataset data = Dataset.of(x, columns, c.data.target(), Column.of("y"));
      Hyperparameters h = Hyperparameters.of(c.h.kernel().withCategories(1, 4), 0.05, c.h.mean());
      NeighbourGp ours = NeighbourGp.of(data, h, 49);
      ExactGp exact = ExactGp.of(data, h);
      assertSame(exact.predict(points), ours.predict(points), "seed " + seed);
      assertArrayEquals(
          exact.covariance(points, points), ours.covariance(points, points), 1e-8, "seed " + seed);
      Evidence all = VecchiaLikelihood.of(data, h, 39, seed).evidence(h);
      double value = exact.logMarginalLikelihood();
      assertEquals(value, all.value(), 1e-8 * Math.abs(value), "seed " + seed);
      double[] gradient = exact.likelihoodGradient();
      double size = Arrays.stream(gradient).map(Math::abs).max().orElse(0);
      assertArrayEquals(gradient, all.gradient(), 1e-8 * size, "seed " + seed);
    }
  }

  @Test
  void errorsFallWithMoreNeighbours() {
    Case c = new Case("matern32", 3, 4, 400, 100, 0.05);
    Prediction exact = c.exact().predict(c.points);
    double[] joint = c.exact().covariance(c.points, c.points);
    int[] counts = {10, 30, 100, 500};
    double[][] errors = new double[3][counts.length];
    for (int i = 0; i < counts.length; i++) {
      Prediction ours = c.gp(counts[i]).predict(c.points);
      double[] covariance = c.gp(counts[i]).covariance(c.points, c.points);
      for (int t = 0; t < exact.size(); t++) {
        errors[0][i] += Math.pow(ours.mean(t) - exact.mean(t), 2);
        errors[1][i] += Math.pow(ours.variance(t) / exact.variance(t) - 1, 2);
      }
      for (int e = 0; e < joint.length; e++) errors[2][i] += Math.pow(joint[e] - covariance[e], 2);
    }
    for (double[] error : errors)
      for (int i = 1; i < counts.length; i++)
        assertTrue(error[i] < 0.3 * error[i - 1], Arrays.deepToString(errors));
    assertTrue(errors[0][3] < 1e-16, Arrays.deepToString(errors));
  }

  @Test
  void batchesAndThreadsDoNotChangeABit() throws Exception {
    for (String kernel : new String[] {"matern52", "matern12 + rbf"}) {
      Case c = new Case(kernel, 4, 3, 300, 201, 0.01);
      NeighbourGp gp = c.gp(17);
      Prediction all = gp.predict(c.points);
      for (int i = 0; i < 201; i += 7) {
        Prediction alone = gp.predict(Arrays.copyOfRange(c.points, i * c.d, (i + 1) * c.d));
        assertEquals(all.mean(i), alone.mean(0));
        assertEquals(all.variance(i), alone.variance(0));
      }
      double[][] results = new double[2][];
      for (int t = 0; t < 2; t++)
        try (var pool = new ForkJoinPool(1 + 3 * t)) {
          results[t] =
              pool.submit(
                      () -> {
                        NeighbourGp same = c.gp(17);
                        Prediction p = same.predict(c.points);
                        double[] draws = same.sample(c.points, 3, new SplittableRandom(1));
                        double[] joint = same.covariance(c.points, c.points);
                        return Stream.of(p.means(), p.variances(), draws, joint)
                            .flatMapToDouble(Arrays::stream)
                            .toArray();
                      })
                  .get();
        }
      assertArrayEquals(results[0], results[1]);
      assertArrayEquals(all.means(), Arrays.copyOf(results[0], 201));
    }
  }

  /// Every row three times, at one place and almost at one, with noise and almost without.
  @ParameterizedTest
  @ValueSource(doubles = {0.01, 1e-6, 1e-10, 1e-14})
  void repeatedRowsAreHarmless(double noise) {
    for (String kernel : new String[] {"matern12", "matern52", "rbf", "matern32 + rbf"})
      for (double apart : new double[] {0, 1e-9}) {
        String what = kernel + ", " + apart + " apart";
        Case c = new Case(kernel, 8, 2, 60, 40, noise);
        double[] x = new double[180 * c.d];
        double[] y = new double[180];
        for (int i = 0; i < 180; i++) {
          System.arraycopy(c.data.inputs(), i / 3 * c.d, x, i * c.d, c.d);
          x[i * c.d] += i % 3 * apart;
          y[i] = Math.sin(2 * x[i * c.d]);
        }
        NeighbourGp gp = NeighbourGp.of(Dataset.of(x, c.d, y), c.h, 30);
        Prediction p = gp.predict(x);
        for (int i = 0; i < 180; i++) {
          assertTrue(p.variance(i) > 0 && p.variance(i) < 1, what + ": " + p.variance(i));
          assertEquals(y[i], p.mean(i), 3 * Math.sqrt(noise) + 2e-3, what + ", row " + i);
        }
        double[] draws = gp.sample(x, 2, new SplittableRandom(3));
        for (int i = 0; i < draws.length; i++) {
          assertEquals(draws[i - i % 3], draws[i], apart == 0 ? 0 : 1e-2, what);
          assertEquals(y[i % 180], draws[i], 10 * Math.sqrt(noise) + 0.05, what + ", draw " + i);
        }
        assertTrue(Double.isFinite(gp.logMarginalLikelihood()), what);
      }
  }

  @Test
  void drawsHaveTheMomentsOfTheJointDistribution() {
    Case c = new Case("matern32", 6, 2, 60, 12, 0.1);
    for (int k : new int[] {5, 100}) {
      NeighbourGp gp = c.gp(k);
      int count = 40_000;
      double[] draws = gp.sample(c.points, count, new SplittableRandom(5));
      double[] expected = gp.covariance(c.points, c.points);
      double[] mean = new double[12];
      for (int s = 0; s < count; s++)
        for (int i = 0; i < 12; i++) mean[i] += draws[s * 12 + i] / count;
      double[] covariance = new double[144];
      for (int s = 0; s < count; s++)
        for (int i = 0; i < 12; i++)
          for (int j = 0; j < 12; j++)
            covariance[i * 12 + j] +=
                (draws[s * 12 + i] - mean[i]) * (draws[s * 12 + j] - mean[j]) / count;
      Prediction exact = c.exact().predict(c.points);
      for (int i = 0; i < 12; i++) {
        double off = k == 5 ? 1 : 0; // five neighbours are few
        double deviation = Math.sqrt(expected[i * 13]);
        assertEquals(exact.mean(i), mean[i], (5 / Math.sqrt(count) + off) * deviation);
        for (int j = 0; j < 12; j++)
          assertEquals(
              expected[i * 12 + j],
              covariance[i * 12 + j],
              8 / Math.sqrt(count) * deviation * Math.sqrt(expected[j * 13]),
              "k " + k + ", points " + i + " and " + j);
      }
    }
  }

  @Test
  void covariancesAreSymmetricAndPositive() {
    for (int seed = 0; seed < 4; seed++) {
      Case c = new Case("matern52", seed, 3, 150, 60, 0.01);
      NeighbourGp gp = c.gp(8);
      double[] all = gp.covariance(c.points, c.points);
      for (int i = 0; i < 60; i++)
        for (int j = 0; j < 60; j++) assertEquals(all[i * 60 + j], all[j * 60 + i]);
      double[] left = Arrays.copyOf(c.points, 20 * c.d);
      double[] right = Arrays.copyOfRange(c.points, 20 * c.d, 60 * c.d);
      double[] across = gp.covariance(left, right);
      double[] back = gp.covariance(right, left);
      for (int i = 0; i < 20; i++)
        for (int j = 0; j < 40; j++) {
          assertEquals(across[i * 40 + j], back[j * 20 + i], 1e-12);
          // one joint distribution over all of them
          assertEquals(all[i * 60 + 20 + j], across[i * 40 + j], 1e-12);
        }
      // some points are equal, so the matrix is singular to rounding
      for (int i = 0; i < 60; i++) all[i * 61] += 1e-9;
      assertEquals(0, Cholesky.of(all, 60).jitter(), "seed " + seed);
    }
  }

  @Test
  void drawsDoNotDependOnHowManyFollow() {
    Case c = new Case("matern32", 2, 40, 9, 0.1);
    double[] two = c.gp(6).sample(c.points, 2, new SplittableRandom(1));
    double[] five = c.gp(6).sample(c.points, 5, new SplittableRandom(1));
    assertArrayEquals(two, Arrays.copyOf(five, two.length));
    assertEquals(0, c.gp(6).sample(c.points, 0, new SplittableRandom(1)).length);
    assertEquals(0, c.gp(6).sample(new double[0], 4, new SplittableRandom(1)).length);
    assertEquals(0, c.gp(6).predict(new double[0]).size());
    assertEquals(0, c.gp(6).covariance(new double[0], c.points).length);
  }

  @Test
  void theLikelihoodIsVecchiasOrTheOneGiven() {
    Case c = new Case("matern32", 5, 25, 4, 0.1);
    ExactGp exact = c.exact();
    NeighbourGp gp = c.gp(3);
    assertEquals(exact.logMarginalLikelihood(), gp.logMarginalLikelihood(), 1e-8);
    assertArrayEquals(exact.likelihoodGradient(), gp.likelihoodGradient(), 1e-6);
    NeighbourGp given = gp.withLikelihood(-4.5);
    assertEquals(-4.5, given.logMarginalLikelihood());
    assertArrayEquals(gp.likelihoodGradient(), given.likelihoodGradient());
  }

  @Test
  void otherRowsKeepTheNumberOfNeighbours() {
    Case few = new Case("rbf", 1, 2, 5, 4, 0.1);
    Case more = new Case("rbf", 1, 2, 50, 4, 0.1);
    NeighbourGp gp = few.gp(20);
    assertEquals(20, gp.neighbours());
    NeighbourGp other = gp.with(more.data, more.h);
    assertEquals(20, other.neighbours());
    assertArrayEquals(more.gp(20).predict(more.points).means(), other.predict(more.points).means());
    assertArrayEquals(
        more.gp(7).predict(more.points).means(),
        other.withNeighbours(7).predict(more.points).means());
    assertEquals(Engine.NEIGHBOURS, gp.engine());
  }

  @Test
  void wrongNumbersAreRefused() {
    Case c = new Case("rbf", 1, 2, 5, 4, 0.1);
    assertThrows(IllegalArgumentException.class, () -> c.gp(0));
    assertThrows(IllegalArgumentException.class, () -> c.gp(3).predict(new double[3]));
    assertThrows(
        IllegalArgumentException.class, () -> c.gp(3).predict(new double[] {1, Double.NaN}));
  }
}
