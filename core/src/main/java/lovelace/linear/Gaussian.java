package lovelace.linear;

/// The standard normal distribution: density, distribution function and quantiles.
public final class Gaussian {

  private static final double LOG_ROOT_2PI = 0.5 * Math.log(2 * Math.PI);

  private Gaussian() {}

  /// `φ(z) = exp(−z²/2)/√2π`.
  public static double density(double z) {
    return Math.exp(-0.5 * z * z - LOG_ROOT_2PI);
  }

  /// `log N(y; mean, variance)`.
  public static double logDensity(double y, double mean, double variance) {
    double r = y - mean;
    return -0.5 * r * r / variance - 0.5 * Math.log(variance) - LOG_ROOT_2PI;
  }

  /// `Φ(z)`, to about 1e-15 relative in both tails.
  public static double cdf(double z) {
    return z > 0 ? 1 - upperTail(z) : upperTail(-z);
  }

  /// `Φ⁻¹(p)`, by Newton steps (Halley's form) on [#cdf] in the smaller tail, from a rational
  /// start.
  public static double quantile(double p) {
    if (!(p > 0 && p < 1))
      throw new IllegalArgumentException("probability must lie between 0 and 1, got " + p);
    if (p == 0.5) return 0;
    double q = Math.min(p, 1 - p);
    double t = Math.sqrt(-2 * Math.log(q));
    // Abramowitz and Stegun 26.2.23, error below 4.5e-4
    double z =
        t
            - (2.515517 + t * (0.802853 + t * 0.010328))
                / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int i = 0; i < 4; i++) {
      double e = (q - upperTail(z)) / density(z);
      z -= e / (1 + 0.5 * z * e);
    }
    return p < 0.5 ? -z : z;
  }

  /// `log Φ(z)`, accurate where Φ underflows.
  public static double logCdf(double z) {
    if (z > -1) return Math.log1p(-upperTail(z));
    return Math.log(millsRatio(-z)) - 0.5 * z * z - LOG_ROOT_2PI;
  }

  private static double upperTail(double z) {
    if (z < 1.5) return 0.5 - density(z) * series(z);
    return density(z) * millsRatio(z);
  }

  /// `Σ z^(2k+1)/(2k+1)!!`, so that Φ(z) = 1/2 + φ(z) × the series (Marsaglia 2004).
  private static double series(double z) {
    double term = z;
    double sum = z;
    for (int k = 3; Math.abs(term) > 1e-17 * Math.abs(sum); k += 2) {
      term *= z * z / k;
      sum += term;
    }
    return sum;
  }

  /// `Φ(z)/φ(z)`, which does not underflow.
  public static double ratio(double z) {
    return z < -1.5 ? millsRatio(-z) : cdf(z) / density(z);
  }

  /// `(1 − Φ(z))/φ(z)` for z ≥ 1 by Laplace's continued fraction, evaluated from the far end.
  private static double millsRatio(double z) {
    int terms = (int) (50 + 900 / (z * z));
    double tail = z;
    for (int k = terms; k > 0; k--) tail = z + k / tail;
    return 1 / tail;
  }
}
