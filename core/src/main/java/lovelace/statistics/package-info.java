/// Sums of the rows on a lattice, made in one pass. Sums of parts of the data can be added. After
/// the pass no cost depends on the number of rows. The package also has roots of the Gram matrix G
/// of these sums. Start at [lovelace.statistics.GridStatistics].
@NullMarked
package lovelace.statistics;

import org.jspecify.annotations.NullMarked;
