/// The exact process of rows with one input and a Matérn kernel, as a Markov chain over their
/// places, in time proportional to the rows. Start at [lovelace.chain.ChainGp].
@NullMarked
package lovelace.chain;

import org.jspecify.annotations.NullMarked;
