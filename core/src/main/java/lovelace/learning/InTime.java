package lovelace.learning;

import java.util.function.Supplier;
import lovelace.budget.Budget;
import lovelace.budget.Budget.TimeUpException;
import lovelace.kernel.Hyperparameters;

/// Work that is cut short when its share of the time is up. Learning goes by the best values so
/// far. Where not even one likelihood fits into its share, the model has the values that learning
/// would have started from.
public final class InTime {

  /// The share of the time left that learning may take; the rest is for the posterior.
  public static final double SHARE = 0.7;

  private InTime() {}

  /// What is learned in its share, or the start values.
  ///
  /// @param start complete values to fall back on
  /// @param engine that learns, by name
  public static Learned learned(
      Supplier<Learned> learning, Supplier<Hyperparameters> start, String engine) {
    try {
      return Budget.current().share(SHARE).call(learning::get);
    } catch (TimeUpException e) {
      return Learned.given(start.get(), engine).outOfTime();
    }
  }

  /// The same of learning that goes on from values that are complete.
  public static Learned from(Hyperparameters start, Supplier<Learned> learning, String engine) {
    return learned(learning, () -> start, engine);
  }
}
