/// Dense matrices: the engine for few observations on a lattice ([lovelace.dense.DenseEngine]) and
/// the exact process of the rows ([lovelace.dense.ExactGp]), the oracle of all others.
@NullMarked
package lovelace.dense;

import org.jspecify.annotations.NullMarked;
