package lovelace.laplace;

import java.util.random.RandomGenerator;

/// Likelihoods of one row, written from their definitions: what the product computes is compared
/// with these. Nothing here is shared with the product.
abstract class Density {

  /// Slope, curvature used by the approximation, its slope, and the negative second derivative.
  record Derivatives(double slope, double curvature, double curvatureSlope, double hessian) {}

  /// The part of log p(y | f) that does not depend on f.
  abstract double constant(double y, double size);

  /// The rest of log p(y | f).
  abstract double varying(double y, double size, double f);

  abstract Derivatives at(double y, double size, double f);

  abstract double draw(double size, double f, RandomGenerator random);

  final double log(double y, double size, double f) {
    return constant(y, size) + varying(y, size, f);
  }

  static Density of(String name, double... p) {
    return switch (name) {
      case "gaussian" -> new Normal(p[0]);
      case "student-t" -> new StudentT(p[0], p[1]);
      case "poisson" -> new Poisson();
      case "negative-binomial" -> new NegativeBinomial(1 / p[0]);
      case "bernoulli", "binomial" -> new Logit();
      case "bernoulli(link=probit)", "binomial(link=probit)" -> new Probit();
      case "gamma" -> new Gamma(p[0]);
      default -> throw new IllegalArgumentException(name);
    };
  }

  /// y = f + noise of variance `noise` / size.
  static final class Normal extends Density {
    private final double noise;

    Normal(double noise) {
      this.noise = noise;
    }

    @Override
    double constant(double y, double size) {
      return -0.5 * Math.log(2 * Math.PI * noise / size);
    }

    @Override
    double varying(double y, double size, double f) {
      return -0.5 * size * (y - f) * (y - f) / noise;
    }

    @Override
    Derivatives at(double y, double size, double f) {
      double w = size / noise;
      return new Derivatives(w * (y - f), w, 0, w);
    }

    @Override
    double draw(double size, double f, RandomGenerator random) {
      return f + Math.sqrt(noise / size) * random.nextGaussian();
    }
  }

  /// Student's t about f with ν degrees of freedom and squared scale `noise` / size. Its curvature
  /// is the Fisher information (ν+1)/((ν+3) s²).
  static final class StudentT extends Density {
    private final double noise;
    private final double df;

    StudentT(double noise, double df) {
      this.noise = noise;
      this.df = df;
    }

    @Override
    double constant(double y, double size) {
      return logGamma((df + 1) / 2)
          - logGamma(df / 2)
          - 0.5 * Math.log(Math.PI * df * noise / size);
    }

    @Override
    double varying(double y, double size, double f) {
      return -(df + 1) / 2 * Math.log1p((y - f) * (y - f) * size / (df * noise));
    }

    @Override
    Derivatives at(double y, double size, double f) {
      double s2 = noise / size;
      double r = y - f;
      double q = df * s2 + r * r;
      return new Derivatives(
          (df + 1) * r / q, (df + 1) / ((df + 3) * s2), 0, (df + 1) * (df * s2 - r * r) / (q * q));
    }

    @Override
    double draw(double size, double f, RandomGenerator random) {
      double chi2 = 2 * drawGamma(df / 2, random);
      return f + Math.sqrt(noise / size * df / chi2) * random.nextGaussian();
    }
  }

  /// Counts of mean exposure · exp(f).
  static final class Poisson extends Density {
    @Override
    double constant(double y, double size) {
      return (y > 0 ? y * Math.log(size) : 0) - logGamma(y + 1);
    }

    @Override
    double varying(double y, double size, double f) {
      return y * f - size * Math.exp(f);
    }

    @Override
    Derivatives at(double y, double size, double f) {
      double mu = size * Math.exp(f);
      return new Derivatives(y - mu, mu, mu, mu);
    }

    @Override
    double draw(double size, double f, RandomGenerator random) {
      return drawPoisson(size * Math.exp(f), random);
    }
  }

  /// Counts of mean μ = exposure · exp(f) and variance μ + μ²/r.
  static final class NegativeBinomial extends Density {
    private final double r;

    NegativeBinomial(double r) {
      this.r = r;
    }

    @Override
    double constant(double y, double size) {
      return logGamma(y + r) - logGamma(r) - logGamma(y + 1);
    }

    @Override
    double varying(double y, double size, double f) {
      double mu = size * Math.exp(f);
      return -r * Math.log1p(mu / r) + (y > 0 ? y * Math.log(mu / (r + mu)) : 0);
    }

    @Override
    Derivatives at(double y, double size, double f) {
      double mu = size * Math.exp(f);
      double w = (y + r) * r * mu / ((r + mu) * (r + mu));
      return new Derivatives((y - mu) * r / (r + mu), w, w * (r - mu) / (r + mu), w);
    }

    @Override
    double draw(double size, double f, RandomGenerator random) {
      return drawPoisson(size * Math.exp(f) * drawGamma(r, random) / r, random);
    }
  }

  /// Successes among `size` trials, of probability 1/(1 + exp(−f)).
  static final class Logit extends Density {
    @Override
    double constant(double y, double size) {
      return logGamma(size + 1) - logGamma(y + 1) - logGamma(size - y + 1);
    }

    @Override
    double varying(double y, double size, double f) {
      return y * f - size * (Math.max(f, 0) + Math.log1p(Math.exp(-Math.abs(f))));
    }

    @Override
    Derivatives at(double y, double size, double f) {
      double p = 1 / (1 + Math.exp(-f));
      double w = size * p / (1 + Math.exp(f));
      return new Derivatives(y - size * p, w, w * (1 - 2 * p), w);
    }

    @Override
    double draw(double size, double f, RandomGenerator random) {
      return drawBinomial(size, 1 / (1 + Math.exp(-f)), random);
    }
  }

  /// Successes among `size` trials, of probability Φ(f).
  static final class Probit extends Density {
    @Override
    double constant(double y, double size) {
      return logGamma(size + 1) - logGamma(y + 1) - logGamma(size - y + 1);
    }

    @Override
    double varying(double y, double size, double f) {
      return (y > 0 ? y * logNormal(f) : 0) + (size > y ? (size - y) * logNormal(-f) : 0);
    }

    @Override
    Derivatives at(double y, double size, double f) {
      // r = φ/Φ has the slope −r (z + r)
      double a = hazard(f);
      double b = hazard(-f);
      double wa = a * (f + a);
      double wb = b * (b - f);
      double slopeA = a * (1 - (f + a) * (f + 2 * a));
      double slopeB = -b * (1 - (b - f) * (2 * b - f));
      double w = y * wa + (size - y) * wb;
      return new Derivatives(y * a - (size - y) * b, w, y * slopeA + (size - y) * slopeB, w);
    }

    @Override
    double draw(double size, double f, RandomGenerator random) {
      return drawBinomial(size, Math.exp(logNormal(f)), random);
    }
  }

  /// Amounts of mean exp(f) and shape k.
  static final class Gamma extends Density {
    private final double k;

    Gamma(double k) {
      this.k = k;
    }

    @Override
    double constant(double y, double size) {
      return k * Math.log(k) - logGamma(k) + (k - 1) * Math.log(y);
    }

    @Override
    double varying(double y, double size, double f) {
      return -k * f - k * y * Math.exp(-f);
    }

    @Override
    Derivatives at(double y, double size, double f) {
      double w = k * y * Math.exp(-f);
      return new Derivatives(w - k, w, -w, w);
    }

    @Override
    double draw(double size, double f, RandomGenerator random) {
      return Math.max(Double.MIN_NORMAL, Math.exp(f) * drawGamma(k, random) / k);
    }
  }

  /// Stirling's series after a shift to arguments above 15.
  static double logGamma(double x) {
    double shift = 0;
    while (x < 15) shift += Math.log(x++);
    double i = 1 / x;
    double i2 = i * i;
    double series =
        i * (1.0 / 12 - i2 * (1.0 / 360 - i2 * (1.0 / 1260 - i2 * (1.0 / 1680 - i2 / 1188))));
    return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series - shift;
  }

  /// φ(z)/Φ(z).
  static double hazard(double z) {
    double phi = Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
    if (z > 2) return phi / (1 - phi / hazard(-z));
    if (z > -2) {
      // Φ = ½ + φ (z + z³/3 + z⁵/15 + …)
      double term = z;
      double sum = z;
      for (int k = 3; Math.abs(term) > 1e-18; k += 2) {
        term *= z * z / k;
        sum += term;
      }
      return phi / (0.5 + phi * sum);
    }
    // Φ/φ = 1/(t + 1/(t + 2/(t + 3/…))) with t = −z
    double t = -z;
    double tail = t;
    for (int k = (int) (20 + 400 / (t * t)); k >= 1; k--) tail = t + k / tail;
    return tail;
  }

  /// log Φ(z).
  static double logNormal(double z) {
    return z > 2
        ? Math.log1p(-Math.exp(logNormal(-z)))
        : -0.5 * z * z - 0.5 * Math.log(2 * Math.PI) - Math.log(hazard(z));
  }

  /// Marsaglia and Tsang (2000).
  static double drawGamma(double shape, RandomGenerator random) {
    if (shape < 1)
      return drawGamma(shape + 1, random) * Math.pow(1 - random.nextDouble(), 1 / shape);
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = random.nextGaussian();
      double v = Math.pow(1 + c * x, 3);
      if (v > 0 && Math.log(1 - random.nextDouble()) < 0.5 * x * x + d - d * v + d * Math.log(v))
        return d * v;
    }
  }

  /// Arrivals of a Poisson process until time `mean`.
  static double drawPoisson(double mean, RandomGenerator random) {
    double n = -1;
    for (double t = 0; t <= mean; n++) t += random.nextExponential();
    return n;
  }

  private static double drawBinomial(double size, double p, RandomGenerator random) {
    double n = 0;
    for (int i = 0; i < size; i++) if (random.nextDouble() < p) n++;
    return n;
  }
}
