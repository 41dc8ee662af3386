/// How a model is computed from the data that it keeps: [lovelace.way.Way] and [lovelace.way.Kept].
///
/// A way has leaves, which are engines ([lovelace.way.RowLeaf], [lovelace.way.LatticeLeaf]), and
/// wrappers in one normal form ([lovelace.way.Frame]): likelihood, drift, features.
@org.jspecify.annotations.NullMarked
package lovelace.way;
