package lovelace.kernel;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A named parameter: its values in the user's units, its bounds, an optional prior, and whether a
/// fit may change it. Immutable. A positive parameter is optimised on the log scale. NaN means
/// unset.
public final class Parameter {

  /// The role of a parameter in its kernel or model.
  public enum Role {
    /// A length along an input column over which the function varies.
    LENGTHSCALE,
    /// A period along an input column.
    PERIOD,
    /// A variance in front of a kernel.
    OUTPUTSCALE,
    /// The variance of a kernel that has its own amplitude.
    VARIANCE,
    /// The variance of a component of a spectral mixture.
    WEIGHT,
    /// The frequency of a component of a spectral mixture.
    FREQUENCY,
    /// The width in frequency of a component of a spectral mixture.
    BANDWIDTH,
    /// The noise variance.
    NOISE,
    /// A coefficient of the prior mean.
    MEAN,
    /// Anything else.
    OTHER
  }

  static final double TINY = 1e-100;
  private static final double HUGE = 1e100;

  private final Role role;
  private final String path;
  private final double[] values;
  private final boolean positive;
  private final double lower;
  private final double upper;
  private final @Nullable Prior prior;
  private final boolean fixed;

  private Parameter(
      Role role,
      String path,
      double[] values,
      boolean positive,
      double lower,
      double upper,
      @Nullable Prior prior,
      boolean fixed) {
    if (!(lower < upper) || (positive && !(lower > 0)))
      throw new IllegalArgumentException(
          "bounds of %s must have %slower < upper, got %s and %s"
              .formatted(path, positive ? "0 < " : "", lower, upper));
    for (double v : values)
      if ((positive && v <= 0 && !isNone(role, v)) || Double.isInfinite(v))
        throw new IllegalArgumentException(
            path + " must be " + (positive ? "> 0 and " : "") + "finite, got " + v);
      else if (isNone(role, v) && !fixed)
        throw new IllegalArgumentException(
            "a noise of 0 cannot be learned; fix it, or start from a value > 0");
    this.role = role;
    this.path = path;
    this.values = values;
    this.positive = positive;
    this.lower = lower;
    this.upper = upper;
    this.prior = prior;
    this.fixed = fixed;
  }

  /// Whether the value means that there is no noise. It is then fixed, since learning works on
  /// logarithms.
  private static boolean isNone(Role role, double value) {
    return role == Role.NOISE && value == 0;
  }

  /// A positive parameter whose bounds only prevent overflow. A noise of 0 is fixed.
  static Parameter positive(Role role, String path, double... values) {
    boolean none = values.length == 1 && isNone(role, values[0]);
    return new Parameter(role, path, values.clone(), true, TINY, HUGE, null, none);
  }

  /// An unbounded parameter of any sign.
  static Parameter real(Role role, String path, double... values) {
    return new Parameter(
        role,
        path,
        values.clone(),
        false,
        Double.NEGATIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        null,
        false);
  }

  /// Returns this parameter under another name.
  Parameter named(String other) {
    return new Parameter(role, other, values, positive, lower, upper, prior, fixed);
  }

  /// The role of the parameter.
  public Role role() {
    return role;
  }

  /// The name of the parameter in a composed kernel, such as `rbf.lengthscale`.
  public String path() {
    return path;
  }

  /// The values, in a new array.
  public double[] values() {
    return values.clone();
  }

  /// The number of values.
  public int size() {
    return values.length;
  }

  /// Whether the parameter must be > 0 and is optimised on the log scale.
  public boolean positive() {
    return positive;
  }

  /// The smallest value that a fit may choose.
  public double lower() {
    return lower;
  }

  /// The largest value that a fit may choose.
  public double upper() {
    return upper;
  }

  /// The prior of each value, if there is one.
  public Optional<Prior> prior() {
    return Optional.ofNullable(prior);
  }

  /// Whether a fit leaves the parameter alone.
  public boolean fixed() {
    return fixed;
  }

  /// Whether all values are set.
  public boolean isSet() {
    return Arrays.stream(values).noneMatch(Double::isNaN);
  }

  /// Returns this parameter with other values. A single value is used for all.
  public Parameter withValues(double... given) {
    if (given.length != values.length && given.length != 1)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s has %d %s, got %d: %s",
              path,
              values.length,
              values.length == 1 ? "value" : "values (or give one for all)",
              given.length,
              Arrays.toString(given)));
    double[] next = given.clone();
    if (given.length != values.length) {
      next = new double[values.length];
      Arrays.fill(next, given[0]);
    }
    boolean none = next.length == 1 && isNone(role, next[0]);
    return new Parameter(role, path, next, positive, lower, upper, prior, fixed || none);
  }

  /// Returns this parameter with other bounds.
  public Parameter withBounds(double lower, double upper) {
    return new Parameter(role, path, values, positive, lower, upper, prior, fixed);
  }

  /// Returns this parameter with a prior.
  public Parameter withPrior(Prior prior) {
    return new Parameter(role, path, values, positive, lower, upper, prior, fixed);
  }

  /// Returns this parameter without a prior.
  public Parameter withoutPrior() {
    return new Parameter(role, path, values, positive, lower, upper, null, fixed);
  }

  /// Returns this parameter fixed or free.
  public Parameter withFixed(boolean fixed) {
    return new Parameter(role, path, values, positive, lower, upper, prior, fixed);
  }

  /// Returns this parameter with bounds widened to contain its values: a value that the user gives
  /// overrides a default bound.
  Parameter widened() {
    double lo = lower;
    double hi = upper;
    for (double v : values) {
      if (v < lo && !isNone(role, v)) lo = v;
      if (v > hi) hi = v;
    }
    return withBounds(lo, hi);
  }

  double[] raw() {
    return values;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Parameter that
        && role == that.role
        && path.equals(that.path)
        && Arrays.equals(values, that.values)
        && positive == that.positive
        && lower == that.lower
        && upper == that.upper
        && Objects.equals(prior, that.prior)
        && fixed == that.fixed;
  }

  @Override
  public int hashCode() {
    return 31 * path.hashCode() + Arrays.hashCode(values);
  }

  /// For example `rbf.lengthscale = 0.5, 0.4`.
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(path).append(" = ");
    for (int i = 0; i < values.length; i++)
      text.append(i == 0 ? "" : ", ").append(Double.isNaN(values[i]) ? "unset" : values[i]);
    return text.append(fixed ? " (fixed)" : "").toString();
  }

  /// A prior density for each value of a parameter, on its natural scale. A maximum a posteriori
  /// fit maximises likelihood × density in natural units, whatever scale the optimiser uses. There
  /// is no Jacobian.
  public sealed interface Prior {

    /// `log p(x)`; −∞ outside the support.
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

      /// Stirling's series (Abramowitz and Stegun 6.1.41), after shifting z above 12. Its error is
      /// below 1e-15.
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
}
