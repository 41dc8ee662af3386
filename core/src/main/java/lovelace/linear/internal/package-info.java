/// The only access to BLAS and LAPACK. [lovelace.linear.internal.Routines] are single-threaded and
/// come in two versions: OpenBLAS through java.lang.foreign, and plain Java. Both share the fixed
/// tiling over threads. Not exported; use [lovelace.linear.Blas].
@NullMarked
package lovelace.linear.internal;

import org.jspecify.annotations.NullMarked;
