package lovelace.learning;

import lovelace.budget.Budget;
import lovelace.inference.Evidence;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;

/// The evaluations of a search, each of which starts from what the one before handed on.
final class Trail {

  private final Learnable likelihood;
  private WarmStart start;
  private boolean estimated;

  Trail(Learnable likelihood, WarmStart start) {
    this.likelihood = likelihood;
    this.start = start;
  }

  /// One for rough likelihoods.
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

  /// Minus the log posterior density, with its gradient in the free parameters if there is room for
  /// it.
  double objective(Hyperparameters h, double[] gradient) {
    Budget.check();
    try {
      return at(h).objective(h, gradient);
    } catch (ArithmeticException notPositiveDefinite) {
      return Double.POSITIVE_INFINITY;
    }
  }

  /// What the next evaluation starts from.
  WarmStart start() {
    return start;
  }

  /// Whether likelihoods were estimated.
  boolean estimated() {
    return estimated;
  }
}
