package lovelace.inference;

import lovelace.grid.Stencils;
import lovelace.kernel.Hyperparameters;
import lovelace.statistics.Statistics;

/// One way of doing inference on the statistics of one data set: the evidence with its gradient,
/// and the posterior. Engines agree where more than one applies.
public interface LatticeEngine extends Learnable {

  /// An engine does not carry a kernel on its lattice.
  final class OutOfReachException extends IllegalArgumentException {
    public OutOfReachException(String message) {
      super(message);
    }
  }

  /// The data.
  Statistics statistics();

  /// The posterior of the lattice values, with variances known to the relative tolerance where that
  /// can be done.
  ///
  /// @param start what [Evidence#next] of an earlier evaluation handed on
  LatticeDistribution posterior(Hyperparameters hyperparameters, double tolerance, WarmStart start);

  /// Mean and covariance alone, as the evidence has them: neither how well variances are known nor
  /// a closer answer is looked for.
  ///
  /// @throws OutOfReachException where the evidence is −∞ because the kernel is not carried
  default LatticeDistribution conditioned(Hyperparameters hyperparameters, WarmStart start) {
    return posterior(hyperparameters, 0.5, start);
  }

  /// The variances at points of a distribution that [#conditioned] gave, where rounding is all the
  /// error.
  default double[] variances(LatticeDistribution conditioned, Stencils points) {
    return conditioned.covariance().variances(points);
  }

  /// The posterior from nothing.
  default LatticeDistribution posterior(Hyperparameters hyperparameters, double tolerance) {
    return posterior(hyperparameters, tolerance, WarmStart.NONE);
  }
}
