package lovelace.experiments;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.plan.Engine;

/// Measures the cost of a fit of few rows with engine `auto`, beside the exact engine, including
/// learning. Both run in one process, one after the other, first to warm up and then measured. It
/// counts processor time of all threads, so that other work on the machine matters little.
///
/// Arguments: rows such as `500,1000`, inputs such as `1,2,3`, and optionally kernels such as
/// `rbf,matern12`.
public final class FewRowsBenchmark {

  private static final List<String> KERNELS =
      List.of("rbf", "rq", "matern12", "matern32", "matern52", "rbf + matern32");
  private static final double[] NOISES = {0.01, 0.5};

  private FewRowsBenchmark() {}

  public static void main(String[] args) {
    if (args.length < 2)
      throw new IllegalArgumentException("give rows and inputs, for example 500,1000 1,2,3");
    List<String> kernels = args.length > 2 ? List.of(args[2].split(",")) : KERNELS;
    System.out.println(
        "| rows | inputs | kernel | noise | auto takes | auto, s | exact, s | ratio |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    for (int n : numbers(args[0]))
      for (int d : numbers(args[1]))
        for (String kernel : kernels)
          for (double noise : NOISES) compare(kernel.trim(), table(n, d, noise));
  }

  private record Table(Dataset data, double noise) {}

  private static int[] numbers(String text) {
    return Arrays.stream(text.split(",")).mapToInt(Integer::parseInt).toArray();
  }

  /// A smooth function with a kink. The noise variance is `noise` times the function's variance.
  private static Table table(int n, int d, double noise) {
    SplittableRandom random = new SplittableRandom(n * 31L + d);
    double[] x = new double[n * d];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int a = 0; a < d; a++) {
        x[i * d + a] = random.nextDouble();
        sum += Math.sin(6 * x[i * d + a] + a) + Math.abs(x[i * d + a] - 0.4);
      }
      y[i] = sum + Math.sqrt(0.5 * d * noise) * random.nextGaussian();
    }
    return new Table(Dataset.of(x, d, y), noise);
  }

  private static void compare(String kernel, Table table) {
    Fit exact = Fit.DEFAULT.withKernel(kernel).withEngine(Engine.EXACT);
    Fit auto = Fit.DEFAULT.withKernel(kernel);
    Dataset data = table.data;
    Model model = auto.to(data); // warms up
    double slow = Double.POSITIVE_INFINITY;
    double quick = Double.POSITIVE_INFINITY;
    for (int round = 0; round < 2; round++) {
      slow = Math.min(slow, seconds(() -> exact.to(data)));
      quick = Math.min(quick, seconds(() -> auto.to(data)));
    }
    System.out.printf(
        Locale.ROOT,
        "| %,d | %d | %s | %.2g | %s | %.2f | %.2f | %.2f |%n",
        data.size(),
        data.dimensions(),
        kernel,
        table.noise,
        model
            .held()
            .map(held -> held.engine().toString())
            .orElseGet(() -> model.lattice().orElseThrow().certificate().how()),
        quick,
        slow,
        quick / slow);
  }

  private static double seconds(Runnable work) {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long start = system.getProcessCpuTime();
    work.run();
    return (system.getProcessCpuTime() - start) * 1e-9;
  }
}
