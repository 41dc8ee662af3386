package lovelace.data;

/// What to do with an observation outside the lattice. There is no third option: a weight of zero
/// would turn it into noise.
public enum Outside {
  /// Fail, naming the row and column.
  ERROR,
  /// Leave it out and count it.
  SKIP
}
