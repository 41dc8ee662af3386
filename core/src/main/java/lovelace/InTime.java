package lovelace;

import java.util.function.Supplier;
import lovelace.budget.Budget;
import lovelace.budget.Budget.TimeUpException;
import lovelace.kernel.Hyperparameters;
import lovelace.learning.Learned;

/// Learning in its share of the time. Where not even one likelihood fits into it, the model has the
/// values that learning would have started from.
final class InTime {

  private InTime() {}

  /// What is learned in its share, or the start values while there is time for a posterior.
  ///
  /// @param start complete values to fall back on
  /// @param engine that learns, by name
  static Learned learned(
      Supplier<Learned> learning, Supplier<Hyperparameters> start, String engine) {
    try {
      return Budget.current().share(RowFit.LEARNING).call(learning::get);
    } catch (TimeUpException e) {
      if (Budget.current().over()) throw e;
      return Learned.given(start.get(), engine).outOfTime();
    }
  }
}
