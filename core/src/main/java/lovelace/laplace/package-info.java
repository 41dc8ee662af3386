/// Laplace's approximation, for observations that are not a function plus Gaussian noise of one
/// size. At the mode of the latent function it is a Gaussian process of *working observations*, so
/// every engine can compute it. Start at [lovelace.laplace.Laplace].
@NullMarked
package lovelace.laplace;

import org.jspecify.annotations.NullMarked;
