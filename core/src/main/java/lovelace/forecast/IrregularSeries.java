package lovelace.forecast;

import java.util.Arrays;
import java.util.Locale;

/// Values at any times, such as visits or measurements by hand. Immutable.
public final class IrregularSeries {

  private final String id;
  private final double[] times;
  private final double[] values;

  private IrregularSeries(String id, double[] times, double[] values) {
    this.id = id;
    this.times = times;
    this.values = values;
  }

  /// A series of values.
  ///
  /// @param id its name in results and messages
  /// @param times in any unit, ascending
  /// @param values one for each time; NaN if there is none
  public static IrregularSeries of(String id, double[] times, double[] values) {
    if (times.length != values.length)
      throw new IllegalArgumentException(
          "series '%s' has %s times for %s values".formatted(id, times.length, values.length));
    int size = 0;
    double[] at = new double[times.length];
    double[] there = new double[times.length];
    for (int t = 0; t < times.length; t++) {
      if (!(Double.isFinite(times[t]) && (t == 0 || times[t] > times[t - 1])))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "series '%s': time %,d is %s; times must be finite and ascend. Take the mean of values of one time",
                id,
                t + 1,
                times[t]));
      if (Double.isInfinite(values[t]))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "series '%s': value %,d is %s; values must be finite, or NaN if there is none",
                id,
                t + 1,
                values[t]));
      if (Double.isNaN(values[t])) continue;
      at[size] = times[t];
      there[size++] = values[t];
    }
    return new IrregularSeries(id, Arrays.copyOf(at, size), Arrays.copyOf(there, size));
  }

  public String id() {
    return id;
  }

  /// The number of values.
  public int size() {
    return values.length;
  }

  /// The time of a value.
  public double time(int place) {
    return times[place];
  }

  public double value(int place) {
    return values[place];
  }

  /// The median gap between values, or 1 if there are fewer than two.
  public double gap() {
    if (times.length < 2) return 1;
    double[] gaps = new double[times.length - 1];
    for (int t = 0; t < gaps.length; t++) gaps[t] = times[t + 1] - times[t];
    Arrays.sort(gaps);
    return gaps[gaps.length / 2];
  }

  double[] times() {
    return times;
  }

  double[] values() {
    return values;
  }
}
