package lovelace.likelihood;

import java.util.random.RandomGenerator;
import lovelace.likelihood.Likelihood.Law;
import lovelace.linear.Gaussian;

/// The law of f itself, or of an observation if there is a noise variance.
record GaussianLaw(double noise) implements Law {

  @Override
  public double mean(double m, double v) {
    return m;
  }

  @Override
  public double variance(double m, double v) {
    return v + noise;
  }

  @Override
  public double quantile(double m, double v, double p) {
    return quantileAt(m, v, Gaussian.quantile(p));
  }

  @Override
  public double quantileAt(double m, double v, double deviations) {
    return m + Math.sqrt(v + noise) * deviations;
  }

  @Override
  public double cumulative(double y, double m, double v) {
    return cumulative(y - m, Math.sqrt(v + noise));
  }

  /// Φ(r/sd); a step if the deviation is 0.
  static double cumulative(double r, double sd) {
    return sd > 0 ? Gaussian.cdf(r / sd) : r >= 0 ? 1 : 0;
  }

  @Override
  public double logDensity(double y, double m, double v) {
    return logDensity(y - m, v + noise);
  }

  /// The log density of a residual; infinite if the variance is 0.
  static double logDensity(double r, double variance) {
    if (variance > 0) return Gaussian.logDensity(r, 0, variance);
    return r == 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
  }

  @Override
  public double draw(double f, RandomGenerator random) {
    return noise > 0 ? f + Math.sqrt(noise) * random.nextGaussian() : f;
  }

  @Override
  public boolean discrete() {
    return false;
  }
}
