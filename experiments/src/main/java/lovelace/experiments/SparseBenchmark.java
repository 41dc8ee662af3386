package lovelace.experiments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.experiments.baseline.InducingPoints;
import lovelace.experiments.baseline.Sgpr;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer.Progress;
import lovelace.posterior.Scores;

/// Measures sparse GPs with inducing points on regression sets, split 0, for comparison with
/// published tables. Run as a program: a folder of [RegressionSet]s, the number of inducing points,
/// then names of sets.
public final class SparseBenchmark {

  private static final int ITERATIONS = 150;

  private SparseBenchmark() {}

  public static void main(String[] args) throws IOException {
    if (args.length < 3)
      throw new IllegalArgumentException("give a folder, the inducing points, and names of sets");
    int count = Integer.parseInt(args[1]);
    line("set", "kernel", "n", "d", "RMSE", "NLPD", "coverage 95%", "bound/n", "seconds");
    for (String name : Arrays.copyOfRange(args, 2, args.length)) {
      RegressionSet set = RegressionSet.read(Path.of(args[0], name), 0);
      for (String kernel : new String[] {"rbf", "matern32"}) measure(set, kernel, count);
    }
  }

  private static void measure(RegressionSet set, String kernel, int count) {
    long start = System.nanoTime();
    Dataset train = set.train();
    Hyperparameters form =
        Hyperparameters.of(
                Kernel.parse(kernel).bind(train.dimensions()),
                Double.NaN,
                PriorMean.constant(Double.NaN))
            .fill(train.inputs(), train.target());
    double[] inducing = InducingPoints.kMeans(train, count, 10, new SplittableRandom(1));
    Sgpr sparse =
        Sgpr.learn(
                train, form, inducing, Lbfgs.DEFAULT.withMaxIterations(ITERATIONS), Progress.NONE)
            .posterior();
    Scores scores = Scores.of(sparse.predictObservation(set.test().inputs()), set.test().target());
    line(
        set.name(),
        kernel,
        String.format(Locale.ROOT, "%,d", train.size()),
        String.format(Locale.ROOT, "%d", train.dimensions()),
        String.format(Locale.ROOT, "%.3f", scores.rmse()),
        String.format(Locale.ROOT, "%.3f", scores.nlpd()),
        String.format(Locale.ROOT, "%.3f", scores.coverage(0.95)),
        String.format(Locale.ROOT, "%.4f", sparse.bound() / train.size()),
        String.format(Locale.ROOT, "%.0f", (System.nanoTime() - start) / 1e9));
  }

  private static void line(String... cells) {
    StringBuilder line = new StringBuilder();
    for (String cell : cells) line.append(String.format(Locale.ROOT, "%14s", cell));
    System.out.println(line);
  }
}
