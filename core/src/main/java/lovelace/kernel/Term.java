package lovelace.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// One term of a kernel written as a sum: `amplitude × Π factors`.
///
/// The amplitude is the product of output scales and constant kernels. So no factor is constant,
/// and a term without factors is a constant. Parameters keep their positions in the [Kernel#values]
/// of the whole kernel. Those of factor f begin at [#offset]. The amplitude is the product of the
/// parameters in [#amplitudeParameters].
public final class Term {

  /// The largest number of terms of one kernel that can be computed in reasonable time.
  private static final long MOST = 100_000;

  private final double amplitude;
  private final int[] amplitudeParameters;
  private final List<Leaf> factors;
  private final int[] offsets;

  private Term(double amplitude, int[] amplitudeParameters, List<Leaf> factors, int[] offsets) {
    this.amplitude = amplitude;
    this.amplitudeParameters = amplitudeParameters;
    this.factors = List.copyOf(factors);
    this.offsets = offsets;
  }

  /// The product of output scales and constants.
  public double amplitude() {
    return amplitude;
  }

  /// The positions of the amplitude's parameters in the whole kernel, in a new array;
  /// `∂amplitude/∂θⱼ = amplitude/θⱼ`.
  public int[] amplitudeParameters() {
    return amplitudeParameters.clone();
  }

  /// The base kernels. None of them is a [Constant].
  public List<Leaf> factors() {
    return factors;
  }

  /// The position in the whole kernel at which the parameters of factor f begin.
  public int offset(int f) {
    return offsets[f];
  }

  /// Whether the term is white noise.
  public boolean isWhite() {
    return factors.stream().anyMatch(White.class::isInstance);
  }

  /// Whether the term depends on `x − x′` only.
  public boolean isStationary() {
    return factors.stream().allMatch(Leaf::stationary);
  }

  /// The term as a kernel over d columns.
  public Kernel kernel(int dimensions) {
    if (factors.isEmpty()) return Kernel.constant(amplitude).bind(dimensions);
    return Structure.product(List.copyOf(factors)).times(amplitude);
  }

  /// The variance of a white term.
  double whiteVariance() {
    double variance = amplitude;
    for (Leaf factor : factors) variance *= peak(factor);
    return variance;
  }

  /// Adds `weight · ∂/∂θ` of the variance of a white term.
  void whiteGradient(double weight, double[] values, double[] g, int go) {
    double variance = weight * whiteVariance();
    for (int p : amplitudeParameters) g[go + p] += variance / values[p];
    for (int f = 0; f < offsets.length; f++)
      if (factors.get(f) instanceof White white) g[go + offsets[f]] += variance / white.variance();
      else if (factors.get(f) instanceof SpectralMixture mixture)
        for (int q = 0; q < mixture.size(); q++) g[go + offsets[f] + q] += variance / peak(mixture);
      else if (factors.get(f) instanceof Custom own)
        own.addPeakGradient(variance / own.peak(), g, go + offsets[f]);
  }

  /// k(x, x).
  private static double peak(Leaf factor) {
    return switch (factor) {
      case Radial r -> 1;
      case Periodic p -> 1;
      case Cosine c -> 1;
      case SpectralMixture mixture -> {
        double sum = 0;
        for (double w : mixture.weights()) sum += w;
        yield sum;
      }
      case Constant constant -> constant.variance();
      case White white -> white.variance();
      case Custom own when own.stationary() -> own.peak();
      case Linear linear -> throw growing(linear);
      case Custom own -> throw growing(own);
    };
  }

  private static IllegalArgumentException growing(Leaf factor) {
    return new IllegalArgumentException(
        "white*%s is noise that varies with the input; use white with stationary kernels"
            .formatted(factor.kind()));
  }

  static List<Term> expand(Kernel kernel) {
    if (kernel.dimensions() == 0) throw Evaluation.unbound(kernel);
    if (count(kernel) > MOST)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "multiplied out, the kernel has more than %,d terms; multiply fewer sums",
              MOST));
    return List.copyOf(expand(kernel, new int[1]));
  }

  /// The number of terms. A product stops counting above [#MOST].
  private static long count(Kernel kernel) {
    return switch (kernel) {
      case Leaf leaf -> 1;
      case Kernel.Scaled scaled -> count(scaled.kernel());
      case Kernel.Sum(var parts) -> parts.stream().mapToLong(Term::count).sum();
      case Kernel.Product(var parts) ->
          parts.stream().mapToLong(Term::count).reduce(1, (a, b) -> Math.min(a * b, MOST + 1));
      case Kernel.Additive additive -> count(additive.base());
    };
  }

  private static List<Term> expand(Kernel kernel, int[] at) {
    return switch (kernel) {
      case Constant constant ->
          List.of(new Term(constant.variance(), new int[] {at[0]++}, List.of(), new int[0]));
      case Leaf leaf -> {
        Term term = new Term(1, new int[0], List.of(leaf), new int[] {at[0]});
        at[0] += leaf.parameterCount();
        yield List.of(term);
      }
      case Kernel.Scaled(double variance, boolean fixed, Kernel inner) -> {
        Term scale = new Term(variance, new int[] {at[0]++}, List.of(), new int[0]);
        yield multiply(List.of(scale), expand(inner, at));
      }
      case Kernel.Sum(var parts) -> {
        List<Term> all = new ArrayList<>();
        for (Kernel part : parts) all.addAll(expand(part, at));
        yield all;
      }
      case Kernel.Product(var parts) -> {
        List<Term> product = List.of(new Term(1, new int[0], List.of(), new int[0]));
        for (Kernel part : parts) product = multiply(product, expand(part, at));
        yield product;
      }
      case Kernel.Additive additive -> throw Evaluation.unbound(additive);
    };
  }

  private static List<Term> multiply(List<Term> left, List<Term> right) {
    List<Term> product = new ArrayList<>();
    for (Term a : left)
      for (Term b : right) {
        List<Leaf> factors = new ArrayList<>(a.factors);
        factors.addAll(b.factors);
        product.add(
            new Term(
                a.amplitude * b.amplitude,
                join(a.amplitudeParameters, b.amplitudeParameters),
                factors,
                join(a.offsets, b.offsets)));
      }
    return product;
  }

  private static int[] join(int[] a, int[] b) {
    int[] joined = new int[a.length + b.length];
    System.arraycopy(a, 0, joined, 0, a.length);
    System.arraycopy(b, 0, joined, a.length, b.length);
    return joined;
  }

  @Override
  public String toString() {
    return amplitude + " × " + factors;
  }
}
