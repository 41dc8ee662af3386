package lovelace.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import lovelace.kernel.Parameter.Prior;
import lovelace.likelihood.Likelihood;
import org.jspecify.annotations.Nullable;

/// All that a Gaussian process has to be told or to learn: kernel, likelihood of observations and
/// prior mean, with the bounds, priors and fixed values of each parameter. Immutable; every change
/// is a new object.
///
/// Natural order: kernel parameters in the order of [Kernel#values], those of the likelihood (of
/// Gaussian noise its variance, `noise`), mean coefficients. Noise that varies has a kernel and a
/// mean of its own in the place of the likelihood's parameters, named `noise.…`. *Free* vectors,
/// which an optimiser walks in, leave out fixed parameters and hold logarithms of positive ones.
public final class Hyperparameters {

  /// The default lower bound of the noise variance; a noise set below it takes the bound along.
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

  /// A bound kernel, Gaussian noise of some variance (NaN: unset) and a mean.
  public static Hyperparameters of(Kernel kernel, double noise, PriorMean mean) {
    return of(kernel, Likelihood.gaussian().with(noise), mean);
  }

  /// A bound kernel, a likelihood and a mean. Under a likelihood with noise that varies, the log of
  /// the noise's deviation has a kernel of the same form.
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

  /// The same with a kernel for the log of the deviation of noise that varies.
  public static Hyperparameters of(
      Kernel kernel, Likelihood likelihood, @Nullable Kernel noiseKernel, PriorMean mean) {
    if (likelihood.isVarying() != (noiseKernel != null))
      throw new IllegalArgumentException("noise that varies, and no other, has a kernel");
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
          "the %s likelihood has a noise of its own, and the kernel %s has a white term; leave the term out"
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

  /// The likelihood, with the values of its parameters.
  public Likelihood likelihood() {
    return likelihood;
  }

  /// How many values the likelihood has in natural order, those of a process of noise included.
  public int likelihoodSize() {
    return size() - kernel.parameterCount() - mean.size();
  }

  /// The process of working observations: the same kernel and mean, and a noise of 1 that is held
  /// ([lovelace.laplace.Laplace]). These itself under Gaussian noise.
  public Hyperparameters working() {
    if (likelihood.isGaussian()) return this;
    List<Parameter> all = new ArrayList<>(parameters.subList(0, kernel.parameters().size()));
    all.add(Parameter.positive(Parameter.Role.NOISE, "noise", 1).withFixed(true));
    all.addAll(parameters.subList(parameters.size() - mean.parameters().size(), parameters.size()));
    return new Hyperparameters(kernel, Likelihood.gaussian().with(1), null, mean, all);
  }

  /// The process of the log of the noise's deviation, as [#working].
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

  /// The kernel of noise that varies.
  public Optional<Kernel> noiseKernel() {
    return Optional.ofNullable(noiseKernel);
  }

  /// The kernel, bound.
  public Kernel kernel() {
    return kernel;
  }

  /// The noise variance σ² of an observation of weight one under Gaussian noise; 1 of working
  /// observations under any other likelihood.
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
    int m = all.length - mean.size();
    int own = likelihood.parameterNames().size();
    return new Hyperparameters(
        kernel.with(Arrays.copyOf(all, k)),
        likelihood.with(Arrays.copyOfRange(all, k, k + own)),
        noiseKernel == null ? null : noiseKernel.with(Arrays.copyOfRange(all, k + own, m - 1)),
        mean.with(Arrays.copyOfRange(all, m, all.length)),
        next);
  }

  /// The names of parameters that are not set.
  public List<String> unset() {
    return parameters.stream().filter(p -> !p.isSet()).map(Parameter::path).toList();
  }

  // ---- by name ----

  /// The parameter of this path, or the only one whose path ends in `.name`; an error lists what
  /// there is. Those of a process of noise have names that start with `noise.`:
  /// `noise.lengthscale`.
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
    return new Hyperparameters(
        told, changed.likelihood, changed.noiseKernel, changed.mean, changed.parameters);
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
