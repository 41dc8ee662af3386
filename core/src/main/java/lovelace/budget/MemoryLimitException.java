package lovelace.budget;

/// A computation would need more memory than its [Budget] allows.
public final class MemoryLimitException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  public MemoryLimitException(String message) {
    super(message);
  }

  /// As a thread pool hands it on.
  public MemoryLimitException(Throwable cause) {
    super(cause.getMessage(), cause);
  }
}
