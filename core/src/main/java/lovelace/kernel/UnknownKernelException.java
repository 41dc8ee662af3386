package lovelace.kernel;

/// The text of a kernel names one that is neither the library's nor registered by the reader.
public final class UnknownKernelException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  private final String name;

  UnknownKernelException(String name, String message) {
    super(message);
    this.name = name;
  }

  /// The name that is not known.
  public String name() {
    return name;
  }
}
