/// The posterior on a lattice: predictions by polynomials per cell, covariances, samplers, and how
/// far interpolation may be off. Start at [lovelace.lattice.LatticePosterior].
@NullMarked
package lovelace.lattice;

import org.jspecify.annotations.NullMarked;
