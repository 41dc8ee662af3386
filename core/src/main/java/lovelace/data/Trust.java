package lovelace.data;

/// How much the reader of a model file trusts its writer. A model is numbers, and reading numbers
/// runs no code. But some networks are stored as code: a TorchScript module, or the name of a
/// class.
public enum Trust {
  /// Anyone may have written the file. Anything that would run code is refused.
  DATA,

  /// The file may contain or name code, which runs in this process with all its rights.
  CODE;

  /// Thrown if a file that contains or names code is read with [Trust#DATA]. None of the code was
  /// run.
  public static final class UntrustedCodeException extends IllegalArgumentException {

    /// @param code the kind of code, such as `a TorchScript module`
    public UntrustedCodeException(String code) {
      super(
          "its network is %s, and loading it runs code; if you trust who made the file, load it with Trust.CODE"
              .formatted(code));
    }
  }
}
