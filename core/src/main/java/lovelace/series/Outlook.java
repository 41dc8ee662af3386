package lovelace.series;

import java.util.Arrays;
import java.util.SplittableRandom;

/// The future of one series as a method sees it: a distribution for each step, and joint paths.
public interface Outlook {

  /// How many quantiles the mean is taken over.
  int MEAN = 40;

  /// P(value ≤ y) at a step, which is counted from 0.
  double cdf(int step, double y);

  /// The quantiles at a step.
  ///
  /// @param levels between 0 and 1, ascending
  double[] quantiles(int step, double... levels);

  /// Joint paths by number, then step.
  double[][] paths(int count, SplittableRandom random);

  /// The mean at a step. Unless a method knows it, it is the mean of 40 quantiles at equal
  /// distances, without the ends of the tails: a mixture of Student's t on a logarithmic scale has
  /// no mean.
  default double mean(int step) {
    double[] levels = new double[MEAN];
    for (int i = 0; i < MEAN; i++) levels[i] = (i + 0.5) / MEAN;
    return Arrays.stream(quantiles(step, levels)).map(q -> q / MEAN).sum();
  }
}
