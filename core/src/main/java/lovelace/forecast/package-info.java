/// Forecasts of many series: [lovelace.forecast.Forecaster] learns from series and returns
/// [lovelace.forecast.Forecasts], whose intervals are calibrated across the series.
@NullMarked
package lovelace.forecast;

import org.jspecify.annotations.NullMarked;
