package lovelace.inference;

import lovelace.grid.Stencils;
import lovelace.kernel.Hyperparameters;
import lovelace.statistics.Statistics;

/// Computes the evidence with its gradient, and the posterior, from the statistics of one data set.
/// If several engines apply, they agree.
public interface LatticeEngine extends Learnable {

  /// Thrown if an engine cannot represent a kernel on its lattice.
  final class OutOfReachException extends IllegalArgumentException {
    public OutOfReachException(String message) {
      super(message);
    }
  }

  /// The data.
  Statistics statistics();

  /// The posterior of the lattice values. Variances are known to the relative tolerance if that is
  /// possible.
  ///
  /// @param start the state from [Evidence#next] of an earlier evaluation
  LatticeDistribution posterior(Hyperparameters hyperparameters, double tolerance, WarmStart start);

  /// Only the mean and covariance that the evidence uses. Neither measures how accurate the
  /// variances are nor improves them.
  ///
  /// @throws OutOfReachException if the evidence is −∞ because the engine cannot represent the
  ///   kernel
  default LatticeDistribution conditioned(Hyperparameters hyperparameters, WarmStart start) {
    return posterior(hyperparameters, 0.5, start);
  }

  /// The variances at points of a distribution from [#conditioned]. Their only error is rounding.
  default double[] variances(LatticeDistribution conditioned, Stencils points) {
    return conditioned.covariance().variances(points);
  }

  /// The posterior without a state to start from.
  default LatticeDistribution posterior(Hyperparameters hyperparameters, double tolerance) {
    return posterior(hyperparameters, tolerance, WarmStart.NONE);
  }
}
