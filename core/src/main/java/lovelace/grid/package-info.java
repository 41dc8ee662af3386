/// Regular grids and cubic interpolation on them: axes, lattices of one grid or of several side by
/// side, stencils, matrices between the points of a stencil, and polynomials per cell. Start at
/// [lovelace.grid.Lattice].
@NullMarked
package lovelace.grid;

import org.jspecify.annotations.NullMarked;
