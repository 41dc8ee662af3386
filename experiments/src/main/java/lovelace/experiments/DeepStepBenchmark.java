package lovelace.experiments;

import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.deep.Architecture;
import lovelace.deep.DeepKernel;
import lovelace.deep.Settings;
import lovelace.deep.Step;
import lovelace.options.GridChoice;

/// Measures the cost of a joint step of training: of the network d-1000-500-50-2 (forward,
/// backward, update), and of the rest (statistics, engine, gradient at the features). In the same
/// run it measures the cost of predictions, of the network alone and in total. Run as a program:
/// the number of rows, by default 36,000.
public final class DeepStepBenchmark {

  private static final int COLUMNS = 8;
  private static final int WARM_UP = 300;
  private static final int STEPS = 10;

  private DeepStepBenchmark() {}

  public static void main(String[] args) {
    int n = args.length > 0 ? Integer.parseInt(args[0]) : 36_000;
    SplittableRandom random = new SplittableRandom(1);
    double[] x = new double[n * COLUMNS];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < COLUMNS; j++) {
        x[i * COLUMNS + j] = random.nextGaussian();
        sum += x[i * COLUMNS + j] / (j + 1);
      }
      y[i] = Math.sin(2 * sum) + 0.3 * random.nextGaussian();
    }
    double[] last = new double[2];
    Model model =
        DeepKernel.of(Architecture.layers(1000, 500, 50, 2))
            .withFit(Fit.DEFAULT.withGrid(GridChoice.DEFAULT.withPoints(40)))
            .withSettings(
                Settings.DEFAULT.withWarmUp(WARM_UP, 256, 1e-3).withSteps(STEPS).withHeldOut(0))
            .withWatcher(step -> report(step, last))
            .to(Dataset.of(x, COLUMNS, y));
    FeatureMap map = model.map().orElseThrow();
    double[] features = new double[n * map.outputs()];
    for (int pass = 0; pass < 3; pass++) {
      long start = System.nanoTime();
      map.apply(x, n, features);
      double network = (System.nanoTime() - start) / 1e9;
      start = System.nanoTime();
      model.predict(x);
      double all = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          Locale.ROOT,
          "prediction: %,.0f rows/s, network alone %,.0f rows/s, %.2f of it%n",
          n / all,
          n / network,
          network / all);
    }
  }

  private static boolean report(Step step, double[] last) {
    if (step.phase() == Step.Phase.WARM_UP) return true;
    double network = step.networkSeconds() - last[0];
    double process = step.processSeconds() - last[1];
    System.out.printf(
        Locale.ROOT,
        "step %d: network %.3f s, process %.3f s, %.1f %%%n",
        step.step(),
        network,
        process,
        100 * process / network);
    last[0] = step.networkSeconds();
    last[1] = step.processSeconds();
    return true;
  }
}
