/// What a user sees of a posterior: the interface, predictions, certificates and scores. Start at
/// [lovelace.posterior.Posterior].
@NullMarked
package lovelace.posterior;

import org.jspecify.annotations.NullMarked;
