package lovelace.inference;

import java.util.List;
import lovelace.grid.GridStatistics;
import lovelace.grid.Statistics;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Radial;
import lovelace.kernel.Term;
import org.jspecify.annotations.Nullable;

/// The Markov engine: one Matérn kernel (-1/2, -3/2 or -5/2) in one dimension, white noise beside
/// it, exact in O(m).
public final class MarkovEngine implements Engine {

  private final GridStatistics statistics;

  public MarkovEngine(GridStatistics statistics) {
    this.statistics = statistics;
  }

  /// Whether the engine serves this data and kernel.
  public static boolean applies(Statistics statistics, Kernel kernel) {
    return statistics instanceof GridStatistics grid
        && grid.grid().dimensions() == 1
        && matern(kernel) != null;
  }

  /// The only term that is not white, if it is a Matérn.
  private static @Nullable Term matern(Kernel kernel) {
    List<Term> terms = kernel.terms().stream().filter(t -> !t.isWhite()).toList();
    if (terms.size() != 1 || terms.getFirst().factors().size() != 1) return null;
    return terms.getFirst().factors().getFirst() instanceof Radial radial && order(radial) > 0
        ? terms.getFirst()
        : null;
  }

  private static int order(Radial radial) {
    return switch (radial.shape()) {
      case MATERN12 -> 1;
      case MATERN32 -> 3;
      case MATERN52 -> 5;
      case RBF, RATIONAL_QUADRATIC -> 0;
    };
  }

  @Override
  public String name() {
    return "markov";
  }

  @Override
  public Statistics statistics() {
    return statistics;
  }

  private MarkovSystem system(Hyperparameters h, double[] prior) {
    Term term = matern(h.kernel());
    if (term == null)
      throw new IllegalArgumentException(
          "the markov engine serves one Matérn kernel in one dimension, not " + h.kernel());
    Radial radial = (Radial) term.factors().getFirst();
    return MarkovSystem.of(
        order(radial),
        radial.lengthscales()[0],
        term.amplitude(),
        h.noise() + h.kernel().whiteVariance(),
        statistics,
        prior);
  }

  @Override
  public Evidence evidence(Hyperparameters h) {
    double[] c = h.mean().coefficients();
    double[] prior =
        c.length == 0
            ? new double[statistics.grid().size()]
            : statistics.grid().linear(c[0], tail(c));
    MarkovSystem system = system(h, prior);
    Term term = matern(h.kernel());
    int p = h.kernel().parameterCount();
    double[] own = system.gradient();
    double[] g = new double[h.size()];
    if (term != null) {
      double[] values = h.values();
      g[term.offset(0)] += own[0];
      for (int a : term.amplitudeParameters()) g[a] += own[1] * term.amplitude() / values[a];
    }
    g[p] += own[2];
    h.kernel().whiteGradient(own[2], g, 0);
    double[] dual = system.dual();
    for (int i = 0; i < c.length; i++) {
      double[] basis = i == 0 ? statistics.grid().constant() : statistics.grid().coordinates(i - 1);
      for (int k = 0; k < dual.length; k++) g[p + 1 + i] += basis[k] * dual[k];
    }
    return new Evidence(system.logMarginalLikelihood(), g, 0);
  }

  private static double[] tail(double[] c) {
    double[] rest = new double[c.length - 1];
    System.arraycopy(c, 1, rest, 0, rest.length);
    return rest;
  }

  @Override
  public Conditioned condition(Hyperparameters h, double tolerance) {
    GridSystem grid = GridSystem.of(statistics, h);
    MarkovSystem system = system(h, grid.prior());
    return new Conditioned(grid, new MarkovCovariance(grid, system), system.mean());
  }
}
