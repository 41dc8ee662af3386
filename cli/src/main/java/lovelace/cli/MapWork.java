package lovelace.cli;

import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.LongConsumer;
import lovelace.maps.Frame;
import lovelace.maps.MapJob;
import lovelace.maps.MapRun;

/// Reports on standard error while `map` works: first how much memory it needs, then about how long
/// it takes, then its progress.
final class MapWork implements LongConsumer, AutoCloseable {

  private static final long LARGE = 4_000_000; // pixels and bands
  private static final double LONG = 0.5; // seconds of a strip

  private final PrintWriter err;
  private final MapJob job;
  private final ProgressLine line;
  private final double pixels;
  private final long start;
  private final Estimate estimate;
  private boolean told;

  MapWork(PrintWriter err, MapJob job, long rasters) {
    this.err = err;
    this.job = job;
    line = new ProgressLine(err);
    Frame frame = job.frame();
    pixels = (double) frame.width() * frame.height();
    estimate = new Estimate(pixels);
    told = pixels * job.bands() <= LARGE;
    if (!told) {
      MapCommand.remark(
          err,
          "a map of %s: %s of memory beside the model%s",
          job,
          ModelReport.size(MapRun.bytes(job)),
          rasters == 0
              ? ""
              : ", and at most %s of file"
                  .formatted(ModelReport.size((long) (pixels * job.bands() * 4 * 4 / 3))));
      long begun = System.nanoTime();
      double rate = job.rate(MapRun.threads());
      if ((System.nanoTime() - begun) * 1e-9 > LONG) tell(pixels / rate);
    }
    start = System.nanoTime();
  }

  private void tell(double seconds) {
    told = true;
    line.wipe();
    MapCommand.remark(err, "%s take about %s", job, time(seconds));
  }

  private static String time(double seconds) {
    return seconds < 90
        ? String.format(Locale.ROOT, "%.0f s", Math.max(1, seconds))
        : seconds < 5_400
            ? String.format(Locale.ROOT, "%.0f minutes", seconds / 60)
            : String.format(Locale.ROOT, "%,.0f hours", seconds / 3_600);
  }

  @Override
  public void accept(long done) {
    double now = (System.nanoTime() - start) * 1e-9;
    if (!told) estimate.after(now, (double) done, compiled()).ifPresent(this::tell);
    line.say(
        () ->
            String.format(
                Locale.ROOT,
                "map: %.0f %%, %.0f s, about %s left",
                100 * done / pixels,
                now,
                time(now * (pixels / done - 1))));
  }

  /// The seconds that Java has spent compiling.
  private static double compiled() {
    var compiler = ManagementFactory.getCompilationMXBean();
    return compiler == null || !compiler.isCompilationTimeMonitoringSupported()
        ? 0
        : compiler.getTotalCompilationTime() * 1e-3;
  }

  @Override
  public void close() {
    line.close();
  }

  /// Estimates how long a map takes from its own first tiles, files included. Tiles become faster
  /// while Java compiles the program. So it waits until the compiler rests and a second is as fast
  /// as the one before. If the first strip takes long, it does not wait.
  static final class Estimate {
    private static final double WINDOW = 1;
    private static final double STEADY = 1.25;
    private static final double RESTS = 0.15; // share of a window
    private static final double LATEST = 9;

    private final double pixels;
    private double before; // seconds
    private double doneBefore;
    private double rateBefore;
    private double compiledBefore;

    Estimate(double pixels) {
      this.pixels = pixels;
    }

    /// The estimated seconds from begin to end; empty until they are known.
    ///
    /// @param now seconds since the begin
    /// @param done pixels by now
    /// @param compiled seconds that the compiler took by now
    OptionalDouble after(double now, double done, double compiled) {
      double window = now - before;
      if (window < WINDOW) return OptionalDouble.empty();
      double rate = (done - doneBefore) / window;
      boolean rests = compiled - compiledBefore < RESTS * window;
      boolean known = rests && rateBefore > 0 && rate < STEADY * rateBefore;
      before = now;
      doneBefore = done;
      rateBefore = rate;
      compiledBefore = compiled;
      return known || now > LATEST
          ? OptionalDouble.of(now + (pixels - done) / rate)
          : OptionalDouble.empty();
    }
  }
}
