package lovelace.inference;

import lovelace.grid.Statistics;
import lovelace.kernel.Hyperparameters;

/// One way of doing inference on the statistics of one data set. Engines agree where more than one
/// applies.
public interface LatticeEngine extends Likelihood {

  /// `spectral`, `markov`, `krylov` or `dense`.
  @Override
  String name();

  /// The data.
  Statistics statistics();

  /// An engine that is cheaper and less exact, good enough to tell poor start values from better
  /// ones.
  @Override
  default LatticeEngine rough() {
    return this;
  }

  /// The posterior of the lattice values, with variances known to the relative tolerance where that
  /// can be done.
  Conditioned condition(Hyperparameters hyperparameters, double tolerance);
}
