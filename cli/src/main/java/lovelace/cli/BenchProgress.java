package lovelace.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Consumer;

/// Reports on standard error while a benchmark works: which step begins, and every ten seconds that
/// it is still running.
final class BenchProgress implements Consumer<String>, AutoCloseable {

  private static final long INTERVAL = 10_000; // milliseconds

  private final PrintWriter err;
  private final String name;
  private final long start = System.nanoTime();
  private final Thread ticker;
  private volatile String now = "";

  /// Begins at once. Every line starts with `name`.
  BenchProgress(PrintWriter err, String name) {
    this.err = err;
    this.name = name;
    ticker = Thread.ofVirtual().start(this::tick);
  }

  private void tick() {
    try {
      while (true) {
        Thread.sleep(INTERVAL);
        say(String.format(Locale.ROOT, "%s, %.0f s", now, (System.nanoTime() - start) * 1e-9));
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  private void say(String what) {
    err.println("lovelace: " + name + ": " + what);
    err.flush();
  }

  @Override
  public void accept(String phase) {
    now = phase;
    say(phase);
  }

  @Override
  public void close() {
    ticker.interrupt();
  }
}
