package lovelace.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A covariance function `k(x, x′)`. A kernel is an immutable value. Kernels are combined by
/// methods, and are equal if their text is the same.
///
/// ```java
/// Kernel kernel = Kernel.matern52(0.3).times(2.0).plus(Kernel.periodic().times(Kernel.rbf()));
/// Kernel same = Kernel.parse("2.0*matern52(lengthscale=0.3) + periodic*rbf");
/// ```
///
/// A kernel is written without the number of input columns. [#bind] fixes that number, gives every
/// column its own lengthscale, and adds the output scales that were left out, one for each term of
/// a sum. Only a bound kernel can be evaluated. Parameters that were not given are NaN, which means
/// *unset*: a fit finds their starting values from the data. Evaluating a kernel with an unset
/// parameter is an error that names the parameter.
///
/// Points are row-major: point i of `x` occupies `[i·d, (i+1)·d)`, where d is [#dimensions]. All
/// parameters are in the units of the table; an output scale is a variance.
public sealed interface Kernel
    permits Leaf, Kernel.Sum, Kernel.Product, Kernel.Scaled, Kernel.Additive {

  /// `k = Σ parts`; made by [#plus].
  record Sum(List<Kernel> parts) implements Kernel {
    public Sum {
      parts = Structure.parts("sum", parts, Sum.class);
    }

    @Override
    public String toString() {
      return KernelWriter.print(this);
    }
  }

  /// `k = Π factors`; made by [#times(Kernel)]. Its scale, if any, stands outside, in a [Scaled].
  record Product(List<Kernel> factors) implements Kernel {
    public Product {
      factors = Structure.parts("product", factors, Product.class, Scaled.class);
    }

    @Override
    public String toString() {
      return KernelWriter.print(this);
    }
  }

  /// `k = variance × kernel`; made by [#times(double)]. The variance is the output scale. If
  /// `fixed`, a fit leaves it alone.
  record Scaled(double variance, boolean fixed, Kernel kernel) implements Kernel {
    public Scaled {
      if (!((variance > 0 && variance < Double.POSITIVE_INFINITY) || Double.isNaN(variance)))
        throw new IllegalArgumentException(
            "outputscale is a variance and must be > 0 and finite, got " + variance);
      if (kernel instanceof Scaled)
        throw new IllegalArgumentException("a scaled kernel has one scale; use times");
      if (fixed && Double.isNaN(variance))
        throw new IllegalArgumentException("a fixed output scale needs a value");
    }

    @Override
    public String toString() {
      return KernelWriter.print(this);
    }
  }

  /// `k = Σᵢ base(xᵢ, x′ᵢ)` over all input columns, where each column has its own parameters. It
  /// exists only until [#bind], which writes the sum out.
  record Additive(Kernel base) implements Kernel {
    public Additive {
      Structure.requireUnbound(base);
      if (Structure.namesColumns(base))
        throw new IllegalArgumentException(
            "additive takes a kernel of one column that names no columns, got " + base);
    }

    @Override
    public String toString() {
      return KernelWriter.print(this);
    }
  }

  // ---- factories: a missing value is unset ----

  /// `exp(−½ Σᵢ τᵢ²/ℓᵢ²)`, GPML eq. (4.9); one lengthscale, or one per column.
  static Kernel rbf(double... lengthscale) {
    return Radial.of(Radial.Shape.RBF, lengthscale);
  }

  /// `exp(−r)`, `r² = Σᵢ τᵢ²/ℓᵢ²`, GPML eq. (4.18).
  static Kernel matern12(double... lengthscale) {
    return Radial.of(Radial.Shape.MATERN12, lengthscale);
  }

  /// `(1 + √3 r) exp(−√3 r)`, `r² = Σᵢ τᵢ²/ℓᵢ²`, GPML eq. (4.17).
  static Kernel matern32(double... lengthscale) {
    return Radial.of(Radial.Shape.MATERN32, lengthscale);
  }

  /// `(1 + √5 r + 5r²/3) exp(−√5 r)`, `r² = Σᵢ τᵢ²/ℓᵢ²`, GPML eq. (4.17).
  static Kernel matern52(double... lengthscale) {
    return Radial.of(Radial.Shape.MATERN52, lengthscale);
  }

  /// `(1 + r²/2α)^−α` with unset α and lengthscales.
  static Kernel rationalQuadratic() {
    return rationalQuadratic(Double.NaN);
  }

  /// `(1 + r²/2α)^−α`, `r² = Σᵢ τᵢ²/ℓᵢ²`, GPML eq. (4.19).
  static Kernel rationalQuadratic(double alpha, double... lengthscale) {
    return Radial.rationalQuadratic(alpha, lengthscale);
  }

  /// A periodic kernel with unset period and lengthscale.
  static Kernel periodic() {
    return periodic(Double.NaN, Double.NaN);
  }

  /// `exp(−2 sin²(π|τ|/p)/ℓ²)`, GPML eq. (4.31). With several columns it is the product over the
  /// columns.
  static Kernel periodic(double period, double lengthscale) {
    return Periodic.of(new double[] {period}, new double[] {lengthscale});
  }

  /// `Πᵢ cos(2πτᵢ/pᵢ)`; one period, or one per column.
  static Kernel cosine(double... period) {
    return Cosine.of(period);
  }

  /// A spectral mixture (Wilson and Adams 2013) with this many components, all unset.
  static Kernel spectralMixture(int components) {
    return SpectralMixture.of(components);
  }

  /// `Σ_q w_q Πᵢ exp(−2π²τᵢ²σ_qi²) cos(2πτᵢμ_qi)`. Frequencies and bandwidths are given component
  /// by component (`q·d + i`).
  static Kernel spectralMixture(double[] weight, double[] frequency, double[] bandwidth) {
    return SpectralMixture.of(weight, frequency, bandwidth);
  }

  /// A constant with an unset variance.
  static Kernel constant() {
    return constant(Double.NaN);
  }

  /// `k = variance`.
  static Kernel constant(double variance) {
    return Constant.of(variance);
  }

  /// `Σᵢ vᵢ xᵢ x′ᵢ`; one variance (of the slope), or one per column. The text form can also give a
  /// centre: `linear(centre=3)`.
  static Kernel linear(double... variance) {
    return Linear.of(variance);
  }

  /// White noise with an unset variance.
  static Kernel white() {
    return white(Double.NaN);
  }

  /// `variance` if x = x′, otherwise 0. Models treat it as noise of every observation; see
  /// [#whiteVariance].
  static Kernel white(double variance) {
    return White.of(variance);
  }

  /// A kernel of your own. Give one value for each parameter of the function, or none to leave them
  /// unset. For a parameter that has one value per column, [#bind] gives the value to every column.
  static Kernel of(KernelFunction function, double... values) {
    return Custom.of(function, values);
  }

  /// `Σᵢ base(xᵢ, x′ᵢ)` over d columns, each with its own copy of the parameters.
  static Kernel additive(Kernel base, int d) {
    Structure.requireUnbound(base);
    return Structure.sum(IntStream.range(0, d).mapToObj(i -> base.on(i)).toList());
  }

  /// Reads the text form that `toString` writes. Examples: `2.0*matern52(lengthscale=0.3)`,
  /// `periodic(period=1)*rbf + matern32`, `rbf(columns=[0,1], lengthscale=[0.5,0.4])`, `sm(10)`,
  /// `additive(rbf)`, and `rbf(categories=2)` if column 2 holds codes. A fit starts from the
  /// numbers; `periodic(period=fixed(1))` and `fixed(2)*rbf` fix them. `unset*rbf` has its own
  /// output scale, which is unset. An error message points at the character.
  ///
  /// `wave(lengthscale=2)` is a kernel of your own. It is looked up by its name, first among the
  /// functions given here and then among those registered as services.
  ///
  /// @throws KernelFunction.UnknownKernelException if the text names an unknown kernel
  static Kernel parse(String text, KernelFunction... own) {
    return KernelText.parse(text, List.of(own));
  }

  // ---- verbs ----

  /// `this + other`.
  default Kernel plus(Kernel other) {
    return Structure.sum(List.of(this, other));
  }

  /// `this × other`. Output scales are collected in front; the result is fixed if all of them are.
  default Kernel times(Kernel other) {
    return Structure.product(List.of(this, other));
  }

  /// `variance × this`; NaN for an unset output scale.
  default Kernel times(double variance) {
    return this instanceof Scaled(double own, boolean fixed, Kernel inner)
        ? new Scaled(own * variance, false, inner)
        : new Scaled(variance, false, this);
  }

  /// Fixes the values that are set, so that a fit learns only the unset ones.
  default Kernel fix() {
    boolean[] held = new boolean[parameters().size()];
    for (int i = 0; i < held.length; i++) held[i] = parameters().get(i).isSet();
    return Structure.withFixed(this, held, new int[1]);
  }

  /// Returns this kernel restricted to the chosen columns, counted from 0: its column i is column
  /// `columns[i]` of the table. Call it before [#bind].
  default Kernel on(int... columns) {
    return Structure.on(this, columns);
  }

  /// Rewrites this kernel, which was written for d columns, for some of these columns only. The
  /// columns are counted from 0 and ascend. `rbf(columns=[0,2])` becomes `rbf(columns=[0,1])` if
  /// column 1 is left out. Parts that read none of the columns are left out. Call it before
  /// [#bind].
  default Kernel keeping(int d, int... columns) {
    Kernel rest = ColumnChoice.keep(this, d, columns);
    if (rest == null || (ColumnChoice.reads(this) && !ColumnChoice.reads(rest)))
      throw new IllegalArgumentException(
          "the kernel %s reads only columns that are constant; let it read columns that vary"
              .formatted(this));
    return rest;
  }

  /// Marks some columns, counted from 0, as holding codes of words instead of numbers. Along such a
  /// column, two rows are `1/ℓ` apart if their codes differ, and 0 if they are equal. So the
  /// indicators of all words share one lengthscale. RBF, Matérn and rational quadratic kernels
  /// accept such columns; other kernels that read one are refused. Columns that are already marked
  /// stay marked. An `additive` kernel must be bound first.
  default Kernel withCategories(int... columns) {
    Structure.requireColumns(this, columns);
    return Structure.withCategories(this, columns);
  }

  /// The columns that hold codes of words, ascending; see [#withCategories].
  default int[] categories() {
    return Structure.leaves(this).stream()
        .flatMapToInt(l -> Arrays.stream(l.categories()))
        .distinct()
        .sorted()
        .toArray();
  }

  /// Binds this kernel to d input columns. Every column gets its own lengthscale (period, …); a
  /// single given value goes to all columns. Every term of a sum without an amplitude gets an unset
  /// output scale, and so does a kernel that is not a sum. An amplitude is an output scale, mixture
  /// weights, or the variance of a constant, linear or white kernel. A product gets no more scales
  /// than the data can tell apart. In `a*(b + c)`, b and c get one each, and a gets none. In
  /// `2*a*(b + c)` the 2 scales the product, so b gets none, and c gets one relative to b.
  default Kernel bind(int dimensions) {
    return Structure.bind(this, dimensions);
  }

  /// Binds this kernel to d input columns without adding output scales. The text of a bound kernel
  /// is read this way.
  default Kernel attach(int dimensions) {
    return Structure.attach(this, dimensions);
  }

  /// The number of input columns; 0 if the kernel is not bound.
  default int dimensions() {
    return Structure.dimensions(this);
  }

  // ---- parameters ----

  /// The parameters, in the order of [#values].
  default List<Parameter> parameters() {
    return Structure.parameters(this);
  }

  /// The length of [#values].
  default int parameterCount() {
    return Structure.count(this);
  }

  /// All parameter values one after another, on their natural scale, in a new array.
  default double[] values() {
    double[] values = new double[parameterCount()];
    Structure.values(this, values, 0);
    return values;
  }

  /// Returns this kernel with other parameter values, in the order of [#values].
  default Kernel with(double[] values) {
    if (values.length != parameterCount())
      throw new IllegalArgumentException(
          this + " has " + parameterCount() + " parameter values, got " + values.length);
    return Structure.with(this, values, new int[1]);
  }

  /// Whether every parameter has a value.
  default boolean isSet() {
    return Arrays.stream(values()).noneMatch(Double::isNaN);
  }

  // ---- values and derivatives ----

  /// `k(x, y)` for the points at offsets xo and yo. It is symmetric to the last bit.
  default double value(double[] x, int xo, double[] y, int yo) {
    double[] out = new double[1];
    Evaluation.row(this, x, xo, y, yo, 1, out, 0);
    return out[0];
  }

  /// `out[oo + j] ← k(x, yⱼ)` for ny points that start at `y[yo]`. A base kernel of this library
  /// allocates nothing.
  default void covariances(double[] x, int xo, double[] y, int yo, int ny, double[] out, int oo) {
    Evaluation.row(this, x, xo, y, yo, ny, out, oo);
  }

  /// `k(x, x)`, including white noise.
  default double variance(double[] x, int xo) {
    return value(x, xo, x, xo);
  }

  /// Adds `weight · ∂k(x, y)/∂θ` to g from offset go, on the natural scale, in the order of
  /// [#values].
  default void gradient(double[] x, int xo, double[] y, int yo, double weight, double[] g, int go) {
    Evaluation.gradient(this, x, xo, y, yo, 1, new double[] {weight}, null, g, go);
  }

  /// Adds `weight · ∂k(x, y)/∂x` to the d entries of g from offset go. At x = y a Matérn-1/2 has no
  /// derivative; the mean of the one-sided derivatives, 0, is taken.
  default void inputGradient(
      double[] x, int xo, double[] y, int yo, double weight, double[] g, int go) {
    Evaluation.inputGradient(this, x, xo, y, yo, weight, g, go);
  }

  /// `out ← K`, nx × ny row-major, in parallel. Entries do not depend on the number of threads. If
  /// x and y are the same array, one half of K is computed and mirrored.
  default void matrix(double[] x, int nx, double[] y, int ny, double[] out) {
    Evaluation.matrix(this, x, nx, y, ny, out);
  }

  /// Adds `Σᵢⱼ weightsᵢⱼ ∂k(xᵢ, yⱼ)/∂θ` to g. The weights are nx × ny, row-major. Fixed chunks of
  /// rows are computed in parallel and their sums added in order, so the bits do not depend on the
  /// number of threads.
  default void gradientSum(double[] x, int nx, double[] y, int ny, double[] weights, double[] g) {
    Evaluation.gradientSum(this, x, nx, y, ny, weights, g);
  }

  // ---- structure ----

  /// Whether k depends on `x − x′` only. For a column of codes: only on whether they are equal.
  default boolean isStationary() {
    return Structure.leaves(this).stream().allMatch(Leaf::stationary);
  }

  /// Whether k is a product of one-column kernels.
  default boolean isSeparable() {
    return Structure.separable(this);
  }

  /// Whether k is a function of one scaled Euclidean distance over all its columns.
  default boolean isIsotropic() {
    return Structure.isotropic(this);
  }

  /// The columns that k depends on, ascending.
  default int[] activeColumns() {
    return Structure.leaves(this).stream()
        .flatMapToInt(l -> l.readsColumns() ? Arrays.stream(l.columns()) : IntStream.empty())
        .distinct()
        .sorted()
        .toArray();
  }

  /// S with `k(τ) = (2π)⁻ᵈ ∫ S(ω) e^{iωτ} dω`. RBF, Matérn and spectral mixture kernels have one.
  /// Sums add, scales multiply, and products over different columns multiply. Otherwise an
  /// UnsupportedOperationException says why there is none.
  default double spectralDensity(double... angularFrequency) {
    return Spectrum.density(this, angularFrequency);
  }

  /// Adds ω to the d entries of omega from offset `at`. ω is drawn from the spectral distribution
  /// of a stationary kernel: `k(τ) = k(0) E cos(ωᵀτ)` (Bochner's theorem). White noise and kernels
  /// of your own are not supported.
  default void drawFrequency(RandomGenerator random, double[] omega, int at) {
    Spectrum.draw(this, random, omega, at);
  }

  /// The functions of your own in this kernel, each once. Reading the kernel's text requires them.
  default List<KernelFunction> functions() {
    return Structure.leaves(this).stream()
        .flatMap(l -> l instanceof Custom own ? Stream.of(own.function()) : Stream.empty())
        .distinct()
        .toList();
  }

  /// Remarks that a model makes about your own kernels in this kernel, one line for each.
  default List<String> remarks() {
    return Custom.remarks(this);
  }

  /// Writes the kernel as a sum of terms, each an amplitude times a product of base kernels, as
  /// grids need it. The kernel must be bound. Sums inside products are multiplied out.
  default List<Term> terms() {
    return Term.expand(this);
  }

  /// The variance of the white noise in this kernel, which is added to the observation noise. A
  /// product of white noise with stationary kernels is white; a product with a linear kernel is
  /// refused.
  default double whiteVariance() {
    return terms().stream().filter(Term::isWhite).mapToDouble(Term::whiteVariance).sum();
  }

  /// Adds `weight · ∂whiteVariance/∂θ` to g from offset go, in the order of [#values].
  default void whiteGradient(double weight, double[] g, int go) {
    double[] values = values();
    for (Term term : terms()) if (term.isWhite()) term.whiteGradient(weight, values, g, go);
  }

  /// The kernel of the latent function: this one without its white terms. It has fewer parameters;
  /// [#latentPlaces] says which.
  default Kernel withoutWhite() {
    Kernel rest = Structure.withoutWhite(this);
    if (rest == null)
      throw new IllegalArgumentException(this + " is white noise only; add a kernel to it");
    return rest;
  }

  /// The positions of the parameter values of [#withoutWhite] among the values of this kernel.
  default int[] latentPlaces() {
    return Structure.latentPlaces(this);
  }
}
