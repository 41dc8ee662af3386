package lovelace.server;

import java.util.concurrent.ExecutionException;
import lovelace.budget.Budget;

/// Turns the failure of a computation into an answer for the client.
final class Failure {

  private Failure() {}

  /// The exception that was thrown first. Pools wrap it, sometimes in an exception of the same
  /// class.
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

  /// The refusal for a failed answer about a model. If the input is wrong, the library's message
  /// says how. A model whose numbers cannot be computed with cannot be served. Anything else is a
  /// fault of ours and is thrown again.
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
