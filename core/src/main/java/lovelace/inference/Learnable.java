package lovelace.inference;

import lovelace.kernel.Hyperparameters;

/// The likelihood of one data set under any hyperparameters, which a learner maximises. It keeps no
/// state between evaluations.
public interface Learnable {

  /// The name of the engine that computes it.
  String name();

  /// The log marginal likelihood and its gradient under complete hyperparameters. A value of −∞
  /// means that these cannot be evaluated.
  ///
  /// @param start the state from [Evidence#next] of an earlier evaluation
  Evidence evidence(Hyperparameters hyperparameters, WarmStart start);

  /// The evidence without a state to start from.
  default Evidence evidence(Hyperparameters hyperparameters) {
    return evidence(hyperparameters, WarmStart.NONE);
  }

  /// A cheaper and less exact likelihood, good enough to tell poor start values from better ones.
  default Learnable rough() {
    return this;
  }
}
