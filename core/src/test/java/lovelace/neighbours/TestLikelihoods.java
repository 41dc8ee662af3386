package lovelace.neighbours;

import java.util.List;
import lovelace.likelihood.Likelihood;

/// Likelihoods written out for tests.
final class TestLikelihoods {

  static final Likelihood POISSON = new Poisson();
  static final Likelihood BERNOULLI = new Bernoulli();

  private TestLikelihoods() {}

  static Likelihood gamma(double shape) {
    return new Gamma(shape);
  }

  private abstract static class Plain extends Likelihood {
    @Override
    public String name() {
      return getClass().getSimpleName();
    }

    @Override
    public Size size() {
      return Size.WEIGHT;
    }

    @Override
    public double start(double y, double size) {
      return 0;
    }

    @Override
    public double log(double y, double size, double extra, double f) {
      double[] out = new double[4];
      at(y, size, extra, f, out);
      return out[0];
    }

    @Override
    public Law law(Of of, double size) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class Poisson extends Plain {
    @Override
    public boolean adds() {
      return true;
    }

    @Override
    public double extra(double y, double size) {
      return y * Math.log(size) - logGamma(y + 1);
    }

    @Override
    public void at(double y, double size, double extra, double f, double[] out) {
      double rate = size * Math.exp(f);
      out[0] = y * f - rate + extra;
      out[1] = y - rate;
      out[2] = rate;
      out[3] = rate;
    }
  }

  private static final class Bernoulli extends Plain {
    @Override
    public void at(double y, double size, double extra, double f, double[] out) {
      double p = 1 / (1 + Math.exp(-f));
      out[0] = y > 0 ? -Math.log1p(Math.exp(-f)) : -Math.log1p(Math.exp(f));
      out[1] = y - p;
      out[2] = p * (1 - p);
      out[3] = p * (1 - p) * (1 - 2 * p);
    }
  }

  /// Mean exp(f).
  private static final class Gamma extends Plain {
    private final double shape;

    Gamma(double shape) {
      this.shape = shape;
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
    public Likelihood with(double... values) {
      return new Gamma(values[0]);
    }

    @Override
    public void at(double y, double size, double extra, double f, double[] out) {
      double ratio = y * Math.exp(-f);
      out[0] =
          shape * (Math.log(shape) - f - ratio) + (shape - 1) * Math.log(y) - logGamma(shape);
      out[1] = shape * (ratio - 1);
      out[2] = shape * ratio;
      out[3] = -shape * ratio;
    }

    @Override
    public void parameters(double y, double size, double extra, double f, double[] out) {
      double ratio = y * Math.exp(-f);
      double digamma = (logGamma(shape + 1e-4) - logGamma(shape - 1e-4)) / 2e-4;
      out[0] = Math.log(shape) + 1 - f - ratio + Math.log(y) - digamma;
      out[1] = ratio - 1;
      out[2] = ratio;
    }
  }

  /// By Stirling's series from x + 12 on.
  private static double logGamma(double x) {
    double shift = 0;
    for (int i = 0; i < 12; i++) shift += Math.log(x + i);
    double z = x + 12;
    double series = 1 / (12 * z) - 1 / (360 * Math.pow(z, 3)) + 1 / (1260 * Math.pow(z, 5));
    return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift;
  }
}
