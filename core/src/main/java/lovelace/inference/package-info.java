/// The common parts of the engines on a lattice: the problem, the interface of an engine, evidence,
/// and the distribution of the lattice values. Start at [lovelace.inference.LatticeEngine].
@NullMarked
package lovelace.inference;

import org.jspecify.annotations.NullMarked;
