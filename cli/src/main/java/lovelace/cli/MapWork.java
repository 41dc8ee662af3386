package lovelace.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongConsumer;
import lovelace.maps.Frame;
import lovelace.maps.MapJob;
import lovelace.maps.MapRun;

/// What `map` says on standard error: before it starts about how long it takes and how much it
/// needs, then how far it is, on a terminal in one line and else every ten seconds.
final class MapWork implements LongConsumer, AutoCloseable {

  private static final long LARGE = 4_000_000; // pixels and bands
  private static final double INTERVAL = 10;
  private static final double WATCHED = 0.2;

  private final PrintWriter err;
  private final boolean watched;
  private final double pixels;
  private final long start;
  private double last;

  @SuppressWarnings("SystemConsoleNull") // it is null again where input or output is redirected
  MapWork(PrintWriter err, MapJob job, long rasters) {
    this.err = err;
    var console = System.console();
    watched = console != null && console.isTerminal();
    Frame frame = job.frame();
    pixels = (double) frame.width() * frame.height();
    if (pixels * job.bands() > LARGE) {
      double seconds = pixels / job.rate();
      MapCommand.remark(
          err,
          "a map of %s: about %s to compute, %s of memory beside the model%s",
          job,
          time(seconds),
          ModelReport.size(MapRun.bytes(job)),
          rasters == 0
              ? ""
              : ", and at most %s of file"
                  .formatted(ModelReport.size((long) (pixels * job.bands() * 4 * 4 / 3))));
    }
    start = System.nanoTime();
  }

  private static String time(double seconds) {
    return seconds < 90
        ? String.format(Locale.ROOT, "%.0f s", Math.max(1, seconds))
        : String.format(Locale.ROOT, "%.0f minutes", seconds / 60);
  }

  @Override
  public void accept(long done) {
    double now = (System.nanoTime() - start) * 1e-9;
    if (now - last < (watched ? WATCHED : INTERVAL)) return;
    last = now;
    String text =
        String.format(
            Locale.ROOT,
            "map: %.0f %%, %.0f s, about %s left",
            100 * done / pixels,
            now,
            time(now * (pixels / done - 1)));
    if (watched) {
      err.print("\r" + text + "  ");
      err.flush();
    } else MapCommand.remark(err, "%s", text);
  }

  @Override
  public void close() {
    if (!watched || last == 0) return;
    err.print("\r" + " ".repeat(60) + "\r");
    err.flush();
  }
}
