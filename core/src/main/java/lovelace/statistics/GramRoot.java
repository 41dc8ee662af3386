package lovelace.statistics;

/// A sparse matrix V with one column per observation, or per compressed observation: `VVᵀ = G`.
/// Immutable.
public interface GramRoot {

  /// The number of lattice points, m.
  int size();

  /// The number of columns.
  int columns();

  /// `u ← V v`, v of [#columns], u of [#size] numbers.
  void apply(double[] v, double[] u);

  /// `v ← Vᵀ u`, u of [#size], v of [#columns] numbers.
  void applyTransposed(double[] u, double[] v);
}
