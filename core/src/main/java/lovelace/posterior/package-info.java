/// The public side of a posterior: the interface, predictions, certificates and scores. Start with
/// [lovelace.posterior.Posterior].
@NullMarked
package lovelace.posterior;

import org.jspecify.annotations.NullMarked;
