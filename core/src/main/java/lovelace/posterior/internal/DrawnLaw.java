package lovelace.posterior.internal;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import lovelace.likelihood.Likelihood;

/// A distribution that is known by its mean and by draws. Immutable.
public final class DrawnLaw implements Likelihood.Law {

  private final double mean;
  private final double variance;
  private final double[] draws; // ascending

  /// Takes the draws over.
  public DrawnLaw(double mean, double[] draws) {
    if (draws.length < 2)
      throw new IllegalArgumentException(
          "a distribution needs at least 2 draws, got " + draws.length);
    this.mean = mean;
    Arrays.sort(draws);
    this.draws = draws;
    double sum = 0;
    for (double y : draws) sum += (y - mean) * (y - mean);
    variance = sum / draws.length;
  }

  @Override
  public double mean(double m, double v) {
    return mean;
  }

  /// The mean square of the draws' distance from the mean.
  @Override
  public double variance(double m, double v) {
    return variance;
  }

  /// Between the two draws around it, linear; draw i of n stands for `(i + ½)/n`.
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
