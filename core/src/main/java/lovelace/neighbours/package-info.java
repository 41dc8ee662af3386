/// The process by nearest neighbours, for many rows and any kernel: the likelihood of each row
/// given few earlier ones (Vecchia 1988), and predictions from few rows. Start at
/// [lovelace.neighbours.NeighbourGp], the posterior, or at [lovelace.neighbours.NeighbourLearning],
/// which learns by [lovelace.neighbours.VecchiaLikelihood].
@NullMarked
package lovelace.neighbours;

import org.jspecify.annotations.NullMarked;
