/// Distributions of counts, and of amounts with zeros: a library of conjugate discount models and
/// their weights. Start with [lovelace.series.counts.CountModel].
@NullMarked
package lovelace.series.counts;

import org.jspecify.annotations.NullMarked;
