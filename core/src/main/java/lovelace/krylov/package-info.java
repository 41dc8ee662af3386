/// Any kernel on a lattice of any size, by conjugate gradients and Lanczos quadrature. Start at
/// [lovelace.krylov.KrylovEngine].
@NullMarked
package lovelace.krylov;

import org.jspecify.annotations.NullMarked;
