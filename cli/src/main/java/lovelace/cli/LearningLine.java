package lovelace.cli;

import java.io.PrintWriter;
import lovelace.optimize.Progress;

/// One line on the terminal that says how learning gets on; nothing where nobody watches.
final class LearningLine implements Progress {

  private static final long INTERVAL = 100_000_000;

  private final PrintWriter err;
  private final boolean watched;
  private final long start = System.nanoTime();
  private long last = start;

  @SuppressWarnings("SystemConsoleNull") // it is null again where input or output is redirected
  LearningLine(PrintWriter err) {
    this.err = err;
    var console = System.console();
    watched = console != null && console.isTerminal();
  }

  @Override
  public boolean step(int iteration, double value, double gradientNorm, double[] x) {
    long now = System.nanoTime();
    if (watched && now - last > INTERVAL) {
      last = now;
      err.printf(
          "\rlearning: step %d, log posterior %.4f, gradient %.1e, %.1f s ",
          iteration, -value, gradientNorm, (now - start) * 1e-9);
      err.flush();
    }
    return true;
  }

  /// Wipes the line.
  void done() {
    if (!watched) return;
    err.print("\r" + " ".repeat(78) + "\r");
    err.flush();
  }
}
