/// The Markov engine: one Matérn kernel over one input as a Markov chain over the points of a grid,
/// exactly. Start at [lovelace.markov.MarkovEngine].
@NullMarked
package lovelace.markov;

import org.jspecify.annotations.NullMarked;
