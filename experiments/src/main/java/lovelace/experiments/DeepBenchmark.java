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

/// Deep kernels with the network d-1000-500-50-2 on regression sets, split 0, all defaults. Run as
/// a program: a folder of [RegressionSet]s, then names of sets.
public final class DeepBenchmark {

  private DeepBenchmark() {}

  public static void main(String[] args) throws IOException {
    if (args.length < 2) throw new IllegalArgumentException("give a folder and names of sets");
    line(
        "set",
        "n",
        "d",
        "RMSE",
        "NLPD",
        "coverage 95%",
        "held out",
        "outside",
        "GP/network",
        "seconds");
    for (String name : Arrays.copyOfRange(args, 1, args.length))
      measure(RegressionSet.read(Path.of(args[0], name), 0));
  }

  private static void measure(RegressionSet set) {
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
                        "%s %s %d/%d: objective %.4f, held out NLPD %.4f RMSE %.4f, %.0f s%n",
                        set.name(),
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
    Prediction latent = model.predict(set.test().inputs());
    int outside = 0;
    for (int i = 0; i < latent.size(); i++) if (latent.outside(i)) outside++;
    Scores scores = Scores.of(latent.withNoise(model.noise()), set.test().target());
    line(
        set.name(),
        "%,d".formatted(train.size()),
        train.dimensions(),
        number(scores.rmse()),
        number(scores.nlpd()),
        number(scores.coverage(0.95)),
        number(last.nlpd),
        outside,
        String.format(Locale.ROOT, "%.1f %%", 100 * last.part),
        "%.0f".formatted(seconds));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  private static void line(Object... cells) {
    System.out.println(
        "| " + String.join(" | ", Arrays.stream(cells).map(String::valueOf).toList()) + " |");
  }
}
