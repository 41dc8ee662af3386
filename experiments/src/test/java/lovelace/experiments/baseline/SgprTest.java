package lovelace.experiments.baseline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer.Progress;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SgprTest {

  private static Hyperparameters parameters(String kernel, int d) {
    return Hyperparameters.of(Kernel.parse(kernel).bind(d), 0.2, PriorMean.constant(0.7));
  }

  @Test
  void equalsTheExactProcessWhenTheInducingPointsAreTheData() {
    var random = new SplittableRandom(1);
    Dataset data = RandomRows.data(60, 2, true, random);
    Hyperparameters h = parameters("1.3*matern32(lengthscale=0.7) + white(variance=0.1)", 2);
    ExactGp exact = ExactGp.of(data, h);
    Sgpr sparse = Sgpr.of(data, h, data.inputs());
    assertEquals(exact.logMarginalLikelihood(), sparse.bound(), 1e-8);
    assertEquals(exact.noise(), sparse.noise(), 0);
    double[] points = RandomRows.points(20, 2, random);
    Prediction a = exact.predict(points);
    Prediction b = sparse.predict(points);
    assertArrayEquals(a.means(), b.means(), 1e-9);
    assertArrayEquals(a.variances(), b.variances(), 1e-9);
    double[] few = Arrays.copyOf(points, 10);
    assertArrayEquals(exact.covariance(points, few), sparse.covariance(points, few), 1e-9);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void boundGrowsWithInducingPointsAndNeverExceedsTheLikelihood(long seed) {
    var random = new SplittableRandom(seed);
    int d = (int) seed;
    Dataset data = RandomRows.data(80, d, false, random);
    Hyperparameters h = parameters("1.3*rbf(lengthscale=0.7)", d);
    double exact = ExactGp.of(data, h).logMarginalLikelihood();
    double[] chosen = InducingPoints.pivotedCholesky(data, h.kernel(), 40);
    double last = Double.NEGATIVE_INFINITY;
    for (int m = 1; m * d <= chosen.length; m += 3) {
      double bound = Sgpr.of(data, h, Arrays.copyOf(chosen, m * d)).bound();
      assertTrue(bound <= exact + 1e-8, "seed " + seed);
      assertTrue(bound >= last - 1e-8, "seed " + seed);
      last = bound;
    }
    double[] means = InducingPoints.kMeans(data, 20, 5, random);
    assertTrue(Sgpr.of(data, h, means).bound() <= exact);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void gradientAgreesWithCentralDifferences(long seed) {
    var random = new SplittableRandom(seed);
    int d = (int) seed;
    for (Kernel kernel : RandomRows.kernels()) {
      Dataset data = RandomRows.data(30, d, true, random);
      double[] z = RandomRows.points(2, d, random); // the linear kernel of one column has rank two
      double[] slopes = new double[d];
      Hyperparameters h = Hyperparameters.of(kernel.bind(d), 0.3, PriorMean.linear(0.1, slopes));
      double[] dz = new double[z.length];
      double[] gradient = new SgprSystem(data, h, z).gradient(dz);
      double[] values = h.values();
      for (int k = 0; k < values.length + z.length; k++) {
        double[] moved = values.clone();
        double[] place = z.clone();
        boolean parameter = k < values.length;
        double step = 1e-5;
        double[] vary = parameter ? moved : place;
        int at = parameter ? k : k - values.length;
        double centre = vary[at];
        vary[at] = centre + step;
        double up = new SgprSystem(data, h.with(moved), place.clone()).bound;
        vary[at] = centre - step;
        double down = new SgprSystem(data, h.with(moved), place.clone()).bound;
        double expected = (up - down) / (2 * step);
        double got = parameter ? gradient[k] : dz[at];
        assertEquals(
            expected,
            got,
            2e-5 * Math.max(1, Math.abs(expected)),
            "seed " + seed + ", " + kernel + ", entry " + k);
      }
    }
  }

  @Test
  void learningMovesInducingPointsAndRaisesTheBound() {
    var random = new SplittableRandom(4);
    Dataset data = RandomRows.data(120, 1, false, random);
    Hyperparameters h = parameters("1*rbf(lengthscale=0.5)", 1);
    double[] z = InducingPoints.kMeans(data, 6, 3, random);
    Sgpr.Optimized found =
        Sgpr.learn(data, h, z, Lbfgs.DEFAULT.withMaxIterations(60), Progress.NONE);
    assertTrue(found.posterior().bound() > Sgpr.of(data, h, z).bound() + 1);
    assertEquals(-found.optimum().value(), found.posterior().bound(), 1e-6);
    ExactGp exact = ExactGp.of(data, found.posterior().hyperparameters());
    assertTrue(found.posterior().bound() <= exact.logMarginalLikelihood());
    assertEquals(exact.logMarginalLikelihood(), found.posterior().bound(), 1);
  }

  @Test
  void predictionsDoNotDependOnTheirBatch() {
    var random = new SplittableRandom(6);
    Dataset data = RandomRows.data(100, 2, false, random);
    Hyperparameters h = parameters("1.3*rbf(lengthscale=0.7)", 2);
    Sgpr gp = Sgpr.of(data, h, InducingPoints.pivotedCholesky(data, h.kernel(), 33));
    double[] points = RandomRows.points(150, 2, random);
    Prediction all = gp.predict(points);
    for (int i = 0; i < 150; i++) {
      Prediction alone = gp.predict(Arrays.copyOfRange(points, 2 * i, 2 * i + 2));
      assertEquals(all.mean(i), alone.mean(0), 0);
      assertEquals(all.variance(i), alone.variance(0), 0);
    }
  }

  @Test
  void refusesTooManyPoints() {
    Dataset data = RandomRows.data(50, 1, false, new SplittableRandom(5));
    Hyperparameters h = parameters("1*rbf(lengthscale=0.3)", 1);
    RandomRows.refusesManyPoints(Sgpr.of(data, h, new double[] {0, 0.5, 1}));
  }
}
