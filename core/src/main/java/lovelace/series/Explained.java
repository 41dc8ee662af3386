package lovelace.series;

import java.util.function.UnaryOperator;

/// The reasons for the forecast of one series: any method that can give them does so by this type.
/// Levels of quantiles lie between 0 and 1 and ascend.
public interface Explained {

  /// The parts of the history and the forecast.
  ///
  /// @param group the part that each column belongs to, by their names
  Components components(UnaryOperator<String> group, double... levels);

  /// Forecasts of the history, one step ahead.
  Fitted fitted(double... levels);

  /// Outliers, shifts of the level and changes of the season.
  ///
  /// @param rate the share of series without anomalies that may have one found
  Anomalies anomalies(double rate);

  /// The effects of columns that are known in the future; none without columns.
  Coefficients coefficients(double... levels);
}
