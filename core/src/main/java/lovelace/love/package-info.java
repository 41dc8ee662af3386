/// LOVE (Pleiss et al. 2018): the posterior covariance of the lattice values by Lanczos. The Krylov
/// and the dense engine use it. Start at [lovelace.love.Love].
@NullMarked
package lovelace.love;

import org.jspecify.annotations.NullMarked;
