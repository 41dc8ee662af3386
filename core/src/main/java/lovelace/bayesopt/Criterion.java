package lovelace.bayesopt;

import lovelace.linear.Gaussian;

/// An acquisition as a function of the mean and standard deviation at a point. Larger is better.
interface Criterion {

  /// Returns the value. Overwrites `slopes` with its derivatives in mean and standard deviation.
  double at(double mean, double sd, double[] slopes);

  /// `log(sd h(z))`, see [Acquisition.LogExpectedImprovement].
  static Criterion logImprovement(double best) {
    return (mean, sd, slopes) -> {
      double z = (mean - best) / sd;
      if (z > 4) {
        double h = z * Gaussian.cdf(z) + Gaussian.density(z);
        slopes[0] = Gaussian.cdf(z) / (sd * h);
        slopes[1] = Gaussian.density(z) / (sd * h);
        return Math.log(sd * h);
      }
      double ratio = Gaussian.ratio(z);
      double rest = remainder(z, ratio);
      slopes[0] = ratio / (sd * rest);
      slopes[1] = 1 / (sd * rest);
      return Math.log(sd) - 0.5 * z * z - 0.5 * Math.log(2 * Math.PI) + Math.log(rest);
    };
  }

  /// `1 + zΦ(z)/φ(z) = h(z)/φ(z)`. Where the two terms cancel, an asymptotic series gives it.
  private static double remainder(double z, double ratio) {
    if (z > -200) return 1 + z * ratio;
    double t = 1 / (z * z);
    return t * (1 - t * (3 - 15 * t));
  }

  /// `log Φ((mean − target)/sd)`.
  static Criterion logProbability(double target) {
    return (mean, sd, slopes) -> {
      double z = (mean - target) / sd;
      double slope = 1 / Gaussian.ratio(z);
      slopes[0] = slope / sd;
      slopes[1] = -slope * z / sd;
      return Gaussian.logCdf(z);
    };
  }

  /// `mean + multiple · sd`.
  static Criterion bound(double multiple) {
    return (mean, sd, slopes) -> {
      slopes[0] = 1;
      slopes[1] = multiple;
      return mean + multiple * sd;
    };
  }

  /// `log log(1 + exp(v − level))`: makes a criterion positive, so that a probability can weight
  /// it.
  static Criterion logPositive(Criterion inner, double level) {
    return (mean, sd, slopes) -> {
      double t = inner.at(mean, sd, slopes) - level;
      double soft = t > 30 ? t : Math.log1p(Math.exp(t));
      double slope = t < -30 ? 1 : 1 / ((1 + Math.exp(-t)) * soft);
      slopes[0] *= slope;
      slopes[1] *= slope;
      return t < -30 ? t : Math.log(soft);
    };
  }

  /// `log E[γφ(γ)/2Φ(γ) − log Φ(γ)]` over the given maxima.
  static Criterion entropy(double[] maxima) {
    return new MaxValue(maxima);
  }

  /// Max-value entropy search. A table gives its function of γ.
  final class MaxValue implements Criterion {
    private static final double LOW = -10;
    private static final double HIGH = 10;
    private static final int STEPS = 2000;
    private static final double STEP = (HIGH - LOW) / STEPS;
    private static final double TINY = 1e-300;
    private static final double[] TABLE = new double[2 * (STEPS + 1)];

    static {
      double[] slope = new double[1];
      for (int i = 0; i <= STEPS; i++) {
        TABLE[2 * i] = gain(LOW + i * STEP, slope);
        TABLE[2 * i + 1] = slope[0];
      }
    }

    private final double[] maxima;

    private MaxValue(double[] maxima) {
      this.maxima = maxima.clone();
    }

    /// `a(γ) = γr/2 − log Φ(γ)` with `r = φ(γ)/Φ(γ)`, and `a′ = −r(1 + γ(γ + r))/2`.
    static double gain(double gamma, double[] slope) {
      double r = 1 / Gaussian.ratio(gamma);
      slope[0] = -0.5 * r * (1 + gamma * (gamma + r));
      return 0.5 * gamma * r - Gaussian.logCdf(gamma);
    }

    @Override
    public double at(double mean, double sd, double[] slopes) {
      double sum = 0;
      double first = 0;
      double second = 0;
      double[] slope = null;
      for (double y : maxima) {
        double gamma = (y - mean) / sd;
        double value;
        double derivative;
        if (gamma > LOW && gamma < HIGH) {
          double u = (gamma - LOW) / STEP;
          int i = (int) u;
          double t = u - i;
          // cubic Hermite: error below 1e-11
          double a = TABLE[2 * i];
          double b = TABLE[2 * i + 2];
          double da = TABLE[2 * i + 1] * STEP;
          double db = TABLE[2 * i + 3] * STEP;
          double c2 = 3 * (b - a) - 2 * da - db;
          double c3 = 2 * (a - b) + da + db;
          value = a + t * (da + t * (c2 + t * c3));
          derivative = (da + t * (2 * c2 + t * 3 * c3)) / STEP;
        } else {
          if (slope == null) slope = new double[1];
          value = gain(gamma, slope);
          derivative = slope[0];
        }
        sum += value;
        first -= derivative / sd;
        second -= derivative * gamma / sd;
      }
      double total = Math.max(sum, 0) + TINY;
      slopes[0] = first / total;
      slopes[1] = second / total;
      return Math.log(total / maxima.length);
    }
  }
}
