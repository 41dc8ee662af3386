/// The likelihood of rows by their nearest neighbours, for many rows and any kernel: each row given
/// few earlier ones (Vecchia 1988). Start at [lovelace.neighbours.VecchiaLikelihood], or at
/// [lovelace.neighbours.NeighbourLearning], which learns by it.
@NullMarked
package lovelace.neighbours;

import org.jspecify.annotations.NullMarked;
