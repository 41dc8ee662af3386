package lovelace.experiments;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.online.Online;
import lovelace.online.Online.Window;
import lovelace.plan.Engine;

/// Measures how many observations a stream takes per second, for windows, refreshes and live
/// updates. On a machine that others use as well, look at the processor's seconds:
///
/// ```
/// java --enable-native-access=ALL-UNNAMED -cp 'experiments/target/lib/*:…' \
///   lovelace.experiments.StreamBenchmark [SECONDS]
/// ```
public final class StreamBenchmark {

  private static final Grid LINE = Grid.of(new Axis(-0.03, 0.01, 107));
  private static final Grid PLANE = Grid.of(new Axis(-0.09, 0.03, 40), new Axis(-0.09, 0.03, 40));

  private StreamBenchmark() {}

  public static void main(String[] arguments) {
    double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 3;
    Online.Options some = Online.Options.DEFAULT.withRefreshRows(Long.MAX_VALUE);
    Online.Options thousand = Online.Options.DEFAULT;
    measure("1-D, sums only", LINE, some, seconds);
    measure("1-D, refreshed every 1,000", LINE, thousand, seconds);
    measure(
        "1-D, last 10,000, refreshed every 1,000",
        LINE,
        thousand.withWindow(Window.sliding(10_000)),
        seconds);
    measure(
        "1-D, half-life 10,000, refreshed every 1,000",
        LINE,
        thousand.withWindow(Window.decaying(10_000)),
        seconds);
    measure("1-D, live", LINE, some.withLive(true), seconds);
    measure(
        "1-D, live, last 10,000",
        LINE,
        some.withLive(true).withWindow(Window.sliding(10_000)),
        seconds);
    measure("2-D, sums only", PLANE, some, seconds);
    measure("2-D, refreshed every 10,000", PLANE, some.withRefreshRows(10_000), seconds);
    measure(
        "2-D, krylov, refreshed every 10,000",
        PLANE,
        some.withRefreshRows(10_000).withEngine(Engine.KRYLOV),
        seconds);
    measure("2-D, live", PLANE, some.withLive(true), seconds);
  }

  private static void measure(String name, Grid grid, Online.Options options, double seconds) {
    int d = grid.dimensions();
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("rbf(lengthscale=0.15)").bind(d).with(values(d)),
            0.1,
            PriorMean.constant(0));
    Online online = Online.of(grid, h, options);
    int size = 1 << 14;
    SplittableRandom random = new SplittableRandom(4);
    double[] x = random.doubles((long) size * d).toArray();
    double[] y = new double[size];
    for (int i = 0; i < size; i++) y[i] = Math.sin(6 * x[i * d]) + 0.3 * random.nextGaussian();
    run(online, x, y, d, seconds);
    long used = processor();
    long start = System.nanoTime();
    long count = run(online, x, y, d, seconds);
    System.out.printf(
        Locale.ROOT,
        "%-48s %,12.0f a second, %,12.0f a processor second%n",
        name,
        count / ((System.nanoTime() - start) * 1e-9),
        count / ((processor() - used) * 1e-9));
  }

  /// Nanoseconds that all threads of this process have used.
  static long processor() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : System.nanoTime();
  }

  private static double[] values(int d) {
    double[] values = new double[1 + d];
    values[0] = 1;
    for (int j = 1; j <= d; j++) values[j] = 0.15;
    return values;
  }

  private static long run(Online online, double[] x, double[] y, int d, double seconds) {
    long start = System.nanoTime();
    long count = 0;
    while (System.nanoTime() - start < seconds * 1e9) {
      for (int k = 0; k < 64; k++, count++) {
        int i = (int) (count & (y.length - 1));
        online.add(x, i * d, y[i], 1);
      }
    }
    return count;
  }
}
