/// Comparisons: the approximations that peers use, and the paper as it was published, each a
/// [lovelace.posterior.Posterior]. No fit uses them.
@NullMarked
package lovelace.baseline;

import org.jspecify.annotations.NullMarked;
