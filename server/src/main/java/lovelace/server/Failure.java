package lovelace.server;

import java.util.concurrent.ExecutionException;
import lovelace.budget.Budget;

/// What a computation ended with, told to the one who asked for it.
final class Failure {

  private Failure() {}

  /// What was thrown first. Pools wrap it, in an exception of the same class at times.
  static Throwable root(Throwable e) {
    Throwable root = e;
    for (Throwable cause = e.getCause();
        cause != null
            && (root instanceof ExecutionException
                || root.getClass() == RuntimeException.class
                || root.getClass() == cause.getClass());
        cause = root.getCause()) root = cause;
    return root;
  }

  /// What an answer about a model is refused with: the library says what is wrong with the input; a
  /// model whose numbers cannot be computed with cannot be served. Anything else is a fault of
  /// ours, and thrown on.
  static RuntimeException of(RuntimeException e, String model) {
    Throwable root = root(e);
    String why = String.valueOf(root.getMessage());
    return switch (root) {
      case Refusal refusal -> refusal;
      case Budget.MemoryLimitException memory -> new Refusal(413, why);
      case IllegalArgumentException wrong -> new Refusal(400, why);
      case ArithmeticException numbers ->
          new Refusal(
              503,
              "model '%s' cannot be computed with: %s; fit it again and replace its file"
                  .formatted(model, why));
      default -> e;
    };
  }
}
