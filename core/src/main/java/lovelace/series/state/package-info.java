/// Forecasts of long, irregular and rich series: the processes of the library as state spaces.
@NullMarked
package lovelace.series.state;

import org.jspecify.annotations.NullMarked;
