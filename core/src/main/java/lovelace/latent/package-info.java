/// Handles many rows under a likelihood that is not Gaussian. The function at their places has a
/// prior from nearest neighbours, and Laplace's approximation finds its mode. Start at
/// [lovelace.latent.LatentNeighbourGp], the posterior, or at [lovelace.latent.LatentLearning],
/// which learns by [lovelace.latent.VecchiaLaplace].
@NullMarked
package lovelace.latent;

import org.jspecify.annotations.NullMarked;
