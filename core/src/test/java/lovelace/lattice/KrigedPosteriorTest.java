package lovelace.lattice;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.budget.Budget;
import lovelace.budget.Budget.MemoryLimitException;
import lovelace.grid.CellPolynomials;
import lovelace.grid.Grid;
import lovelace.grid.Stencils;
import lovelace.inference.KrigedExactly;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.latticekernel.LocalKriging;
import lovelace.linear.Cholesky;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Predictions between grid points by kriging, with data on grid points.
class KrigedPosteriorTest {

  private static final long SEED = 3;
  private static final int DRAWS = Boolean.getBoolean("lovelace.long") ? 20_000 : 1000;

  private static KrigedExactly problem(
      String kernel, int d, int points, double share, double noise, boolean kriges) {
    int[] counts = new int[d];
    Arrays.fill(counts, points);
    double[] slopes = new double[d];
    Arrays.fill(slopes, 0.1);
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse(kernel).times(1.3).attach(d), noise, PriorMean.linear(2, slopes));
    return new KrigedExactly(KrigedExactly.grid(counts), h, share, SEED, kriges);
  }

  private static double[] places(Grid grid, int count, long seed) {
    int d = grid.dimensions();
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = new double[count * d];
    for (int i = 0; i < x.length; i++) {
      double low = grid.low(i % d);
      x[i] = low + random.nextDouble() * (grid.high(i % d) - low);
    }
    return x;
  }

  /// Errors beside the exact process: of the mean, root of the mean square in standard deviations,
  /// and of the variance, lowest and highest, relative.
  private static double[] errors(KrigedExactly exact, LatticePosterior posterior) {
    int t = 200;
    double[] at = places(exact.grid, t, 5);
    double[] mean = exact.mean(at);
    double[] covariance = exact.covariance(at);
    Prediction found = posterior.predict(at);
    double[] errors = new double[3];
    for (int i = 0; i < t; i++) {
      double v = covariance[i * t + i];
      errors[0] += Math.pow(found.mean(i) - mean[i], 2) / v / t;
      errors[1] = Math.min(errors[1], found.variance(i) / v - 1);
      errors[2] = Math.max(errors[2], found.variance(i) / v - 1);
    }
    errors[0] = Math.sqrt(errors[0]);
    return errors;
  }

  /// The loss from conditioning on 4ᵈ points in place of all of them. The numbers are bounds on
  /// those measured; interpolation by Keys' weights loses up to 99.9 % of the variance in the same
  /// places.
  @ParameterizedTest
  @CsvSource({
    "matern12(lengthscale=8), 1, 60, 0.5, 0.01, 1e-6, 1e-9",
    "matern12(lengthscale=3), 2, 16, 0.5, 1e-6, 0.015, 0.008",
    "matern12(lengthscale=20), 2, 16, 0.5, 1e-6, 0.015, 0.008",
    "matern12(lengthscale=20), 2, 16, 0.5, 0.01, 0.015, 0.008",
    "matern32(lengthscale=8), 2, 16, 0.5, 1e-6, 0.15, 0.1",
    "matern32(lengthscale=8), 2, 16, 0.5, 0.01, 0.05, 0.05",
    "matern32(lengthscale=20), 2, 16, 0.5, 0.01, 0.02, 0.015",
    "matern32(lengthscale=20), 2, 16, 0.5, 0.1, 0.01, 0.01",
    "matern12(lengthscale=8), 3, 8, 0.4, 0.01, 0.015, 0.005",
    "matern32(lengthscale=20), 3, 8, 0.4, 0.01, 0.02, 0.01",
    "matern12(lengthscale=9) + 0.2*matern32(lengthscale=2), 2, 16, 0.5, 0.001, 0.05, 0.02"
  })
  void krigedMeanAndVarianceAreThoseOfTheExactProcess(
      String kernel, int d, int points, double share, double noise, double mean, double variance) {
    KrigedExactly exact = problem(kernel, d, points, share, noise, true);
    double[] kriged = errors(exact, exact.posterior());
    assertEquals(0, kriged[0], mean, "mean");
    assertEquals(0, kriged[1], variance, "lowest variance");
    assertEquals(0, kriged[2], variance, "highest variance");
    double[] keys = errors(exact, problem(kernel, d, points, share, noise, false).posterior());
    assertTrue(keys[1] < 3 * Math.min(kriged[1], -0.005), "Keys' weights lose " + keys[1]);
  }

  /// The error of the mean and of the variance shrinks as noise hides what lies between points.
  @Test
  void theErrorShrinksWithTheNoise() {
    double last = Double.POSITIVE_INFINITY;
    for (double noise : new double[] {1e-6, 1e-2, 1}) {
      KrigedExactly exact = problem("matern32(lengthscale=8)", 2, 14, 0.5, noise, true);
      double[] errors = errors(exact, exact.posterior());
      double most = Math.max(-errors[1], errors[2]);
      assertTrue(most < 0.7 * last, most + " after " + last);
      last = most;
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 40", "2, 10", "3, 7"})
  void onGridPointsItIsTheLatticePosterior(int d, int points) {
    KrigedExactly exact = problem("matern12(lengthscale=4)", d, points, 0.5, 1e-4, true);
    LatticePosterior posterior = exact.posterior();
    assertTrue(posterior.kriges());
    double[] nodes = places(exact.grid, 30, 7);
    for (int i = 0; i < nodes.length; i++) nodes[i] = Math.rint(nodes[i]);
    double[] mean = exact.mean(nodes);
    double[] covariance = exact.covariance(nodes);
    Prediction found = posterior.predict(nodes);
    for (int i = 0; i < 30; i++) {
      assertEquals(mean[i], found.mean(i), 1e-12);
      assertEquals(covariance[i * 31], found.variance(i), 1e-13);
    }
    assertArrayEquals(covariance, posterior.covariance(nodes, nodes), 1e-12);
    assertEquals(0, posterior.jointBytes(nodes), "no residuals are drawn");
  }

  @ParameterizedTest
  @CsvSource({
    "matern12(lengthscale=4), 1, 30, 0.01",
    "matern12(lengthscale=4), 2, 10, 0.01",
    "matern32(lengthscale=4), 2, 10, 0.01",
    "matern32(lengthscale=60), 2, 10, 0.3", // the polynomials serve
    "matern32(lengthscale=4), 3, 7, 0.01"
  })
  void gradientsAreThoseOfFiniteDifferences(String kernel, int d, int points, double noise) {
    LatticePosterior posterior = problem(kernel, d, points, 0.5, noise, true).posterior();
    double[] at = places((Grid) posterior.statistics().lattice(), 9, 11);
    double[] out = new double[2 + 2 * d];
    double[] value = new double[2];
    double[] other = new double[2];
    double step = 1e-6;
    for (int p = 0; p < 9; p++) {
      posterior.gradient(at, p * d, out);
      posterior.evaluate(at, p * d, value);
      assertEquals(value[0], out[0], 1e-13);
      assertEquals(value[1], out[1], 1e-13);
      for (int a = 0; a < d; a++) {
        double[] x = Arrays.copyOfRange(at, p * d, (p + 1) * d);
        x[a] += step;
        posterior.evaluate(x, 0, value);
        x[a] -= 2 * step;
        posterior.evaluate(x, 0, other);
        String where = "point " + p + ", column " + a;
        assertEquals((value[0] - other[0]) / (2 * step), out[2 + a], 1e-7, where);
        assertEquals((value[1] - other[1]) / (2 * step), out[2 + d + a], 1e-7, where);
      }
    }
  }

  /// `B P Bᵀ` and the residuals' covariance, from the definition.
  @ParameterizedTest
  @CsvSource({"matern12(lengthscale=4), 2, 10", "matern32(lengthscale=4), 1, 30"})
  void covariancesAreThoseOfTheDefinition(String kernel, int d, int points) {
    KrigedExactly exact = problem(kernel, d, points, 0.5, 0.01, true);
    LatticePosterior posterior = exact.posterior();
    int t = 8;
    double[] at = places(exact.grid, t, 13);
    for (int a = 0; a < d; a++) at[a] = 3; // one on a grid point
    double[] found = posterior.covariance(at, at);
    double[] nodes = exact.grid.points();
    int m = exact.grid.size();
    double[] p = exact.covariance(nodes);
    double[] residuals = LocalKriging.of(exact.grid, exact.h.kernel()).residuals(at, at);
    Stencils b = posterior.tables().stencils(at);
    int[] index = new int[b.width()];
    double[] weight = new double[b.width()];
    assertEquals(residuals[t + 1], posterior.weights(at, d, index, weight), 1e-13);
    assertEquals(b.weight(1, 5 % b.width()), weight[5 % b.width()]);
    double[] slope = new double[d * b.width()];
    assertEquals(residuals[t + 1], posterior.weights(at, d, index, weight, slope), 1e-13);
    Prediction prediction = posterior.predict(at);
    for (int i = 0; i < t; i++) {
      for (int j = 0; j < t; j++) {
        double expected = residuals[i * t + j];
        for (int k = 0; k < b.width(); k++)
          for (int l = 0; l < b.width(); l++)
            expected += b.weight(i, k) * b.weight(j, l) * p[b.index(i, k) * m + b.index(j, l)];
        assertEquals(expected, found[i * t + j], 1e-12);
      }
      assertEquals(prediction.variance(i), found[i * t + i], 1e-12);
    }
    double[] some = Arrays.copyOf(at, 3 * d);
    double[] block = posterior.covariance(some, at);
    assertArrayEquals(Arrays.copyOf(found, 3 * t), block, 1e-13);
  }

  /// Fails for a sampler that is right with probability below 1e-6 a case
  /// ([SamplerTest#assertDistribution]).
  @ParameterizedTest
  @CsvSource({
    "matern12(lengthscale=4), 1, 30, AUTO",
    "matern12(lengthscale=4), 2, 8, AUTO",
    "matern32(lengthscale=3), 2, 8, PATHWISE",
    "matern32(lengthscale=3), 2, 8, LOVE",
    "matern12(lengthscale=4), 3, 6, AUTO"
  })
  void drawsHaveTheKrigedMeanAndCovariance(
      String kernel, int d, int points, Sampling.Method method) {
    KrigedExactly exact = problem(kernel, d, points, 0.5, 0.05, true);
    LatticePosterior posterior = exact.posterior();
    double[] at = places(exact.grid, 6, 17);
    for (int a = 0; a < d; a++) at[2 * d + a] = at[d + a] + 0.1; // in one cell with another
    for (int a = 0; a < d; a++) at[a] = 3; // on a grid point
    double[] mean = posterior.predict(at).means();
    double[] covariance = posterior.covariance(at, at);
    Sampling sampling = Sampling.DEFAULT.withMethod(method).withTolerance(1e-9).withLimit(2000);
    PointSampler sampler = posterior.sampler(sampling).at(at);
    double[] draws = sampler.draw(DRAWS, new SplittableRandom(19));
    SamplerTest.assertDistribution(mean, covariance, draws);
    assertEquals(16 * 25, posterior.jointBytes(at));
    assertTrue(sampler.normals() >= 5 + 1);
    double[] fewer = sampler.draw(10, new SplittableRandom(19));
    assertArrayEquals(Arrays.copyOf(draws, fewer.length), fewer, 1e-12);
  }

  @Test
  void pairsOfDrawsMirrorEachOther() {
    KrigedExactly exact = problem("matern12(lengthscale=4)", 2, 8, 0.5, 0.05, true);
    LatticePosterior posterior = exact.posterior();
    double[] at = places(exact.grid, 5, 17);
    double[] mean = posterior.predict(at).means();
    Sampler sampler = posterior.sampler(Sampling.DEFAULT.withAntithetic(true));
    double[] draws = sampler.draw(at, 4, new SplittableRandom(23));
    for (int pair = 0; pair < 2; pair++)
      for (int p = 0; p < 5; p++) {
        double sum = draws[10 * pair + p] + draws[10 * pair + 5 + p];
        assertEquals(2 * mean[p], sum, 1e-12);
        assertNotEquals(mean[p], draws[10 * pair + p], 1e-6);
      }
  }

  @Test
  void jointDrawsWithAPointBeyondTheGridHaveTheirCovariance() {
    KrigedExactly exact = problem("matern12(lengthscale=4)", 2, 8, 0.5, 0.05, true);
    LatticePosterior posterior = exact.posterior();
    double[] at = places(exact.grid, 5, 17);
    at[0] = 7.5;
    Prediction prediction = posterior.predict(at);
    assertTrue(prediction.outside(0) && !prediction.outside(1));
    double[] draws = posterior.sample(at, DRAWS, new SplittableRandom(29));
    SamplerTest.assertDistribution(prediction.means(), posterior.covariance(at, at), draws);
  }

  /// A function goes through the draw's values at the grid points; `pointwise` has the whole
  /// variance at a point.
  @Test
  void functionsAreKrigedThroughTheirValuesAtGridPoints() {
    KrigedExactly exact = problem("matern12(lengthscale=4)", 2, 8, 0.5, 0.05, true);
    LatticePosterior posterior = exact.posterior();
    int count = DRAWS;
    List<SampledFunction> functions =
        posterior.sampler().functions(count, new SplittableRandom(31));
    double[] at = {3, 4, 3.4, 4.3};
    double[] draws = posterior.sampler().draw(at, count, new SplittableRandom(31));
    double[] pointwise = new double[count];
    double[] gradient = new double[2];
    for (int f = 0; f < count; f++) {
      SampledFunction function = functions.get(f);
      assertEquals(draws[2 * f], function.at(at, 0), 1e-12);
      assertEquals(function.at(at, 0), function.pointwise(at, 0), "no residual on a grid point");
      assertEquals(function.lattice()[3 * 8 + 4], function.at(at, 0), 1e-12);
      pointwise[f] = function.pointwise(at, 2);
      assertEquals(pointwise[f], function.pointwise(at, 2), "the same at every call");
      assertEquals(function.at(at, 2), function.gradient(at, 2, gradient), 1e-12);
      if (f > 3) continue;
      double slope = (function.at(3.4 + 1e-6, 4.3) - function.at(3.4 - 1e-6, 4.3)) / 2e-6;
      assertEquals(slope, gradient[0], 1e-7);
    }
    Prediction prediction = posterior.predict(new double[] {3.4, 4.3});
    SamplerTest.assertDistribution(
        prediction.means(), new double[] {prediction.variance(0)}, pointwise);
    assertThrows(IllegalArgumentException.class, () -> functions.getFirst().at(0.5, 3));
  }

  @Test
  void residualsOfManyPointsNeedMemoryThatIsAllowed() {
    KrigedExactly exact = problem("matern12(lengthscale=4)", 2, 8, 0.5, 0.05, true);
    LatticePosterior posterior = exact.posterior();
    Sampler sampler = posterior.sampler();
    double[] at = places(exact.grid, 1500, 37);
    var little =
        assertThrows(
            MemoryLimitException.class,
            () ->
                Budget.of(Duration.ofDays(1), 1 << 20, () -> 0)
                    .run(() -> sampler.draw(at, 1, new SplittableRandom(1))));
    assertTrue(
        String.valueOf(little.getMessage()).contains("covariance matrix"),
        String.valueOf(little.getMessage()));
    var many =
        assertThrows(
            IllegalArgumentException.class, () -> sampler.at(places(exact.grid, 16_001, 37)));
    assertTrue(
        String.valueOf(many.getMessage()).contains("16,001 points between grid points"),
        String.valueOf(many.getMessage()));
  }

  @Test
  void certificatesHoldBetweenGridPoints() {
    KrigedExactly exact = problem("matern12(lengthscale=4)", 2, 8, 0.5, 0.05, true);
    LatticePosterior posterior = exact.posterior();
    double[] at = places(exact.grid, 20, 41);
    double[][] bounds = posterior.certify(at);
    Prediction found = posterior.predict(at);
    for (int i = 0; i < 20; i++) {
      assertTrue(bounds[0][i] <= found.variance(i) && found.variance(i) <= bounds[1][i]);
      assertEquals(bounds[0][i], bounds[1][i], 1e-9);
    }
    assertThrows(IllegalArgumentException.class, () -> posterior.certify(new double[] {0.2, 3}));
  }

  /// Without the move to grid points, 41 of the 84 places asked for lie between them.
  @Test
  void checkPointsOfAKrigedCovarianceLieOnGridPoints() {
    KrigedExactly exact = problem("matern12(lengthscale=4)", 2, 8, 0.5, 0.05, true);
    assertTrue(exact.posterior().certificate().reached() < 1e-6);
    assertTrue(exact.certified >= 48);
    assertEquals(0, exact.between);
    KrigedExactly keys = problem("matern12(lengthscale=4)", 2, 8, 0.5, 0.05, false);
    keys.posterior();
    assertTrue(keys.between > 0);
  }

  /// The polynomials answer where what they lose is small, and elsewhere no answer is theirs.
  @Test
  void polynomialsServeWhereTheyAreRight() {
    int same = 0;
    for (double lengthscale : new double[] {3, 30, 300}) {
      String kernel = "matern32(lengthscale=" + lengthscale + ")";
      LatticePosterior posterior = problem(kernel, 2, 10, 0.3, 0.1, true).posterior();
      LatticePosterior keys = problem(kernel, 2, 10, 0.3, 0.1, false).posterior();
      double[] at = places(KrigedExactly.grid(10, 10), 50, 43);
      Prediction kriged = posterior.predict(at);
      Prediction interpolated = keys.predict(at);
      double[] own = posterior.covariance(at, at);
      for (int i = 0; i < 50; i++) {
        assertEquals(own[i * 51], kriged.variance(i), 0.011 * own[i * 51]);
        if (kriged.variance(i) == interpolated.variance(i)) same++;
      }
      if (lengthscale == 3) assertEquals(0, same);
    }
    assertTrue(same >= 50, same + " of 150");
  }

  /// Engines that do not krige answer by the polynomials and by Keys' weights, to the bit.
  @ParameterizedTest
  @CsvSource({"1, 30", "2, 9", "3, 6"})
  void withoutKrigingNothingChanges(int d, int points) {
    KrigedExactly exact = problem("matern12(lengthscale=4)", d, points, 0.5, 0.05, false);
    LatticePosterior posterior = exact.posterior();
    assertFalse(posterior.kriges());
    double[] at = places(exact.grid, 20, 47);
    CellPolynomials cells =
        CellPolynomials.of(exact.grid, posterior.latticeMean(), posterior.covariance().stencil());
    Stencils keys = Stencils.of(exact.grid, at);
    double[] out = new double[2 + 2 * d];
    double[] expected = new double[2 + 2 * d];
    for (int p = 0; p < 20; p++) {
      posterior.evaluate(at, p * d, out);
      cells.evaluate(at, p * d, expected);
      assertArrayEquals(expected, out);
      posterior.gradient(at, p * d, out);
      cells.gradient(at, p * d, expected);
      assertArrayEquals(expected, out);
    }
    assertArrayEquals(posterior.covariance().between(keys, keys), posterior.covariance(at, at));
    SampledFunction function = posterior.sampler().function(new SplittableRandom(53));
    double[] values = function.lattice();
    double[] draw = posterior.sampler().draw(at, 1, new SplittableRandom(53));
    for (int p = 0; p < 20; p++) {
      assertEquals(keys.dot(p, values, 0), function.at(at, p * d));
      assertEquals(function.at(at, p * d), function.pointwise(at, p * d));
      assertEquals(keys.dot(p, values, 0), draw[p], 1e-12);
    }
    assertEquals(0, posterior.jointBytes(at));
    assertArrayEquals(posterior.covariance().certify(at)[1], posterior.certify(at)[1]);
  }

  @ParameterizedTest
  @CsvSource({"matern12(lengthscale=4), 1", "matern12(lengthscale=4) + matern32(lengthscale=9), 2"})
  void aQueryAllocatesNothing(String kernel, int d) throws ReflectiveOperationException {
    LatticePosterior posterior = problem(kernel, d, 9, 0.5, 0.01, true).posterior();
    double[] at = places((Grid) posterior.statistics().lattice(), 100, 59);
    double[] out = new double[2];
    // by reflection: the module of the classes under test does not read that of the bean
    Object threads =
        Class.forName("java.lang.management.ManagementFactory")
            .getMethod("getThreadMXBean")
            .invoke(null);
    Method allocated =
        Class.forName("com.sun.management.ThreadMXBean")
            .getMethod("getCurrentThreadAllocatedBytes");
    long fewest = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = (long) allocated.invoke(threads);
      for (int p = 0; p < 2000; p++) posterior.evaluate(at, p % 100 * d, out);
      fewest = Math.min(fewest, (long) allocated.invoke(threads) - before);
    }
    assertTrue(fewest < 2000, fewest + " bytes in 2,000 queries"); // less than one byte a query
  }

  @Test
  void theCovarianceOfManyPointsIsPositiveDefinite() {
    KrigedExactly exact = problem("matern32(lengthscale=6)", 2, 8, 0.5, 1e-6, true);
    LatticePosterior posterior = exact.posterior();
    double[] at = places(exact.grid, 150, 61);
    double[] covariance = posterior.covariance(at, at);
    for (int i = 0; i < 150; i++) covariance[i * 151] += 1e-12;
    assertEquals(0, Cholesky.adopt(covariance, 150).jitter());
  }
}
