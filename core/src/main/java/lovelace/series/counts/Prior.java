package lovelace.series.counts;

import java.util.Arrays;
import java.util.List;

/// The values expected of a series of a table before its first value.
///
/// @param there the probability that a step has anything
/// @param size of counts, the mean of the rates and their shape; of amounts, the mean of the
///   logarithms, its variance between series and that within them
@SuppressWarnings("ArrayRecordComponent")
record Prior(double there, double... size) {

  private static final double LEAST_SHAPE = 0.2;
  private static final double MOST_SHAPE = 2;

  /// How many series without news the moments are mixed with.
  private static final double PRIOR_SERIES = 5;

  /// A prior for counts: the moments of the series' means.
  static Prior counts(List<double[]> series) {
    double there = 0.5 * PRIOR_SERIES;
    double sum = PRIOR_SERIES;
    double squares = PRIOR_SERIES * 3;
    for (double[] y : series) {
      double mean = mean(y);
      there += share(y);
      sum += mean;
      squares += mean * mean;
    }
    double n = series.size() + PRIOR_SERIES;
    double mean = sum / n;
    double variance = Math.max(squares / n - mean * mean, 1e-12);
    return new Prior(
        Math.clamp(there / n, 0.05, 0.95),
        mean,
        Math.clamp(mean * mean / variance, LEAST_SHAPE, MOST_SHAPE));
  }

  /// A prior for amounts, in units of the mean amount of each series: the moments of the
  /// logarithms.
  static Prior amounts(List<double[]> series) {
    double there = 0.5 * PRIOR_SERIES;
    double means = -0.25 * PRIOR_SERIES;
    double squares = 0.25 * PRIOR_SERIES;
    double within = 0.5 * PRIOR_SERIES;
    for (double[] y : series) {
      double[] logs = Arrays.stream(y).filter(v -> v > 0).map(Math::log).toArray();
      there += share(y);
      double mean = Arrays.stream(logs).average().orElse(0);
      means += mean;
      squares += mean * mean;
      within += Arrays.stream(logs).map(x -> (x - mean) * (x - mean)).average().orElse(0.5);
    }
    double n = series.size() + PRIOR_SERIES;
    double mean = means / n;
    return new Prior(
        Math.clamp(there / n, 0.05, 0.95),
        mean,
        Math.max(squares / n - mean * mean, 0.01),
        Math.max(within / n, 1e-4));
  }

  private static double mean(double[] y) {
    return Arrays.stream(y).filter(v -> !Double.isNaN(v)).average().orElse(0);
  }

  private static double share(double[] y) {
    return Arrays.stream(y)
        .filter(v -> !Double.isNaN(v))
        .map(v -> v > 0 ? 1 : 0)
        .average()
        .orElse(0);
  }
}
