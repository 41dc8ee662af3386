package lovelace.cli;

import java.io.PrintWriter;
import java.util.Locale;
import lovelace.optimize.Optimizer.Progress;
import lovelace.plan.Plan;

/// Reports a fit on standard error: its plan, and the progress of learning.
final class LearningLine implements Progress {

  private final PrintWriter err;
  private final ProgressLine line;
  private boolean planned;

  LearningLine(PrintWriter err) {
    this.err = err;
    line = new ProgressLine(err);
  }

  /// Says which step begins, and how long it may take.
  void begin(String what) {
    line.begin(what);
  }

  /// Prints how the model is computed. This line stays.
  void plan(Plan plan) {
    done();
    err.println((planned ? "new plan: " : "plan: ") + plan);
    err.flush();
    planned = true;
  }

  @Override
  public boolean step(int iteration, double value, double gradientNorm, double[] x) {
    line.say(
        () ->
            String.format(
                Locale.ROOT,
                "learning: step %d, log posterior %.4f, gradient %.1e, %.1f s",
                iteration,
                -value,
                gradientNorm,
                line.seconds()));
    return true;
  }

  /// Reports the progress of a network.
  void network(String phase, int step, int of, double objective, double nlpd, double rmse) {
    line.say(
        () ->
            String.format(
                Locale.ROOT,
                "%s: step %d of %d, objective %.4f, held out NLPD %.4f, RMSE %.4g, %.0f s",
                phase,
                step,
                of,
                objective,
                nlpd,
                rmse,
                line.seconds()));
  }

  /// Wipes the line.
  void done() {
    line.wipe();
  }
}
