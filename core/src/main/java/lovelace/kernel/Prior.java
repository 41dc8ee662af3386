package lovelace.kernel;

/// A prior density of a parameter's value on its natural scale, for each value of the parameter. A
/// maximum a posteriori fit maximises likelihood × density in natural units, whatever the scale the
/// optimiser walks on: no Jacobian enters.
public sealed interface Prior {

  /// `log p(x)`, −∞ outside the support.
  double logDensity(double x);

  /// `d log p(x)/dx`.
  double derivative(double x);

  /// `log x ~ N(location, scale²)`.
  static Prior logNormal(double location, double scale) {
    return new LogNormal(location, scale);
  }

  /// `p(x) ∝ x^{shape−1} exp(−rate·x)`.
  static Prior gamma(double shape, double rate) {
    return new Gamma(shape, rate);
  }

  /// `x ~ N(mean, deviation²)`.
  static Prior normal(double mean, double deviation) {
    return new Normal(mean, deviation);
  }

  /// See [#logNormal].
  record LogNormal(double location, double scale) implements Prior {
    public LogNormal {
      requireFinite("location", location);
      requirePositive("scale", scale);
    }

    @Override
    public double logDensity(double x) {
      if (!(x > 0)) return Double.NEGATIVE_INFINITY;
      double z = (Math.log(x) - location) / scale;
      return -0.5 * z * z - Math.log(x * scale) - 0.5 * Math.log(2 * Math.PI);
    }

    @Override
    public double derivative(double x) {
      return -((Math.log(x) - location) / (scale * scale) + 1) / x;
    }
  }

  /// See [#gamma].
  record Gamma(double shape, double rate) implements Prior {
    public Gamma {
      requirePositive("shape", shape);
      requirePositive("rate", rate);
    }

    @Override
    public double logDensity(double x) {
      if (!(x > 0)) return Double.NEGATIVE_INFINITY;
      return shape * Math.log(rate) - logGamma(shape) + (shape - 1) * Math.log(x) - rate * x;
    }

    @Override
    public double derivative(double x) {
      return (shape - 1) / x - rate;
    }

    /// Stirling's series (Abramowitz and Stegun 6.1.41) after shifting z above 12: error below
    /// 1e-15.
    private static double logGamma(double z) {
      double shift = 0;
      for (; z < 12; z++) shift += Math.log(z);
      double w = 1 / (z * z);
      double series =
          (1.0 / 12 - w * (1.0 / 360 - w * (1.0 / 1260 - w * (1.0 / 1680 - w / 1188)))) / z;
      return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift;
    }
  }

  /// See [#normal].
  record Normal(double mean, double deviation) implements Prior {
    public Normal {
      requireFinite("mean", mean);
      requirePositive("deviation", deviation);
    }

    @Override
    public double logDensity(double x) {
      double z = (x - mean) / deviation;
      return -0.5 * z * z - Math.log(deviation) - 0.5 * Math.log(2 * Math.PI);
    }

    @Override
    public double derivative(double x) {
      return -(x - mean) / (deviation * deviation);
    }
  }

  private static void requirePositive(String name, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY))
      throw new IllegalArgumentException(name + " of a prior must be > 0, got " + value);
  }

  private static void requireFinite(String name, double value) {
    if (!(Math.abs(value) < Double.POSITIVE_INFINITY))
      throw new IllegalArgumentException(name + " of a prior must be finite, got " + value);
  }
}
