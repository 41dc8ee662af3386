package lovelace.series.counts;

import java.util.SplittableRandom;
import lovelace.linear.Gaussian;

/// Counts ahead: a negative binomial for each step, or a hurdle and 1 more than a negative
/// binomial.
///
/// Joint paths are a Gaussian copula of these: the normal score of a step is `√s z + √(1 − s) ε`,
/// where s is the share of the variance of the count that is due to its rate. z follows the rate: a
/// walk of the level and a fading deviation. So each step has its own distribution exactly.
final class CountFuture implements Future {

  private static final int LONGEST = 50_000;

  private final boolean hurdle;
  private final double[] there;
  private final double thereShared;
  private final double[] shape;
  private final double[] scale;
  private final double[] exposure;
  private final double[] level; // the relative variance of the level
  private final Rate rate;

  CountFuture(
      boolean hurdle,
      double[] there,
      double thereShared,
      double[] shape,
      double[] scale,
      double[] exposure,
      double[] level,
      Rate rate) {
    this.hurdle = hurdle;
    this.there = there;
    this.thereShared = thereShared;
    this.shape = shape;
    this.scale = scale;
    this.exposure = exposure;
    this.level = level;
    this.rate = rate;
  }

  @Override
  public double log(int k, double y) {
    if (!hurdle) return NegativeBinomial.log(shape[k], scale[k], exposure[k], y);
    if (y == 0) return Math.log(1 - there[k]);
    return Math.log(there[k]) + NegativeBinomial.log(shape[k], scale[k], exposure[k], y - 1);
  }

  @Override
  public double mean(int k) {
    double mean = NegativeBinomial.mean(shape[k], scale[k], exposure[k]);
    return hurdle ? there[k] * (1 + mean) : mean;
  }

  /// A count below which nearly all lie.
  int most(int k) {
    double mean = NegativeBinomial.mean(shape[k], scale[k], exposure[k]);
    double q = exposure[k] / (scale[k] + exposure[k]);
    double far = mean + 12 * Math.sqrt(mean / (1 - q)) + 30 / -Math.log(q) + 20;
    return (int) Math.min(far, LONGEST);
  }

  /// Adds the masses, times a weight, to those of 0, 1, ….
  void addTo(int k, double weight, double[] table) {
    if (!hurdle) {
      NegativeBinomial.addTo(table, weight, shape[k], scale[k], exposure[k]);
      return;
    }
    double[] more = new double[table.length - 1];
    NegativeBinomial.addTo(more, weight * there[k], shape[k], scale[k], exposure[k]);
    for (int y = 0; y < more.length; y++) table[y + 1] += more[y];
    table[0] += weight * (1 - there[k]);
  }

  private double[] table(int k) {
    double[] table = new double[most(k) + 2];
    addTo(k, 1, table);
    return table;
  }

  @Override
  public double cdf(int k, double y) {
    double sum = 0;
    double[] table = table(k);
    for (int i = 0; i <= y && i < table.length; i++) sum += table[i];
    return Math.min(sum, 1);
  }

  @Override
  public double[] path(SplittableRandom random) {
    int steps = shape.length;
    double[] path = new double[steps];
    double slow = normal(random);
    double fast = normal(random);
    double presence = normal(random);
    for (int k = 0; k < steps; k++) {
      if (k > 0) {
        double kept = level[k - 1] / level[k];
        slow = Math.sqrt(kept) * slow + Math.sqrt(1 - kept) * normal(random);
        double m = rate.memory();
        fast = m * fast + Math.sqrt(1 - m * m) * normal(random);
      }
      double variance = 1 / shape[k];
      double share = Math.min(1, level[k] / variance);
      double z = Math.sqrt(share) * slow + Math.sqrt(1 - share) * fast;
      double q = exposure[k] / (scale[k] + exposure[k]); // mean/shape/(1 + mean/shape)
      double u = Gaussian.cdf(Math.sqrt(q) * z + Math.sqrt(1 - q) * normal(random));
      double s = thereShared;
      double v = Gaussian.cdf(Math.sqrt(s) * presence + Math.sqrt(1 - s) * normal(random));
      if (hurdle && v > there[k]) continue;
      path[k] = (hurdle ? 1 : 0) + count(k, u);
    }
    return path;
  }

  /// The smallest count of the negative binomial with a distribution function of at least u.
  private double count(int k, double u) {
    double q = exposure[k] / (scale[k] + exposure[k]);
    double mean = NegativeBinomial.mean(shape[k], scale[k], exposure[k]);
    int first = (int) Math.max(0, Math.floor(mean - 9 * Math.sqrt(mean / (1 - q))));
    double p = Math.exp(NegativeBinomial.log(shape[k], scale[k], exposure[k], first));
    double sum = p;
    int y = first;
    while (sum < u && y < LONGEST && !(p < 1e-18 && y > mean)) {
      p *= (shape[k] + y) / (y + 1) * q;
      sum += p;
      y++;
    }
    return y;
  }

  static double normal(SplittableRandom random) {
    return Gaussian.quantile(Math.max(random.nextDouble(), 0x1p-60));
  }
}
