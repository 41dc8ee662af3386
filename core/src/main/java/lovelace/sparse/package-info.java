/// The sparse engine, for rough kernels on large lattices. [lovelace.sparse.LatticePrecision] is
/// the precision of the prior from local regressions, as a sparse matrix.
/// [lovelace.sparse.SparseCholesky] factors such matrices: a [lovelace.sparse.SparsePattern] says
/// which entries there are, [lovelace.sparse.NestedDissection] orders the points, and
/// [lovelace.sparse.Fronts] is what follows from both, once per pattern.
@NullMarked
package lovelace.sparse;

import org.jspecify.annotations.NullMarked;
