package lovelace.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.exact.ExactGp;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.latticekernel.LatticeKernel;
import lovelace.posterior.Prediction;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The sparse engine beside the exact process, from the definition.
class SparseEngineTest {

  /// Rows on the nodes of a grid, with gaps, drawn from the process.
  private static final class Case {
    final Grid grid;
    final Hyperparameters h;
    final Dataset rows;
    final GridStatistics statistics;
    final ExactGp exact;
    final double[] nodes;

    Case(String kernel, double noise, double gaps, String mean, boolean weighted, int... shape) {
      long seed = Arrays.hashCode(shape) * 31L + kernel.hashCode();
      SplittableRandom random = new SplittableRandom(seed);
      Axis[] axes = new Axis[shape.length];
      for (int a = 0; a < axes.length; a++) axes[a] = new Axis(-2, 1, shape[a] + 4);
      grid = Grid.of(axes);
      int d = shape.length;
      PriorMean prior =
          switch (mean) {
            case "zero" -> PriorMean.ZERO;
            case "constant" -> PriorMean.constant(0.4);
            default -> PriorMean.linear(0.4, Arrays.copyOf(new double[] {0.1, -0.05, 0.02}, d));
          };
      h = Hyperparameters.of(Kernel.parse(kernel).bind(d), noise, prior);
      // gaps: discs, so that some are wide
      int m = Arrays.stream(shape).reduce(1, (p, q) -> p * q);
      boolean[] hidden = new boolean[m];
      int gone = 0;
      while (gone < gaps * m) {
        double radius = 1 + random.nextDouble() * 0.2 * shape[0];
        double[] centre = new double[d];
        for (int a = 0; a < d; a++) centre[a] = random.nextDouble() * shape[a];
        for (int i = 0; i < m && gone < gaps * m; i++) {
          double distance = 0;
          for (int a = d - 1, rest = i; a >= 0; rest /= shape[a--])
            distance += Math.pow(rest % shape[a] - centre[a], 2);
          if (distance < radius * radius && !hidden[i]) {
            hidden[i] = true;
            gone++;
          }
        }
      }
      int n = m - gone;
      double[] x = new double[n * d];
      double[] y = new double[n];
      double[] w = new double[n];
      for (int i = 0, r = 0; i < m; i++) {
        if (hidden[i]) continue;
        for (int a = d - 1, rest = i; a >= 0; rest /= shape[a--]) x[r * d + a] = rest % shape[a];
        w[r] = weighted ? 0.5 + random.nextDouble() : 1;
        y[r] = 0;
        for (int f = 1; f < 5; f++)
          y[r] += Math.sin(f * 1.7 + 0.35 * f * x[r * d] + 0.2 * x[r * d + d - 1]) / f;
        y[r] += 0.3 * random.nextGaussian();
        r++;
      }
      rows = weighted ? Dataset.of(x, d, y, w) : Dataset.of(x, d, y);
      statistics = GridStatistics.of(grid, x, y, weighted ? w : null, Outside.ERROR);
      exact = ExactGp.of(rows, h);
      nodes = new double[grid.size() * d];
      for (int i = 0; i < grid.size(); i++) System.arraycopy(grid.point(i), 0, nodes, i * d, d);
    }
  }

  /// A gap at a high edge of the grid is as exact as one at a low edge, with the fewest neighbours.
  /// The number of nodes, 64 × 32, is the worst one for an order that halves from the low edge.
  @Test
  void gapsAtHighEdgesAreAsExactAsThoseAtLowEdges() {
    int p = 60;
    int q = 28;
    int deep = 10;
    double[] x = new double[2 * p * q];
    int n = 0;
    for (int i = 0; i < p; i++)
      for (int j = 0; j < q; j++)
        if (!isInGap(i, j, p, q, deep) && !isInGap(j, i, q, p, deep)) {
          x[2 * n] = i;
          x[2 * n++ + 1] = j;
        }
    x = Arrays.copyOf(x, 2 * n);
    double[] y = new double[n];
    for (int r = 0; r < n; r++) y[r] = Math.sin(0.2 * x[2 * r] + 0.1 * x[2 * r + 1]);
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("1*matern12(lengthscale=160)").bind(2), 0.01, PriorMean.ZERO);
    Grid grid = Grid.of(new Axis(-2, 1, p + 4), new Axis(-2, 1, q + 4));
    double[] v =
        new SparseEngine(GridStatistics.of(grid, x, y), 24, 1)
            .posterior(h, 0.01)
            .stencil()
            .diagonal(0);
    ExactGp exact = ExactGp.of(Dataset.of(x, 2, y), h);
    double low = 0;
    double high = 0;
    for (int i = 0; i < p; i++)
      for (int j = 0; j < q; j++) {
        boolean below = isInGap(i, j, p, q, deep);
        if (!below && !isInGap(j, i, q, p, deep)) continue;
        double truth = exact.predict(new double[] {i, j}).variance(0);
        double error = Math.abs(v[(i + 2) * (q + 4) + j + 2] / truth - 1);
        if (below ? j < deep : i < deep) low = Math.max(low, error);
        else high = Math.max(high, error);
      }
    assertTrue(low < 0.01, "low edges: " + low);
    assertTrue(high < 1.2 * low, "high edges: " + high + ", low edges: " + low);
  }

  /// Whether a node is within 14 of the middle of its first axis, and near an end of the second.
  private static boolean isInGap(int i, int j, int p, int q, int deep) {
    return Math.abs(i - (p - 1) / 2.0) <= 14 && (j < deep || j >= q - deep);
  }

  @ParameterizedTest
  @CsvSource({
    "1.3*matern12(lengthscale=20), 1e-12, 0.4, zero, false, 26, 22, 1",
    "1.3*matern12(lengthscale=20), 0.01, 0.4, constant, true, 26, 22, 1",
    "'1.3*matern12(lengthscale=[30, 6])', 0.1, 0.6, linear, false, 26, 22, 1",
    "1.3*matern32(lengthscale=6), 1e-12, 0.4, constant, false, 26, 22, 1",
    "1.3*matern32(lengthscale=6), 0.05, 0.7, zero, true, 26, 22, 1",
    "0.8*matern12(lengthscale=60) + 0.12*matern32(lengthscale=2.5), 7e-4, 0.5, constant, false, 26, 22, 1",
    "1.3*matern32(lengthscale=4), 0.05, 0.3, zero, false, 7, 6, 5",
    "1.3*matern12(lengthscale=9), 1e-12, 0.3, zero, false, 7, 6, 5",
    "0.7*matern12(lengthscale=20)*matern32(lengthscale=9), 0.01, 0.5, zero, false, 24, 20, 1"
  })
  void isTheExactProcessOnNodes(
      String kernel,
      double noise,
      double gaps,
      String mean,
      boolean weighted,
      int a,
      int b,
      int c) {
    Case t =
        c == 1
            ? new Case(kernel, noise, gaps, mean, weighted, a, b)
            : new Case(kernel, noise, gaps, mean, weighted, a, b, c);
    double tolerance = c == 1 ? 0.01 : 0.06;
    SparseEngine engine = new SparseEngine(t.statistics, 0, 1);
    LatticeDistribution found = engine.posterior(t.h, tolerance);
    Prediction truth = t.exact.predict(t.nodes);
    StencilMatrix p = found.stencil();
    double[] mean0 = found.mean();
    double worstMean = 0;
    double worstVariance = 0;
    double covered = 0; // where all nodes are checked
    for (int i = 0; i < t.grid.size(); i++) {
      double m = mean0[i] + found.problem().prior()[i];
      double v = truth.variance(i);
      if (v < 1e-9) {
        assertEquals(truth.mean(i), m, 1e-8 * Math.sqrt(1.3));
        assertEquals(0, p.diagonal(0)[i], 1e-9);
        continue;
      }
      worstMean = Math.max(worstMean, Math.abs(m - truth.mean(i)) / Math.sqrt(v));
      double off = Math.abs(p.diagonal(0)[i] / v - 1);
      worstVariance = Math.max(worstVariance, off);
      boolean inside = true;
      for (int axis = 0; axis < t.grid.dimensions(); axis++) {
        int at = i / t.grid.stride(axis) % t.grid.axis(axis).points();
        inside &= at > 0 && at < t.grid.axis(axis).points() - 1;
      }
      double own = p.diagonal(0)[i];
      if (inside) covered = Math.max(covered, 1 - Math.min(own, v) / Math.max(own, v));
    }
    LatticeDistribution.LogLikelihood settled = found.likelihood().orElseThrow();
    Evidence plain = engine.evidence(t.h);
    double n = t.rows.size();
    System.out.printf(
        Locale.ROOT,
        "%s noise %.0e: %s; mean %.1e sd, variance %.2f %% (stated %.2f %%), log L %+.3f, corrected %+.3f ± %.3f of %.1f%n",
        kernel,
        noise,
        found.covariance().describe(),
        worstMean,
        100 * worstVariance,
        100 * found.widest(),
        plain.value() - t.exact.logMarginalLikelihood(),
        settled.value() - t.exact.logMarginalLikelihood(),
        settled.standardError(),
        t.exact.logMarginalLikelihood());
    assertTrue(worstMean < 1e-3, "mean off by " + worstMean + " standard deviations");
    assertTrue(worstVariance < tolerance, "variance off by " + worstVariance);
    assertTrue(covered <= 1.001 * found.widest(), "variance off by " + covered + " where checked");
    assertEquals(
        t.exact.logMarginalLikelihood(),
        settled.value(),
        0.1 * n / 1000 + 2 * settled.standardError());
  }

  @ParameterizedTest
  @CsvSource({
    "1.3*matern12(lengthscale=20), 1e-12, zero, false",
    "1.3*matern12(lengthscale=20), 0.01, constant, true",
    "'0.8*matern12(lengthscale=[60, 20]) + 0.12*matern32(lengthscale=2.5)', 7e-4, linear, false",
    "1.3*matern32(lengthscale=6) + white(variance=0.05), 0.01, constant, true"
  })
  void gradientIsTheDerivativeWithNeighboursHeld(
      String kernel, double noise, String mean, boolean weighted) {
    Case t = new Case(kernel, noise, 0.4, mean, weighted, 20, 16);
    SparseEngine engine = new SparseEngine(t.statistics, 12, 1);
    Evidence at = engine.evidence(t.h);
    WarmStart held = at.next();
    double[] g = at.gradient();
    double[] x = t.h.values();
    double largest = 1;
    for (double v : g) largest = Math.max(largest, Math.abs(v));
    for (int i = 0; i < x.length; i++) {
      double step = 1e-5 * Math.max(1e-3, Math.abs(x[i]));
      if (i == t.h.kernel().parameterCount()) step = 1e-4 * x[i];
      double[] up = x.clone();
      double[] down = x.clone();
      up[i] += step;
      down[i] -= step;
      double slope =
          (engine.evidence(t.h.with(up), held).value()
                  - engine.evidence(t.h.with(down), held).value())
              / (2 * step);
      double scale = Math.abs(x[i]) > 0 ? Math.abs(x[i]) : 1; // compared as slopes in logarithms
      assertEquals(slope * scale, g[i] * scale, 1e-5 * Math.max(1, largest), "parameter " + i);
    }
  }

  @Test
  void refusesUnequalValuesWithoutNoise() {
    Grid grid = Grid.of(new Axis(0, 1, 12), new Axis(0, 1, 12));
    double[] x = {3, 4, 3, 4, 5, 5};
    GridStatistics s = GridStatistics.of(grid, x, new double[] {1, 2, 3});
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("2*matern12(lengthscale=5)").bind(2), 1e-12, PriorMean.ZERO);
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> new SparseEngine(s, 0, 1).posterior(h, 0.01));
    assertNotNull(e.getMessage());
    assertTrue(e.getMessage().contains("[3.0, 4.0]"), e.getMessage());
    assertTrue(e.getMessage().contains("2.02e-09"), e.getMessage());
  }

  /// Where the number of neighbours that the tolerance asks for takes too much memory, fewer are
  /// taken.
  @Test
  void takesAsManyNeighboursAsTheMemoryHolds() {
    Case t = new Case("1.3*matern32(lengthscale=6)", 0.05, 0.7, "zero", false, 18, 15);
    var engine = new SparseEngine(t.statistics, 0, 1);
    long most = bytes(t, neighbours(engine.posterior(t.h, 0.001)));
    long least = bytes(t, 24);
    assertTrue(least < 0.95 * most, least + " and " + most);
    LatticeDistribution found =
        Budget.of(Duration.ofMinutes(10), (least + most) / 2, System::nanoTime)
            .call(() -> engine.posterior(t.h, 0.001));
    long taken = bytes(t, neighbours(found));
    assertTrue(taken <= (least + most) / 2, taken + " of " + most);
    assertTrue(found.widest() > 0 && found.widest() < 0.5, "within " + found.widest());
    assertThrows(
        Budget.MemoryLimitException.class,
        () ->
            Budget.of(Duration.ofMinutes(10), least / 2, System::nanoTime)
                .call(() -> engine.posterior(t.h, 0.001)));
  }

  private static int neighbours(LatticeDistribution found) {
    return ((SparseCovariance) found.covariance()).neighbours();
  }

  private static long bytes(Case t, int k) {
    return SparseFrame.of(LatticeKernel.of(t.grid, t.h.kernel()).blocks().getFirst(), k, null)
        .bytes();
  }

  /// Mean and covariance of a given number of neighbours are those of the whole posterior.
  @Test
  void conditionsWithoutALikelihood() {
    Case t = new Case("1.3*matern12(lengthscale=20)", 0.01, 0.4, "constant", true, 16, 12);
    var engine = new SparseEngine(t.statistics, 24, 1);
    LatticeDistribution all = engine.posterior(t.h, 0.01);
    LatticeDistribution some = engine.conditioned(t.h);
    assertTrue(all.likelihood().isPresent() && some.likelihood().isEmpty());
    assertArrayEquals(all.mean(), some.mean());
    assertArrayEquals(all.stencil().diagonal(0), some.stencil().diagonal(0));
  }
}
