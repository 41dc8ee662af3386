/// Exact Gaussian processes of one input whose kernel is a Markov chain, in time proportional to
/// the rows. Start at [lovelace.markov.ChainGp]. May import data, kernel, linear, inference and the
/// interfaces of posterior.
@NullMarked
package lovelace.markov;

import org.jspecify.annotations.NullMarked;
