/// Inference on a lattice: the linear system of the data and the kernel, the engines that solve it,
/// the marginal likelihood. Entry type: [lovelace.inference.GridSystem]. Imports grid, krylov,
/// optimize and what lies below them.
@NullMarked
package lovelace.inference;

import org.jspecify.annotations.NullMarked;
