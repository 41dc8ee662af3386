package lovelace.inference;

import lovelace.kernel.Hyperparameters;

/// What hyperparameters are learned by: the likelihood of one data set under any of them.
public interface Likelihood {

  /// The engine that computes it.
  String name();

  /// The log marginal likelihood and its gradient under complete hyperparameters. A value of −∞
  /// says that these cannot be evaluated.
  Evidence evidence(Hyperparameters hyperparameters);

  /// One that is cheaper and less exact, good enough to tell poor start values from better ones.
  default Likelihood rough() {
    return this;
  }
}
