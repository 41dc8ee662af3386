/// The sparse engine, for rough kernels on large lattices. [lovelace.sparse.LatticePrecision] is
/// the precision of the prior from local regressions, as a sparse matrix.
/// [lovelace.sparse.SparseCholesky] factors such matrices: a [lovelace.sparse.SparsePattern] says
/// which entries there are, [lovelace.sparse.NestedDissection] orders the points, and
/// [lovelace.sparse.Fronts] is what follows from both, once per pattern. [lovelace.sparse.SiteGp]
/// is the posterior of rows between nodes: [lovelace.sparse.Sites] are their places,
/// [lovelace.sparse.SiteSets] what each is regressed on, [lovelace.sparse.SitePrior] the prior of
/// nodes and sites under one kernel.
@NullMarked
package lovelace.sparse;

import org.jspecify.annotations.NullMarked;
