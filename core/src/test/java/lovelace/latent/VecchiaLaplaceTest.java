package lovelace.latent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.likelihood.Likelihood;
import lovelace.linear.Cholesky;
import lovelace.neighbours.VecchiaLikelihood;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Mode, evidence and gradient beside dense Laplace written from the definition.
class VecchiaLaplaceTest {

  static Likelihood named(String name) {
    return switch (name) {
      case "gamma" -> Likelihood.gamma().with(1.7);
      case "negative-binomial" -> Likelihood.negativeBinomial().with(2.5);
      case "student-t" -> Likelihood.studentT().with(Likelihood.studentT().startValues(0.5));
      default -> Likelihood.parse(name);
    };
  }

  /// Rows of two columns with observations of some function; every fifth lies where another does.
  static Dataset rows(String likelihood, int n, int d, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = new double[n * d];
    double[] y = new double[n];
    double[] sizes = new double[n];
    for (int i = 0; i < n; i++) {
      int like = random.nextInt(Math.max(1, i));
      boolean same = i > 0 && i % 5 == 0;
      for (int c = 0; c < d; c++) x[i * d + c] = same ? x[like * d + c] : 3 * random.nextDouble();
      double f = 1.5 * Math.sin(2 * x[i * d]) + (d > 1 ? Math.cos(x[i * d + 1]) : 0);
      sizes[i] = 0.5 + random.nextDouble();
      y[i] =
          switch (likelihood) {
            case "poisson", "negative-binomial" -> {
              int count = 0;
              double product = random.nextDouble();
              while (product > Math.exp(-sizes[i] * Math.exp(f))) {
                count++;
                product *= random.nextDouble();
              }
              yield count;
            }
            case "student-t" -> f + 0.3 * random.nextGaussian() + (i % 11 == 0 ? 4 : 0);
            case "bernoulli", "bernoulli(link=probit)" ->
                random.nextDouble() < 1 / (1 + Math.exp(-f)) ? 1 : 0;
            default -> Math.exp(f) * (0.1 - Math.log(1 - random.nextDouble()));
          };
    }
    return named(likelihood).size() == Likelihood.Size.EXPOSURE
        ? Dataset.of(x, d, y, sizes)
        : Dataset.of(x, d, y);
  }

  static Hyperparameters parameters(Likelihood l, String kernel, int d, double... lengthscale) {
    Kernel bound = Kernel.parse(kernel).bind(d);
    double[] values = bound.values();
    for (int i = 0, at = 0; i < values.length; i++)
      if (Double.isNaN(values[i])) values[i] = lengthscale[Math.min(at++, lengthscale.length - 1)];
    return Hyperparameters.of(bound.with(values), l, PriorMean.constant(0.2));
  }

  /// Laplace's approximation by dense matrices, rows at one place as they are.
  static final class Dense {
    final double[] f;
    final double evidence;
    final double[] posterior; // covariance
    final double[] dual; // K⁻¹ times the corrected mean less μ
    private final double[] w;
    private final Cholesky factor;

    Dense(double[] k, double[] mean, Dataset rows, Likelihood l) {
      int n = rows.size();
      double[] r = new double[n];
      double[] g = new double[n];
      w = new double[n];
      double[] dw = new double[n];
      double[] out = new double[4];
      f = new double[n];
      double log = 0;
      for (int step = 0; step < 60; step++) {
        log = 0;
        for (int i = 0; i < n; i++) {
          f[i] = mean[i] + r[i];
          double y = rows.target()[i];
          l.at(y, rows.weight(i), l.extra(y, rows.weight(i)), f[i], out);
          log += out[0];
          g[i] = out[1];
          w[i] = out[2];
          dw[i] = out[3];
        }
        double[] b = new double[n]; // f₁ − μ = K (I + WK)⁻¹ (W r + g), by the symmetric form
        for (int i = 0; i < n; i++) b[i] = w[i] * r[i] + g[i];
        double[] kb = times(k, b, n);
        double[] t = new double[n];
        for (int i = 0; i < n; i++) t[i] = Math.sqrt(w[i]) * kb[i];
        factor(k, w, n).solve(t);
        for (int i = 0; i < n; i++) b[i] -= Math.sqrt(w[i]) * t[i];
        double[] next = times(k, b, n);
        double damping = step < 10 ? 0.7 : 1;
        for (int i = 0; i < n; i++) r[i] += damping * (next[i] - r[i]);
      }
      factor = factor(k, w, n);
      double form = 0; // (f − μ)ᵀ K⁻¹ (f − μ) = (f − μ)ᵀ g
      for (int i = 0; i < n; i++) form += r[i] * g[i];
      evidence = log - 0.5 * form - 0.5 * factor.logDeterminant();
      double[] right = new double[n * n];
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) right[i * n + j] = Math.sqrt(w[i]) * k[i * n + j];
      factor.solveLower(n, right);
      posterior = k.clone();
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          for (int m = 0; m < n; m++) posterior[i * n + j] -= right[m * n + i] * right[m * n + j];
      double[] s = new double[n];
      for (int i = 0; i < n; i++) s[i] = -0.5 * posterior[i * n + i] * dw[i];
      double[] moved = times(posterior, s, n);
      dual = new double[n]; // K⁻¹P = I − WP
      for (int i = 0; i < n; i++) dual[i] = g[i] + s[i] - w[i] * moved[i];
    }

    /// The covariance of f given working observations, of two points with covariances `a` and `b`
    /// with the rows and `own` with each other.
    double covariance(double own, double[] a, double[] b) {
      double[] left = new double[w.length];
      double[] right = new double[w.length];
      for (int i = 0; i < w.length; i++) {
        left[i] = Math.sqrt(w[i]) * a[i];
        right[i] = Math.sqrt(w[i]) * b[i];
      }
      factor.solve(right);
      for (int i = 0; i < w.length; i++) own -= left[i] * right[i];
      return own;
    }

    private static Cholesky factor(double[] k, double[] w, int n) {
      double[] b = new double[n * n];
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          b[i * n + j] = Math.sqrt(w[i] * w[j]) * k[i * n + j] + (i == j ? 1 : 0);
      return Cholesky.adopt(b, n);
    }

    static double[] times(double[] a, double[] x, int n) {
      double[] y = new double[n];
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) y[i] += a[i * n + j] * x[j];
      return y;
    }
  }

  static double[] kernel(Dataset rows, Hyperparameters h) {
    int n = rows.size();
    double[] k = new double[n * n];
    for (int i = 0; i < n; i++)
      h.kernel().covariances(rows.inputs(), i * rows.dimensions(), rows.inputs(), 0, n, k, i * n);
    return k;
  }

  static double[] means(Dataset rows, Hyperparameters h) {
    double[] means = new double[rows.size()];
    for (int i = 0; i < means.length; i++)
      means[i] = h.mean().at(rows.inputs(), i * rows.dimensions());
    return means;
  }

  static Dense dense(Dataset rows, Hyperparameters h) {
    return new Dense(kernel(rows, h), means(rows, h), rows, h.likelihood());
  }

  @ParameterizedTest
  @ValueSource(strings = {"matern12", "1.5*matern32", "2*rbf", "matern52 + linear"})
  void allPlacesAsNeighboursGiveThePriorOfTheKernel(String kernel) {
    Dataset rows = Dataset.of(new SplittableRandom(3).doubles(60).toArray(), 2, new double[30]);
    Hyperparameters h = parameters(Likelihood.poisson(), kernel, 2, 0.3, 0.5);
    int n = 30;
    double[] scales = VecchiaLikelihood.scales(rows, h);
    LatentPrior prior =
        new LatentPrior(rows, LatentPrior.neighbours(rows, n - 1, scales), n - 1, h);
    double[] k = kernel(rows, h);
    for (int i = 0; i < n; i++) k[i * n + i] *= 1 + LatentPrior.NUGGET;
    double[] x = new double[n];
    for (int i = 0; i < n; i++) {
      prior.precision(Arrays.copyOfRange(k, i * n, (i + 1) * n), x);
      for (int j = 0; j < n; j++) assertEquals(i == j ? 1 : 0, x[j], 1e-5, kernel + i + "," + j);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "poisson, matern32",
    "bernoulli, 4*matern32",
    "bernoulli(link=probit), rbf",
    "gamma, 2*matern52",
    "negative-binomial, matern12",
    "student-t, matern52",
    "poisson, matern12 + matern52"
  })
  void modeAndEvidenceAreThoseOfDenseLaplace(String name, String kernel) {
    int n = 120;
    Likelihood l = named(name);
    Dataset rows = rows(name, n, 2, 5);
    Hyperparameters h = parameters(l, kernel, 2, 0.7, 1.1);
    Dense dense = dense(rows, h);
    VecchiaLaplace ours = VecchiaLaplace.of(rows, h, n, 1).withProbes(400);
    LatentMode mode = ours.mode(ours.prior(h), h, WarmStart.NONE);
    assertTrue(mode.residual <= 1e-6, "residual " + mode.residual);
    double[] expected = atPlaces(dense.f, rows, ours);
    // the nugget of 1e-8 moves the mode by less than 1e-5
    assertArrayEquals(expected, mode.f, 1e-5);
    Evidence evidence = ours.evidence(h);
    double error = evidence.standardError();
    assertTrue(error > 0 && error < 0.4, "standard error " + error);
    assertEquals(dense.evidence, evidence.value(), 4 * error, name + ", error " + error);
  }

  /// Values of rows in the order of the places.
  static double[] atPlaces(double[] values, Dataset rows, VecchiaLaplace laplace) {
    int d = rows.dimensions();
    Dataset places = laplace.places();
    double[] found = new double[places.size()];
    for (int p = 0; p < found.length; p++) {
      int at = 0;
      while (!Arrays.equals(
          rows.inputs(), at * d, (at + 1) * d, places.inputs(), p * d, (p + 1) * d)) at++;
      found[p] = values[at];
    }
    return found;
  }

  /// The gradient is that of the estimate, so differences of estimates with the same probes agree.
  @ParameterizedTest
  @CsvSource({
    "poisson, matern32, 8",
    "bernoulli, 4*matern32, 8",
    "gamma, 2*rbf, 10",
    "student-t, matern52, 8",
    "negative-binomial, matern12 + 0.5*matern52, 8",
    "poisson, linear + matern32, 8"
  })
  void gradientIsThatOfTheEstimate(String name, String kernel, int k) {
    Likelihood l = named(name);
    Dataset rows = rows(name, 200, 2, 7);
    Hyperparameters h = parameters(l, kernel, 2, 0.7, 1.1);
    VecchiaLaplace ours = VecchiaLaplace.of(rows, h, k, 2).withProbes(5);
    double[] gradient = ours.evidence(h).gradient();
    assertEquals(h.size(), gradient.length);
    for (int i = 0; i < gradient.length; i++) {
      double[] values = h.values();
      double step = 1e-4 * Math.max(0.1, Math.abs(values[i]));
      values[i] += step;
      double above = ours.evidence(h.with(values)).value();
      values[i] -= 2 * step;
      double below = ours.evidence(h.with(values)).value();
      double slope = (above - below) / (2 * step);
      assertEquals(slope, gradient[i], 1e-4 * (1 + Math.abs(slope)), h.names().get(i));
    }
  }

  /// Means over seeds of gradients are those of dense Laplace, by differences, within what the
  /// seeds leave open.
  @Test
  void gradientIsOnAverageThatOfDenseLaplace() {
    int n = 100;
    Dataset rows = rows("gamma", n, 2, 9);
    Hyperparameters h = parameters(named("gamma"), "1.5*matern32", 2, 0.7, 1.1);
    int seeds = 12;
    double[] sum = new double[h.size()];
    double[] squares = new double[h.size()];
    for (int seed = 0; seed < seeds; seed++) {
      double[] g = VecchiaLaplace.of(rows, h, n, seed).withProbes(40).evidence(h).gradient();
      for (int i = 0; i < g.length; i++) {
        sum[i] += g[i] / seeds;
        squares[i] += g[i] * g[i] / seeds;
      }
    }
    for (int i = 0; i < sum.length; i++) {
      double[] values = h.values();
      double step = 1e-4 * Math.max(0.1, Math.abs(values[i]));
      values[i] += step;
      double above = dense(rows, h.with(values)).evidence;
      values[i] -= 2 * step;
      double slope = (above - dense(rows, h.with(values)).evidence) / (2 * step);
      double error = Math.sqrt(Math.max(0, squares[i] - sum[i] * sum[i]) / (seeds - 1));
      assertEquals(slope, sum[i], 4.5 * error + 1e-5, h.names().get(i) + ", error " + error);
      assertTrue(error < 0.05 * (5 + Math.abs(slope)), h.names().get(i) + ", error " + error);
    }
  }

  @Test
  void aStartNearbySavesStepsAndLeadsToTheSameMode() {
    Dataset rows = rows("poisson", 300, 2, 4);
    Hyperparameters h = parameters(Likelihood.poisson(), "matern32", 2, 0.7, 1.1);
    VecchiaLaplace ours = VecchiaLaplace.of(rows, h, 10, 1).withProbes(4);
    LatentPrior prior = ours.prior(h);
    LatentMode cold = ours.mode(prior, h, WarmStart.NONE);
    Evidence evidence = ours.evidence(h);
    LatentMode warm = ours.mode(prior, h, evidence.next());
    assertTrue(warm.steps < cold.steps, warm.steps + " and " + cold.steps);
    assertArrayEquals(cold.f, warm.f, 1e-6);
    assertEquals(evidence.value(), ours.evidence(h, evidence.next()).value(), 1e-6);
  }

  /// Counts up to a million from a mean of 0: whole steps would overflow.
  @Test
  void stepsToLargeCountsConverge() {
    int n = 60;
    double[] x = new SplittableRandom(1).doubles(n).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = i % 7 == 0 ? 0 : Math.rint(1e6 * x[i]);
    Dataset rows = Dataset.of(x, 1, y);
    Hyperparameters h = parameters(Likelihood.poisson(), "20*matern12", 1, 0.3);
    VecchiaLaplace ours = VecchiaLaplace.of(rows, h, 10, 1);
    LatentMode mode = ours.mode(ours.prior(h), h, WarmStart.NONE);
    assertTrue(mode.residual <= 1e-6 && mode.steps < 100, mode.steps + " steps");
  }

  @Test
  void sameBitsForAnyNumberOfThreads() throws Exception {
    Dataset rows = rows("bernoulli", 500, 3, 3);
    Hyperparameters h = parameters(Likelihood.bernoulli(), "2*matern32", 3, 0.7, 1.1);
    double[][] found = new double[2][];
    for (int threads = 1; threads <= 2; threads++)
      try (ForkJoinPool pool = new ForkJoinPool(threads == 1 ? 1 : 5)) {
        found[threads - 1] =
            pool.submit(
                    () -> {
                      Evidence e = VecchiaLaplace.of(rows, h, 10, 1).evidence(h);
                      double[] all = Arrays.copyOf(e.gradient(), h.size() + 2);
                      all[h.size()] = e.value();
                      all[h.size() + 1] = e.standardError();
                      return all;
                    })
                .get();
      }
    assertArrayEquals(found[0], found[1], 0.0);
  }

  @Test
  void noiseThatVariesIsRefused() {
    Dataset rows = rows("student-t", 50, 2, 3);
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("matern32").bind(2), Likelihood.varying(), PriorMean.constant());
    var e = assertThrows(IllegalArgumentException.class, () -> VecchiaLaplace.of(rows, h, 10, 1));
    assertTrue(String.valueOf(e.getMessage()).contains("student-t"), e::getMessage);
  }
}
