package lovelace.likelihood;

import java.util.random.RandomGenerator;

/// Draws from gamma, Poisson and binomial laws, in time that does not grow with their means.
final class Draws {

  /// Above this mean a count is drawn as a rounded Gaussian, because counts are then as fine as
  /// doubles.
  private static final double HUGE = 1e12;

  private static final int FEW = 20;

  private Draws() {}

  /// Draws from a gamma law of rate 1; Marsaglia and Tsang (2000).
  static double gamma(double shape, RandomGenerator random) {
    if (shape < 1) {
      double boost = Math.log(1 - random.nextDouble()) / shape;
      return Math.max(Double.MIN_NORMAL, gamma(shape + 1, random) * Math.exp(boost));
    }
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = random.nextGaussian();
      double t = 1 + c * x;
      if (!(t > 0)) continue;
      double cube = t * t * t;
      double u = 1 - random.nextDouble();
      if (Math.log(u) < 0.5 * x * x + d * (1 - cube + Math.log(cube))) return d * cube;
    }
  }

  /// Draws from a Poisson law. A large mean is split at the arrival of a gamma time (Ahrens and
  /// Dieter 1974).
  static double poisson(double mean, RandomGenerator random) {
    if (!(mean < HUGE)) return Math.rint(mean + Math.sqrt(mean) * random.nextGaussian());
    double count = 0;
    double left = mean;
    while (left > FEW) {
      double n = Math.floor(0.875 * left);
      double time = gamma(n, random);
      if (time > left) return count + binomial(n - 1, left / time, random);
      count += n;
      left -= time;
    }
    double product = 1 - random.nextDouble();
    for (double end = Math.exp(-left); product > end; product *= 1 - random.nextDouble()) count++;
    return count;
  }

  /// Draws from a binomial law. Many trials are split at one of their order statistics, which has a
  /// beta law.
  static double binomial(double n, double p, RandomGenerator random) {
    double count = 0;
    double trials = n;
    double share = p;
    while (trials > FEW) {
      double i = Math.floor(0.5 * trials) + 1;
      double a = gamma(i, random);
      double split = a / (a + gamma(trials + 1 - i, random));
      if (split <= share) {
        count += i;
        trials -= i;
        share = split < 1 ? (share - split) / (1 - split) : 0;
      } else {
        trials = i - 1;
        share /= split;
      }
    }
    for (int k = 0; k < trials; k++) if (random.nextDouble() < share) count++;
    return count;
  }
}
