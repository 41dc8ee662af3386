package lovelace.cli;

import java.io.PrintWriter;
import java.util.Locale;
import lovelace.optimize.Optimizer.Progress;
import lovelace.plan.Plan;

/// What a fit says on standard error: its plan, and on a terminal one line on how learning gets on.
final class LearningLine implements Progress {

  private static final long INTERVAL = 100_000_000;

  private final PrintWriter err;
  private final boolean watched;
  private final long start = System.nanoTime();
  private long last = start;
  private boolean planned;

  @SuppressWarnings("SystemConsoleNull") // it is null again where input or output is redirected
  LearningLine(PrintWriter err) {
    this.err = err;
    var console = System.console();
    watched = console != null && console.isTerminal();
  }

  /// Says what begins, and how long it may take.
  void begin(String what) {
    if (!watched) return;
    err.print("\r" + what + " ");
    err.flush();
  }

  /// Says how the model is computed; this line stays, also where nobody watches.
  void plan(Plan plan) {
    done();
    err.println((planned ? "new plan: " : "plan: ") + plan);
    err.flush();
    planned = true;
  }

  @Override
  public boolean step(int iteration, double value, double gradientNorm, double[] x) {
    long now = System.nanoTime();
    if (watched && now - last > INTERVAL) {
      last = now;
      err.printf(
          Locale.ROOT,
          "\rlearning: step %d, log posterior %.4f, gradient %.1e, %.1f s ",
          iteration,
          -value,
          gradientNorm,
          (now - start) * 1e-9);
      err.flush();
    }
    return true;
  }

  /// Says how a network gets on.
  void network(String phase, int step, int of, double objective, double nlpd, double rmse) {
    if (!watched) return;
    err.printf(
        Locale.ROOT,
        "\r%s: step %d of %d, objective %.4f, held out NLPD %.4f, RMSE %.4g, %.0f s ",
        phase,
        step,
        of,
        objective,
        nlpd,
        rmse,
        (System.nanoTime() - start) * 1e-9);
    err.flush();
  }

  /// Wipes the line.
  void done() {
    if (!watched) return;
    err.print("\r" + " ".repeat(98) + "\r");
    err.flush();
  }
}
