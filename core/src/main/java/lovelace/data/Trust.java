package lovelace.data;

/// How far the writer of a model file is trusted. A model is numbers, and reading numbers runs
/// nothing. Some networks travel as code: a TorchScript module, or the name of a class.
public enum Trust {
  /// Anyone may have written the file: what would run code is refused.
  DATA,

  /// The file may bring or name code that runs in this process, with all its rights.
  CODE;

  /// A file that brings or names code was read with [Trust#DATA]. Nothing of it ran.
  public static final class UntrustedCodeException extends IllegalArgumentException {

    /// What the code is, such as `a TorchScript module`.
    public UntrustedCodeException(String code) {
      super(
          "its network is %s, and loading it runs code; if you trust who made the file, load it with Trust.CODE"
              .formatted(code));
    }
  }
}
