package lovelace.data;

/// A file that brings or names code was read with [Trust#DATA]. Nothing of it ran.
public final class UntrustedCodeException extends IllegalArgumentException {

  /// What the code is, such as `a TorchScript module`.
  public UntrustedCodeException(String code) {
    super(
        "its network is %s, and loading it runs code; if you trust who made the file, load it with Trust.CODE"
            .formatted(code));
  }
}
