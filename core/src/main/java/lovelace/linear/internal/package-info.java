/// The one seam to BLAS and LAPACK: single-threaded [lovelace.linear.internal.Routines] in two
/// versions, OpenBLAS through java.lang.foreign and plain Java, and the fixed tiling over threads
/// that is common to both. Not exported; use [lovelace.linear.Blas].
@NullMarked
package lovelace.linear.internal;

import org.jspecify.annotations.NullMarked;
