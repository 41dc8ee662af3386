package lovelace.inference;

import lovelace.grid.GridStatistics;
import lovelace.grid.Statistics;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;

/// The Markov engine: one Matérn kernel (-1/2, -3/2 or -5/2) in one dimension, white noise beside
/// it, exact in O(m).
public final class MarkovEngine implements LatticeEngine {

  private final GridStatistics statistics;

  public MarkovEngine(GridStatistics statistics) {
    this.statistics = statistics;
  }

  /// Whether the engine serves this data and kernel.
  public static boolean applies(Statistics statistics, Kernel kernel) {
    return statistics instanceof GridStatistics grid
        && grid.grid().dimensions() == 1
        && MaternTerm.of(kernel) != null;
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
    MaternTerm term = MaternTerm.require(h.kernel());
    return MarkovSystem.of(
        term.order(),
        term.lengthscale(),
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
    int p = h.kernel().parameterCount();
    double[] own = system.gradient();
    double[] g = MaternTerm.require(h.kernel()).gradient(h, own[0], own[1], own[2]);
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
