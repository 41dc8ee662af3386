package lovelace.series;

/// Forecasts of values of the history, each one step ahead from the values before it. Shares of the
/// processes and calibration are the final ones.
///
/// @param steps the steps that have a forecast; gaps are among them
/// @param median by row
/// @param quantiles by row, then level
@SuppressWarnings("ArrayRecordComponent")
public record Fitted(int[] steps, double[] median, double[][] quantiles) {}
