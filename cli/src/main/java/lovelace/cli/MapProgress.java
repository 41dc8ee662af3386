package lovelace.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import lovelace.Fit;
import lovelace.Model;
import lovelace.experiments.MapBenchmark;
import lovelace.experiments.MapCase;
import lovelace.optimize.Optimizer.Progress;
import lovelace.plan.Plan;

/// Reports on standard error while `bench map` works: each step, the plan, and every ten seconds
/// the progress, also in the middle of a step.
final class MapProgress implements MapBenchmark.Phases, Progress, AutoCloseable {

  private static final long INTERVAL = 10_000; // milliseconds

  private final PrintWriter err;
  private final String name;
  private final String limits;
  private final long start = System.nanoTime();
  private final Thread ticker;
  private volatile String now = "";

  /// Begins at once. Every line starts with `name`.
  MapProgress(PrintWriter err, String name, Fit fit) {
    this.err = err;
    this.name = name;
    limits = LimitOptions.text(fit);
    ticker = Thread.ofVirtual().start(this::tick);
  }

  private void tick() {
    try {
      while (true) {
        Thread.sleep(INTERVAL);
        say(now + ", " + seconds());
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  private String seconds() {
    return String.format(Locale.ROOT, "%.0f s", (System.nanoTime() - start) * 1e-9);
  }

  private void say(String what) {
    err.println("lovelace: " + name + ": " + what);
    err.flush();
  }

  @Override
  public void fitting(MapCase map) {
    say("fitting " + map + ", in " + limits);
    now = "fitting";
  }

  /// Reports how the model is computed.
  void plan(Plan plan) {
    say("plan: " + plan);
    now = "fitting";
  }

  @Override
  public boolean step(int iteration, double value, double gradientNorm, double[] x) {
    now =
        String.format(
            Locale.ROOT,
            "learning: step %d, log posterior %.4f, gradient %.1e",
            iteration,
            -value,
            gradientNorm);
    return true;
  }

  @Override
  public void predicting(Model model) {
    say("learned in " + seconds() + ": " + learned(model));
    ModelReport.notes(model).forEach(this::say);
    model.certificate().ifPresent(certificate -> say(certificate.summary()));
    now = "predicting";
  }

  /// The parameters with four digits.
  private static String learned(Model model) {
    return model.hyperparameters().parameters().stream()
        .map(
            p ->
                p.path()
                    + " "
                    + Arrays.stream(p.values())
                        .mapToObj(v -> String.format(Locale.ROOT, "%.4g", v))
                        .collect(Collectors.joining(" and ")))
        .collect(Collectors.joining(", "));
  }

  @Override
  public void close() {
    ticker.interrupt();
  }
}
