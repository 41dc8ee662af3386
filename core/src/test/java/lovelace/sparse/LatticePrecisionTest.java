package lovelace.sparse;

import static lovelace.sparse.DyadicOrderTest.block;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lovelace.kernel.Kernel;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.Cholesky;
import lovelace.linear.sparse.SparsePattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LatticePrecisionTest {

  private static final long SEED = 5;

  private static int[] shape(String text) {
    return Arrays.stream(text.split("x")).mapToInt(Integer::parseInt).toArray();
  }

  /// A kernel, a grid and how many neighbours.
  static Stream<Arguments> market() {
    return Stream.of(
        Arguments.of("1.3*matern12(lengthscale=[6.1,4.3])", "14x11", 12),
        Arguments.of("1.3*matern32(lengthscale=[6.1,4.3])", "14x11", 12),
        Arguments.of("0.7*matern52(lengthscale=[3.1,2.3])", "12x9", 9),
        Arguments.of("0.7*rq(lengthscale=[3.1,5.3], alpha=0.8)", "12x9", 9),
        Arguments.of(
            "0.8*matern12(lengthscale=[19,11]) + 0.12*matern32(lengthscale=[2.5,1.6])",
            "13x12",
            10),
        Arguments.of("1.1*matern12(lengthscale=[9,4])*matern32(lengthscale=[5,30])", "10x13", 8),
        Arguments.of(
            "1.1*matern12(columns=[0], lengthscale=5)*matern32(columns=[1], lengthscale=4)",
            "10x9",
            8),
        Arguments.of("0.9*matern12(lengthscale=[20,1])+ white(variance=0.1)", "12x12", 7),
        Arguments.of("1*matern12(lengthscale=7) + 0.3*matern32(lengthscale=20)", "41", 5),
        Arguments.of("2*matern32(lengthscale=[3,2,4])", "6x5x4", 11));
  }

  private static LatticePrecision precision(LatticeKernel.Block block, int k) {
    return LatticePrecision.of(LocalRegressions.of(ConditioningSets.of(block, k), block));
  }

  private static double[] gram(LatticeKernel.Block block) {
    int m = block.grid().size();
    double[] k = new double[m * m];
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) k[i * m + j] = block.parts().getFirst().entry(i, j);
    return k;
  }

  /// A matrix by its entries on a pattern, written out.
  private static double[] whole(SparsePattern pattern, double[] values) {
    int m = pattern.size();
    double[] q = new double[m * m];
    for (int r = 0; r < m; r++)
      for (int e = pattern.start(r); e < pattern.start(r + 1); e++) {
        q[r * m + pattern.column(e)] = values[e];
        q[pattern.column(e) * m + r] = values[e];
      }
    return q;
  }

  private static double[] dense(LatticePrecision precision) {
    return whole(precision.pattern(), precision.values());
  }

  /// Q from the definition: every node regressed on its set by dense algebra.
  private static double[] expected(LatticeKernel.Block block, ConditioningSets sets) {
    int m = block.grid().size();
    double[] k = gram(block);
    double[] q = new double[m * m];
    for (int i = 0; i < m; i++) {
      int[] jumps = Arrays.stream(sets.jumps(sets.shapeOf(i))).filter(jump -> jump != 0).toArray();
      int n = jumps.length;
      double[] c = new double[n * n];
      double[] b = new double[n];
      for (int p = 0; p < n; p++) {
        b[p] = k[i * m + i + jumps[p]];
        for (int o = 0; o < n; o++) c[p * n + o] = k[(i + jumps[p]) * m + i + jumps[o]];
      }
      Cholesky.of(c, n).solve(b);
      double variance = k[i * m + i];
      double[] row = new double[m];
      row[i] = 1;
      for (int p = 0; p < n; p++) {
        row[i + jumps[p]] = -b[p];
        variance -= b[p] * k[i * m + i + jumps[p]];
      }
      for (int r = 0; r < m; r++)
        for (int o = 0; o < m; o++) q[r * m + o] += row[r] * row[o] / variance;
    }
    return q;
  }

  @ParameterizedTest
  @MethodSource("market")
  void entriesProductsAndDeterminantAreThoseOfDenseAlgebra(String text, String size, int k) {
    LatticeKernel.Block block = block(text, shape(size));
    LatticePrecision precision = precision(block, k);
    int m = precision.size();
    double[] q = expected(block, precision.regressions().sets());
    double largest = Arrays.stream(q).max().orElseThrow();
    // the definition loses digits in C⁻¹, whose condition is below 1e5 here
    assertArrayEquals(q, dense(precision), 1e-10 * largest);

    double[] x = new SplittableRandom(SEED).doubles(m, -1, 1).toArray();
    double[] y = new double[m];
    precision.apply(x, y);
    double form = 0;
    for (int i = 0; i < m; i++) {
      double sum = 0;
      for (int j = 0; j < m; j++) sum += q[i * m + j] * x[j];
      assertEquals(sum, y[i], 1e-9 * largest, "seed " + SEED);
      form += sum * x[i];
    }
    assertEquals(form, precision.quadratic(x), 1e-9 * form, "seed " + SEED);
    assertEquals(
        Cholesky.of(q, m).logDeterminant(), precision.logDeterminant(), 1e-8 * m, "log|Q|");

    // a draw's z is white: xᵀQx = zᵀz
    double[] draw = new double[m];
    precision.draw(x, draw);
    double squares = 0;
    for (double z : x) squares += z * z;
    assertEquals(squares, precision.quadratic(draw), 1e-10 * squares);
  }

  @ParameterizedTest
  @CsvSource({"'1*matern32(lengthscale=[4,3])', 9x7", "'1*matern12(lengthscale=3)', 5x4x4"})
  void withAllEarlierNodesItIsTheInverse(String text, String size) {
    LatticeKernel.Block block = block(text, shape(size));
    int m = block.grid().size();
    double[] q = dense(precision(block, m));
    double[] k = gram(block);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) {
        double sum = 0;
        for (int o = 0; o < m; o++) sum += q[i * m + o] * k[o * m + j];
        assertEquals(i == j ? 1 : 0, sum, 1e-8);
      }
  }

  /// The divergence per node from the exact process, `½ (Σ log D − log|K|)/m`. The numbers come
  /// from another program (NumPy), by the same definition.
  @ParameterizedTest
  @CsvSource({
    "'1*matern12(lengthscale=60)', 5.791302380295995e-05, 1.2273098073173293e-05",
    "'1*matern32(lengthscale=20)', 0.004884359357143988, 0.0007790430238053676",
    "'0.811*matern12(lengthscale=[190.9,114.2]) + 0.12*matern32(lengthscale=[2.529,1.602])', 0.0005124003977908514, 8.529821331281778e-05",
    "'1*matern12(lengthscale=[60,3])', 2.6615540981059112e-05, 5.1198100395181845e-06"
  })
  void divergenceFallsAsSetsGrow(String text, double at24, double at40) {
    LatticeKernel.Block block = block(text, 44, 44);
    int m = block.grid().size();
    double exact = Cholesky.adopt(gram(block), m).logDeterminant();
    double before = Double.POSITIVE_INFINITY;
    for (int k : new int[] {12, 24, 40, 80}) {
      ConditioningSets sets = ConditioningSets.of(block, k);
      double divergence = (LocalRegressions.of(sets, block).logVariances() - exact) / 2 / m;
      assertTrue(divergence > 0 && divergence < 0.7 * before, k + ": " + divergence);
      // a difference of two sums of m logarithms, each good to 1e-12 or so
      if (k == 24) assertEquals(at24, divergence, 1e-10);
      if (k == 40) assertEquals(at40, divergence, 1e-10);
      before = divergence;
    }
  }

  @ParameterizedTest
  @MethodSource("market")
  void gradientsAreThoseOfDifferences(String text, String size, int k) {
    int[] shape = shape(size);
    LatticeKernel.Block block = block(text, shape);
    LatticePrecision precision = precision(block, k);
    ConditioningSets sets = precision.regressions().sets();
    var random = new SplittableRandom(SEED);
    double[] x = new double[precision.size()];
    precision.draw(random.doubles(x.length, -1, 1).toArray(), x);
    SparsePattern pattern = precision.pattern().union(SparsePattern.grid(shape, 3));
    double[] z = random.doubles(pattern.entries(), -1, 1).toArray();
    Kernel kernel = Kernel.parse(text).bind(shape.length);
    double[] values = kernel.values();
    double[][] g = new double[4][values.length];
    precision.gradient().quadratic(0.7, x).into(g[0]);
    precision.gradient().logDeterminant(1.3).into(g[1]);
    precision.gradient().trace(0.4, pattern, z).into(g[2]);
    precision.gradient().quadratic(0.7, x).logDeterminant(1.3).trace(0.4, pattern, z).into(g[3]);
    for (int p = 0; p < values.length; p++) {
      double h = 1e-4 * values[p];
      double[][] f = new double[2][];
      for (int side = 0; side < 2; side++) {
        double[] moved = values.clone();
        moved[p] += side == 0 ? -h : h;
        LatticeKernel.Block there = block(kernel.with(moved).toString(), shape);
        LatticePrecision other = precision.with(LocalRegressions.of(sets, there));
        double[] q = other.values(pattern);
        double trace = 0;
        for (int r = 0; r < x.length; r++)
          for (int e = pattern.start(r); e < pattern.start(r + 1); e++)
            trace += (pattern.column(e) == r ? 1 : 2) * q[e] * z[e];
        f[side] =
            new double[] {0.7 * other.quadratic(x), 1.3 * other.logDeterminant(), 0.4 * trace};
      }
      double sum = 0;
      for (int t = 0; t < 3; t++) {
        double difference = (f[1][t] - f[0][t]) / (2 * h);
        double scale = Math.max(Math.abs(f[1][t]) / values[p], Math.abs(difference));
        // central differences are good to h² and to rounding/h
        assertEquals(difference, g[t][p], 1e-6 * scale, text + ": term " + t + ", parameter " + p);
        sum += g[t][p];
      }
      assertEquals(sum, g[3][p], 1e-9 * (1 + Math.abs(sum) + Math.abs(g[0][p])));
    }
  }

  /// The evidence of node values seen with noise, and its derivative, from Q alone: `log L = −½
  /// [xᵀQx + ‖y − x‖²/σ² + n log σ² + log|Λ| − log|Q| + n log 2π]`, where the posterior is `Λ = Q +
  /// I/σ²` on the nodes seen and x its mean. With all earlier nodes in the sets it is the exact
  /// one.
  @ParameterizedTest
  @CsvSource({
    "'1.3*matern32(lengthscale=[6.1,4.3])', 0.05",
    "'0.8*matern12(lengthscale=[19,11]) + 0.12*matern32(lengthscale=[2.5,1.6])', 0.01"
  })
  void evidenceAndItsGradientAreThoseOfTheExactProcess(String text, double noise) {
    int[] shape = {11, 8};
    LatticeKernel.Block block = block(text, shape);
    int m = block.grid().size();
    LatticePrecision precision = precision(block, m);
    var random = new SplittableRandom(SEED);
    int[] seen = IntStream.range(0, m).filter(i -> random.nextDouble() < 0.6).toArray();
    int n = seen.length;
    double[] y = random.doubles(n, -1, 1).toArray();

    double[] lambda = whole(precision.pattern(), precision.values());
    double[] x = new double[m];
    for (int o = 0; o < n; o++) {
      lambda[seen[o] * m + seen[o]] += 1 / noise;
      x[seen[o]] = y[o] / noise;
    }
    Cholesky factor = Cholesky.of(lambda, m);
    factor.solve(x);
    double misfit = 0;
    for (int o = 0; o < n; o++) misfit += Math.pow(y[o] - x[seen[o]], 2);
    double evidence =
        -0.5
            * (precision.quadratic(x)
                + misfit / noise
                + n * Math.log(2 * Math.PI * noise)
                + factor.logDeterminant()
                - precision.logDeterminant());
    double[] inverse = factor.inverse();
    SparsePattern pattern = precision.pattern();
    double[] z = new double[pattern.entries()];
    for (int r = 0; r < m; r++)
      for (int e = pattern.start(r); e < pattern.start(r + 1); e++)
        z[e] = inverse[r * m + pattern.column(e)];
    Kernel kernel = Kernel.parse(text).bind(2);
    double[] g = new double[kernel.parameterCount()];
    precision.gradient().quadratic(-0.5, x).trace(-0.5, pattern, z).logDeterminant(0.5).into(g);

    double[] points = new double[2 * n];
    for (int o = 0; o < n; o++) System.arraycopy(block.grid().point(seen[o]), 0, points, 2 * o, 2);
    double[] a = new double[n * n];
    kernel.matrix(points, n, points, n, a);
    for (int o = 0; o < n; o++) a[o * n + o] += noise;
    Cholesky exact = Cholesky.of(a, n);
    double[] alpha = y.clone();
    exact.solve(alpha);
    double fit = 0;
    for (int o = 0; o < n; o++) fit += alpha[o] * y[o];
    double[] weights = exact.inverse();
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        weights[i * n + j] = 0.5 * (alpha[i] * alpha[j] - weights[i * n + j]);
    double[] slopes = new double[g.length];
    kernel.gradientSum(points, n, points, n, weights, slopes);
    assertEquals(
        -0.5 * (fit + exact.logDeterminant() + n * Math.log(2 * Math.PI)), evidence, 1e-9 * n);
    for (int p = 0; p < g.length; p++)
      assertEquals(slopes[p], g[p], 1e-8 * (1 + Math.abs(slopes[p])), "parameter " + p);
  }

  /// Without noise the nodes seen are given and only hidden ones are unknown: `log L = −½ [xᵀQx +
  /// log|Q_uu| − log|Q| + n log 2π]`.
  @Test
  void evidenceOfNodesWithoutNoiseAndItsGradientAreThoseOfTheExactProcess() {
    String text = "1.3*matern12(lengthscale=[6.1,4.3])";
    LatticeKernel.Block block = block(text, 9, 8);
    int m = block.grid().size();
    LatticePrecision precision = precision(block, m);
    var random = new SplittableRandom(SEED);
    boolean[] hidden = new boolean[m];
    double[] x = random.doubles(m, -1, 1).toArray();
    for (int i = 0; i < m; i++) hidden[i] = random.nextDouble() < 0.5;
    int[] u = IntStream.range(0, m).filter(i -> hidden[i]).toArray();
    int[] o = IntStream.range(0, m).filter(i -> !hidden[i]).toArray();
    for (int i : u) x[i] = 0;
    double[] qx = new double[m];
    precision.apply(x, qx);
    double[] q = whole(precision.pattern(), precision.values());
    double[] quu = new double[u.length * u.length];
    for (int i = 0; i < u.length; i++)
      for (int j = 0; j < u.length; j++) quu[i * u.length + j] = q[u[i] * m + u[j]];
    Cholesky factor = Cholesky.of(quu, u.length);
    double[] mean = new double[u.length];
    for (int i = 0; i < u.length; i++) mean[i] = -qx[u[i]];
    factor.solve(mean);
    for (int i = 0; i < u.length; i++) x[u[i]] = mean[i];
    double evidence =
        -0.5
            * (precision.quadratic(x)
                + factor.logDeterminant()
                - precision.logDeterminant()
                + o.length * Math.log(2 * Math.PI));
    double[] inverse = factor.inverse();
    SparsePattern pattern = precision.pattern();
    double[] z = new double[pattern.entries()];
    for (int i = 0; i < u.length; i++)
      for (int j = 0; j <= i; j++)
        if (pattern.entry(u[i], u[j]) >= 0)
          z[pattern.entry(u[i], u[j])] = inverse[i * u.length + j];
    double[] g = new double[3];
    precision.gradient().quadratic(-0.5, x).trace(-0.5, pattern, z).logDeterminant(0.5).into(g);

    Kernel kernel = Kernel.parse(text).bind(2);
    double[] values = kernel.values();
    double[] y = Arrays.stream(o).mapToDouble(i -> x[i]).toArray();
    assertEquals(exactEvidence(block, o, y), evidence, 1e-8 * m);
    for (int p = 0; p < 3; p++) {
      double h = 1e-4 * values[p];
      double[] moved = values.clone();
      moved[p] += h;
      double high = exactEvidence(block(kernel.with(moved).toString(), 9, 8), o, y);
      moved[p] -= 2 * h;
      double low = exactEvidence(block(kernel.with(moved).toString(), 9, 8), o, y);
      double difference = (high - low) / (2 * h);
      assertEquals(difference, g[p], 1e-5 * (1 + Math.abs(difference)), "parameter " + p);
    }
  }

  private static double exactEvidence(LatticeKernel.Block block, int[] o, double[] y) {
    double[] a = new double[o.length * o.length];
    for (int i = 0; i < o.length; i++)
      for (int j = 0; j < o.length; j++)
        a[i * o.length + j] = block.parts().getFirst().entry(o[i], o[j]);
    Cholesky factor = Cholesky.of(a, o.length);
    double[] alpha = y.clone();
    factor.solve(alpha);
    double fit = o.length * Math.log(2 * Math.PI) + factor.logDeterminant();
    for (int i = 0; i < o.length; i++) fit += alpha[i] * y[i];
    return -0.5 * fit;
  }

  @Test
  void theSameBitsWithAnyNumberOfThreads() throws Exception {
    double[][] results = new double[2][];
    for (int t = 0; t < 2; t++)
      try (var pool = new ForkJoinPool(1 + 2 * t)) {
        results[t] =
            pool.submit(
                    () -> {
                      LatticeKernel.Block block =
                          block("1.3*matern32(lengthscale=[6.1,4.3])", 90, 70);
                      LatticePrecision precision = precision(block, 12);
                      double[] q = precision.values();
                      double[] x = new SplittableRandom(SEED).doubles(6300).toArray();
                      double[] y = new double[6300];
                      precision.apply(x, y);
                      double[] g = new double[3];
                      precision.gradient().quadratic(1, x).trace(1, precision.pattern(), q).into(g);
                      double[] all = Arrays.copyOf(q, q.length + y.length + 4);
                      System.arraycopy(y, 0, all, q.length, y.length);
                      System.arraycopy(g, 0, all, q.length + y.length, 3);
                      all[all.length - 1] = precision.quadratic(x);
                      return all;
                    })
                .get();
      }
    assertArrayEquals(results[0], results[1]);
  }

  @Test
  void aKernelThatIsTooSmoothIsRefusedWithItsVariance() {
    LatticeKernel.Block smooth = block("1*rbf(lengthscale=9)", 20, 20);
    ConditioningSets sets = ConditioningSets.of(smooth, 24);
    var refusal = assertThrows(ArithmeticException.class, () -> LocalRegressions.of(sets, smooth));
    assertTrue(String.valueOf(refusal.getMessage()).contains("too smooth"), refusal::toString);
  }

  @Test
  void regressionsOfOtherSetsAndPatternsWithoutItsEntriesAreRefused() {
    LatticeKernel.Block block = block("1*matern12(lengthscale=9)", 20, 20);
    LatticePrecision precision = precision(block, 8);
    LocalRegressions other = precision(block, 9).regressions();
    assertThrows(IllegalArgumentException.class, () -> precision.with(other));
    LatticeKernel.Block small = block("1*matern12(lengthscale=9)", 20, 19);
    ConditioningSets sets = other.sets();
    assertThrows(IllegalArgumentException.class, () -> LocalRegressions.of(sets, small));
    SparsePattern narrow = SparsePattern.grid(new int[] {20, 20}, 1);
    assertThrows(IllegalArgumentException.class, () -> precision.values(narrow));
    double[] z = new double[narrow.entries()];
    assertThrows(IllegalArgumentException.class, () -> precision.gradient().trace(1, narrow, z));
  }
}
