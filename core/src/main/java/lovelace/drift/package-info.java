/// Means that are linear in some columns, whose coefficients are integrated out: kriging with
/// external drift. [lovelace.drift.DriftedPosterior] is such a posterior on a lattice, and
/// [lovelace.drift.DriftedRows] is one that holds its rows.
@NullMarked
package lovelace.drift;

import org.jspecify.annotations.NullMarked;
