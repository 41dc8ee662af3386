package lovelace.learning;

import java.util.function.Supplier;
import lovelace.budget.Budget;
import lovelace.budget.Budget.TimeUpException;
import lovelace.kernel.Hyperparameters;

/// Cuts learning short when its share of the time is up. Learning keeps the best values so far. If
/// not even one likelihood fits into its share, the model gets the values that learning would have
/// started from.
public final class InTime {

  /// The share of the remaining time that learning may take. The rest is for the posterior.
  public static final double SHARE = 0.7;

  private InTime() {}

  /// Returns the result of learning, or the start values if its share of the time runs out first.
  ///
  /// @param start complete values to fall back on
  /// @param engine the name of the engine that learns
  public static Learned learned(
      Supplier<Learned> learning, Supplier<Hyperparameters> start, String engine) {
    try {
      return Budget.current().share(SHARE).call(learning::get);
    } catch (TimeUpException e) {
      return Learned.given(start.get(), engine).outOfTime();
    }
  }

  /// As [#learned], for learning that continues from complete values.
  public static Learned from(Hyperparameters start, Supplier<Learned> learning, String engine) {
    return learned(learning, () -> start, engine);
  }
}
