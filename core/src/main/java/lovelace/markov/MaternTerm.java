package lovelace.markov;

import java.util.List;
import lovelace.kernel.Kernel;
import lovelace.kernel.Radial;
import lovelace.kernel.Term;
import lovelace.plan.Engine;
import org.jspecify.annotations.Nullable;

/// The term of a kernel of one input that is a Markov chain: one Matérn-1/2, -3/2 or -5/2, with
/// white noise if any.
public final class MaternTerm {

  private final Term term;
  private final Radial radial;
  private final int order;

  private MaternTerm(Term term, Radial radial, int order) {
    this.term = term;
    this.radial = radial;
    this.order = order;
  }

  /// The term of a bound kernel, or null if the kernel is no such chain.
  public static @Nullable MaternTerm of(Kernel kernel) {
    if (kernel.dimensions() != 1 || kernel.categories().length > 0) return null;
    List<Term> terms = kernel.terms().stream().filter(t -> !t.isWhite()).toList();
    if (terms.size() != 1 || terms.getFirst().factors().size() != 1) return null;
    if (!(terms.getFirst().factors().getFirst() instanceof Radial radial)) return null;
    int order =
        switch (radial.shape()) {
          case MATERN12 -> 1;
          case MATERN32 -> 3;
          case MATERN52 -> 5;
          case RBF, RATIONAL_QUADRATIC -> 0;
        };
    return order == 0 ? null : new MaternTerm(terms.getFirst(), radial, order);
  }

  /// The term of a kernel. Throws if the kernel is no such chain.
  ///
  /// @param engine the one that needs it
  public static MaternTerm require(Kernel kernel, Engine engine) {
    MaternTerm found = of(kernel);
    if (found == null)
      throw new IllegalArgumentException(
          "the %s engine serves one Matérn kernel in one dimension, not %s; use auto"
              .formatted(engine, kernel));
    return found;
  }

  /// 2ν: 1, 3 or 5.
  public int order() {
    return order;
  }

  public double lengthscale() {
    return radial.lengthscales()[0];
  }

  /// The variance of the process.
  public double amplitude() {
    return term.amplitude();
  }

  /// Turns the slopes of a likelihood in lengthscale and amplitude into slopes in the parameters of
  /// the kernel that this term belongs to. Those in white terms stay zero.
  public double[] gradient(Kernel kernel, double lengthscale, double amplitude) {
    double[] g = new double[kernel.parameterCount()];
    double[] values = kernel.values();
    g[term.offset(0)] += lengthscale;
    for (int a : term.amplitudeParameters()) g[a] += amplitude * term.amplitude() / values[a];
    return g;
  }
}
