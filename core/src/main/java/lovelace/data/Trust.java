package lovelace.data;

/// How far the writer of a model file is trusted. A model is numbers, and reading numbers runs
/// nothing. Some networks travel as code: a TorchScript module, or the name of a class.
public enum Trust {
  /// Anyone may have written the file: what would run code is refused.
  DATA,

  /// The file may bring or name code that runs in this process, with all its rights.
  CODE
}
