package lovelace.experiments;

import java.util.Arrays;
import java.util.function.DoubleSupplier;

/// Times work as a user with a running program meets it: the median over repetitions once compiled
/// code has settled. What takes over a second is measured once.
public final class WarmMedian {

  private static final int LEAST = 7;

  private final double warming;
  private final double once;
  private double sink;

  /// Warms up for `seconds`, and up to three times that while it still gets faster; with 0
  /// everything is measured once, cold.
  public WarmMedian(double seconds) {
    this(seconds, 1);
  }

  /// What takes over `once` seconds is measured once.
  public WarmMedian(double seconds, double once) {
    warming = 1e9 * seconds;
    this.once = 1e9 * once;
  }

  /// The time of `work` in milliseconds; what it returns is consumed.
  public double milliseconds(DoubleSupplier work) {
    return nanoseconds(work) / 1e6;
  }

  public double nanoseconds(DoubleSupplier work) {
    if (warming == 0) return once(work);
    double spent = 0;
    double recent = Double.POSITIVE_INFINITY;
    boolean faster = true;
    while (spent < warming || (faster && spent < 3 * warming)) {
      double round = 0;
      double best = Double.POSITIVE_INFINITY;
      for (int i = 0; i < 3 || round < warming / 5; i++) {
        double time = once(work);
        if (time > once) return time;
        best = Math.min(best, time);
        round += time;
      }
      spent += round;
      faster = best < 0.97 * recent;
      recent = Math.min(recent, best);
    }
    double[] times = new double[1000];
    int count = 0;
    double measured = 0;
    while (count < LEAST || (measured < 0.4 * warming && count < times.length)) {
      times[count] = once(work);
      measured += times[count++];
    }
    times = Arrays.copyOf(times, count);
    Arrays.sort(times);
    return times[count / 2];
  }

  private double once(DoubleSupplier work) {
    long start = System.nanoTime();
    double result = work.getAsDouble();
    long end = System.nanoTime();
    sink += result;
    return end - start;
  }

  /// The sum of all results, so that none can be left out.
  public double sink() {
    return sink;
  }
}
