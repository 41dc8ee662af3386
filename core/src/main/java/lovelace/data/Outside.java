package lovelace.data;

/// Says how to treat an observation outside the lattice. There is no third option: with
/// interpolation weights of zero, the model would take the observation for pure noise.
public enum Outside {
  /// Throw an exception that names the row and column.
  ERROR,
  /// Leave it out and count it.
  SKIP
}
