package lovelace.inference;

import lovelace.grid.Statistics;
import lovelace.kernel.Hyperparameters;

/// One way of doing inference on the statistics of one data set: the evidence with its gradient,
/// and the posterior. Engines agree where more than one applies.
public interface LatticeEngine extends Likelihood {

  /// The data.
  Statistics statistics();

  /// The posterior of the lattice values, with variances known to the relative tolerance where that
  /// can be done.
  ///
  /// @param start what [Evidence#next] of an earlier evaluation handed on
  Conditioned posterior(Hyperparameters hyperparameters, double tolerance, WarmStart start);

  /// The posterior from nothing.
  default Conditioned posterior(Hyperparameters hyperparameters, double tolerance) {
    return posterior(hyperparameters, tolerance, WarmStart.NONE);
  }
}
