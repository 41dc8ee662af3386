/// K, the kernel between the points of a lattice, in forms that make products with it fast:
/// Toeplitz, Kronecker, Fourier modes, roots. Start at [lovelace.latticekernel.LatticeKernel].
@NullMarked
package lovelace.latticekernel;

import org.jspecify.annotations.NullMarked;
