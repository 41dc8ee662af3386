package lovelace.experiments;

import java.util.Arrays;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/// Measures work as the user of a running program experiences it: the median over repetitions after
/// compiled code has settled and the heap has been used before. Work that takes over a second is
/// measured once.
///
/// Memory that a program has not used yet is slow: the system provides it page by page. Java's heap
/// grows for some time, so the same work meets new pages in one call and none in the next,
/// depending on all earlier allocations. So each block of measurements begins after a collection,
/// in memory that unmeasured calls have just used.
public final class WarmMedian {

  private static final int BLOCKS = 3; // each after a collection
  private static final int LEAST = 9;
  private static final int MOST = 999;
  private static final double FASTER = 0.97; // of the best earlier time: still improving
  private static final int SETTLED = 2; // rounds without improvement
  private static final double LONGEST = 6; // times the warm-up asked for

  private final double warming;
  private final double once;
  private final LongSupplier clock;
  private final Runnable collect;
  private double sink;

  /// A measured time, in nanoseconds.
  ///
  /// @param lower the lower quartile of the calls
  /// @param upper the upper quartile
  /// @param calls the number of measured calls
  public record Time(double median, double lower, double upper, int calls) {

    private static final double STEADY = 0.15;

    /// Half the distance of the quartiles over the median; NaN for a single call.
    public double spread() {
      return calls == 1 ? Double.NaN : (upper - lower) / (2 * median);
    }

    /// Whether the calls agree so well that the median seems reliable.
    public boolean steady() {
      return !(spread() > STEADY);
    }
  }

  /// Warms up for `seconds`, and up to six times that while it still gets faster. If it is 0,
  /// everything is measured once, cold.
  public WarmMedian(double seconds) {
    this(seconds, 1);
  }

  /// Measures work that takes over `once` seconds only once.
  public WarmMedian(double seconds, double once) {
    this(seconds, once, System::nanoTime, System::gc);
  }

  WarmMedian(double seconds, double once, LongSupplier clock, Runnable collect) {
    warming = 1e9 * seconds;
    this.once = 1e9 * once;
    this.clock = clock;
    this.collect = collect;
  }

  /// The median time of `work` in milliseconds. Its result is consumed.
  public double milliseconds(DoubleSupplier work) {
    return measure(work).median / 1e6;
  }

  /// The time of `work`, with quartiles. Its result is consumed.
  public Time measure(DoubleSupplier work) {
    if (warming == 0) return single(once(work));
    double spent = 0;
    double recent = Double.POSITIVE_INFINITY;
    int settled = 0;
    while (spent < warming || (settled < SETTLED && spent < LONGEST * warming)) {
      double round = 0;
      double best = Double.POSITIVE_INFINITY;
      for (int i = 0; i < 3 || round < warming / 5; i++) {
        double time = once(work);
        if (time > once) return single(time);
        best = Math.min(best, time);
        round += time;
      }
      spent += round;
      settled = best < FASTER * recent ? 0 : settled + 1;
      recent = Math.min(recent, best);
    }
    double wanted = Math.clamp(0.4 * warming / Math.max(recent, 1), LEAST, MOST);
    return measure(work, (int) Math.ceil(wanted / BLOCKS));
  }

  private Time measure(DoubleSupplier work, int block) {
    collect.run();
    for (int i = 0; i < block; i++) once(work);
    double[] times = new double[BLOCKS * block];
    for (int i = 0; i < times.length; i++) {
      if (i % block == 0) collect.run();
      times[i] = once(work);
    }
    Arrays.sort(times);
    int n = times.length;
    return new Time(times[n / 2], times[n / 4], times[3 * n / 4], n);
  }

  private static Time single(double time) {
    return new Time(time, time, time, 1);
  }

  private double once(DoubleSupplier work) {
    long start = clock.getAsLong();
    double result = work.getAsDouble();
    long end = clock.getAsLong();
    sink += result;
    return end - start;
  }

  /// The sum of all results, so that no call can be optimised away.
  public double sink() {
    return sink;
  }
}
