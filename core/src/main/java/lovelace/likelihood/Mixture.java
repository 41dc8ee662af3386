package lovelace.likelihood;

import java.util.function.DoubleUnaryOperator;
import lovelace.linear.Gaussian;

/// Integrates the law of an observation over a Gaussian f of mean m and variance v, for likelihoods
/// whose logarithm is concave in f.
///
/// Both integrals use the trapezoidal rule, which converges exponentially for decaying functions
/// that are analytic in a strip about the real axis. With steps of 0.6 of the narrowest width, and
/// at most 0.3, the error is about 1e-14. The sum starts at the peak and goes out on either side
/// until terms no longer count, so it is as accurate far out in the tails.
final class Mixture {

  /// Terms whose logarithm is this much below the largest do not count.
  private static final double NEGLIGIBLE = 38;

  /// Deviations beyond which Φ is 0 or 1.
  private static final double REACH = 9;

  private Mixture() {}

  /// `log ∫ p(y | f) N(f; m, v) df`.
  static double logDensity(Concave likelihood, double y, double size, double m, double v) {
    double extra = likelihood.extra(y, size);
    DoubleUnaryOperator log = likelihood.logOf(y, size, extra);
    if (v == 0) return log.applyAsDouble(m);
    double[] at = new double[4];
    double mode = mode(likelihood, y, size, extra, m, v, at); // mode minus m
    likelihood.at(y, size, extra, m + mode, at);
    double width = 1 / Math.sqrt(at[2] + 1 / v);
    double step = Math.min(0.6 * width, likelihood.strip(size));
    double top = log.applyAsDouble(m + mode) - 0.5 * mode * mode / v;
    if (!(top > Double.NEGATIVE_INFINITY)) return Double.NEGATIVE_INFINITY;
    if (step < 1e-12 * Math.abs(mode)
        || top < -1e12) // no digits are left for a sum: use the peak alone
    return top + Math.log(width) - 0.5 * Math.log(v);
    double sum = 1;
    for (int side = -1; side <= 1; side += 2)
      for (int k = 1; ; k++) {
        double u = mode + side * k * step;
        double term = log.applyAsDouble(m + u) - 0.5 * u * u / v - top;
        if (!(term > -NEGLIGIBLE)) break;
        sum += Math.exp(term);
      }
    return top + Math.log(sum * step) - 0.5 * Math.log(2 * Math.PI * v);
  }

  /// The u that maximises `log p(y | m + u) − u²/2v`, to a tenth of its width, by Newton's steps
  /// within a bracket. The function is concave, so its slope at u = 0 bounds the distance.
  private static double mode(
      Concave likelihood, double y, double size, double extra, double m, double v, double[] at) {
    likelihood.at(y, size, extra, m, at);
    double farthest = 2 * Math.abs(m) + 2000; // logarithms of sizes and counts are below 750
    double reach = Math.clamp(v * at[1], -farthest, farthest);
    double low = Math.min(0, reach);
    double high = Math.max(0, reach);
    double u = 0;
    for (int i = 0; i < 200; i++) {
      double slope = at[1] - u / v;
      if (slope > 0) low = u;
      else high = u;
      double curvature = at[2] + 1 / v;
      double next = u + slope / curvature;
      // far out on an exponential, all Newton steps have the same length
      if (!(next >= low && next <= high) || i % 3 == 2) next = 0.5 * (low + high);
      double change = Math.abs(next - u) * Math.sqrt(curvature);
      u = next;
      if (change < 0.1) break;
      likelihood.at(y, size, extra, m + u, at);
    }
    return u;
  }

  /// `P(Y ≤ y)`. Given f it falls as f grows, so it is `P(F ≥ f)` for a variable F, whose density t
  /// the likelihood knows. Averaged over f it is `∫ t(u) Φ((u − m)/sd) du`.
  static double cumulative(Concave likelihood, double y, double size, double m, double v) {
    double[] shape = new double[2];
    DoubleUnaryOperator log = likelihood.threshold(y, size, shape);
    double sd = Math.sqrt(v);
    double found =
        sd >= 0.5 * Math.min(shape[1], 1)
            ? wide(log, shape[1], likelihood.strip(size), m - shape[0], sd)
            : narrow(log, shape[1], m - shape[0], sd);
    return Math.clamp(found, 0, 1);
  }

  /// Uses the trapezoidal rule over t, whose peak is at 0. If its upper tail is exponential, the
  /// rest is a geometric series.
  private static double wide(
      DoubleUnaryOperator log, double width, double strip, double m, double sd) {
    double step = Math.min(Math.min(0.6 * width, strip), 0.6 * sd);
    double sum = Math.exp(log.applyAsDouble(0)) * Gaussian.cdf(-m / sd);
    for (int k = 1; ; k++) {
      double u = -k * step;
      double z = (u - m) / sd;
      double term = log.applyAsDouble(u);
      if (!(term > -NEGLIGIBLE) || z < -REACH) break;
      sum += Math.exp(term) * Gaussian.cdf(z);
    }
    double before = log.applyAsDouble(0);
    double fall = 0;
    for (int k = 1; ; k++) {
      double u = k * step;
      double z = (u - m) / sd;
      double term = log.applyAsDouble(u);
      if (!(term > -NEGLIGIBLE)) break;
      double value = Math.exp(term);
      double now = before - term;
      if (z > REACH && straight(fall, now)) {
        sum += value / -Math.expm1(-now);
        break;
      }
      sum += z > REACH ? value : value * Gaussian.cdf(z);
      before = term;
      fall = now;
    }
    return sum * step;
  }

  /// Whether a tail is exponential: two successive falls of its logarithm are equal up to rounding.
  private static boolean straight(double before, double now) {
    return now > 1e-5 && Math.abs(now - before) < 1e-12 * now + 1e-14;
  }

  /// `∫_m^∞ t + ∫_0^∞ (t(m − s) − t(m + s)) Φ(−s/sd) ds` by Gauss's rule on panels, for f much
  /// narrower than t.
  private static double narrow(DoubleUnaryOperator log, double width, double m, double sd) {
    double panel = Math.min(width, 1);
    int side = m > 0 ? 1 : -1;
    double tail = 0;
    double from = m;
    while (true) {
      double before = log.applyAsDouble(from);
      if (!(before > -NEGLIGIBLE)) break;
      double part = 0;
      for (int k = 0; k < Legendre.NODES.length; k++)
        part +=
            Legendre.WEIGHTS[k]
                * Math.exp(log.applyAsDouble(from + side * panel * Legendre.NODES[k]));
      tail += part * panel;
      double middle = log.applyAsDouble(from + 0.5 * side * panel);
      from += side * panel;
      double after = log.applyAsDouble(from);
      double first = before - middle;
      double second = middle - after;
      if (straight(first, second)) {
        tail += Math.exp(after) * 0.5 * panel / second; // exponential from here on
        break;
      }
    }
    double correction = 0;
    double reach = REACH * sd / 2;
    for (int half = 0; half < 2; half++)
      for (int k = 0; k < Legendre.NODES.length; k++) {
        double s = reach * (half + Legendre.NODES[k]);
        double change = Math.exp(log.applyAsDouble(m - s)) - Math.exp(log.applyAsDouble(m + s));
        correction += Legendre.WEIGHTS[k] * reach * change * Gaussian.cdf(-s / sd);
      }
    return (side > 0 ? tail : 1 - tail) + (sd > 0 ? correction : 0);
  }
}
