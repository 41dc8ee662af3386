package lovelace.likelihood;

import java.util.random.RandomGenerator;
import lovelace.likelihood.Likelihood.Law;
import lovelace.likelihood.Likelihood.Link;
import lovelace.linear.Gaussian;

/// The law of the probability link(f), within [0, 1].
record ProbabilityLaw(Link link) implements Law {

  /// Values of f more than this many deviations away do not count.
  private static final double REACH = 9;

  @Override
  public double mean(double m, double v) {
    if (link == Link.PROBIT) return Gaussian.cdf(m / Math.sqrt(1 + v));
    return Math.min(1, Math.exp(Mixture.logDensity(new Binomial(link, true), 1, 1, m, v)));
  }

  /// `E (p − E p)²` by the trapezoidal rule, which converges exponentially because the links are
  /// analytic in a strip. If f lies in a tail, p² times the density of f has its peak up to 2v
  /// nearer to 0.
  @Override
  public double variance(double m, double v) {
    if (v == 0) return 0;
    if (m > 0) return variance(-m, v); // 1 − p has the variance of p
    double mean = mean(m, v);
    double sd = Math.sqrt(v);
    double step = Math.min(0.6 * sd, 0.4);
    double upper = Math.max(0, Math.min(2 * v, -m)) + REACH * sd;
    double sum = 0;
    double weights = 0;
    for (int k = (int) Math.ceil(-REACH * sd / step); k * step <= upper; k++) {
      double u = k * step;
      double weight = Math.exp(-0.5 * (u / sd) * (u / sd));
      double r = link.probability(m + u) - mean;
      sum += weight * r * r;
      weights += weight;
    }
    return Math.min(sum / weights, mean * (1 - mean));
  }

  @Override
  public double quantile(double m, double v, double p) {
    return quantileAt(m, v, Gaussian.quantile(p));
  }

  @Override
  public double quantileAt(double m, double v, double deviations) {
    return link.probability(m + Math.sqrt(v) * deviations);
  }

  @Override
  public double cumulative(double y, double m, double v) {
    if (!(y > 0 && y < 1)) return y >= 1 ? 1 : 0;
    return GaussianLaw.cumulative(link.inverse(y) - m, Math.sqrt(v));
  }

  @Override
  public double logDensity(double y, double m, double v) {
    if (!(y > 0 && y < 1)) return Double.NEGATIVE_INFINITY;
    double f = link.inverse(y);
    double slope = link == Link.LOGIT ? Math.log(y) + Math.log1p(-y) : Gaussian.logDensity(f, 0, 1);
    return GaussianLaw.logDensity(f - m, v) - slope;
  }

  @Override
  public double draw(double f, RandomGenerator random) {
    return link.probability(f);
  }

  @Override
  public boolean discrete() {
    return false;
  }
}
