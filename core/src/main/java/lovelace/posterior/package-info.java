/// Posteriors: predictions, covariances, samples and their certificates. Entry type:
/// [lovelace.posterior.Posterior]. Imports inference and what lies below it.
@NullMarked
package lovelace.posterior;

import org.jspecify.annotations.NullMarked;
