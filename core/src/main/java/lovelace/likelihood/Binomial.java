package lovelace.likelihood;

import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import lovelace.linear.GammaFunction;
import lovelace.linear.Gaussian;
import org.jspecify.annotations.Nullable;

/// Successes in a number of trials, each with probability `link(f)`; Bernoulli if there is one
/// trial. Rows at one place can be added up: `log p = y log link(f) + (n − y) log link(−f) + log
/// C(n, y)`.
final class Binomial extends Concave {

  /// Below this the Mills ratio is computed as a continued fraction of [#TERMS] terms.
  private static final double FAR = -5;

  private static final int TERMS = 90;

  private final Link link;
  private final boolean single;

  Binomial(Link link, boolean single) {
    this.link = link;
    this.single = single;
  }

  /// `log(1 + exp(x))`.
  static double softplus(double x) {
    return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
  }

  /// `1/(1 + exp(−x))`.
  static double logistic(double x) {
    if (x >= 0) return 1 / (1 + Math.exp(-x));
    double e = Math.exp(x);
    return e / (1 + e);
  }

  @Override
  public String name() {
    return single ? "bernoulli" : "binomial";
  }

  @Override
  public Size size() {
    return single ? Size.NONE : Size.TRIALS;
  }

  @Override
  Likelihood made(double[] values) {
    return this;
  }

  @Override
  public boolean adds() {
    return true;
  }

  @Override
  public @Nullable String refusal(double y, double size) {
    if (single)
      return y == 0 || y == 1
          ? null
          : "a class must be 0 or 1; code the two classes so, or use likelihood poisson for counts,"
              + " binomial for successes of several trials";
    if (!(size >= 1 && size <= LARGEST && size == Math.rint(size)))
      return "trials must be a whole number >= 1; correct the column of trials, or leave the row"
          + " out";
    if (!(y >= 0 && y == Math.rint(y)))
      return "successes must be a whole number >= 0; give how many of the trials succeeded, not"
          + " their share";
    return y <= size
        ? null
        : "successes must not exceed the trials; check that the target holds successes and the"
            + " column of trials all attempts";
  }

  @Override
  public double extra(double y, double size) {
    return single ? 0 : GammaFunction.logChoose(size, y);
  }

  @Override
  public double start(double y, double size) {
    return link.inverse((y + 0.5) / (size + 1));
  }

  @Override
  public double log(double y, double size, double extra, double f) {
    return (y > 0 ? y * link.log(f) : 0) + (size > y ? (size - y) * link.log(-f) : 0) + extra;
  }

  @Override
  public void at(double y, double size, double extra, double f, double[] out) {
    out[0] = log(y, size, extra, f);
    if (link == Link.LOGIT) {
      double p = logistic(f);
      double rest = logistic(-f);
      out[1] = y * rest - (size - y) * p;
      out[2] = size * p * rest;
      out[3] = out[2] * (rest - p);
      return;
    }
    out[1] = 0;
    out[2] = 0;
    out[3] = 0;
    if (y > 0) probit(y, f, 1, out);
    if (size > y) probit(size - y, -f, -1, out);
  }

  /// Adds `times` × the derivatives of `log Φ(z)`, z = f or −f. With r = φ/Φ they are r, −r (r + z)
  /// and so on. Far out, r + z comes from the continued fraction `r = −z + 1/(−z + 2/(−z + 3/…))`,
  /// which does not cancel.
  private static void probit(double times, double z, int sign, double[] out) {
    double r;
    double sum; // r + z
    double left; // 1 − r (r + z)
    if (z > FAR) {
      r = 1 / Gaussian.ratio(z);
      sum = r + z;
      left = 1 - r * sum;
    } else {
      double tail = -z;
      for (int k = TERMS; k > 2; k--) tail = -z + k / tail;
      double second = 2 / tail;
      double first = -z + second;
      sum = 1 / first;
      r = -z + sum;
      left = (second - sum) / first;
    }
    double curvature = r * sum;
    out[1] += sign * times * r;
    out[2] += times * curvature;
    out[3] += sign * times * (r * left - curvature * sum);
  }

  @Override
  public Optional<Link> probabilityLink() {
    return Optional.of(link);
  }

  @Override
  public boolean has(Of of) {
    return of != Of.RATE;
  }

  @Override
  public String toString() {
    return link == Link.LOGIT ? name() : name() + "(link=probit)";
  }

  @Override
  Law link() {
    return new ProbabilityLaw(link);
  }

  @Override
  double mean(double size, double m, double v) {
    return size * new ProbabilityLaw(link).mean(m, v);
  }

  @Override
  double variance(double size, double m, double v) {
    Law law = new ProbabilityLaw(link);
    double p = law.mean(m, v);
    double rest = law.mean(-m, v);
    return size * p * rest + (size > 1 ? size * (size - 1) * law.variance(m, v) : 0);
  }

  @Override
  double guess(double size, double m, double v, double z) {
    double p = link.probability(m + z * Math.sqrt(v));
    return size * p + z * Math.sqrt(size * p * (1 - p));
  }

  @Override
  double most(double size) {
    return size;
  }

  @Override
  double draw(double size, double f, RandomGenerator random) {
    return Draws.binomial(size, link.probability(f), random);
  }

  /// With the probit link, the edge where Φⁿ falls lies at about `√(2 log n)` and is steeper by
  /// that factor.
  @Override
  double strip(double size) {
    return link == Link.LOGIT ? 0.3 : 0.3 / Math.sqrt(1 + 2 * Math.log(size));
  }

  @Override
  DoubleUnaryOperator logOf(double y, double size, double extra) {
    if (link == Link.PROBIT || y == 0 || y == size) return super.logOf(y, size, extra);
    double rest = size - y;
    double centre = Math.log(y / rest);
    double constant = peak(y, rest) + Math.log(size / y / rest);
    return f -> logBeta(constant, y, rest, f - centre);
  }

  @Override
  DoubleUnaryOperator threshold(double y, double size, double[] shape) {
    double a = y + 1;
    double b = size - y;
    double p = a / (a + b);
    double centre = link.inverse(p);
    shape[0] = centre;
    double constant = peak(a, b);
    if (link == Link.LOGIT) {
      shape[1] = 1 / Math.sqrt(a * b / (a + b));
      return d -> logBeta(constant, a, b, d);
    }
    shape[1] = Math.sqrt(p * (1 - p) / (a + b)) / Gaussian.density(centre);
    double logs = constant - a * Math.log(p) - b * Math.log1p(-p);
    return d ->
        logs
            + y * Gaussian.logCdf(centre + d)
            + (b - 1) * Gaussian.logCdf(-centre - d)
            + Gaussian.logDensity(centre + d, 0, 1);
  }
}
