/// The exact process of the rows, by one Cholesky factorisation. All other engines are compared
/// with it, and it is the right choice for few rows. Start at [lovelace.exact.ExactGp].
@NullMarked
package lovelace.exact;

import org.jspecify.annotations.NullMarked;
