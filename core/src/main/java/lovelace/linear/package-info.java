/// Linear algebra: operators, dense Cholesky, FFT, and the one seam to BLAS and LAPACK
/// (`internal`). Matrices are row-major `double[]`. Entry type: [lovelace.linear.LinearOperator].
/// Imports nothing of Lovelace.
@NullMarked
package lovelace.linear;

import org.jspecify.annotations.NullMarked;
