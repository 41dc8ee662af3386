package lovelace.series.counts;

import lovelace.linear.GammaFunction;

/// The negative binomial distribution `P(y) = Γ(a + y)/(Γ(a) y!) (1 − q)^a q^y`: a Poisson count
/// whose rate is gamma with shape a and rate b, seen through an exposure f, with `q = f/(b + f)`.
final class NegativeBinomial {

  /// Up to this count the factors are multiplied one by one.
  private static final int FEW = 40;

  private NegativeBinomial() {}

  /// log P(y) for a whole number y ≥ 0.
  static double log(double shape, double rate, double exposure, double y) {
    double sum = rate + exposure;
    double none = shape * Math.log(rate / sum);
    if (y == 0) return none;
    if (y > FEW)
      return none
          + y * Math.log(exposure / sum)
          + GammaFunction.log(shape + y)
          - GammaFunction.log(shape)
          - GammaFunction.log(y + 1);
    double q = exposure / sum;
    double product = 1;
    for (int i = 0; i < y; i++) product *= (shape + i) / (i + 1) * q;
    return product > 0 ? none + Math.log(product) : -700;
  }

  static double mean(double shape, double rate, double exposure) {
    return exposure * shape / rate;
  }

  /// Adds `weight · P(y)` for y = 0, 1, … until what is left is less than a share of 1e-12, or the
  /// table ends.
  static void addTo(double[] table, double weight, double shape, double rate, double exposure) {
    double mean = mean(shape, rate, exposure);
    double q = exposure / (rate + exposure);
    double spread = Math.sqrt(mean / (1 - q));
    int first = (int) Math.max(0, Math.floor(mean - 9 * spread));
    if (first >= table.length) return;
    double p = Math.exp(log(shape, rate, exposure, first));
    double sum = 0;
    for (int y = first; y < table.length; y++) {
      table[y] += weight * p;
      sum += p;
      if (1 - sum < 1e-12 && y > mean) return;
      p *= (shape + y) / (y + 1) * q;
      if (p < 1e-18 && y > mean) return;
    }
  }
}
