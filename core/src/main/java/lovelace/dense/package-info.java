/// Dense matrices, for a lattice with few observations and any kernel. Start at
/// [lovelace.dense.DenseEngine].
@NullMarked
package lovelace.dense;

import org.jspecify.annotations.NullMarked;
