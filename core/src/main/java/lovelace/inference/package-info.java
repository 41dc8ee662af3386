/// What the engines on a lattice share: the problem, the two verbs of an engine, evidence, and the
/// distribution of the lattice values. Start at [lovelace.inference.LatticeEngine].
@NullMarked
package lovelace.inference;

import org.jspecify.annotations.NullMarked;
