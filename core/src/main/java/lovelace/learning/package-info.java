/// Learns hyperparameters by maximising the evidence. Start at [lovelace.learning.Learner].
@NullMarked
package lovelace.learning;

import org.jspecify.annotations.NullMarked;
