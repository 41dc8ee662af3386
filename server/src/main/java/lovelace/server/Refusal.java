package lovelace.server;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A request that is answered with an error status and a message for the one who sent it.
public final class Refusal extends RuntimeException {

  private final int status;
  private boolean hangingUp = false;

  /// A status, and a sentence that gives name, value, rule and remedy.
  public Refusal(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
  static Refusal wrong(String message, @Nullable Object... arguments) {
    return new Refusal(
        400, arguments.length == 0 ? message : String.format(Locale.ROOT, message, arguments));
  }

  static Refusal busy(String message) {
    return new Refusal(429, message);
  }

  /// The same, after which the connection is closed, as the body was not read to its end.
  Refusal hangUp() {
    hangingUp = true;
    return this;
  }

  boolean hangingUp() {
    return hangingUp;
  }

  /// The HTTP status.
  public int status() {
    return status;
  }
}
