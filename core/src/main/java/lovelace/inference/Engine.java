package lovelace.inference;

import lovelace.grid.Statistics;
import lovelace.kernel.Hyperparameters;

/// One way of doing inference on the statistics of one data set. Engines agree where more than one
/// applies.
public interface Engine extends Likelihood {

  /// `spectral`, `markov`, `krylov` or `dense`.
  @Override
  String name();

  /// The data.
  Statistics statistics();

  /// An engine that is cheaper and less exact, good enough to tell poor start values from better
  /// ones.
  @Override
  default Engine rough() {
    return this;
  }

  /// The posterior of the lattice values, with variances known to the relative tolerance where that
  /// can be done.
  Conditioned condition(Hyperparameters hyperparameters, double tolerance);
}
