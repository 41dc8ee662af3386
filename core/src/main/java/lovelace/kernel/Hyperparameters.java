package lovelace.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import lovelace.kernel.Parameter.Prior;
import lovelace.likelihood.Likelihood;
import org.jspecify.annotations.Nullable;

/// All that a Gaussian process has to be told or has to learn: kernel, likelihood of the
/// observations and prior mean, with the bounds, prior and fixed values of each parameter.
/// Immutable: every change makes a new object.
///
/// The natural order is: the kernel parameters in the order of [Kernel#values], then the parameters
/// of the likelihood (for Gaussian noise its variance, `noise`), then the mean coefficients. Noise
/// that varies has its own kernel and mean in place of the likelihood's parameters; their names
/// start with `noise.`. A *free* vector is what an optimiser works on. It leaves out fixed
/// parameters and holds the logarithms of positive ones.
public final class Hyperparameters {

  /// The default lower bound of the noise variance. Setting a smaller noise lowers the bound.
  public static final double NOISE_FLOOR = 1e-10;

  private static final String OF_NOISE = "noise.";

  private final Kernel kernel;
  private final Likelihood likelihood;
  private final @Nullable Kernel noiseKernel; // of noise that varies
  private final PriorMean mean;
  private final List<Parameter> parameters;

  private Hyperparameters(
      Kernel kernel,
      Likelihood likelihood,
      @Nullable Kernel noiseKernel,
      PriorMean mean,
      List<Parameter> parameters) {
    this.kernel = kernel;
    this.likelihood = likelihood;
    this.noiseKernel = noiseKernel;
    this.mean = mean;
    this.parameters = List.copyOf(parameters);
  }

  /// Combines a bound kernel, Gaussian noise of this variance (NaN: unset) and a mean.
  public static Hyperparameters of(Kernel kernel, double noise, PriorMean mean) {
    return of(kernel, Likelihood.gaussian().with(noise), mean);
  }

  /// Combines a bound kernel, a likelihood and a mean. If the likelihood has noise that varies, the
  /// log standard deviation of the noise has a kernel of the same form.
  public static Hyperparameters of(Kernel kernel, Likelihood likelihood, PriorMean mean) {
    return of(kernel, likelihood, likelihood.isVarying() ? alike(kernel) : null, mean);
  }

  /// A kernel of the same form with nothing set.
  private static Kernel alike(Kernel kernel) {
    double[] none = new double[kernel.parameterCount()];
    Arrays.fill(none, Double.NaN);
    boolean held = kernel.parameters().stream().anyMatch(Parameter::fixed);
    return held ? Kernel.rbf().bind(kernel.dimensions()) : kernel.with(none);
  }

  /// As [#of(Kernel, Likelihood, PriorMean)], with a given kernel for the log standard deviation of
  /// noise that varies.
  public static Hyperparameters of(
      Kernel kernel, Likelihood likelihood, @Nullable Kernel noiseKernel, PriorMean mean) {
    if (likelihood.isVarying() != (noiseKernel != null))
      throw new IllegalArgumentException(
          "pass a kernel for the noise if the noise varies, and null otherwise");
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
    if (!likelihood.isGaussian() && kernel.terms().stream().anyMatch(Term::isWhite))
      throw new IllegalArgumentException(
          "the %s likelihood has its own noise, and the kernel %s has a white term; leave the term out"
              .formatted(likelihood.name(), kernel));
    List<Parameter> all = new ArrayList<>(kernel.parameters());
    all.addAll(parameters(likelihood));
    if (noiseKernel != null) {
      for (Parameter p : noiseKernel.parameters()) all.add(p.named(OF_NOISE + p.path()));
      all.add(Parameter.real(Parameter.Role.MEAN, OF_NOISE + "mean", Double.NaN));
    }
    all.addAll(mean.parameters());
    return new Hyperparameters(kernel, likelihood, noiseKernel, mean, all);
  }

  private static List<Parameter> parameters(Likelihood likelihood) {
    List<Parameter> own = new ArrayList<>();
    double[] values = likelihood.values();
    for (int j = 0; j < values.length; j++) {
      String name = likelihood.parameterNames().get(j);
      boolean noise = name.equals("noise");
      Parameter p =
          Parameter.positive(noise ? Parameter.Role.NOISE : Parameter.Role.OTHER, name, values[j]);
      double[] bounds = noise ? new double[] {NOISE_FLOOR, p.upper()} : likelihood.bounds(j);
      own.add(p.withBounds(bounds[0], bounds[1]).widened());
    }
    if (likelihood.isGaussian() && own.isEmpty()) // known: weights are the inverse variances
    own.add(Parameter.positive(Parameter.Role.NOISE, "noise", 1).withFixed(true));
    return own;
  }

  /// The likelihood with the values of its parameters.
  public Likelihood likelihood() {
    return likelihood;
  }

  /// The number of values that the likelihood has in natural order, including those of a noise
  /// process.
  public int likelihoodSize() {
    return size() - kernel.parameterCount() - mean.size();
  }

  /// Returns the process of the working observations: the same kernel and mean, and a fixed noise
  /// of 1 ([lovelace.laplace.Laplace]). Under Gaussian noise it returns this object.
  public Hyperparameters working() {
    if (likelihood.isGaussian()) return this;
    List<Parameter> all = new ArrayList<>(parameters.subList(0, kernel.parameters().size()));
    all.add(Parameter.positive(Parameter.Role.NOISE, "noise", 1).withFixed(true));
    all.addAll(parameters.subList(parameters.size() - mean.parameters().size(), parameters.size()));
    return new Hyperparameters(kernel, Likelihood.gaussian().with(1), null, mean, all);
  }

  /// Returns the process of the log standard deviation of the noise, as [#working] does.
  public Hyperparameters workingNoise() {
    if (noiseKernel == null)
      throw new IllegalStateException("the noise of " + likelihood + " has no process");
    int from = kernel.parameters().size();
    int count = noiseKernel.parameters().size();
    Hyperparameters h =
        of(
            noiseKernel,
            Likelihood.gaussian().with(1),
            PriorMean.constant(parameters.get(from + count).raw()[0]));
    List<Parameter> all = new ArrayList<>();
    for (int i = 0; i < count; i++)
      all.add(parameters.get(from + i).named(h.parameters.get(i).path()));
    all.add(h.parameters.get(count).withFixed(true));
    all.add(parameters.get(from + count).named(h.parameters.get(count + 1).path()));
    return new Hyperparameters(noiseKernel, h.likelihood, null, h.mean, all);
  }

  /// The kernel of the noise, if the noise varies.
  public Optional<Kernel> noiseKernel() {
    return Optional.ofNullable(noiseKernel);
  }

  /// The kernel, bound.
  public Kernel kernel() {
    return kernel;
  }

  /// The noise variance σ² of an observation of weight one under Gaussian noise. Under any other
  /// likelihood it is 1, the noise of working observations.
  public double noise() {
    return likelihood.isGaussian() ? parameters.get(kernel.parameters().size()).raw()[0] : 1;
  }

  /// The prior mean.
  public PriorMean mean() {
    return mean;
  }

  /// The parameters in natural order.
  public List<Parameter> parameters() {
    return parameters;
  }

  /// One name per value: the path, followed by `[i]` if the parameter has several values.
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

  /// All values in natural order, in a new array.
  public double[] values() {
    return parameters.stream().flatMapToDouble(p -> Arrays.stream(p.raw())).toArray();
  }

  /// Returns these parameters with other values, in natural order. Fixed values are replaced too.
  public Hyperparameters with(double[] values) {
    FreeValues.requireLength("values", values, size());
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
    int m = all.length - mean.size();
    int own = likelihood.parameterNames().size();
    return new Hyperparameters(
        kernel.with(Arrays.copyOf(all, k)),
        likelihood.with(Arrays.copyOfRange(all, k, k + own)),
        noiseKernel == null ? null : noiseKernel.with(Arrays.copyOfRange(all, k + own, m - 1)),
        mean.with(Arrays.copyOfRange(all, m, all.length)),
        next);
  }

  /// The names of the parameters that are not set.
  public List<String> unset() {
    return parameters.stream().filter(p -> !p.isSet()).map(Parameter::path).toList();
  }

  // ---- by name ----

  /// Returns the parameter that has this path, or the only one whose path ends in `.name`. If there
  /// is none, the error lists all names. The names of a noise process start with `noise.`, such as
  /// `noise.lengthscale`.
  public Parameter parameter(String name) {
    return parameters.get(find(name));
  }

  /// Sets the values of a parameter: one for each, or one for all. Bounds are widened to contain
  /// them.
  public Hyperparameters set(String name, double... values) {
    return change(name, p -> given(p, values));
  }

  /// Sets the values of a parameter and fixes it.
  public Hyperparameters fix(String name, double... values) {
    return change(name, p -> given(p, values).withFixed(true));
  }

  /// Fixes a parameter at its present value.
  public Hyperparameters fix(String name) {
    return change(name, p -> p.withFixed(true));
  }

  /// Lets a fit change a parameter.
  public Hyperparameters free(String name) {
    return change(name, p -> p.withFixed(false));
  }

  /// Sets the bounds of a parameter.
  public Hyperparameters withBounds(String name, double lower, double upper) {
    return change(name, p -> p.withBounds(lower, upper));
  }

  /// Sets the prior of each value of a parameter.
  public Hyperparameters withPrior(String name, Prior prior) {
    return change(name, p -> p.withPrior(prior));
  }

  /// Removes the prior of a parameter.
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
    return with(next);
  }

  /// Returns these parameters with other values, bounds, priors and fixed flags. There is one
  /// parameter for each, of the same path and in the same order.
  public Hyperparameters with(List<Parameter> next) {
    if (!paths(next).equals(paths(parameters)))
      throw new IllegalArgumentException(
          "there must be one parameter each of %s, got %s"
              .formatted(list(paths(parameters)), list(paths(next))));
    Hyperparameters changed = rebuilt(next);
    int size = kernel.parameters().size();
    boolean[] held = new boolean[size];
    boolean same = true;
    for (int i = 0; i < size; i++) {
      held[i] = next.get(i).fixed() && next.get(i).isSet();
      same &= next.get(i).fixed() == parameters.get(i).fixed();
    }
    if (same) return changed;
    Kernel told = Structure.withFixed(changed.kernel, held, new int[1]); // its text says so
    return new Hyperparameters(
        told, changed.likelihood, changed.noiseKernel, changed.mean, changed.parameters);
  }

  private static List<String> paths(List<Parameter> parameters) {
    return parameters.stream().map(Parameter::path).toList();
  }

  private int find(String name) {
    List<Integer> fits = new ArrayList<>();
    boolean ofNoise = noiseKernel != null && name.startsWith(OF_NOISE);
    String end = "." + (ofNoise ? name.substring(OF_NOISE.length()) : name);
    for (int i = 0; i < parameters.size(); i++) {
      String path = parameters.get(i).path();
      if (path.equals(name)) return i;
      boolean noise = noiseKernel != null && path.startsWith(OF_NOISE);
      if (noise == ofNoise && path.endsWith(end)) fits.add(i);
    }
    if (fits.size() == 1) return fits.getFirst();
    if (fits.isEmpty())
      throw new IllegalArgumentException(
          "no parameter is called '%s'; there are %s".formatted(name, list(paths(parameters))));
    throw new IllegalArgumentException(
        "'%s' fits several parameters: %s; name one of them"
            .formatted(name, list(fits.stream().map(i -> parameters.get(i).path()).toList())));
  }

  private static String list(List<String> names) {
    return String.join(", ", names);
  }

  // ---- for an optimiser ----

  /// Tells which values, in natural order, are free.
  public boolean[] freeMask() {
    return FreeValues.mask(parameters);
  }

  /// The number of free values.
  public int freeSize() {
    return FreeValues.size(parameters);
  }

  /// The free values; for positive ones, their logarithms.
  public double[] toFree() {
    return FreeValues.of(parameters);
  }

  /// The lower bounds of [#toFree].
  public double[] freeLower() {
    return FreeValues.lower(parameters);
  }

  /// The upper bounds of [#toFree].
  public double[] freeUpper() {
    return FreeValues.upper(parameters);
  }

  /// Returns these parameters with other free values.
  public Hyperparameters fromFree(double[] free) {
    return rebuilt(FreeValues.with(parameters, free));
  }

  /// Turns a gradient in natural order into one in free values: fixed entries are dropped, and
  /// entries of positive parameters are multiplied by their value.
  public double[] freeGradient(double[] natural) {
    return FreeValues.gradient(parameters, natural);
  }

  /// The sum of the log prior densities, including those of fixed parameters.
  public double logPrior() {
    double sum = 0;
    for (Parameter p : parameters) {
      Prior prior = p.prior().orElse(null);
      if (prior != null) for (double v : p.raw()) sum += prior.logDensity(v);
    }
    return sum;
  }

  /// The gradient of [#logPrior], in natural order.
  public double[] logPriorGradient() {
    double[] g = new double[size()];
    int at = 0;
    for (Parameter p : parameters) {
      Prior prior = p.prior().orElse(null);
      for (double v : p.raw()) g[at++] = prior == null ? 0 : prior.derivative(v);
    }
    return g;
  }

  // ---- where learning starts ----

  /// Gives every unset parameter a value that suits the data. Inputs are row-major.
  public Hyperparameters fill(double[] inputs, double[] target) {
    return StartValues.fill(this, inputs, target);
  }

  /// Returns several starting points, of which a fit should take the likeliest. The first is
  /// [#fill]. The others have longer and shorter values for the unset lengthscales. For a spectral
  /// mixture there are up to eight starting points in all. There is only one if nothing can be
  /// varied.
  public List<Hyperparameters> starts(double[] inputs, double[] target) {
    return StartValues.candidates(this, inputs, target);
  }

  /// Whether the likelihood has many optima, so that several starting points should be followed for
  /// a while. This is so for an unset spectral mixture.
  public boolean hasManyOptima() {
    return StartValues.hasManyOptima(this);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Hyperparameters that
        && kernel.equals(that.kernel)
        && likelihood.toString().equals(that.likelihood.toString())
        && parameters.equals(that.parameters);
  }

  @Override
  public int hashCode() {
    return parameters.hashCode();
  }

  @Override
  public String toString() {
    return kernel
        + (likelihood.isGaussian() ? "" : ", " + likelihood)
        + ", "
        + list(parameters.stream().map(Parameter::toString).toList());
  }
}
