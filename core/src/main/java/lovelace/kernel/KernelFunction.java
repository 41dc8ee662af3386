package lovelace.kernel;

import java.util.List;
import java.util.Optional;

/// The formula of a kernel of your own. This is the only way to extend the sealed family of
/// kernels.
///
/// Implement [Stationary], or [General] if k does not depend on distances alone. Make a kernel of
/// it with [Kernel#of(KernelFunction, double...)]. The library supplies columns, sums, products,
/// output scales, starting values, bounds, priors, matrices, learning and the text form `name(p=…,
/// q=…)`.
///
/// ```java
/// /// `exp(−r) cos(2πr)`, `r² = Σᵢ τᵢ²/ℓᵢ²`.
/// final class Ripple implements KernelFunction.Stationary {
///   public String name() { return "ripple"; }
///   public List<Slot> parameters() { return List.of(Slot.lengthscale()); }
///   public double value(double[] distance, double[][] p) {
///     double s = 0;
///     for (int i = 0; i < distance.length; i++) s += Math.pow(distance[i] / p[0][i], 2);
///     return Math.exp(-Math.sqrt(s)) * Math.cos(2 * Math.PI * Math.sqrt(s));
///   }
/// }
/// ```
///
/// A function has no state: its name and parameters define it, so that text and model files can
/// name it. It is called from several threads at once and must not modify its arguments. It must be
/// positive definite; if it is not, a factorisation fails and says so.
///
/// Reading the text or a model file requires the class. [Kernel#parse(String, KernelFunction...)]
/// and `Model.load` take functions as arguments. They also find functions that are registered as
/// services in jars on the class path: by a line with the name of the class in
/// `META-INF/services/lovelace.kernel.KernelFunction`, or by `provides` in a module.
public sealed interface KernelFunction {

  /// The name in the text form: lower-case letters and digits, beginning with a letter. It must not
  /// be a name of the library's own kernels.
  String name();

  /// The parameters, in the order in which `p` holds their values.
  List<Slot> parameters();

  /// A function of the distances `|xᵢ − x′ᵢ|` along the columns that the kernel reads. It works
  /// with every engine except markov.
  non-sealed interface Stationary extends KernelFunction {

    /// Returns k at the distances, one per column read. `p[s]` holds the values of parameter s:
    /// one, or one per column read.
    double value(double[] distance, double[][] p);

    /// The derivatives in the parameters. If there are none (the default), the library uses central
    /// differences of fourth order, which need four values for each parameter. A note of the model
    /// says so.
    default Optional<Derivatives> derivatives() {
      return Optional.empty();
    }
  }

  /// A symmetric function of two points. It works with the exact engine. On a lattice of up to
  /// 12,000 points it also works with the engines krylov and dense, which then use dense matrices.
  non-sealed interface General extends KernelFunction {

    /// Returns `k(x, y)`, where x and y hold the columns that the kernel reads. `p[s]` holds the
    /// values of parameter s: one, or one per column read.
    double value(double[] x, double[] y, double[][] p);

    /// As [Stationary#derivatives].
    default Optional<PairDerivatives> derivatives() {
      return Optional.empty();
    }
  }

  /// The derivatives of a [Stationary] function in its parameters.
  @FunctionalInterface
  interface Derivatives {
    /// Writes `∂k/∂p[s][i]` at the distances to `g[s][i]`, which holds zeros.
    void at(double[] distance, double[][] p, double[][] g);
  }

  /// The derivatives of a [General] function in its parameters.
  @FunctionalInterface
  interface PairDerivatives {
    /// Writes `∂k(x, y)/∂p[s][i]` to `g[s][i]`, which holds zeros.
    void at(double[] x, double[] y, double[][] p, double[][] g);
  }

  /// A parameter as a kernel declares it: its name, the number of its values, its starting value
  /// and its bounds. Immutable.
  ///
  /// ```java
  /// List.of(Slot.lengthscale(), Slot.positive("gamma", 1).within(0.1, 2))
  /// ```
  final class Slot {

    private final String name;
    private final Parameter.Role role;
    private final boolean perComponent;
    private final boolean perColumn;
    private final boolean positive;
    private final double start; // of learning, if the role gives none
    private final double fallback; // used if the text gives no value; a fit then keeps it fixed
    private final double lower;
    private final double upper;

    private Slot(
        String name,
        Parameter.Role role,
        boolean perComponent,
        boolean perColumn,
        boolean positive,
        double start,
        double fallback,
        double lower,
        double upper) {
      this.name = name;
      this.role = role;
      this.perComponent = perComponent;
      this.perColumn = perColumn;
      this.positive = positive;
      this.start = start;
      this.fallback = fallback;
      this.lower = lower;
      this.upper = upper;
    }

    private static Slot of(String name, Parameter.Role role, boolean perColumn, double start) {
      return new Slot(
          name,
          role,
          false,
          perColumn,
          true,
          start,
          Double.NaN,
          Parameter.TINY,
          Double.POSITIVE_INFINITY);
    }

    /// `lengthscale`: one per column read. It starts at the standard deviation of its column. Grids
    /// adapt to it.
    public static Slot lengthscale() {
      return of("lengthscale", Parameter.Role.LENGTHSCALE, true, 1);
    }

    /// `period`: one per column read. It starts at the strongest period of the target.
    public static Slot period() {
      return of("period", Parameter.Role.PERIOD, true, 1);
    }

    /// `variance`: the amplitude. It starts at its share of the target's variance. A kernel that
    /// has one gets no output scale from the library.
    public static Slot variance() {
      return of("variance", Parameter.Role.VARIANCE, false, 1);
    }

    /// A parameter > 0, learned on the log scale from `start`.
    public static Slot positive(String name, double start) {
      if (!(start > 0 && start < Double.POSITIVE_INFINITY))
        throw new IllegalArgumentException(
            "the start of '%s' must be > 0 and finite, got %s".formatted(name, start));
      return of(name, Parameter.Role.OTHER, false, start);
    }

    /// A parameter of any sign, learned from `start`.
    public static Slot real(String name, double start) {
      if (!(Math.abs(start) < Double.POSITIVE_INFINITY))
        throw new IllegalArgumentException(
            "the start of '%s' must be finite, got %s".formatted(name, start));
      return new Slot(
          name,
          Parameter.Role.OTHER,
          false,
          false,
          false,
          start,
          Double.NaN,
          Double.NEGATIVE_INFINITY,
          Double.POSITIVE_INFINITY);
    }

    /// Returns this parameter with one value per column read.
    public Slot perColumn() {
      return new Slot(name, role, perComponent, true, positive, start, fallback, lower, upper);
    }

    /// Returns this parameter with bounds. Learning stays within them, and values outside are
    /// refused.
    public Slot within(double lower, double upper) {
      if (!(lower < upper) || (positive && !(lower > 0)))
        throw new IllegalArgumentException(
            "bounds of '%s' must have %slower < upper, got %s and %s"
                .formatted(name, positive ? "0 < " : "", lower, upper));
      if (role == Parameter.Role.OTHER && !(start >= lower && start <= upper))
        throw new IllegalArgumentException(
            "'%s' starts at %s, which is not between %s and %s; choose a start between them"
                .formatted(name, start, lower, upper));
      return new Slot(name, role, perComponent, perColumn, positive, start, fallback, lower, upper);
    }

    // ---- of the library's own kernels ----

    /// One value per column, with a role that the factories above do not offer.
    static Slot columns(String name, Parameter.Role role) {
      return of(name, role, true, 1);
    }

    /// One value per column, of any sign. A fit keeps it fixed, at `value` if none is given.
    static Slot held(String name, double value) {
      return new Slot(
          name,
          Parameter.Role.OTHER,
          false,
          true,
          false,
          value,
          value,
          Double.NEGATIVE_INFINITY,
          Double.POSITIVE_INFINITY);
    }

    /// One value per component, and also per column if asked for.
    static Slot components(String name, Parameter.Role role, boolean perColumn) {
      return new Slot(
          name,
          role,
          true,
          perColumn,
          true,
          1,
          Double.NaN,
          Parameter.TINY,
          Double.POSITIVE_INFINITY);
    }

    /// The name, as used in the text form.
    public String name() {
      return name;
    }

    Parameter.Role role() {
      return role;
    }

    boolean isPerComponent() {
      return perComponent;
    }

    boolean isPerColumn() {
      return perColumn;
    }

    boolean isPositive() {
      return positive;
    }

    /// Whether a fit keeps it fixed unless told otherwise.
    boolean isHeld() {
      return !Double.isNaN(fallback);
    }

    double fallback() {
      return fallback;
    }

    double start() {
      return start;
    }

    /// Throws if the parameter may not have this value. NaN means unset.
    void check(String kind, double value) {
      if ((positive && value <= 0) || Double.isInfinite(value))
        throw new IllegalArgumentException(
            "%s.%s must be %sfinite, got %s"
                .formatted(kind, name, positive ? "> 0 and " : "", value));
    }

    /// Throws if a value that a user gives is outside the bounds. NaN means unset.
    void checkBounds(String kind, double value) {
      if (value < lower || value > upper)
        throw new IllegalArgumentException(
            "%s.%s must lie between %s and %s, got %s".formatted(kind, name, lower, upper, value));
    }

    /// The parameter with its values.
    Parameter parameter(String label, double[] values, boolean fixed) {
      String path = label + "." + name;
      Parameter parameter =
          positive ? Parameter.positive(role, path, values) : Parameter.real(role, path, values);
      boolean bounded = lower > (positive ? Parameter.TINY : Double.NEGATIVE_INFINITY);
      if (bounded || upper < Double.POSITIVE_INFINITY) {
        double most = Math.min(upper, parameter.upper());
        parameter = parameter.withBounds(lower, most).widened();
      }
      return parameter.withFixed(fixed || isHeld());
    }
  }

  /// Thrown if the text of a kernel names one that is neither the library's nor registered by the
  /// reader.
  final class UnknownKernelException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final String name;

    UnknownKernelException(String name, String message) {
      super(message);
      this.name = name;
    }

    /// The unknown name.
    public String name() {
      return name;
    }
  }
}
