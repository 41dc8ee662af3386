/// Comparisons: the approximations that peers use, and the published algorithm of the paper. Each
/// is a [lovelace.posterior.Posterior]. No fit uses them.
@NullMarked
package lovelace.experiments.baseline;

import org.jspecify.annotations.NullMarked;
