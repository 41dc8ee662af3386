package lovelace.experiments;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.love.Love;
import lovelace.love.LoveCovariance;
import lovelace.statistics.GridStatistics;

/// Measures which costs grow with the number of observations, on a grid of 10,000 points: the pass
/// per observation on one thread, building a posterior after it, one query, and the memory of a
/// posterior. Run as a program; the argument is the largest n (default 10⁷).
public final class ScalingBenchmark {

  private static final double TOLERANCE = 0.01;

  private ScalingBenchmark() {}

  public static void main(String[] args) {
    int most = args.length == 0 ? 10_000_000 : Integer.parseInt(args[0]);
    line("d", "n", "pass ns/row", "posterior ms", "query ns", "k", "MB", "bytes/(7^d+2k)m");
    for (int d = 1; d <= 2; d++) for (int n = 10_000; n <= most; n *= 10) measure(d, n);
  }

  private static void measure(int d, int n) {
    Axis[] axes = new Axis[d];
    Arrays.fill(axes, Axis.covering(-1, 1, d == 1 ? 10_000 : 100));
    Grid grid = Grid.of(axes);
    SplittableRandom random = new SplittableRandom(n);
    double[] x = new double[n * d];
    double[] y = new double[n];
    for (int i = 0; i < x.length; i++) x[i] = random.nextDouble(-1, 1);
    for (int i = 0; i < n; i++) y[i] = Math.sin(5 * x[i * d]) + 0.5 * random.nextGaussian();
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("1*rbf(lengthscale=%s)".formatted(d == 1 ? "0.05" : "0.4")).bind(d),
            0.25,
            PriorMean.constant(0));
    WarmMedian clock = new WarmMedian(1);
    double pass;
    try (var alone = new ForkJoinPool(1)) {
      pass =
          alone
              .submit(
                  () -> clock.measure(() -> GridStatistics.of(grid, x, y).squares()).median() / n)
              .join();
    }
    GridStatistics statistics = GridStatistics.of(grid, x, y);
    Love love = Love.DEFAULT.withTolerance(TOLERANCE);
    double build =
        clock.milliseconds(
            () -> LatticePosterior.love(LatticeProblem.of(statistics, h), love).noise());
    long before = used();
    LatticePosterior posterior = LatticePosterior.love(LatticeProblem.of(statistics, h), love);
    long bytes = used() - before;
    double[] out = new double[2];
    int queries = 1 << 14;
    double query =
        clock
                .measure(
                    () -> {
                      double sum = 0;
                      for (int i = 0; i < Math.min(queries, n); i++) {
                        posterior.evaluate(x, i * d, out);
                        sum += out[0] + out[1];
                      }
                      return sum;
                    })
                .median()
            / Math.min(queries, n);
    int k = ((LoveCovariance) posterior.covariance()).rank();
    double unit = (Math.pow(7, d) + 2 * k) * grid.size();
    line(
        String.format(Locale.ROOT, "%d", d),
        String.format(Locale.ROOT, "%,d", n),
        String.format(Locale.ROOT, "%.1f", pass),
        String.format(Locale.ROOT, "%.1f", build),
        String.format(Locale.ROOT, "%.0f", query),
        String.format(Locale.ROOT, "%d", k),
        String.format(Locale.ROOT, "%.1f", bytes / 1e6),
        String.format(Locale.ROOT, "%.1f", bytes / unit));
  }

  /// Bytes of the heap that are in use.
  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) System.gc();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static void line(String... cells) {
    StringBuilder line = new StringBuilder();
    for (String cell : cells) line.append("%16s".formatted(cell));
    System.out.println(line);
  }
}
