package lovelace.learning;

import lovelace.budget.Budget;
import lovelace.inference.Evidence;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;

/// The evaluations of a search. Each starts from the result of the one before.
final class Trail {

  private final Learnable likelihood;
  private WarmStart start;
  private boolean estimated;

  Trail(Learnable likelihood, WarmStart start) {
    this.likelihood = likelihood;
    this.start = start;
  }

  /// The trail for rough likelihoods.
  Trail rough() {
    Learnable rough = likelihood.rough();
    return rough.equals(likelihood) ? this : new Trail(rough, WarmStart.NONE);
  }

  Evidence at(Hyperparameters h) {
    Evidence evidence = likelihood.evidence(h, start);
    start = evidence.next();
    estimated |= evidence.standardError() > 0;
    return evidence;
  }

  /// Minus the log posterior density. Writes its gradient in the free parameters if the array has
  /// room for it.
  double objective(Hyperparameters h, double[] gradient) {
    Budget.check();
    try {
      return at(h).objective(h, gradient);
    } catch (ArithmeticException notPositiveDefinite) {
      return Double.POSITIVE_INFINITY;
    }
  }

  /// The state from which the next evaluation starts.
  WarmStart start() {
    return start;
  }

  /// Whether likelihoods were estimated.
  boolean estimated() {
    return estimated;
  }
}
