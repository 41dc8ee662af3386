package lovelace.markov;

import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeEngine;
import lovelace.inference.LatticeProblem;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.plan.Engine;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;

/// Treats one Matérn kernel (-1/2, -3/2 or -5/2) in one dimension, with white noise if any, as a
/// Markov chain. It is exact, in O(m).
public final class MarkovEngine implements LatticeEngine {

  private final GridStatistics statistics;

  public MarkovEngine(GridStatistics statistics) {
    this.statistics = statistics;
  }

  /// Whether the engine can compute with this kernel on this lattice.
  public static boolean applies(Lattice lattice, Kernel kernel) {
    return lattice instanceof Grid grid && grid.dimensions() == 1 && MaternTerm.of(kernel) != null;
  }

  @Override
  public String name() {
    return "markov";
  }

  @Override
  public Statistics statistics() {
    return statistics;
  }

  private MarkovSolution system(Hyperparameters h, double[] prior) {
    MaternTerm term = MaternTerm.require(h.kernel(), Engine.MARKOV);
    return MarkovSolution.of(
        term.order(),
        term.lengthscale(),
        term.amplitude(),
        h.noise() + h.kernel().whiteVariance(),
        statistics,
        prior);
  }

  @Override
  public Evidence evidence(Hyperparameters h, WarmStart start) {
    LatticeProblem grid = LatticeProblem.of(statistics, h);
    MarkovSolution system = system(h, grid.prior());
    double[] own = system.gradient(); // in lengthscale, amplitude and noise
    double[] kernel =
        MaternTerm.require(h.kernel(), Engine.MARKOV).gradient(h.kernel(), own[0], own[1]);
    double[] g = Evidence.gradient(grid, kernel, own[2], system.dual());
    return new Evidence(system.logMarginalLikelihood(), g, 0);
  }

  @Override
  public LatticeDistribution posterior(Hyperparameters h, double tolerance, WarmStart start) {
    LatticeProblem grid = LatticeProblem.of(statistics, h);
    MarkovSolution system = system(h, grid.prior());
    return new LatticeDistribution(grid, new MarkovCovariance(grid, system), system.mean());
  }
}
