/// Time as people write it in tables, and the steps of the calendar. Start with
/// [lovelace.forecast.time.TimeForm], which reads a column of times, and
/// [lovelace.forecast.time.Frequency], which numbers the steps that the times lie on. The package
/// knows nothing of models.
@NullMarked
package lovelace.forecast.time;

import org.jspecify.annotations.NullMarked;
