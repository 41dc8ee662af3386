package lovelace.experiments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.deep.Architecture;
import lovelace.deep.DeepKernel;
import lovelace.deep.Settings;
import lovelace.deep.Step;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;

/// Measures deep kernels with the network d-1000-500-50-2 on regression sets, with all defaults.
/// Run as a program: a folder of [RegressionSet]s and names of sets. To use other splits than 0,
/// put `--splits 0,1,2` before them.
public final class DeepBenchmark {

  private DeepBenchmark() {}

  public static void main(String[] args) throws IOException {
    boolean given = args.length > 0 && args[0].equals("--splits");
    int first = given ? 2 : 0;
    if (args.length < first + 2)
      throw new IllegalArgumentException("give [--splits 0,1,2], a folder and names of sets");
    int[] splits = given ? splits(args[1]) : new int[] {0};
    line(
        "set",
        "split",
        "n",
        "d",
        "RMSE",
        "NLPD",
        "coverage 95%",
        "held out",
        "outside",
        "GP/network",
        "seconds");
    for (String name : Arrays.copyOfRange(args, first + 1, args.length))
      for (int split : splits)
        measure(RegressionSet.read(Path.of(args[first], name), split).standardised(), split);
  }

  private static int[] splits(String text) {
    try {
      return Arrays.stream(text.split(",", -1)).mapToInt(Integer::parseInt).toArray();
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "--splits must be whole numbers such as 0,1,2, got '%s'".formatted(text), e);
    }
  }

  private static void measure(RegressionSet set, int split) {
    long start = System.nanoTime();
    var last =
        new Object() {
          double part = Double.NaN;
          double nlpd = Double.POSITIVE_INFINITY;
        };
    Dataset train = set.train();
    Model model =
        DeepKernel.of(Architecture.layers(1000, 500, 50, 2))
            .withSettings(Settings.DEFAULT)
            .withWatcher(
                step -> {
                  if (step.phase() == Step.Phase.JOINT) {
                    last.part = step.processSeconds() / step.networkSeconds();
                    last.nlpd = Math.min(last.nlpd, step.heldOutNlpd());
                  }
                  if (step.phase() == Step.Phase.WARM_UP || step.step() % 10 == 0)
                    System.err.printf(
                        Locale.ROOT,
                        "%s %d %s %d/%d: objective %.4f, held out NLPD %.4f RMSE %.4f, %.0f s%n",
                        set.name(),
                        split,
                        step.phase(),
                        step.step(),
                        step.of(),
                        step.objective(),
                        step.heldOutNlpd(),
                        step.heldOutRmse(),
                        (System.nanoTime() - start) / 1e9);
                  return true;
                })
            .to(train);
    double seconds = (System.nanoTime() - start) / 1e9;
    model.provenance().notes().forEach(System.err::println);
    System.err.println(model.hyperparameters());
    Prediction observed = model.predictObservation(set.test().inputs());
    int outside = 0;
    for (int i = 0; i < observed.size(); i++) if (observed.outside(i)) outside++;
    Scores scores = Scores.of(observed, set.test().target());
    line(
        set.name(),
        split,
        String.format(Locale.ROOT, "%,d", train.size()),
        train.dimensions(),
        number(scores.rmse()),
        number(scores.nlpd()),
        number(scores.coverage(0.95)),
        number(last.nlpd),
        outside,
        String.format(Locale.ROOT, "%.1f %%", 100 * last.part),
        String.format(Locale.ROOT, "%.0f", seconds));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.5f", value);
  }

  private static void line(Object... cells) {
    System.out.println(
        "| " + String.join(" | ", Arrays.stream(cells).map(String::valueOf).toList()) + " |");
  }
}
