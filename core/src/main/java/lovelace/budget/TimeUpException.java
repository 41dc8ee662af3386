package lovelace.budget;

import java.util.function.Function;
import lovelace.budget.Budget.Remedy;

/// The time of a [Budget] is up, and what was computed by then cannot be used.
public final class TimeUpException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String[] texts; // with the remedies between them
  private final Remedy[] remedies;

  public TimeUpException(String message) {
    this(new String[] {message});
  }

  TimeUpException(String[] texts, Remedy... remedies) {
    super(Remedy.text(texts, remedies, remedy -> ""));
    this.texts = texts.clone();
    this.remedies = remedies.clone();
  }

  /// As a thread pool hands it on.
  public TimeUpException(Throwable cause) {
    super(cause.getMessage(), cause);
    boolean same = cause instanceof TimeUpException;
    texts =
        same ? ((TimeUpException) cause).texts : new String[] {String.valueOf(cause.getMessage())};
    remedies = same ? ((TimeUpException) cause).remedies : new Remedy[0];
  }

  /// The message with how each remedy is done in brackets after it, `--time` say; nothing is added
  /// where that is empty.
  public String message(Function<Remedy, String> how) {
    return Remedy.text(texts, remedies, how);
  }
}
