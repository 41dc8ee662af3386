/// The posterior on a lattice: predictions by polynomials per cell, covariances, samplers, and the
/// error of interpolation. Start at [lovelace.lattice.LatticePosterior].
@NullMarked
package lovelace.lattice;

import org.jspecify.annotations.NullMarked;
