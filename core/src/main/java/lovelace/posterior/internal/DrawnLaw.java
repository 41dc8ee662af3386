package lovelace.posterior.internal;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import lovelace.likelihood.Likelihood;

/// A distribution given by its mean, perhaps its variance, and draws. Immutable.
public final class DrawnLaw implements Likelihood.Law {

  /// The largest share of the sum of squares that one draw may have, so that fourth powers give a
  /// valid error of that sum. The second number is for few draws: `z² < 15` in nearly all draws of
  /// a normal distribution.
  private static final double MOST_SHARE = 0.1;

  private static final double FEW = 15;

  private final double mean;
  private final double variance;
  private final double error;
  private final double[] draws; // ascending

  /// Takes ownership of the draws.
  ///
  /// @param known the variance, NaN if only the draws give it
  public DrawnLaw(double mean, double known, double[] draws) {
    if (draws.length < 2)
      throw new IllegalArgumentException(
          "a distribution needs at least 2 draws, got " + draws.length);
    this.mean = mean;
    Arrays.sort(draws);
    this.draws = draws;
    double sum = 0;
    for (double y : draws) sum += (y - mean) * (y - mean);
    variance = Double.isNaN(known) ? sum / draws.length : known;
    error = Double.isNaN(known) ? error(sum) : 0;
  }

  /// With `s² = Σ e²/n` the error of s is `√((Σ e⁴/n − s⁴)/n) / 2s`.
  private double error(double sum) {
    int n = draws.length;
    if (!(sum > 0)) return 0;
    double largest = 0;
    double fourth = 0;
    for (double y : draws) {
      double share = (y - mean) * (y - mean) / sum;
      largest = Math.max(largest, share);
      fourth += share * share;
    }
    if (!(largest <= MOST_SHARE + FEW / n)) return Double.POSITIVE_INFINITY;
    return 0.5 * Math.sqrt(Math.max(0, fourth - 1.0 / n));
  }

  /// The standard error of the standard deviation, as a share of it. It is 0 if the deviation is
  /// known without draws, and infinite if a few draws make most of it.
  public double deviationError() {
    return error;
  }

  /// The standard error of a quantile: half the distance between the draws that are one standard
  /// deviation of a count below and above it.
  public double quantileError(double p) {
    double step = Math.sqrt(p * (1 - p) / draws.length);
    return 0.5 * (quantile(0, 0, p + step) - quantile(0, 0, p - step));
  }

  @Override
  public double mean(double m, double v) {
    return mean;
  }

  /// The mean square of the draws' distance from the mean, if it is not known otherwise.
  @Override
  public double variance(double m, double v) {
    return variance;
  }

  /// Interpolates linearly between the two draws around it; draw i of n stands for `(i + ½)/n`.
  @Override
  public double quantile(double m, double v, double p) {
    double at = Math.clamp(p * draws.length - 0.5, 0, draws.length - 1);
    int below = (int) at;
    double above = draws[Math.min(below + 1, draws.length - 1)];
    return draws[below] + (at - below) * (above - draws[below]);
  }

  @Override
  public double cumulative(double y, double m, double v) {
    int count = 0;
    while (count < draws.length && draws[count] <= y) count++;
    return (double) count / draws.length;
  }

  @Override
  public double logDensity(double y, double m, double v) {
    throw new UnsupportedOperationException(
        "this distribution is known by draws only, so it has no density; ask for its cumulative");
  }

  @Override
  public double draw(double f, RandomGenerator random) {
    return draws[random.nextInt(draws.length)];
  }

  @Override
  public boolean discrete() {
    return false;
  }
}
