package lovelace.likelihood;

import lovelace.linear.GammaFunction;

/// Poisson counts: `log p = y f − e exp(f) + y log e − log y!`, of which the last two are the
/// extra.
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
}
