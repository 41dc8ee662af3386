package lovelace.sparse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.LatticeDistribution;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.linear.Blas;
import lovelace.posterior.Prediction;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Random windows of pixels with gaps, drawn from their own process: the sparse engine beside the
/// exact process. Kernels, anisotropy up to 20, nuggets from none to large, gaps up to 90 %.
class RandomWindowsTest {

  static LongStream seeds() {
    return LongStream.range(0, Boolean.getBoolean("lovelace.long") ? 60 : 8);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void isTheExactProcess(long seed) {
    SplittableRandom random = new SplittableRandom(0x5eed + 7919 * seed);
    boolean large = Boolean.getBoolean("lovelace.long");
    int d = seed % 4 == 3 ? 3 : 2;
    int[] shape = new int[d];
    int most = large ? 6000 : d == 2 ? 700 : 500;
    double side = Math.pow(most * (0.3 + 0.7 * random.nextDouble()), 1.0 / d);
    for (int a = 0; a < d; a++)
      shape[a] = (int) Math.max(5, side * (0.7 + 0.6 * random.nextDouble()));
    double base = (d == 2 ? 3 : 2) + 20 * random.nextDouble() * random.nextDouble();
    double ratio = Math.pow(20, random.nextDouble());
    String lengths =
        d == 2
            ? String.format(
                Locale.ROOT, "[%.3f,%.3f]", base * Math.sqrt(ratio), base / Math.sqrt(ratio))
            : String.format(Locale.ROOT, "[%.3f,%.3f,%.3f]", base * 1.3, base, base / 1.3);
    String text =
        switch (random.nextInt(4)) {
          case 0 -> "1.3*matern12(lengthscale=" + lengths + ")";
          case 1 -> "1.3*matern32(lengthscale=" + lengths + ")";
          case 2 -> "1.3*matern12(lengthscale=" + lengths + ") + 0.2*matern32(lengthscale=2.5)";
          default -> "1.1*matern12(lengthscale=" + lengths + ")*matern32(lengthscale=20)";
        };
    double[] nuggets = {1e-12, 1e-4, 1e-2, 0.3, 3};
    double noise = nuggets[random.nextInt(nuggets.length)];
    double gaps = 0.9 * random.nextDouble();
    Hyperparameters h =
        Hyperparameters.of(Kernel.parse(text).bind(d), noise, PriorMean.constant(0.2));
    Axis[] axes = new Axis[d];
    for (int a = 0; a < d; a++) axes[a] = new Axis(-2, 1, shape[a] + 4);
    Grid grid = Grid.of(axes);
    double[] x = observed(shape, gaps, random);
    int n = x.length / d;
    double[] y = drawn(h, x, n, random);
    Dataset rows = Dataset.of(x, d, y);
    ExactGp exact = ExactGp.of(rows, h);
    double[] nodes = new double[grid.size() * d];
    for (int i = 0; i < grid.size(); i++) System.arraycopy(grid.point(i), 0, nodes, i * d, d);
    Prediction truth = exact.predict(nodes);

    double tolerance = d == 2 ? 0.01 : 0.06;
    LatticeDistribution found =
        new SparseEngine(GridStatistics.of(grid, x, y), 0, 1).posterior(h, tolerance);
    double[] a = found.mean();
    double[] p = found.stencil().diagonal(0);
    double mean = 0;
    double variance = 0;
    for (int i = 0; i < a.length; i++) {
      if (p[i] == 0) {
        assertEquals(truth.mean(i), a[i] + 0.2, 1e-8 * Math.sqrt(1.5));
        continue;
      }
      double v = truth.variance(i);
      mean = Math.max(mean, Math.abs(a[i] + 0.2 - truth.mean(i)) / Math.sqrt(v));
      variance = Math.max(variance, Math.abs(p[i] / v - 1));
    }
    LatticeDistribution.LogLikelihood settled = found.likelihood().orElseThrow();
    double off = settled.value() - exact.logMarginalLikelihood();
    String what =
        String.format(
            Locale.ROOT,
            "seed %d: %s on %s, noise %.0e, %d rows: %s, mean %.1e sd, variance %.2f %% (stated %.2f %%), log L %+.3f ± %.3f",
            seed,
            text,
            Arrays.toString(shape),
            noise,
            n,
            found.covariance().describe(),
            mean,
            100 * variance,
            100 * found.widest(),
            off,
            settled.standardError());
    System.out.println(what);
    assertTrue(mean < 1e-3, what);
    assertTrue(variance <= tolerance, what);
    // two standard errors would be passed by chance in one trial of 22
    assertEquals(0, off, 0.1 * n / 1000 + 3.5 * settled.standardError(), what);
  }

  /// The pixels of a window outside discs that cover some part of it.
  private static double[] observed(int[] shape, double gaps, SplittableRandom random) {
    int d = shape.length;
    int m = Arrays.stream(shape).reduce(1, (p, q) -> p * q);
    boolean[] hidden = new boolean[m];
    int gone = 0;
    while (gone < gaps * m) {
      double radius = 0.8 + random.nextDouble() * 0.25 * shape[0];
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
    int[] kept = IntStream.range(0, m).filter(i -> !hidden[i]).toArray();
    double[] x = new double[kept.length * d];
    for (int r = 0; r < kept.length; r++)
      for (int a = d - 1, rest = kept[r]; a >= 0; rest /= shape[a--])
        x[r * d + a] = rest % shape[a];
    return x;
  }

  /// A draw of the process with its noise.
  private static double[] drawn(Hyperparameters h, double[] x, int n, SplittableRandom random) {
    double[] k = new double[n * n];
    h.kernel().matrix(x, n, x, n, k);
    for (int i = 0; i < n; i++) k[i * n + i] += h.noise() + 1e-10;
    assertEquals(0, Blas.potrf(n, k, 0, n));
    double[] z = new double[n];
    for (int i = 0; i < n; i++) z[i] = random.nextGaussian();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      y[i] = 0.2;
      for (int j = 0; j <= i; j++) y[i] += k[i * n + j] * z[j];
    }
    return y;
  }
}
