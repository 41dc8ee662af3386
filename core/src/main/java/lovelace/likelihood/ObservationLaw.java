package lovelace.likelihood;

import java.util.random.RandomGenerator;
import lovelace.likelihood.Likelihood.Law;
import lovelace.linear.Gaussian;

/// The law of an observation of a given size, averaged over f.
record ObservationLaw(Concave likelihood, double size) implements Law {

  /// Above this, doubles no longer tell neighbouring counts apart where it matters.
  private static final double HUGE = 1e12;

  /// The logarithm of the largest double, minus rounding.
  private static final double LARGEST = Math.log(Double.MAX_VALUE) - 1e-6;

  @Override
  public double mean(double m, double v) {
    return likelihood.mean(size, m, v);
  }

  @Override
  public double variance(double m, double v) {
    return likelihood.variance(size, m, v);
  }

  @Override
  public double quantile(double m, double v, double p) {
    double guess = likelihood.guess(size, m, v, Gaussian.quantile(p));
    if (likelihood.whole() && guess < HUGE)
      return Roots.whole(y -> cumulative(y, m, v), p, guess, likelihood.most(size));
    double start = Math.clamp(Math.log(guess), -700, 709);
    double log = Roots.increasing(u -> cumulative(Math.exp(u), m, v), p, start, 0.25);
    if (log > LARGEST) return Double.POSITIVE_INFINITY;
    return likelihood.whole() ? Math.rint(Math.exp(log)) : Math.exp(log);
  }

  @Override
  public double cumulative(double y, double m, double v) {
    if (!(y >= 0)) return 0;
    double at = likelihood.whole() ? Math.floor(y) : y;
    if (at >= likelihood.most(size)) return 1;
    if (at == 0 && !likelihood.whole()) return 0;
    return Mixture.cumulative(likelihood, at, size, m, v);
  }

  @Override
  public double logDensity(double y, double m, double v) {
    if (likelihood.refusal(y, size) != null) return Double.NEGATIVE_INFINITY;
    return Mixture.logDensity(likelihood, y, size, m, v);
  }

  @Override
  public double draw(double f, RandomGenerator random) {
    return likelihood.draw(size, f, random);
  }

  @Override
  public boolean discrete() {
    return likelihood.whole();
  }
}
