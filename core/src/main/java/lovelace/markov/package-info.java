/// Matérn kernels over one input as Markov chains, exactly: on a lattice
/// ([lovelace.markov.MarkovEngine]) and on the places of the rows ([lovelace.markov.ChainGp]).
@NullMarked
package lovelace.markov;

import org.jspecify.annotations.NullMarked;
