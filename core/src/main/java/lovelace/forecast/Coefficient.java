package lovelace.forecast;

/// The effect of a column that is known in the future.
///
/// @param column its name
/// @param estimate by how much a typical value is higher if the column is higher by one
/// @param error the standard error
/// @param percent the estimate in percent of the typical value, which is the median
/// @param quantiles by level
@SuppressWarnings("ArrayRecordComponent")
public record Coefficient(
    String column, double estimate, double error, double percent, double[] quantiles) {}
