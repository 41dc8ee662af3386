/// Means that are linear in some columns, whose coefficients are integrated out: kriging with
/// external drift. [lovelace.drift.DriftedPosterior] is such a posterior on a lattice,
/// [lovelace.drift.DriftedRows] that of rows.
@NullMarked
package lovelace.drift;

import org.jspecify.annotations.NullMarked;
