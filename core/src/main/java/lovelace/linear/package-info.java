/// Linear algebra: operators, dense Cholesky, FFT, conjugate gradients, Lanczos, special functions,
/// and the access to BLAS and LAPACK (`internal`). Matrices are row-major `double[]`. Start at
/// [lovelace.linear.LinearOperator].
@NullMarked
package lovelace.linear;

import org.jspecify.annotations.NullMarked;
