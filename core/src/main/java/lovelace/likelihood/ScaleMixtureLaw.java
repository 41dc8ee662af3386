package lovelace.likelihood;

import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import lovelace.likelihood.Likelihood.Law;
import lovelace.linear.GammaFunction;
import lovelace.linear.Gaussian;

/// The law of `y = f + noise` whose noise is Gaussian with a random variance exp(x). For Student's
/// t, exp(−x) has a gamma law. For noise with its own process, x is Gaussian. The density of x is
/// integrated by the trapezoidal rule, as in [Mixture]; exp(x) is analytic.
final class ScaleMixtureLaw implements Law {

  private static final double NEGLIGIBLE = 38;

  private final double centre; // of x
  private final double step;
  private final DoubleUnaryOperator logWeight; // log density of x at centre + u; peak at u = 0
  private final double noise; // E exp(x)
  private final DrawVariance draw;

  /// Draws exp(x).
  private interface DrawVariance {
    double draw(RandomGenerator random);
  }

  private ScaleMixtureLaw(
      double centre, double width, DoubleUnaryOperator logWeight, double noise, DrawVariance draw) {
    this.centre = centre;
    this.step = Math.min(0.6 * width, 0.3);
    this.logWeight = logWeight;
    this.noise = noise;
    this.draw = draw;
  }

  /// Student's t with ν degrees of freedom and squared scale s: exp(x) = s/λ, where λ has a gamma
  /// law with shape and rate ν/2.
  static Law studentT(double scale, double df) {
    double k = 0.5 * df;
    double constant = GammaFunction.entropy(k);
    double variance = df > 2 ? scale * df / (df - 2) : Double.POSITIVE_INFINITY;
    return new ScaleMixtureLaw(
        Math.log(scale),
        1 / Math.sqrt(k),
        u -> constant + k * (1 - u - Math.exp(-u)),
        variance,
        random -> scale * k / Draws.gamma(k, random));
  }

  /// The law for a log deviation h of mean a and variance b, at a row of weight w: x = 2h − log w.
  static Law varying(double a, double b, double weight) {
    double centre = 2 * a - Math.log(weight);
    if (b == 0) return new GaussianLaw(Math.exp(centre));
    double sd = 2 * Math.sqrt(b);
    double constant = -0.5 * Math.log(2 * Math.PI * sd * sd);
    return new ScaleMixtureLaw(
        centre,
        sd,
        u -> constant - 0.5 * (u / sd) * (u / sd),
        Math.exp(centre + 2 * b),
        random -> Math.exp(centre + sd * random.nextGaussian()));
  }

  @Override
  public double mean(double m, double v) {
    return m;
  }

  @Override
  public double variance(double m, double v) {
    return v + noise;
  }

  @Override
  public double quantile(double m, double v, double p) {
    double z = Gaussian.quantile(p);
    if (z == 0) return m;
    double sd = Math.sqrt(v + Math.exp(centre));
    // the law is symmetric, so look in the upper half
    double at =
        Roots.increasing(u -> cumulative(m + sd * u, m, v), Math.max(p, 1 - p), Math.abs(z), 0.5);
    return z > 0 ? m + sd * at : m - sd * at;
  }

  @Override
  public double cumulative(double y, double m, double v) {
    double r = Math.abs(y - m);
    if (r == 0) return 0.5;
    double sum = 0;
    for (int side = -1; side <= 1; side += 2)
      for (int k = side < 0 ? 0 : 1; ; k++) {
        double u = side * k * step;
        double weight = logWeight.applyAsDouble(u);
        if (!(weight > -NEGLIGIBLE)) break;
        sum += Math.exp(weight) * Gaussian.cdf(-r / Math.sqrt(v + Math.exp(centre + u)));
      }
    double tail = Math.min(0.5, sum * step);
    return y > m ? 1 - tail : tail;
  }

  @Override
  public double logDensity(double y, double m, double v) {
    double r = y - m;
    // no variance gives r a higher density
    double bound = GaussianLaw.logDensity(r, Math.max(r * r, v + Double.MIN_NORMAL));
    double finer = step;
    while (true) {
      double top = Double.NEGATIVE_INFINITY;
      double sum = 0;
      double best = 0; // the variance at the peak
      for (int side = -1; side <= 1; side += 2)
        for (int k = side < 0 ? 0 : 1; ; k++) {
          double u = side * k * finer;
          double weight = logWeight.applyAsDouble(u);
          if (!(weight + bound > top - NEGLIGIBLE)) break;
          double variance = Math.max(v + Math.exp(centre + u), Double.MIN_NORMAL);
          double term = weight + Gaussian.logDensity(r, 0, variance);
          if (term > top) {
            sum = sum * Math.exp(top - term) + 1;
            top = term;
            best = variance;
          } else sum += Math.exp(term - top);
        }
      // far out, the density of r makes the peak narrow
      double narrow = 0.6 / Math.sqrt(0.36 / (step * step) + 0.5 * r * r / best);
      if (!(narrow < 0.8 * finer)) return top + Math.log(sum * finer);
      finer = narrow;
    }
  }

  @Override
  public double draw(double f, RandomGenerator random) {
    return f + Math.sqrt(draw.draw(random)) * random.nextGaussian();
  }

  @Override
  public boolean discrete() {
    return false;
  }
}
