package lovelace.likelihood;

import java.util.function.DoubleUnaryOperator;
import lovelace.linear.GammaFunction;

/// Poisson counts: `log p = y f − e exp(f) + y log e − log y!`. The extra is the last two terms.
final class Poisson extends Counts {

  @Override
  public String name() {
    return "poisson";
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
  public double extra(double y, double size) {
    return y * Math.log(size) - GammaFunction.log(y + 1);
  }

  @Override
  public double log(double y, double size, double extra, double f) {
    return y * f - size * Math.exp(f) + extra;
  }

  @Override
  public void at(double y, double size, double extra, double f, double[] out) {
    double mean = size * Math.exp(f);
    out[0] = y * f - mean + extra;
    out[1] = y - mean;
    out[2] = mean;
    out[3] = mean;
  }

  @Override
  double dispersion() {
    return 0;
  }

  @Override
  DoubleUnaryOperator logOf(double y, double size, double extra) {
    if (y == 0) return f -> -size * Math.exp(f);
    double centre = Math.log(y / size);
    double constant = GammaFunction.entropy(y) - Math.log(y);
    return f -> logGamma(constant, y, f - centre);
  }

  @Override
  DoubleUnaryOperator threshold(double y, double size, double[] shape) {
    double k = y + 1;
    double constant = GammaFunction.entropy(k);
    shape[0] = Math.log(k / size);
    shape[1] = 1 / Math.sqrt(k);
    return d -> logGamma(constant, k, d);
  }
}
