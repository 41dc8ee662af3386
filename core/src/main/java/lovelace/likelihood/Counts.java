package lovelace.likelihood;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Counts over an exposure e, with mean `e exp(f)`: the common part of Poisson and negative
/// binomial.
abstract class Counts extends Concave {

  @Override
  public Size size() {
    return Size.EXPOSURE;
  }

  @Override
  public @Nullable String refusal(double y, double size) {
    if (!(y >= 0 && y <= LARGEST && y == Math.rint(y)))
      return y > LARGEST
          ? "a count must be below 2^53; use likelihood gamma"
          : y < 0
              ? "a count must be a whole number >= 0; leave the row out, or use likelihood gaussian"
              : Double.isNaN(y)
                  ? NOT_FINITE
                  : "a count must be a whole number >= 0; round it, or use likelihood gamma";
    return positive(size)
        ? null
        : "an exposure must be finite and > 0; give the hours, people or area that the count refers"
            + " to, or leave the row out";
  }

  @Override
  public double start(double y, double size) {
    return Math.log((y + 0.5) / size);
  }

  @Override
  public boolean has(Of of) {
    return of != Of.PROBABILITY;
  }

  @Override
  Law link() {
    return new RateLaw();
  }

  @Override
  final double mean(double size, double m, double v) {
    return RateLaw.logNormalMean(m + Math.log(size), v);
  }

  /// The factor a in the variance `μ + a μ²`.
  abstract double dispersion();

  @Override
  final double variance(double size, double m, double v) {
    double log = m + Math.log(size);
    double more = dispersion() > 0 ? dispersion() * Math.exp(2 * (log + v)) : 0;
    return mean(size, m, v) + RateLaw.logNormalVariance(log, v) + more;
  }

  @Override
  final double guess(double size, double m, double v, double z) {
    double log = m + Math.log(size);
    return Math.exp(log + z * Math.sqrt(v + dispersion() + 1 / (Math.exp(log) + 0.5)));
  }

  @Override
  final double draw(double size, double f, RandomGenerator random) {
    double mean = Math.exp(f + Math.log(size));
    double a = dispersion();
    return Draws.poisson(a > 0 ? mean * a * Draws.gamma(1 / a, random) : mean, random);
  }
}
