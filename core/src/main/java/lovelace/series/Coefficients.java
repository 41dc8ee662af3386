package lovelace.series;

import java.util.List;

/// The coefficients of columns that are known in the future.
///
/// @param typical the median value, at which effects are told
/// @param all by column
public record Coefficients(double typical, List<Coefficient> all) {

  public Coefficients {
    all = List.copyOf(all);
  }

  /// The effect of a column.
  ///
  /// @param estimate how much higher a typical value is if the column is higher by one
  /// @param error the standard error: half the distance of the quantiles of 15.9 and 84.1 %
  /// @param quantiles by level
  @SuppressWarnings("ArrayRecordComponent")
  public record Coefficient(String column, double estimate, double error, double[] quantiles) {}
}
