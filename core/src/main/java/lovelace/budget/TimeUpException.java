package lovelace.budget;

/// The time of a [Budget] is up, and what was computed by then cannot be used.
public final class TimeUpException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public TimeUpException(String message) {
    super(message);
  }

  /// As a thread pool hands it on.
  public TimeUpException(Throwable cause) {
    super(cause.getMessage(), cause);
  }
}
