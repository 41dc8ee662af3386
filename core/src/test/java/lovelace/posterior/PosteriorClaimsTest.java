package lovelace.posterior;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import lovelace.data.Dataset;
import lovelace.dense.DenseEngine;
import lovelace.exact.ExactGp;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.Interpolated;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.LatticePosteriorTest;
import lovelace.linear.Cholesky;
import lovelace.love.Love;
import lovelace.markov.MarkovEngine;
import lovelace.plan.Engine;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.posterior.Certificate.VarianceBound;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.AdditiveStatistics;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PosteriorClaimsTest {

  private static final long SEED = 91;

  private static Dataset data(int n, int d) {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] x = Interpolated.uniform(random, n * d, -1, 1);
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      y[i] = 3 + 0.1 * random.nextGaussian();
      for (int a = 0; a < d; a++) y[i] += Math.sin((2 + a) * x[i * d + a]);
    }
    return Dataset.of(x, d, y);
  }

  private static Hyperparameters model(String text, int d, double noise) {
    return Hyperparameters.of(Kernel.parse(text).bind(d), noise, PriorMean.constant(2.5));
  }

  private static LatticeProblem problem(Grid grid, Dataset data, Hyperparameters h) {
    return LatticeProblem.of(GridStatistics.of(grid, data.inputs(), data.target()), h);
  }

  private static LatticePosterior posterior(LatticeDistribution c) {
    return LatticePosterior.of(c, 1e-6);
  }

  /// A smooth function is interpolated to third order: halving the step divides the error by 8.
  @Test
  void finerGridApproachesExactPosterior() {
    Dataset data = data(40, 1);
    Hyperparameters h = model("1.3*rbf(lengthscale=0.5)", 1, 0.05);
    ExactGp exact = ExactGp.of(data, h);
    double[] at = Interpolated.uniform(new SplittableRandom(SEED + 1), 60, -1, 1);
    Prediction truth = exact.predict(at);
    double[] error = new double[3];
    for (int level = 0; level < 3; level++) {
      Grid grid = Interpolated.cube(1, (16 << level) + 3);
      Prediction found =
          LatticePosterior.love(problem(grid, data, h), Love.DEFAULT.withTolerance(1e-8))
              .predict(at);
      for (int i = 0; i < 60; i++) {
        error[level] = Math.max(error[level], Math.abs(found.mean(i) - truth.mean(i)));
        error[level] = Math.max(error[level], Math.abs(found.variance(i) - truth.variance(i)));
      }
    }
    double order = Math.log(error[0] / error[2]) / Math.log(4);
    assertTrue(
        order > 2.6 && order < 4.2,
        String.format(Locale.ROOT, "order %.2f: %s", order, Arrays.toString(error)));
    assertTrue(error[2] < 1e-4, Arrays.toString(error));
  }

  /// A posterior of every kind of lattice and engine.
  static Stream<LatticePosterior> posteriors() {
    List<LatticePosterior> all = new ArrayList<>();
    Hyperparameters line = model("1.3*matern32(lengthscale=0.5)", 1, 0.05);
    GridStatistics s =
        GridStatistics.of(Interpolated.cube(1, 30), data(50, 1).inputs(), data(50, 1).target());
    all.add(LatticePosterior.love(LatticeProblem.of(s, line), Love.DEFAULT.withTolerance(1e-8)));
    all.add(posterior(new MarkovEngine(s).posterior(line, 1e-6)));
    all.add(posterior(new SpectralEngine(s, 1e-12, 2000).posterior(line, 1e-6)));
    all.add(posterior(new DenseEngine(s).posterior(line, 1e-6)));
    Hyperparameters plane = model("1.3*rbf(lengthscale=[0.6,0.9])", 2, 0.05);
    LatticeProblem two = problem(Interpolated.cube(2, 9), data(60, 2), plane);
    all.add(LatticePosterior.love(two, Love.DEFAULT.withTolerance(1e-8)));
    all.add(posterior(new SpectralEngine(two.statistics(), 1e-12, 2000).posterior(plane, 1e-6)));
    all.add(
        LatticePosterior.love(
            problem(
                Interpolated.cube(3, 6), data(60, 3), model("1.3*rbf(lengthscale=0.9)", 3, 0.05)),
            Love.DEFAULT.withTolerance(1e-6)));
    AdditiveGrid lines = AdditiveGrid.of(Axis.covering(-1, 1, 12), Axis.covering(-1, 1, 10));
    Dataset data = data(60, 2);
    LatticeProblem additive =
        LatticeProblem.of(
            AdditiveStatistics.of(lines, data.inputs(), data.target()),
            model(
                "0.8*rbf(columns=[0], lengthscale=0.5) + 0.6*rbf(columns=[1], lengthscale=0.6)",
                2,
                0.05));
    all.add(LatticePosterior.love(additive, Love.DEFAULT.withTolerance(1e-6)));
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("posteriors")
  void aPredictionDoesNotChangeWithItsBatch(LatticePosterior posterior) throws Exception {
    int d = posterior.dimensions();
    SplittableRandom random = new SplittableRandom(SEED + 3);
    int t = 1000;
    double[] at = Interpolated.uniform(random, t * d, -1, 1);
    for (int i = 0; i < 4 * d; i++) at[i * 50] = 1.5; // some outside
    Prediction whole = posterior.predict(at);
    double[] reversed = new double[at.length];
    for (int i = 0; i < t; i++) System.arraycopy(at, i * d, reversed, (t - 1 - i) * d, d);
    Prediction shuffled = posterior.predict(reversed);
    Prediction[] pooled = new Prediction[2];
    for (int threads : new int[] {1, 3}) {
      try (ForkJoinPool pool = new ForkJoinPool(threads)) {
        pooled[threads / 2] = pool.submit(() -> posterior.predict(at)).get();
      }
    }
    assertArrayEquals(whole.means(), pooled[0].means());
    assertArrayEquals(whole.variances(), pooled[0].variances());
    assertArrayEquals(whole.means(), pooled[1].means());
    assertArrayEquals(whole.variances(), pooled[1].variances());
    for (int i = 0; i < t; i += 7) {
      Prediction alone = posterior.predict(Arrays.copyOfRange(at, i * d, (i + 1) * d));
      assertEquals(alone.mean(0), whole.mean(i), "mean " + i);
      assertEquals(alone.variance(0), whole.variance(i), "variance " + i);
      assertEquals(alone.outside(0), whole.outside(i));
      assertEquals(alone.mean(0), shuffled.mean(t - 1 - i));
      assertEquals(alone.variance(0), shuffled.variance(t - 1 - i));
    }
    double[] some = Arrays.copyOf(at, 20 * d);
    double[] all = posterior.covariance(some, some);
    double[] single = posterior.covariance(Arrays.copyOfRange(at, 3 * d, 4 * d), some);
    assertArrayEquals(Arrays.copyOfRange(all, 60, 80), single, 1e-14);
  }

  @ParameterizedTest
  @MethodSource("posteriors")
  void covarianceIsSymmetricAndPositive(LatticePosterior posterior) {
    int d = posterior.dimensions();
    int t = 12;
    double[] at = Interpolated.uniform(new SplittableRandom(SEED + 4), t * d, -1.4, 1.4);
    double[] c = posterior.covariance(at, at);
    Prediction prediction = posterior.predict(at);
    double[] shifted = new double[t * t];
    for (int i = 0; i < t; i++)
      for (int j = 0; j < t; j++) {
        assertEquals(c[j * t + i], c[i * t + j], 1e-12, i + ", " + j);
        shifted[i * t + j] = c[i * t + j] + (i == j ? 1e-7 : 0);
      }
    for (int i = 0; i < t; i++) assertEquals(prediction.variance(i), c[i * t + i], 1e-9, "" + i);
    assertEquals(0, Cholesky.of(shifted, t).jitter(), "positive up to 1e-7");
  }

  /// Beyond the lattice, from the n × n matrix: `k*ᵀWA⁻¹…` with the kernel's own covariances.
  @ParameterizedTest
  @MethodSource("posteriors")
  void beyondTheLatticeThePosteriorGoesOn(LatticePosterior posterior) {
    LatticeProblem problem = posterior.problem();
    Hyperparameters h = posterior.hyperparameters();
    int d = posterior.dimensions();
    Dataset data = data((int) problem.statistics().count(), d);
    int n = data.size();
    double[] at = Interpolated.uniform(new SplittableRandom(SEED + 5), 5 * d, -1, 1);
    for (int i = 0; i < 3; i++) at[i * d] = 1.1 + 0.2 * i; // three outside
    int m = problem.kernel().size();
    double[][] w = Interpolated.weights(problem.statistics().lattice(), data.inputs());
    double[] unit = new double[m];
    double[] column = new double[m];
    double[] k = new double[m * m];
    for (int j = 0; j < m; j++) {
      Arrays.fill(unit, 0);
      unit[j] = 1;
      problem.kernel().apply(unit, column);
      for (int i = 0; i < m; i++) k[i * m + j] = column[i];
    }
    double[][] kw = new double[n][];
    for (int i = 0; i < n; i++) kw[i] = times(k, w[i]);
    double[] a = new double[n * n];
    double[] r = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) a[i * n + j] = dot(w[j], kw[i]) + (i == j ? h.noise() : 0);
      r[i] = data.target()[i] - 2.5;
    }
    Cholesky factor = Cholesky.of(a, n);
    factor.solve(r);
    double[][] cross = new double[5][n];
    double[][] solved = new double[5][];
    double[][] own = new double[5][];
    for (int p = 0; p < 5; p++) {
      own[p] =
          p < 3
              ? problem.kernel().column(at, p * d)
              : times(
                  k,
                  Interpolated.weights(
                      problem.statistics().lattice(), Arrays.copyOfRange(at, p * d, (p + 1) * d))[
                      0]);
      for (int i = 0; i < n; i++) cross[p][i] = dot(w[i], own[p]);
      solved[p] = cross[p].clone();
      factor.solve(solved[p]);
    }
    Prediction prediction = posterior.predict(at);
    double[] covariance = posterior.covariance(at, at);
    for (int p = 0; p < 5; p++) {
      assertEquals(p < 3, prediction.outside(p), "outside " + p);
      assertEquals(2.5 + dot(cross[p], r), prediction.mean(p), 1e-7, "mean " + p);
      for (int q = 0; q < 5; q++) {
        double prior;
        if (p < 3 && q < 3) prior = h.kernel().withoutWhite().value(at, p * d, at, q * d);
        else {
          int in = Math.max(p, q);
          double[] wq =
              Interpolated.weights(
                  problem.statistics().lattice(), Arrays.copyOfRange(at, in * d, (in + 1) * d))[0];
          prior = dot(wq, own[Math.min(p, q)]);
        }
        double expected = prior - dot(cross[p], solved[q]);
        assertEquals(expected, covariance[p * 5 + q], 1e-7, p + ", " + q);
        if (p == q) assertEquals(expected, prediction.variance(p), 1e-7, "variance " + p);
      }
    }
  }

  private static double[] times(double[] k, double[] v) {
    double[] out = new double[v.length];
    for (int i = 0; i < v.length; i++)
      for (int j = 0; j < v.length; j++) if (v[j] != 0) out[i] += k[i * v.length + j] * v[j];
    return out;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
  }

  @ParameterizedTest
  @MethodSource("posteriors")
  void nothingJumpsAtTheEdge(LatticePosterior posterior) {
    int d = posterior.dimensions();
    double[] at = new double[2 * d];
    for (int a = 1; a < d; a++) {
      at[a] = posterior.statistics().lattice().low(a); // grid points of the other axes
      at[d + a] = at[a];
    }
    double edge = posterior.statistics().lattice().high(0);
    at[0] = edge - 1e-7;
    at[d] = edge + 1e-7;
    Prediction prediction = posterior.predict(at);
    assertFalse(prediction.outside(0));
    assertTrue(prediction.outside(1));
    assertEquals(prediction.mean(0), prediction.mean(1), 1e-5);
    assertEquals(prediction.variance(0), prediction.variance(1), 1e-5);
  }

  @ParameterizedTest
  @MethodSource("posteriors")
  void gradientsAreThoseOfTheSurface(LatticePosterior posterior) {
    int d = posterior.dimensions();
    SplittableRandom random = new SplittableRandom(SEED + 6);
    double[] out = new double[2 + 2 * d];
    double h = 1e-6;
    for (int trial = 0; trial < 5; trial++) {
      double[] x = Interpolated.uniform(random, d, -0.95, 0.95);
      posterior.gradient(x, 0, out);
      Prediction here = posterior.predict(x);
      assertEquals(here.mean(0), out[0], 1e-10);
      assertEquals(here.variance(0), out[1], 1e-10);
      for (int a = 0; a < d; a++) {
        double[] sides = new double[2 * d];
        System.arraycopy(x, 0, sides, 0, d);
        System.arraycopy(x, 0, sides, d, d);
        sides[a] += h;
        sides[d + a] -= h;
        Prediction p = posterior.predict(sides);
        assertEquals((p.mean(0) - p.mean(1)) / (2 * h), out[2 + a], 1e-5, "mean");
        assertEquals((p.variance(0) - p.variance(1)) / (2 * h), out[2 + d + a], 1e-5, "variance");
      }
    }
  }

  /// Many observations with little noise: variances that rounding hides. What a gradient says of
  /// them is what a prediction says.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void aGradientNeverReportsANegativeVariance(int kind) {
    int d = kind == 4 ? 2 : kind;
    Hyperparameters h =
        model(
            kind == 4
                ? "1*rbf(columns=[0], lengthscale=3) + 1*rbf(columns=[1], lengthscale=3)"
                : "1*rbf(lengthscale=3)",
            d,
            1e-12);
    Dataset data = data(400, d);
    AdditiveGrid lines = AdditiveGrid.of(Axis.covering(-1, 1, 12), Axis.covering(-1, 1, 10));
    LatticeProblem problem =
        kind == 4
            ? LatticeProblem.of(AdditiveStatistics.of(lines, data.inputs(), data.target()), h)
            : problem(Interpolated.cube(d, d == 1 ? 30 : 8), data, h);
    LatticePosterior posterior =
        posterior(new DenseEngine(problem.statistics()).posterior(h, 1e-6));
    SplittableRandom random = new SplittableRandom(SEED + 8);
    double[] out = new double[2 + 2 * d];
    int bound = 0;
    for (int trial = 0; trial < 200; trial++) {
      double[] x = Interpolated.uniform(random, d, -0.95, 0.95);
      posterior.gradient(x, 0, out);
      Prediction here = posterior.predict(x);
      assertTrue(out[1] >= posterior.floor(), "variance " + out[1]);
      if (!here.atBound(0)) continue;
      bound++;
      assertEquals(here.variance(0), out[1]);
      for (int a = 0; a < d; a++) assertEquals(0, out[2 + d + a]);
    }
    assertTrue(bound > 0, "no variance was hidden by rounding");
  }

  @Test
  void aRowThatIsNoNumberIsNamed() {
    LatticePosterior posterior = posteriors().skip(4).findFirst().orElseThrow();
    IllegalArgumentException error =
        assertThrows(
            IllegalArgumentException.class,
            () -> posterior.predict(new double[] {0, 0, 0.1, Double.NaN}));
    String message = String.valueOf(error.getMessage());
    assertTrue(message.contains("row 2") && message.contains("column 2"), message);
    assertThrows(IllegalArgumentException.class, () -> posterior.predict(new double[3]));
    assertEquals(0, posterior.predict(new double[0]).size());
  }

  /// ½ Σ (x⁴ − 16x² + 5x), the sum of ten functions of one column each.
  @Test
  void tenAdditiveGridsMatchTheExactAdditiveProcess() {
    int d = 10;
    int n = 250;
    SplittableRandom random = new SplittableRandom(SEED + 7);
    double[] x = Interpolated.uniform(random, n * d, -4, 4);
    double[] y = new double[n];
    for (int i = 0; i < n; i++)
      for (int a = 0; a < d; a++) {
        double v = x[i * d + a];
        y[i] += 0.005 * (v * v * v * v - 16 * v * v + 5 * v);
      }
    Axis[] axes = new Axis[d];
    Arrays.setAll(axes, a -> Axis.covering(-4, 4, 40));
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.additive(Kernel.rbf(1.5).times(0.3), d).bind(d), 1e-3, PriorMean.constant(-2));
    LatticeProblem problem =
        LatticeProblem.of(AdditiveStatistics.of(AdditiveGrid.of(axes), x, y), h);
    double[] at = Interpolated.uniform(random, 20 * d, -4, 4);
    Prediction exact = ExactGp.of(Dataset.of(x, d, y), h).predict(at);
    LatticePosterior love = LatticePosterior.love(problem, Love.DEFAULT.withTolerance(1e-3));
    Prediction found = love.predict(at);
    for (int i = 0; i < 20; i++) {
      assertEquals(exact.mean(i), found.mean(i), 2e-3, "mean " + i);
      assertEquals(exact.variance(i), found.variance(i), 0.01 * exact.variance(i), "variance " + i);
    }
    assertTrue(love.certificate().met(), love.certificate().toString());
  }

  @Test
  void fourAxesWork() {
    Grid grid = Interpolated.cube(4, 5);
    Dataset data = data(40, 4);
    Hyperparameters h = model("1.2*rbf(lengthscale=1.2)", 4, 0.1);
    LatticePosterior posterior =
        LatticePosterior.love(problem(grid, data, h), Love.DEFAULT.withTolerance(1e-6));
    double[] at = Interpolated.uniform(new SplittableRandom(SEED + 8), 5 * 4, -1, 1);
    double[][] expected = LatticePosteriorTest.dense(grid, h, data.inputs(), data.target(), at);
    Prediction found = posterior.predict(at);
    double[] covariance = posterior.covariance(at, at);
    for (int i = 0; i < 5; i++) {
      assertEquals(expected[0][i], found.mean(i), 1e-7, "mean " + i);
      assertEquals(expected[1][i * 5 + i], found.variance(i), 1e-6, "variance " + i);
      for (int j = 0; j < 5; j++) assertEquals(expected[1][i * 5 + j], covariance[i * 5 + j], 1e-6);
    }
  }

  @Test
  void aCertificateCountsInterpolationInWhatIsMet() {
    var bound = new VarianceBound(VarianceBound.Kind.CHECKED, 48, 0.005);
    Certificate met =
        new Certificate(
            Engine.MARKOV, "markov", 0.01, bound, 0, new Interpolation(0.01, 0.004, 200, true));
    assertTrue(met.met());
    assertEquals(0.009, met.variance(), 1e-15);
    assertTrue(!met.with(new Interpolation(0.2, 0.004, 8, false)).met()); // the mean is off
    assertTrue(!met.with(new Interpolation(0.01, 0.006, 8, false)).met()); // the variance is
  }

  @Test
  void aCacheOfTooFewVectorsIsNotCertified() {
    LatticeProblem problem =
        problem(
            Interpolated.cube(1, 30), data(50, 1), model("1.3*matern32(lengthscale=0.3)", 1, 0.05));
    LatticeDistribution few = LatticePosterior.loved(problem, Love.DEFAULT.withRank(3));
    assertTrue(few.widest() > 0.05, () -> "" + few.widest());
    Certificate certificate = LatticePosterior.of(few, 0.01).certificate();
    assertEquals(few.widest(), certificate.reached());
    assertTrue(!certificate.met(), certificate::toString);
    LatticeDistribution enough = LatticePosterior.loved(problem, Love.DEFAULT.withTolerance(0.01));
    assertTrue(enough.widest() <= 0.01, () -> "" + enough.widest());
    assertTrue(LatticePosterior.of(enough, 0.01).certificate().met());
  }
}
