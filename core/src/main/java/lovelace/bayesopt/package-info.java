/// Bayesian optimisation: [lovelace.bayesopt.SearchSpace], acquisitions and the ask-and-tell
/// [lovelace.bayesopt.Tuner].
@NullMarked
package lovelace.bayesopt;

import org.jspecify.annotations.NullMarked;
