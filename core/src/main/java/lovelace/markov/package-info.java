/// One Matérn kernel over one input, computed exactly as a Markov chain over the points of a grid.
/// Start at [lovelace.markov.MarkovEngine].
@NullMarked
package lovelace.markov;

import org.jspecify.annotations.NullMarked;
