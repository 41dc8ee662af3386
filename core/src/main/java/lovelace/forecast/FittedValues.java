package lovelace.forecast;

/// Forecasts of values of the history, each one step ahead from the values before it, with the
/// final shares of the processes.
///
/// @param steps the steps of the series that have a forecast: those after three values
/// @param median by row
/// @param quantiles by row, then level
@SuppressWarnings("ArrayRecordComponent")
public record FittedValues(int[] steps, double[] median, double[][] quantiles) {}
