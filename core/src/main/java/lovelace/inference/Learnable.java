package lovelace.inference;

import lovelace.kernel.Hyperparameters;

/// What hyperparameters are learned by: the likelihood of one data set under any of them. It
/// remembers no evaluation.
public interface Learnable {

  /// The engine that computes it.
  String name();

  /// The log marginal likelihood and its gradient under complete hyperparameters. A value of −∞
  /// says that these cannot be evaluated.
  ///
  /// @param start what [Evidence#next] of an earlier evaluation handed on
  Evidence evidence(Hyperparameters hyperparameters, WarmStart start);

  /// The evidence from nothing.
  default Evidence evidence(Hyperparameters hyperparameters) {
    return evidence(hyperparameters, WarmStart.NONE);
  }

  /// One that is cheaper and less exact, good enough to tell poor start values from better ones.
  default Learnable rough() {
    return this;
  }
}
