package lovelace.experiments;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;

/// Measures the fractions of [ExactGpBenchmark] by processor time on one thread, for a machine that
/// others use as well. Time spent waiting for a core does not count, and the rounds take turns.
public final class ExactGpProcessorTime {

  private static final int ROUNDS = 9;

  private ExactGpProcessorTime() {}

  public static void main(String[] args) {
    try (ForkJoinPool alone = new ForkJoinPool(1)) {
      alone.submit(ExactGpProcessorTime::measure).join();
    }
  }

  private static void measure() {
    for (String kernel : new String[] {"1*rbf(lengthscale=0.3)", "1*matern52(lengthscale=0.3)"}) {
      var benchmark = new ExactGpBenchmark();
      benchmark.kernel = kernel;
      benchmark.prepare();
      double[] gemm = new double[ROUNDS];
      double[] potrf = new double[ROUNDS];
      double[] whole = new double[ROUNDS];
      for (int r = -3; r < ROUNDS; r++) {
        int at = Math.max(r, 0);
        gemm[at] = milliseconds(benchmark::dgemm);
        potrf[at] = milliseconds(benchmark::dpotrf);
        whole[at] = milliseconds(benchmark::conditionAndPredict);
      }
      double n = benchmark.n;
      double ideal = median(potrf) + median(gemm) * benchmark.t / (2 * n);
      System.out.printf(
          "%-30s dgemm %.1f GFLOP/s, dpotrf %.1f GFLOP/s, condition and predict %.1f ms: %.0f %%%n",
          kernel,
          2e-6 * n * n * n / median(gemm),
          1e-6 * n * n * n / 3 / median(potrf),
          median(whole),
          100 * ideal / median(whole));
    }
  }

  private static double milliseconds(Runnable work) {
    var threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    work.run();
    return (threads.getCurrentThreadCpuTime() - start) * 1e-6;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
