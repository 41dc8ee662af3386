package lovelace.likelihood;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import lovelace.linear.GammaFunction;
import org.jspecify.annotations.Nullable;

/// Positive amounts with mean `exp(f)` and variance mean²/k, where k is the parameter `shape`. For
/// n rows added up, let Y be the sum of the values and E the sum of their logarithms (the extra).
/// Then `log p = k (n + E − n f − Y exp(−f)) + n (k log k − k − log Γ(k)) − E`.
final class Gamma extends Concave {

  private final double shape;
  private final double constant;

  Gamma(double shape) {
    this.shape = shape;
    this.constant = GammaFunction.entropy(shape);
  }

  @Override
  public String name() {
    return "gamma";
  }

  @Override
  public Size size() {
    return Size.NONE;
  }

  @Override
  public List<String> parameterNames() {
    return List.of("shape");
  }

  @Override
  public double[] values() {
    return new double[] {shape};
  }

  @Override
  public double[] bounds(int parameter) {
    return new double[] {1e-3, 1e6};
  }

  @Override
  public double[] startValues(double variance) {
    return new double[] {Math.clamp(2 / variance, 0.5, 100)};
  }

  @Override
  Likelihood made(double[] values) {
    return new Gamma(values[0]);
  }

  @Override
  public boolean adds() {
    return true;
  }

  @Override
  public @Nullable String refusal(double y, double size) {
    if (y > 0 && y < Double.POSITIVE_INFINITY) return null;
    return Double.isFinite(y)
        ? "an amount must be > 0; leave the row out, or use likelihood gaussian"
        : NOT_FINITE;
  }

  @Override
  public double extra(double y, double size) {
    return Math.log(y);
  }

  @Override
  public double start(double y, double size) {
    return Math.log(y / size);
  }

  @Override
  public double log(double y, double size, double extra, double f) {
    return shape * fit(y, size, extra, f) + size * constant - extra;
  }

  private static double fit(double y, double size, double extra, double f) {
    return size * (1 - f) + extra - y * Math.exp(-f);
  }

  @Override
  public void at(double y, double size, double extra, double f, double[] out) {
    double scaled = y * Math.exp(-f);
    out[0] = log(y, size, extra, f);
    out[1] = shape * (scaled - size);
    out[2] = shape * scaled;
    out[3] = -out[2];
  }

  @Override
  public void parameters(double y, double size, double extra, double f, double[] out) {
    double scaled = y * Math.exp(-f);
    out[0] = fit(y, size, extra, f) + size * GammaFunction.logMinusDigamma(shape);
    out[1] = scaled - size;
    out[2] = scaled;
  }

  @Override
  public boolean has(Of of) {
    return of != Of.PROBABILITY;
  }

  @Override
  Law link() {
    return new RateLaw();
  }

  @Override
  boolean whole() {
    return false;
  }

  @Override
  double mean(double size, double m, double v) {
    return RateLaw.logNormalMean(m, v);
  }

  @Override
  double variance(double size, double m, double v) {
    return RateLaw.logNormalVariance(m, v) + Math.exp(2 * (m + v)) / shape;
  }

  @Override
  double guess(double size, double m, double v, double z) {
    return Math.exp(m + z * Math.sqrt(v + 1 / shape));
  }

  @Override
  double draw(double size, double f, RandomGenerator random) {
    return Math.exp(f + Math.log(Draws.gamma(shape, random) / shape));
  }

  @Override
  DoubleUnaryOperator logOf(double y, double size, double extra) {
    double centre = Math.log(y);
    double logs = constant - centre;
    return f -> logGamma(logs, shape, centre - f);
  }

  @Override
  DoubleUnaryOperator threshold(double y, double size, double[] out) {
    out[0] = Math.log(y);
    out[1] = 1 / Math.sqrt(shape);
    return d -> logGamma(constant, shape, -d);
  }
}
