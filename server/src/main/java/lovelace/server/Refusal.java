package lovelace.server;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Answers a request with an error status and a message for the client.
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

  /// The same refusal, after which the connection is closed because the body was not read to its
  /// end.
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
