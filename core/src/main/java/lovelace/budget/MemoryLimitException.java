package lovelace.budget;

import java.util.function.Function;
import lovelace.budget.Budget.Remedy;

/// A computation would need more memory than its [Budget] allows.
public final class MemoryLimitException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final String[] texts; // with the remedies between them
  private final Remedy[] remedies;

  MemoryLimitException(String[] texts, Remedy... remedies) {
    super(Remedy.text(texts, remedies, remedy -> ""));
    this.texts = texts.clone();
    this.remedies = remedies.clone();
  }

  /// As a thread pool hands it on.
  public MemoryLimitException(Throwable cause) {
    super(cause.getMessage(), cause);
    boolean same = cause instanceof MemoryLimitException;
    texts =
        same
            ? ((MemoryLimitException) cause).texts
            : new String[] {String.valueOf(cause.getMessage())};
    remedies = same ? ((MemoryLimitException) cause).remedies : new Remedy[0];
  }

  /// The message with how each remedy is done in brackets after it, `--memory` say; nothing is
  /// added where that is empty.
  public String message(Function<Remedy, String> how) {
    return Remedy.text(texts, remedies, how);
  }
}
