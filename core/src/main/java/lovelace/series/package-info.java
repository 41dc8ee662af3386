/// The mathematics of forecasts: a library of processes, their weights, and the mixture that
/// forecasts one series. Start with [lovelace.series.Library].
@NullMarked
package lovelace.series;

import org.jspecify.annotations.NullMarked;
