package lovelace.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.laplace.WorkingProcess;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.Cholesky;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Working observations on nodes beside dense matrices of the same prior.
class WorkingNodesTest {

  private static final long SEED = 11;

  /// Places on nodes, some of them twice, with gaps.
  private static final class Case {
    final SplittableRandom random = new SplittableRandom(SEED);
    final Grid grid;
    final Hyperparameters h;
    final int neighbours;
    final int[] nodes;
    final WorkingNodes process;
    final double[] weights;
    final double[] targets;

    Case(String kernel, String shape, int neighbours) {
      Axis[] axes =
          Arrays.stream(shape.split("x"))
              .map(n -> new Axis(-1, 0.5, Integer.parseInt(n)))
              .toArray(Axis[]::new);
      grid = Grid.of(axes);
      int d = axes.length;
      this.neighbours = neighbours;
      h =
          Hyperparameters.of(
              Kernel.parse(kernel).bind(d),
              1,
              PriorMean.linear(0.3, Arrays.copyOf(new double[] {0.1, -0.2, 0.05}, d)));
      nodes = random.ints(grid.size() * 2L / 3, 0, grid.size()).toArray(); // some nodes come again
      double[] places = new double[nodes.length * d];
      for (int i = 0; i < nodes.length; i++)
        System.arraycopy(grid.point(nodes[i]), 0, places, i * d, d);
      process = Objects.requireNonNull(WorkingNodes.of(grid, places, neighbours));
      weights = weights(1);
      targets = random.doubles(nodes.length, -2, 3).toArray();
    }

    double[] weights(double scale) {
      return random.doubles(nodes.length).map(u -> scale * Math.exp(3 * u - 2)).toArray();
    }

    /// The prior covariance between the places.
    double[] covariance(Hyperparameters at) {
      LatticePrecision held = precision(h);
      LatticePrecision precision =
          held.with(LocalRegressions.of(held.regressions().sets(), block(at)));
      int m = grid.size();
      double[] q = new double[m * m];
      double[] values = precision.values();
      for (int i = 0; i < m; i++)
        for (int e = precision.pattern().start(i); e < precision.pattern().start(i + 1); e++) {
          int j = precision.pattern().column(e);
          q[i * m + j] = q[j * m + i] = values[e];
        }
      double[] all = inverse(q, m);
      int n = nodes.length;
      double[] k = new double[n * n];
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) k[i * n + j] = all[nodes[i] * m + nodes[j]];
      return k;
    }

    private LatticeKernel.Block block(Hyperparameters at) {
      return LatticeKernel.of(grid, at.kernel()).blocks().getFirst();
    }

    private LatticePrecision precision(Hyperparameters at) {
      return LatticePrecision.of(
          LocalRegressions.of(ConditioningSets.of(block(at), neighbours), block(at)));
    }

    double[] mean(Hyperparameters at) {
      return Arrays.stream(nodes).mapToDouble(i -> at.mean().at(grid.point(i), 0)).toArray();
    }

    WorkingProcess.Solution solve() {
      return process.solve(h, weights, targets, WarmStart.NONE);
    }
  }

  private static double[] inverse(double[] a, int n) {
    Cholesky factor = Cholesky.of(a, n);
    double[] inverse = new double[n * n];
    for (int c = 0; c < n; c++) {
      double[] e = new double[n];
      e[c] = 1;
      factor.solve(e);
      for (int i = 0; i < n; i++) inverse[i * n + c] = e[i];
    }
    return inverse;
  }

  /// `K + diag(1/w)`.
  private static double[] noisy(double[] k, double[] w) {
    int n = w.length;
    double[] a = k.clone();
    for (int i = 0; i < n; i++) a[i * n + i] += 1 / w[i];
    return a;
  }

  private static double evidence(double[] k, double[] w, double[] residual) {
    int n = w.length;
    Cholesky factor = Cholesky.of(noisy(k, w), n);
    double[] alpha = residual.clone();
    factor.solve(alpha);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += residual[i] * alpha[i];
    return -0.5 * (sum + factor.logDeterminant() + n * Math.log(2 * Math.PI));
  }

  private static double[] minus(double[] a, double[] b) {
    double[] c = a.clone();
    for (int i = 0; i < c.length; i++) c[i] -= b[i];
    return c;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1.3*matern12(lengthscale=[1.1,2.3]); 11x9; 12",
        "0.8*matern32(lengthscale=1.5); 9x10; 20",
        "1*matern12(lengthscale=2) + 0.2*matern32(lengthscale=0.7); 40; 5",
        "2*matern32(lengthscale=[2,1,2]); 6x5x5; 14"
      })
  void solutionsEqualDenseAlgebra(String kernel, String shape, int neighbours) {
    Case c = new Case(kernel, shape, neighbours);
    int n = c.nodes.length;
    double[] k = c.covariance(c.h);
    double[] inverse = inverse(noisy(k, c.weights), n);
    double[] residual = minus(c.targets, c.mean(c.h));
    double[] means = c.targets.clone();
    double[] variances = new double[n];
    double[] delta = c.random.doubles(n, -0.5, 0.5).toArray();
    double[] response = delta.clone(); // K A⁻¹ δ = δ − diag(1/w) A⁻¹ δ
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        means[i] -= inverse[i * n + j] * residual[j] / c.weights[i];
        response[i] -= inverse[i * n + j] * delta[j] / c.weights[i];
      }
      double w = c.weights[i];
      variances[i] = 1 / w - inverse[i * n + i] / (w * w);
    }
    assertArrayEquals(c.mean(c.h), c.process.prior(c.h), 1e-12);
    WorkingProcess.Solution s = c.solve();
    assertArrayEquals(response, s.response(delta), 1e-9, "by iterations");
    assertArrayEquals(means, s.means(), 2e-3, "of the first step");
    WorkingProcess.Solution again = c.process.solve(c.h, c.weights, c.targets, s.next());
    assertArrayEquals(means, again.means(), 1e-6);
    assertArrayEquals(variances, again.variances(), 1e-9);
    assertArrayEquals(response, again.response(delta), 1e-10, "by the factor");
    assertEquals(evidence(k, c.weights, residual), again.evidence(), 1e-7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1.3*matern12(lengthscale=[1.1,2.3]); 8x7; 12",
        "1*matern12(lengthscale=2) + 0.2*matern32(lengthscale=0.7); 25; 5"
      })
  void gradientsEqualFiniteDifferences(String kernel, String shape, int neighbours) {
    Case c = new Case(kernel, shape, neighbours);
    int n = c.nodes.length;
    double[] delta = c.random.doubles(n, -0.5, 0.5).toArray();
    double[] own = c.solve().gradient(new double[n]);
    double[] moved = c.solve().gradient(delta);
    double[] values = c.h.values();
    int noise = c.h.kernel().parameterCount();
    for (int p = 0; p < values.length; p++) {
      if (p == noise) continue; // held
      double step = 1e-5 * Math.max(1, Math.abs(values[p]));
      double[] slope = new double[3]; // with targets z − δ, z, z + δ
      for (int sign : new int[] {-1, 1}) {
        double[] other = values.clone();
        other[p] += sign * step;
        Hyperparameters at = c.h.with(other);
        double[] k = c.covariance(at);
        double[] mean = c.mean(at);
        for (int t = -1; t <= 1; t++) {
          double[] residual = minus(c.targets, mean);
          for (int i = 0; i < n; i++) residual[i] += t * delta[i];
          slope[t + 1] += sign * evidence(k, c.weights, residual) / (2 * step);
        }
      }
      String name = c.h.names().get(p);
      assertEquals(slope[1], own[p], 1e-6 * (1 + Math.abs(slope[1])), name);
      double whole = slope[1] + 0.5 * (slope[2] - slope[0]);
      assertEquals(whole, moved[p], 1e-6 * (1 + Math.abs(whole)), name);
    }
  }

  /// Steps that start from other weights and another kernel, as Newton steps and learning do.
  @Test
  void startsChangeNothingButTheCost() {
    Case c = new Case("1.3*matern12(lengthscale=[1.1,2.3])", "11x9", 12);
    double[] values = c.h.values();
    values[0] *= 3;
    values[1] *= 0.4; // both lengthscales, so that nodes keep their neighbours
    values[2] *= 0.4;
    WorkingProcess.Solution far =
        c.process.solve(c.h.with(values), c.weights(50), c.targets, WarmStart.NONE);
    WorkingProcess.Solution from = c.process.solve(c.h, c.weights, c.targets, far.next());
    WorkingProcess.Solution own = c.solve();
    for (int i = 0; i < 3; i++) { // each start is closer
      from = c.process.solve(c.h, c.weights, c.targets, from.next());
      own = c.process.solve(c.h, c.weights, c.targets, own.next());
    }
    assertArrayEquals(own.means(), from.means(), 1e-9);
  }

  @Test
  void threadsChangeNoBit() {
    Case c = new Case("1.3*matern12(lengthscale=[1.1,2.3])", "31x29", 12);
    double[][] all = new double[3][];
    for (int threads = 1; threads <= 3; threads++)
      try (ForkJoinPool pool = new ForkJoinPool(threads)) {
        all[threads - 1] = pool.submit(() -> c.solve().means()).join();
      }
    assertArrayEquals(all[0], all[1]);
    assertArrayEquals(all[0], all[2]);
  }

  @Test
  void placesBetweenNodesAreNotTaken() {
    Grid grid = Grid.of(new Axis(0, 1, 9));
    assertNotNull(WorkingNodes.of(grid, new double[] {1, 5, 7}, 3));
    assertNull(WorkingNodes.of(grid, new double[] {1, 5.3, 7}, 3));
    assertNull(WorkingNodes.of(grid, new double[] {1, 5, 12}, 3));
  }
}
