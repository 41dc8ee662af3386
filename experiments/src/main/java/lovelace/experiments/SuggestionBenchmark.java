package lovelace.experiments;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.bayesopt.Acquisition;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Tuner;
import lovelace.bayesopt.Tuning;
import lovelace.bayesopt.surrogate.Surrogates;
import lovelace.example.TestFunction;

/// Measures the time of one suggestion of max-value entropy search with many observations of the
/// Eggholder function, by the exact surrogate or on a 200 × 200 grid. A suggestion includes the
/// last observation at given hyperparameters (on the grid the posterior is rebuilt). Learning these
/// again is measured separately.
///
/// Usage: `SuggestionBenchmark [exact|grid [shape [observations]]]`.
public final class SuggestionBenchmark {

  private SuggestionBenchmark() {}

  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    boolean grid = arguments.length > 0 && arguments[0].equals("grid");
    String shape = arguments.length > 1 ? arguments[1] : "matern52";
    int n = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1000;
    TestFunction function = TestFunction.eggholder();
    Tuning tuning =
        Tuning.DEFAULT
            .withAcquisition(Acquisition.MES)
            .withNoise(0)
            .withRelearn(1000)
            .withSurrogates(
                Surrogates.DEFAULT
                    .withKind(grid ? Surrogates.Kind.GRID : Surrogates.Kind.EXACT)
                    .withShape(shape)
                    .withGridPoints(200));
    double[] relearning = new double[3];
    double[] asking = new double[40];
    double processor = 0;
    List<Point> batch = List.of();
    String model = "";
    for (int round = 0; round < relearning.length; round++) {
      Tuner tuner = Tuner.of(function.space(), tuning.withSeed(round));
      SplittableRandom random = new SplittableRandom(round);
      for (int i = 0; i < n; i++) {
        double[] x = {random.nextDouble(-512, 512), random.nextDouble(-512, 512)};
        Point p = function.space().point(x);
        tuner.tell(p, function.at(p));
      }
      long start = System.nanoTime();
      Point p = tuner.ask();
      relearning[round] = (System.nanoTime() - start) / 1e6;
      tuner.tell(p, function.at(p));
      double before = processor();
      for (int i = 0; i < asking.length; i++) {
        start = System.nanoTime();
        p = tuner.ask();
        asking[i] = (System.nanoTime() - start) / 1e6;
        tuner.tell(p, function.at(p));
      }
      processor = (processor() - before) / asking.length;
      batch = tuner.ask(10);
      model = tuner.model();
    }
    Arrays.sort(asking);
    out.printf("model: %s%n", model);
    out.printf(
        Locale.ROOT,
        "suggestion: median %.1f ms, slowest %.1f ms, %.1f ms of processor time (the last %d of"
            + " %d)%n",
        asking[asking.length / 2],
        asking[asking.length - 1],
        processor,
        asking.length,
        relearning.length * asking.length);
    out.printf("first suggestion, learning included: %s ms%n", Arrays.toString(relearning));
    out.printf(
        Locale.ROOT, "ten parallel asks: %d different points%n", new HashSet<>(batch).size());
  }

  /// Milliseconds that all threads of this process have run so far.
  private static double processor() {
    return ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .map(d -> d.toNanos() / 1e6)
        .orElse(Double.NaN);
  }
}
