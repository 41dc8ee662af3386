/// Sparse symmetric matrices. [lovelace.linear.sparse.SparseCholesky] factors them: a
/// [lovelace.linear.sparse.SparsePattern] lists the entries,
/// [lovelace.linear.sparse.NestedDissection] orders the points, and [lovelace.linear.sparse.Fronts]
/// plans the elimination from both, once per pattern. [lovelace.linear.sparse.SelectedInverse]
/// holds the entries of the inverse on the pattern.
@NullMarked
package lovelace.linear.sparse;

import org.jspecify.annotations.NullMarked;
