/// Regular grids, cubic interpolation on them, and the statistics of a data set that a model on the
/// grid needs: one pass over the observations, after which no cost depends on their number. Kernels
/// on grids live here too. Entry types: [lovelace.grid.Grid], [lovelace.grid.GridStatistics].
/// Imports lovelace.data, lovelace.kernel and lovelace.linear.
@NullMarked
package lovelace.grid;

import org.jspecify.annotations.NullMarked;
