package lovelace.series.state;

import java.util.Locale;

/// The times of values in steps, ascending from 0. Immutable.
///
/// On whole steps, slopes change from step to step as [lovelace.series.Slope] says. At other times
/// they change all the time.
public final class Times {

  private final double[] at;
  private final boolean whole;

  private Times(double[] at, boolean whole) {
    this.at = at;
    this.whole = whole;
  }

  /// The steps 0, …, n − 1.
  public static Times steps(int n) {
    double[] at = new double[n];
    for (int t = 0; t < n; t++) at[t] = t;
    return new Times(at, true);
  }

  /// Any times.
  public static Times of(double... times) {
    for (int t = 0; t < times.length; t++)
      if (!(Double.isFinite(times[t]) && (t == 0 || times[t] > times[t - 1])))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "times must be finite and ascend, got %s at place %d; take the mean of values of one time",
                times[t],
                t + 1));
    return new Times(times.clone(), false);
  }

  public int size() {
    return at.length;
  }

  public double at(int place) {
    return at[place];
  }

  /// Whether they are steps without a break.
  public boolean whole() {
    return whole;
  }

  /// Some of them.
  Times between(int from, int to) {
    return new Times(java.util.Arrays.copyOfRange(at, from, to), whole);
  }
}
