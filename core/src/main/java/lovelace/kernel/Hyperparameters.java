package lovelace.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import lovelace.kernel.Parameter.Prior;
import org.jspecify.annotations.Nullable;

/// All that a Gaussian process has to be told or to learn: kernel, noise variance and prior mean,
/// with the bounds, priors and fixed values of each parameter. Immutable; every change is a new
/// object.
///
/// Natural order: kernel parameters in the order of [Kernel#values], `noise`, mean coefficients.
/// *Free* vectors, which an optimiser walks in, leave out fixed parameters and hold logarithms of
/// positive ones.
public final class Hyperparameters {

  /// The default lower bound of the noise variance; a noise set below it takes the bound along.
  public static final double NOISE_FLOOR = 1e-10;

  private final Kernel kernel;
  private final PriorMean mean;
  private final List<Parameter> parameters;

  private Hyperparameters(Kernel kernel, PriorMean mean, List<Parameter> parameters) {
    this.kernel = kernel;
    this.mean = mean;
    this.parameters = List.copyOf(parameters);
  }

  /// A bound kernel, a noise variance (NaN: unset) and a mean.
  public static Hyperparameters of(Kernel kernel, double noise, PriorMean mean) {
    int d = kernel.dimensions();
    if (d == 0) throw Evaluation.unbound(kernel);
    if (mean.kind() == PriorMean.Kind.LINEAR && mean.size() != d + 1)
      throw new IllegalArgumentException(
          "a linear mean over " + d + " columns has " + d + " slopes, got " + (mean.size() - 1));
    int[] words = kernel.categories();
    if (mean.kind() == PriorMean.Kind.LINEAR && words.length > 0)
      throw new IllegalArgumentException(
          "a linear mean needs numbers, and column %s (counted from 0) holds words; use mean constant"
              .formatted(words[0]));
    Parameter noises = Parameter.positive(Parameter.Role.NOISE, "noise", noise);
    List<Parameter> all = new ArrayList<>(kernel.parameters());
    all.add(noises.withBounds(NOISE_FLOOR, noises.upper()).widened());
    all.addAll(mean.parameters());
    return new Hyperparameters(kernel, mean, all);
  }

  /// The kernel, bound.
  public Kernel kernel() {
    return kernel;
  }

  /// The noise variance σ².
  public double noise() {
    return parameters.get(kernel.parameters().size()).raw()[0];
  }

  /// The prior mean.
  public PriorMean mean() {
    return mean;
  }

  /// The parameters in natural order.
  public List<Parameter> parameters() {
    return parameters;
  }

  /// One name per value: the path, with `[i]` behind it where a parameter has several values.
  public List<String> names() {
    List<String> names = new ArrayList<>();
    for (Parameter p : parameters)
      for (int i = 0; i < p.size(); i++)
        names.add(p.size() == 1 ? p.path() : p.path() + "[" + i + "]");
    return names;
  }

  /// The number of values.
  public int size() {
    return parameters.stream().mapToInt(Parameter::size).sum();
  }

  /// All values in natural order. A new array.
  public double[] values() {
    return parameters.stream().flatMapToDouble(p -> Arrays.stream(p.raw())).toArray();
  }

  /// The same with other values, in natural order; fixed ones too are taken from `values`.
  public Hyperparameters with(double[] values) {
    requireLength("values", values, size());
    List<Parameter> next = new ArrayList<>();
    int at = 0;
    for (Parameter p : parameters) {
      next.add(p.withValues(Arrays.copyOfRange(values, at, at + p.size())));
      at += p.size();
    }
    return rebuilt(next);
  }

  private Hyperparameters rebuilt(List<Parameter> next) {
    double[] all = next.stream().flatMapToDouble(p -> Arrays.stream(p.raw())).toArray();
    int k = kernel.parameterCount();
    return new Hyperparameters(
        kernel.with(Arrays.copyOf(all, k)),
        mean.with(Arrays.copyOfRange(all, k + 1, all.length)),
        next);
  }

  /// The names of parameters that are not set.
  public List<String> unset() {
    return parameters.stream().filter(p -> !p.isSet()).map(Parameter::path).toList();
  }

  // ---- by name ----

  /// The parameter of this path, or the only one whose path ends in `.name`; an error lists what
  /// there is.
  public Parameter parameter(String name) {
    return parameters.get(find(name));
  }

  /// Gives a parameter its values, one for each or one for all. Bounds widen to hold them.
  public Hyperparameters set(String name, double... values) {
    return change(name, p -> given(p, values));
  }

  /// Gives a parameter its values and holds it there.
  public Hyperparameters fix(String name, double... values) {
    return change(name, p -> given(p, values).withFixed(true));
  }

  /// Holds a parameter where it is.
  public Hyperparameters fix(String name) {
    return change(name, p -> p.withFixed(true));
  }

  /// Lets a fit move a parameter.
  public Hyperparameters free(String name) {
    return change(name, p -> p.withFixed(false));
  }

  /// Bounds a parameter.
  public Hyperparameters withBounds(String name, double lower, double upper) {
    return change(name, p -> p.withBounds(lower, upper));
  }

  /// Gives each value of a parameter a prior.
  public Hyperparameters withPrior(String name, Prior prior) {
    return change(name, p -> p.withPrior(prior));
  }

  /// The same without a prior on a parameter.
  public Hyperparameters withoutPrior(String name) {
    return change(name, Parameter::withoutPrior);
  }

  private static Parameter given(Parameter parameter, double[] values) {
    for (double v : values)
      if (Double.isNaN(v))
        throw new IllegalArgumentException(parameter.path() + " must be a number, got NaN");
    return parameter.withValues(values).widened();
  }

  private Hyperparameters change(String name, UnaryOperator<Parameter> change) {
    List<Parameter> next = new ArrayList<>(parameters);
    int at = find(name);
    next.set(at, change.apply(next.get(at)));
    Hyperparameters changed = rebuilt(next);
    if (next.get(at).fixed() == parameters.get(at).fixed()) return changed;
    boolean[] held = new boolean[kernel.parameters().size()];
    for (int i = 0; i < held.length; i++) held[i] = next.get(i).fixed() && next.get(i).isSet();
    Kernel told = Structure.withFixed(changed.kernel, held, new int[1]); // its text says so
    return new Hyperparameters(told, changed.mean, changed.parameters);
  }

  private int find(String name) {
    List<Integer> fits = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      String path = parameters.get(i).path();
      if (path.equals(name)) return i;
      if (path.endsWith("." + name)) fits.add(i);
    }
    if (fits.size() == 1) return fits.getFirst();
    if (fits.isEmpty())
      throw new IllegalArgumentException(
          "no parameter is called '%s'; there are %s"
              .formatted(name, list(parameters.stream().map(Parameter::path).toList())));
    throw new IllegalArgumentException(
        "'%s' fits several parameters: %s; name one of them"
            .formatted(name, list(fits.stream().map(i -> parameters.get(i).path()).toList())));
  }

  private static String list(List<String> names) {
    return String.join(", ", names);
  }

  // ---- for an optimiser ----

  /// Which values in natural order are free.
  public boolean[] freeMask() {
    boolean[] mask = new boolean[size()];
    int at = 0;
    for (Parameter p : parameters) {
      Arrays.fill(mask, at, at + p.size(), !p.fixed());
      at += p.size();
    }
    return mask;
  }

  /// The number of free values.
  public int freeSize() {
    return parameters.stream().filter(p -> !p.fixed()).mapToInt(Parameter::size).sum();
  }

  /// The free values, logarithms of positive ones.
  public double[] toFree() {
    return gather((p, i) -> scale(p, p.raw()[i]));
  }

  /// The lower bounds of [#toFree].
  public double[] freeLower() {
    return gather((p, i) -> scale(p, p.lower()));
  }

  /// The upper bounds of [#toFree].
  public double[] freeUpper() {
    return gather((p, i) -> scale(p, p.upper()));
  }

  private static double scale(Parameter p, double value) {
    return p.positive() ? Math.log(value) : value;
  }

  /// The same with other free values.
  public Hyperparameters fromFree(double[] free) {
    requireLength("free values", free, freeSize());
    List<Parameter> next = new ArrayList<>();
    int at = 0;
    for (Parameter p : parameters) {
      if (!p.fixed()) {
        double[] values = Arrays.copyOfRange(free, at, at + p.size());
        at += p.size();
        if (p.positive()) for (int i = 0; i < values.length; i++) values[i] = Math.exp(values[i]);
        next.add(p.withValues(values));
      } else next.add(p);
    }
    return rebuilt(next);
  }

  /// The gradient in free values from one in natural order: fixed ones dropped, positive ones times
  /// their value.
  public double[] freeGradient(double[] natural) {
    requireLength("gradient", natural, size());
    double[] free = new double[freeSize()];
    int from = 0;
    int to = 0;
    for (Parameter p : parameters)
      for (double v : p.raw()) {
        if (!p.fixed()) free[to++] = p.positive() ? natural[from] * v : natural[from];
        from++;
      }
    return free;
  }

  private interface Entry {
    double of(Parameter p, int i);
  }

  private double[] gather(Entry entry) {
    double[] free = new double[freeSize()];
    int at = 0;
    for (Parameter p : parameters)
      if (!p.fixed()) for (int i = 0; i < p.size(); i++) free[at++] = entry.of(p, i);
    return free;
  }

  /// The sum of log prior densities, fixed parameters included.
  public double logPrior() {
    double sum = 0;
    for (Parameter p : parameters) {
      Prior prior = p.prior().orElse(null);
      if (prior != null) for (double v : p.raw()) sum += prior.logDensity(v);
    }
    return sum;
  }

  /// The gradient of [#logPrior] in natural order.
  public double[] logPriorGradient() {
    double[] g = new double[size()];
    int at = 0;
    for (Parameter p : parameters) {
      Prior prior = p.prior().orElse(null);
      for (double v : p.raw()) g[at++] = prior == null ? 0 : prior.derivative(v);
    }
    return g;
  }

  private static void requireLength(String what, double[] array, int length) {
    if (array.length != length)
      throw new IllegalArgumentException(
          "there are " + length + " " + what + ", got " + array.length);
  }

  // ---- where learning starts ----

  /// These parameters with every unset one given a value that suits the data. Inputs row-major.
  public Hyperparameters fill(double[] inputs, double[] target) {
    return StartValues.fill(this, inputs, target);
  }

  /// Several starts of which a fitter should take the likeliest: [#fill] first, then the same with
  /// the lengthscales that were unset longer and shorter, or eight of a spectral mixture. One only
  /// when there is nothing to vary.
  public List<Hyperparameters> starts(double[] inputs, double[] target) {
    return StartValues.candidates(this, inputs, target);
  }

  /// Whether the likelihood has so many optima that several starts should be followed for some way:
  /// true of an unset spectral mixture.
  public boolean hasManyOptima() {
    return StartValues.hasManyOptima(this);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Hyperparameters that
        && kernel.equals(that.kernel)
        && parameters.equals(that.parameters);
  }

  @Override
  public int hashCode() {
    return parameters.hashCode();
  }

  @Override
  public String toString() {
    return kernel + ", " + list(parameters.stream().map(Parameter::toString).toList());
  }
}
