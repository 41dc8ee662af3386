/// Engines that condition a Gaussian process on grid statistics and give its marginal likelihood:
/// spectral, Markov and Krylov. May import grid, krylov, optimize and what those may import.
@NullMarked
package lovelace.inference;

import org.jspecify.annotations.NullMarked;
