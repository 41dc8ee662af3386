/// The dense engine: few observations on a lattice, any kernel. Start at
/// [lovelace.dense.DenseEngine].
@NullMarked
package lovelace.dense;

import org.jspecify.annotations.NullMarked;
