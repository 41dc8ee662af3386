package lovelace.kernel;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The mean of the process before it sees data: `Σ coefficient × basis function`. The basis is
/// empty (zero), 1 (constant), or 1, x₁, …, x_d (linear). Immutable.
public final class PriorMean {

  /// The basis functions of a mean.
  public enum Kind {
    ZERO,
    CONSTANT,
    LINEAR
  }

  /// A mean of zero, without coefficients.
  public static final PriorMean ZERO = new PriorMean(Kind.ZERO);

  private final Kind kind;
  private final double[] coefficients;

  private PriorMean(Kind kind, double... coefficients) {
    for (double c : coefficients)
      if (Double.isInfinite(c))
        throw new IllegalArgumentException("mean coefficients must be finite, got " + c);
    this.kind = kind;
    this.coefficients = coefficients;
  }

  /// A constant that is not set yet.
  public static PriorMean constant() {
    return constant(Double.NaN);
  }

  /// The constant `value`.
  public static PriorMean constant(double value) {
    return new PriorMean(Kind.CONSTANT, value);
  }

  /// `intercept + Σᵢ slopeᵢ xᵢ`.
  public static PriorMean linear(double intercept, double... slopes) {
    if (slopes.length == 0)
      throw new IllegalArgumentException("a linear mean has one slope per column, got none");
    double[] all = new double[slopes.length + 1];
    all[0] = intercept;
    System.arraycopy(slopes, 0, all, 1, slopes.length);
    return new PriorMean(Kind.LINEAR, all);
  }

  /// Returns the mean called `zero`, `constant` or `linear` for d columns, with unset coefficients.
  public static PriorMean named(String name, int dimensions) {
    double[] unset = new double[dimensions];
    Arrays.fill(unset, Double.NaN);
    return switch (name) {
      case "zero" -> ZERO;
      case "constant" -> constant();
      case "linear" -> linear(Double.NaN, unset);
      default ->
          throw new IllegalArgumentException(
              "mean must be zero, constant or linear, got '" + name + "'");
    };
  }

  /// The basis functions of this mean.
  public Kind kind() {
    return kind;
  }

  /// The number of coefficients: 0, 1 or 1 + d.
  public int size() {
    return coefficients.length;
  }

  /// The coefficients in the order of the basis, in a new array.
  public double[] coefficients() {
    return coefficients.clone();
  }

  /// Returns this mean with other coefficients.
  public PriorMean with(double[] coefficients) {
    if (coefficients.length != size())
      throw new IllegalArgumentException(
          this + " mean has " + size() + " coefficients, got " + coefficients.length);
    return new PriorMean(kind, coefficients.clone());
  }

  /// Returns the mean at the point at offset xo.
  public double at(double[] x, int xo) {
    double mean = size() == 0 ? 0 : coefficients[0];
    for (int i = 1; i < coefficients.length; i++) mean += coefficients[i] * x[xo + i - 1];
    return mean;
  }

  /// Returns the derivative of the mean with respect to a column, counted from 0.
  public double slope(int column) {
    return kind == Kind.LINEAR ? coefficients[1 + column] : 0;
  }

  /// Writes the [#size] basis functions at the point at offset xo to out from offset oo.
  public void basis(double[] x, int xo, double[] out, int oo) {
    if (size() == 0) return;
    out[oo] = 1;
    System.arraycopy(x, xo, out, oo + 1, size() - 1);
  }

  /// `mean` (the constant or intercept) and `slope`.
  List<Parameter> parameters() {
    return switch (kind) {
      case ZERO -> List.of();
      case CONSTANT -> List.of(Parameter.real(Parameter.Role.MEAN, "mean", coefficients));
      case LINEAR ->
          List.of(
              Parameter.real(Parameter.Role.MEAN, "mean", coefficients[0]),
              Parameter.real(
                  Parameter.Role.MEAN,
                  "slope",
                  Arrays.copyOfRange(coefficients, 1, coefficients.length)));
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PriorMean that
        && kind == that.kind
        && Arrays.equals(coefficients, that.coefficients);
  }

  @Override
  public int hashCode() {
    return 31 * kind.hashCode() + Arrays.hashCode(coefficients);
  }

  @Override
  public String toString() {
    return switch (kind) {
      case ZERO -> "zero";
      case CONSTANT -> "constant";
      case LINEAR -> "linear";
    };
  }
}
