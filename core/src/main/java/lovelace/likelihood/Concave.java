package lovelace.likelihood;

import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import lovelace.linear.GammaFunction;

/// A likelihood whose logarithm is concave in f, with the functions that [Mixture] needs to average
/// it over f.
abstract class Concave extends Likelihood {

  /// log p(y | f) as a function of f.
  DoubleUnaryOperator logOf(double y, double size, double extra) {
    return f -> log(y, size, extra, f);
  }

  /// Given f, the probability of Y ≤ y falls as f grows, so it is P(F ≥ f) for a variable F. Fills
  /// `shape` with the peak of F and its approximate width. Returns the log density of F as a
  /// function of the distance from the peak.
  abstract DoubleUnaryOperator threshold(double y, double size, double[] shape);

  /// The largest step for which the trapezoidal rule is exact to rounding.
  double strip(double size) {
    return 0.3;
  }

  abstract double mean(double size, double m, double v);

  abstract double variance(double size, double m, double v);

  /// A guess at the quantile that is z deviations from the mean.
  abstract double guess(double size, double m, double v, double z);

  abstract double draw(double size, double f, RandomGenerator random);

  /// The largest possible observation.
  double most(double size) {
    return Double.POSITIVE_INFINITY;
  }

  /// Whether observations are whole numbers.
  boolean whole() {
    return true;
  }

  abstract Law link();

  @Override
  final Law made(Of of, double size) {
    return switch (of) {
      case FUNCTION -> new GaussianLaw(0);
      case RATE, PROBABILITY -> link();
      case OBSERVATION -> new ObservationLaw(this, size() == Size.NONE ? 1 : size);
    };
  }

  /// The log density of log G at d above log k, where G has a gamma law of shape k and rate 1: `k
  /// log k − k − log Γ(k) − k (exp(d) − 1 − d)`. No digits cancel for large k.
  static double logGamma(double constant, double k, double d) {
    double rest = Math.expm1(d) - d;
    if (Math.abs(d) < 0.01)
      rest = d * d * (0.5 + d * (1.0 / 6 + d * (1.0 / 24 + d * (1.0 / 120 + d / 720))));
    return constant - k * rest;
  }

  /// The log density of `log(B/(1 − B))` at d above its peak `log(a/b)`, where B has a beta law.
  /// The constant is [#peak].
  static double logBeta(double constant, double a, double b, double d) {
    if (d < 0) return logBeta(constant, b, a, -d);
    double p = a / (a + b);
    double q = b / (a + b);
    if (d < 1)
      return constant - a * Math.log1p(q * Math.expm1(-d)) - b * Math.log1p(p * Math.expm1(d));
    double e = Math.exp(-d);
    double first = q < 0.5 ? Math.log1p(q * (e - 1)) : Math.log(p + q * e);
    double second = p < e ? Math.log1p(p * Math.expm1(d)) : d + first;
    return constant - a * first - b * second;
  }

  /// `log Γ(a + b) − log Γ(a) − log Γ(b) + a log(a/(a + b)) + b log(b/(a + b))`.
  static double peak(double a, double b) {
    return GammaFunction.entropy(a) + GammaFunction.entropy(b) - GammaFunction.entropy(a + b);
  }
}
