package lovelace.experiments;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import lovelace.bayesopt.Acquisition;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Tuner;
import lovelace.bayesopt.Tuning;
import lovelace.bayesopt.Variable;
import lovelace.example.TestFunction;

/// Measures the regret of Bayesian optimisation on test functions with known optima: the median
/// over seeds after a budget of evaluations, ten of which are spread points. Random search with the
/// same budget stands beside it, and the time of a suggestion with learning.
///
/// Usage: `RegretTable [function,… [acquisition,… [seeds [budget [traces.csv]]]]]`. The medians
/// after every evaluation are appended to the last, a file, as `function,acquisition,1,2,…`. The
/// searches are not told that the functions have no noise. `mes*4` asks for four points at a time.
public final class RegretTable {

  /// One search: the best value after each evaluation, and the median time of a suggestion.
  static final class Run {
    private final double[] best;
    private final double milliseconds;

    Run(double[] best, double milliseconds) {
      this.best = best;
      this.milliseconds = milliseconds;
    }
  }

  private RegretTable() {}

  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    List<TestFunction> functions =
        arguments.length > 0 && !arguments[0].equals("all")
            ? Arrays.stream(arguments[0].split(",")).map(TestFunction::named).toList()
            : TestFunction.all();
    List<String> acquisitions =
        List.of((arguments.length > 1 ? arguments[1] : "mes,logei,random").split(","));
    int seeds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 20;
    int budget = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 100;
    out.printf(
        "%-18s %-9s %10s %10s %10s %10s %8s%n",
        "function", "acquisition", "median", "lowest", "highest", "after 50", "ms/ask");
    for (TestFunction function : functions)
      for (String acquisition : acquisitions) {
        List<Run> runs = runs(function, acquisition, seeds, budget);
        double[] regret = last(function, runs, budget);
        if (arguments.length > 4)
          append(Path.of(arguments[4]), function, acquisition, runs, budget);
        out.printf(
            Locale.ROOT,
            "%-18s %-9s %10.4g %10.4g %10.4g %10.4g %8.1f%n",
            function.name(),
            acquisition,
            median(regret),
            regret[0],
            regret[regret.length - 1],
            median(last(function, runs, Math.min(50, budget))),
            median(runs.stream().mapToDouble(r -> r.milliseconds).toArray()));
      }
  }

  private static void append(
      Path file, TestFunction function, String acquisition, List<Run> runs, int budget)
      throws IOException {
    StringBuilder line = new StringBuilder(function.name()).append(',').append(acquisition);
    for (int i = 1; i <= budget; i++) line.append(',').append(median(last(function, runs, i)));
    Files.writeString(
        file, line.append('\n'), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static double[] last(TestFunction function, List<Run> runs, int evaluations) {
    return runs.stream()
        .mapToDouble(r -> function.regret(r.best[evaluations - 1]))
        .sorted()
        .toArray();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    return 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
  }

  static List<Run> runs(TestFunction function, String acquisition, int seeds, int budget)
      throws Exception {
    List<Callable<Run>> jobs = new ArrayList<>();
    for (int seed = 0; seed < seeds; seed++) {
      long s = seed;
      String[] parts = acquisition.split("\\*", 2);
      int batch = parts.length > 1 ? Integer.parseInt(parts[1]) : 1;
      jobs.add(
          () ->
              acquisition.equals("random")
                  ? random(function, s, budget)
                  : run(function, Acquisition.named(parts[0]), batch, s, budget));
    }
    List<Run> runs = new ArrayList<>();
    // each search runs on one thread; there is one thread per processor
    try (var workers = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      List<Future<Run>> futures = new ArrayList<>();
      for (Callable<Run> job : jobs)
        futures.add(
            workers.submit(
                () -> {
                  try (ForkJoinPool alone = new ForkJoinPool(1)) {
                    return alone.submit(job).get();
                  }
                }));
      for (var future : futures) runs.add(future.get());
    }
    return runs;
  }

  static Run run(TestFunction function, Acquisition acquisition, int batch, long seed, int budget) {
    Tuning tuning = Tuning.DEFAULT.withAcquisition(acquisition).withSeed(seed);
    double[] best = new double[budget];
    double[] times = new double[budget];
    int asked = 0;
    double least = Double.POSITIVE_INFINITY;
    try (Tuner tuner = Tuner.of(function.space(), tuning)) {
      for (int i = 0; i < budget; ) {
        long start = System.nanoTime();
        List<Point> points = tuner.ask(Math.min(batch, budget - i));
        if (i >= tuning.initial())
          times[asked++] = (System.nanoTime() - start) / 1e6 / points.size();
        for (Point point : points) {
          double value = function.at(point);
          tuner.tell(point, value);
          least = Math.min(least, value);
          best[i++] = least;
        }
      }
    }
    return new Run(best, median(Arrays.copyOf(times, Math.max(1, asked))));
  }

  static Run random(TestFunction function, long seed, int budget) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] best = new double[budget];
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < budget; i++) {
      double[] x = new double[function.space().variables().size()];
      for (int j = 0; j < x.length; j++)
        if (function.space().variables().get(j) instanceof Variable.Real real)
          x[j] = random.nextDouble(real.low(), real.high());
      least = Math.min(least, function.at(x));
      best[i] = least;
    }
    return new Run(best, 0);
  }
}
