/// The sparse engine, for rough kernels on large lattices. [lovelace.sparse.LatticePrecision] is
/// the precision of the prior from local regressions, as a sparse matrix.
@NullMarked
package lovelace.sparse;

import org.jspecify.annotations.NullMarked;
