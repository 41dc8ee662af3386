package lovelace.likelihood;

import java.util.random.RandomGenerator;
import lovelace.likelihood.Likelihood.Law;
import lovelace.linear.Gaussian;

/// The law of exp(f): log-normal.
record RateLaw() implements Law {

  static double logNormalMean(double m, double v) {
    return Math.exp(m + 0.5 * v);
  }

  /// `exp(2m + v) (exp(v) − 1)`, computed in logarithms to avoid 0 × ∞.
  static double logNormalVariance(double m, double v) {
    if (v == 0) return 0;
    double last = v > 40 ? v : Math.log(Math.expm1(v));
    return Math.exp(2 * m + v + last);
  }

  @Override
  public double mean(double m, double v) {
    return logNormalMean(m, v);
  }

  @Override
  public double variance(double m, double v) {
    return logNormalVariance(m, v);
  }

  @Override
  public double quantile(double m, double v, double p) {
    return quantileAt(m, v, Gaussian.quantile(p));
  }

  @Override
  public double quantileAt(double m, double v, double deviations) {
    return Math.exp(m + Math.sqrt(v) * deviations);
  }

  @Override
  public double cumulative(double y, double m, double v) {
    return y > 0 ? GaussianLaw.cumulative(Math.log(y) - m, Math.sqrt(v)) : 0;
  }

  @Override
  public double logDensity(double y, double m, double v) {
    if (!(y > 0)) return Double.NEGATIVE_INFINITY;
    double log = Math.log(y);
    return GaussianLaw.logDensity(log - m, v) - log;
  }

  @Override
  public double draw(double f, RandomGenerator random) {
    return Math.exp(f);
  }

  @Override
  public boolean discrete() {
    return false;
  }
}
