/// Bayesian optimisation: [lovelace.bayesopt.SearchSpace], acquisitions and the ask-and-tell
/// [lovelace.bayesopt.Tuner]. Imports baseline, posterior and what lies below them, and
/// [lovelace.io.AtomicFile].
@NullMarked
package lovelace.bayesopt;

import org.jspecify.annotations.NullMarked;
