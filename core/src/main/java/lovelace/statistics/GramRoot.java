package lovelace.statistics;

/// A sparse matrix V with one column per observation, or per compressed observation: `VVᵀ = G`.
/// Immutable.
public interface GramRoot {

  /// The number of lattice points, m.
  int size();

  /// The number of columns.
  int columns();

  /// `u ← V v`; v has [#columns] numbers and u has [#size].
  void apply(double[] v, double[] u);

  /// `v ← Vᵀ u`; u has [#size] numbers and v has [#columns].
  void applyTransposed(double[] u, double[] v);
}
