/// Minimisation of smooth functions within bounds: L-BFGS, Adam, several starts. It knows nothing
/// about Gaussian processes. Start with [lovelace.optimize.Optimizer].
@NullMarked
package lovelace.optimize;

import org.jspecify.annotations.NullMarked;
