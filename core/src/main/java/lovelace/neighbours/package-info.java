/// Rows by their nearest neighbours, for many rows and any kernel: the likelihood of each given few
/// earlier ones (Vecchia 1988), and predictions from few rows. Start at
/// [lovelace.neighbours.NeighbourGp], the posterior, or at [lovelace.neighbours.NeighbourLearning],
/// which learns by [lovelace.neighbours.VecchiaLikelihood]. Under likelihoods that are not Gaussian
/// these are [lovelace.neighbours.LatentNeighbourGp] and [lovelace.neighbours.LatentLearning], by
/// [lovelace.neighbours.VecchiaLaplace].
@NullMarked
package lovelace.neighbours;

import org.jspecify.annotations.NullMarked;
