/// Minimisation of smooth functions within bounds: L-BFGS, Adam, several starts. Knows nothing of
/// Gaussian processes. Entry type: [lovelace.optimize.Optimizer]. Imports nothing of Lovelace.
@NullMarked
package lovelace.optimize;

import org.jspecify.annotations.NullMarked;
