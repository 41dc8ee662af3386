package lovelace.series.sums;

import java.util.Arrays;

/// The parts of a series that its past did not tell: one-step errors of exponential smoothing with
/// a season, in units of their root mean square. They show how series depend on each other; only
/// their order counts, so a simple smoother does (Gardner 2006).
public final class Innovations {

  private static final double[] LEVELS = {0.05, 0.2, 0.5, 1};
  private static final double[] SEASONS = {0, 0.2};

  /// The fewest errors that tell something.
  static final int LEAST = 8;

  private Innovations() {}

  /// The errors at the steps of a series, NaN in gaps, at the begin, and if there are too few. The
  /// smoother that fits best is used.
  ///
  /// @param values NaN in gaps
  /// @param season in steps; 1 for none
  public static double[] of(double[] values, int season) {
    int m = values.length >= 3 * season ? season : 1;
    double best = Double.POSITIVE_INFINITY;
    double[] found = new double[values.length];
    Arrays.fill(found, Double.NaN);
    for (double level : LEVELS)
      for (double change : m > 1 ? SEASONS : new double[1]) {
        double[] errors = errors(values, m, level, change);
        double sum = 0;
        int count = 0;
        for (double e : errors)
          if (!Double.isNaN(e)) {
            sum += e * e;
            count++;
          }
        if (count < LEAST || !(sum < best)) continue;
        best = sum;
        double unit = Math.sqrt(sum / count);
        found = errors;
        if (unit > 0 && Double.isFinite(unit))
          for (int t = 0; t < found.length; t++) found[t] /= unit;
      }
    return found;
  }

  private static double[] errors(double[] values, int m, double level, double change) {
    double[] season = m > 1 ? season(values, m) : new double[1];
    double[] errors = new double[values.length];
    double at = Double.NaN;
    for (int t = 0; t < values.length; t++) {
      errors[t] = Double.NaN;
      if (Double.isNaN(values[t])) continue;
      double free = values[t] - season[t % m];
      if (Double.isNaN(at)) {
        at = free;
        continue;
      }
      double e = free - at;
      if (t >= m) errors[t] = e;
      at += level * e;
      season[t % m] += change * (1 - level) * e;
    }
    return errors;
  }

  /// The means of the phases less that of all.
  private static double[] season(double[] values, int m) {
    double[] sum = new double[m];
    int[] count = new int[m];
    double all = 0;
    int there = 0;
    for (int t = 0; t < values.length; t++) {
      if (Double.isNaN(values[t])) continue;
      sum[t % m] += values[t];
      count[t % m]++;
      all += values[t];
      there++;
    }
    for (int p = 0; p < m; p++)
      sum[p] = count[p] == 0 ? 0 : sum[p] / count[p] - all / Math.max(1, there);
    return sum;
  }
}
