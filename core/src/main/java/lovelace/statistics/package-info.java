/// What the rows leave on a lattice: sums that add up, made in one pass, after which no cost
/// depends on the number of rows. Also roots of the Gram matrix G of these sums. Start at
/// [lovelace.statistics.GridStatistics].
@NullMarked
package lovelace.statistics;

import org.jspecify.annotations.NullMarked;
