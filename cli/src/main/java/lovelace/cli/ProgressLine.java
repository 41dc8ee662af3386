package lovelace.cli;

import java.io.PrintWriter;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// Shows the progress of a command on standard error: on a terminal one line that is painted again
/// and again, and elsewhere a plain line every ten seconds.
///
/// Threads may share it.
final class ProgressLine implements AutoCloseable {

  private static final long REPAINT = 200_000_000; // nanoseconds
  private static final long LINES = 10_000_000_000L;

  private final PrintWriter err;
  private final boolean terminal;
  private final LongSupplier clock;
  private final long start;
  private long last;
  private int painted;

  /// Paints if standard error is a terminal.
  ProgressLine(PrintWriter err) {
    this(err, Terminal.isErr(), System::nanoTime);
  }

  /// @param terminal whether the line is painted again and again
  /// @param clock nanoseconds
  ProgressLine(PrintWriter err, boolean terminal, LongSupplier clock) {
    this.err = err;
    this.terminal = terminal;
    this.clock = clock;
    start = clock.getAsLong();
    last = start;
  }

  /// Seconds since the begin.
  double seconds() {
    return (clock.getAsLong() - start) * 1e-9;
  }

  /// Says which step begins, on a terminal only.
  synchronized void begin(String text) {
    if (terminal) paint(text);
  }

  /// Shows the progress if the last line is old enough.
  synchronized void say(Supplier<String> text) {
    long now = clock.getAsLong();
    if (now - last < (terminal ? REPAINT : LINES)) return;
    last = now;
    if (terminal) paint(text.get());
    else {
      err.println("lovelace: " + text.get());
      err.flush();
    }
  }

  private void paint(String text) {
    err.print("\r" + text + " ".repeat(Math.max(0, painted - text.length())));
    err.flush();
    painted = text.length();
  }

  /// Wipes the line, so that something else can be printed.
  synchronized void wipe() {
    if (painted == 0) return;
    err.print("\r" + " ".repeat(painted) + "\r");
    err.flush();
    painted = 0;
  }

  @Override
  public void close() {
    wipe();
  }
}
