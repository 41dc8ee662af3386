package lovelace.likelihood;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import lovelace.linear.GammaFunction;

/// Counts that vary more than Poisson counts: mean `μ = e exp(f)` and variance `μ + a μ²`, where a
/// is the parameter `dispersion`. With η = log(a μ) and p = 1/(1 + exp(−η)), `log p(y) = Σ_{k<y}
/// log(1 + k a) + y log μ − (y + 1/a) log(1 + a μ) − log y!`. This becomes Poisson as a → 0.
final class NegativeBinomial extends Counts {

  private final double dispersion;
  private final double logDispersion;

  NegativeBinomial(double dispersion) {
    this.dispersion = dispersion;
    this.logDispersion = Math.log(dispersion);
  }

  @Override
  public String name() {
    return "negative-binomial";
  }

  @Override
  public List<String> parameterNames() {
    return List.of("dispersion");
  }

  @Override
  public double[] values() {
    return new double[] {dispersion};
  }

  @Override
  public double[] bounds(int parameter) {
    return new double[] {1e-6, 1e3};
  }

  @Override
  public double[] startValues(double variance) {
    return new double[] {Math.clamp(0.25 * variance, 0.01, 1)};
  }

  @Override
  Likelihood made(double[] values) {
    return new NegativeBinomial(values[0]);
  }

  @Override
  public double extra(double y, double size) {
    return y * Math.log(size) - GammaFunction.log(y + 1);
  }

  @Override
  public double log(double y, double size, double extra, double f) {
    return logAt(y, extra, f, Math.log(size) + f + logDispersion);
  }

  private double logAt(double y, double extra, double f, double eta) {
    return GammaFunction.logRising(y, dispersion)
        + y * f
        - (y + 1 / dispersion) * Binomial.softplus(eta)
        + extra;
  }

  @Override
  public void at(double y, double size, double extra, double f, double[] out) {
    double eta = Math.log(size) + f + logDispersion;
    double p = Binomial.logistic(eta);
    double rest = Binomial.logistic(-eta);
    double saturated = p / dispersion; // μ/(1 + aμ)
    out[0] = logAt(y, extra, f, eta);
    out[1] = y * rest - saturated;
    out[2] = (1 + dispersion * y) * saturated * rest;
    out[3] = out[2] * (rest - p);
  }

  @Override
  public void parameters(double y, double size, double extra, double f, double[] out) {
    double a = dispersion;
    double eta = Math.log(size) + f + logDispersion;
    double p = Binomial.logistic(eta);
    double rest = Binomial.logistic(-eta);
    double saturated = p / a;
    double curvature = (1 + a * y) * saturated * rest;
    out[0] =
        GammaFunction.logRisingSlope(y, a)
            - y * saturated
            + (p < 0.1 ? small(p) / (a * a) : (Binomial.softplus(eta) - p) / (a * a));
    out[1] = -saturated * (y * rest - saturated);
    out[2] = saturated * (rest * y - 2 * curvature);
  }

  /// `−log(1 − p) − p` by its series `p²/2 + p³/3 + …`, for p < 0.1.
  private static double small(double p) {
    return -GammaFunction.log1pMinus(-p);
  }

  @Override
  double dispersion() {
    return dispersion;
  }

  @Override
  DoubleUnaryOperator logOf(double y, double size, double extra) {
    double r = 1 / dispersion;
    if (y == 0) {
      double shift = Math.log(size) + logDispersion;
      return f -> -r * Binomial.softplus(f + shift);
    }
    double centre = Math.log(y / size);
    double constant = peak(y, r) - Math.log(y);
    return f -> logBeta(constant, y, r, f - centre);
  }

  @Override
  DoubleUnaryOperator threshold(double y, double size, double[] shape) {
    double k = y + 1;
    double r = 1 / dispersion;
    double constant = peak(k, r);
    shape[0] = Math.log(k / size);
    shape[1] = Math.sqrt(1 / k + dispersion);
    return d -> logBeta(constant, k, r, d);
  }
}
