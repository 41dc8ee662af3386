package lovelace.neighbours;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Mode, evidence and gradient beside dense Laplace written from the definition.
class VecchiaLaplaceTest {

  static Likelihood named(String name) {
    return switch (name) {
      case "poisson" -> TestLikelihoods.POISSON;
      case "bernoulli" -> TestLikelihoods.BERNOULLI;
      case "gamma" -> TestLikelihoods.gamma(1.7);
      default -> throw new IllegalArgumentException(name);
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
            case "poisson" -> {
              int count = 0;
              double product = random.nextDouble();
              while (product > Math.exp(-sizes[i] * Math.exp(f))) {
                count++;
                product *= random.nextDouble();
              }
              yield count;
            }
            case "bernoulli" -> random.nextDouble() < 1 / (1 + Math.exp(-f)) ? 1 : 0;
            default -> Math.exp(f) * (0.1 - Math.log(1 - random.nextDouble()));
          };
    }
    return likelihood.equals("poisson") ? Dataset.of(x, d, y, sizes) : Dataset.of(x, d, y);
  }

  static Hyperparameters parameters(String kernel, int d, double... lengthscale) {
    Kernel bound = Kernel.parse(kernel).bind(d);
    double[] values = bound.values();
    for (int i = 0, at = 0; i < values.length; i++)
      if (Double.isNaN(values[i])) values[i] = lengthscale[Math.min(at++, lengthscale.length - 1)];
    return Hyperparameters.of(bound.with(values), 1, PriorMean.constant(0.2));
  }

  /// Laplace's approximation by dense matrices, rows at one place as they are.
  static final class Dense {
    final double[] f;
    final double evidence;
    final double[] posterior; // covariance
    final double[] corrected; // mean of f

    Dense(double[] k, double[] mean, Dataset rows, Likelihood l) {
      int n = rows.size();
      double[] r = new double[n];
      double[] g = new double[n];
      double[] w = new double[n];
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
      Cholesky factor = factor(k, w, n);
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
      corrected = times(posterior, s, n);
      for (int i = 0; i < n; i++) corrected[i] += f[i];
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
    for (int i = 0; i < means.length; i++) means[i] = h.mean().at(rows.inputs(), i * rows.dimensions());
    return means;
  }

  static Dense dense(Dataset rows, Hyperparameters h, Likelihood l) {
    return new Dense(kernel(rows, h), means(rows, h), rows, l);
  }

  @ParameterizedTest
  @ValueSource(strings = {"matern12", "1.5*matern32", "2*rbf", "matern52 + linear"})
  void allPlacesAsNeighboursGiveThePriorOfTheKernel(String kernel) {
    Dataset rows = Dataset.of(new SplittableRandom(3).doubles(60).toArray(), 2, new double[30]);
    Hyperparameters h = parameters(kernel, 2, 0.3, 0.5);
    int n = 30;
    double[] scales = VecchiaLikelihood.scales(rows, h);
    LatentPrior prior = new LatentPrior(rows, LatentPrior.neighbours(rows, n - 1, scales), n - 1, h);
    double[] k = kernel(rows, h);
    double[] x = new double[n];
    for (int i = 0; i < n; i++) {
      prior.precision(Arrays.copyOfRange(k, i * n, (i + 1) * n), x);
      for (int j = 0; j < n; j++) assertEquals(i == j ? 1 : 0, x[j], 1e-5, kernel + i + "," + j);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "poisson, matern32", "bernoulli, 4*matern32", "gamma, 2*matern52", "poisson, matern12 + matern52"
  })
  void modeAndEvidenceAreThoseOfDenseLaplace(String name, String kernel) {
    int n = 150;
    Likelihood l = named(name);
    Dataset rows = rows(name, n, 2, 5);
    Hyperparameters h = parameters(kernel, 2, 0.7, 1.1);
    Dense dense = dense(rows, h, l);
    VecchiaLaplace ours = VecchiaLaplace.of(rows, h, l, n, 1).withProbes(300);
    LatentMode mode = ours.mode(ours.prior(h), h, WarmStart.NONE);
    double[] sorted = Arrays.stream(dense.f).distinct().sorted().toArray();
    double[] found = Arrays.stream(mode.f).sorted().toArray();
    assertTrue(mode.residual <= 1e-6, "residual " + mode.residual);
    double at = 0;
    for (double f : dense.f) {
      double gap = Double.POSITIVE_INFINITY;
      for (double v : found) gap = Math.min(gap, Math.abs(v - f));
      at = Math.max(at, gap);
    }
    assertEquals(0, at, 1e-6);
    assertTrue(found.length <= sorted.length);
    Evidence evidence = ours.evidence(h);
    double error = evidence.standardError();
    System.out.println(name + " " + evidence.value() + " vs " + dense.evidence + " +- " + error);
    assertTrue(error < 0.2, "standard error " + error);
    assertEquals(dense.evidence, evidence.value(), 4 * error + 1e-6);
  }

  /// The gradient is that of the estimate, so differences of estimates with the same probes agree.
  @ParameterizedTest
  @CsvSource({
    "poisson, matern32, 8",
    "bernoulli, 4*matern32, 8",
    "gamma, 2*rbf, 10",
    "gamma, matern12 + 0.5*matern52, 8",
    "poisson, linear + matern32, 8"
  })
  void gradientIsThatOfTheEstimate(String name, String kernel, int k) {
    Likelihood l = named(name);
    Dataset rows = rows(name, 200, 2, 7);
    Hyperparameters h = parameters(kernel, 2, 0.7, 1.1);
    VecchiaLaplace ours = VecchiaLaplace.of(rows, h, l, k, 2).withProbes(5);
    double[] gradient = ours.evidence(h).gradient();
    int p = h.kernel().parameterCount();
    int q = l.parameterNames().size();
    double[] values = h.values();
    for (int i = 0; i < gradient.length; i++) {
      double[] both = new double[2];
      double step = 0;
      for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? -1 : 1;
        if (i >= p && i < p + q) {
          double[] phi = l.values();
          step = 1e-4 * phi[i - p];
          phi[i - p] += sign * step;
          both[side] =
              VecchiaLaplace.of(rows, h, l.with(phi), k, 2).withProbes(5).evidence(h).value();
        } else {
          double[] moved = values.clone();
          int place = i < p ? i : i - q + 1;
          step = 1e-4 * Math.max(0.1, Math.abs(moved[place]));
          moved[place] += sign * step;
          both[side] = ours.evidence(h.with(moved)).value();
        }
      }
      double slope = (both[1] - both[0]) / (2 * step);
      System.out.println(name + " " + i + " " + gradient[i] + " " + slope);
      assertEquals(slope, gradient[i], 1e-4 * (1 + Math.abs(slope)), name + ", parameter " + i);
    }
  }
}
