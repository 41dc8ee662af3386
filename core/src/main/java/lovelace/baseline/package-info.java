/// Oracles and comparisons: the exact Gaussian process and the approximations its peers use, each a
/// [lovelace.posterior.Posterior]. Entry type: [lovelace.baseline.ExactGp]. Imports data, kernel,
/// linear, optimize, inference and the posterior interface.
@NullMarked
package lovelace.baseline;

import org.jspecify.annotations.NullMarked;
