/// The exact process of the rows, by one Cholesky factorisation: the oracle of all others, and the
/// right choice for few rows. Start at [lovelace.exact.ExactGp].
@NullMarked
package lovelace.exact;

import org.jspecify.annotations.NullMarked;
