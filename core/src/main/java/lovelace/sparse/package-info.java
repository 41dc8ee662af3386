/// Sparse symmetric matrices whose rows are points in a plane or in space: a factor, solutions and
/// entries of the inverse, all exact. A [lovelace.sparse.SparsePattern] says which entries there
/// are, [lovelace.sparse.NestedDissection] orders the points, [lovelace.sparse.Fronts] is what
/// follows from both, once per pattern, and [lovelace.sparse.SparseCholesky] is the factor of one
/// matrix. Start there. Knows nothing of Gaussian processes.
@NullMarked
package lovelace.sparse;

import org.jspecify.annotations.NullMarked;
