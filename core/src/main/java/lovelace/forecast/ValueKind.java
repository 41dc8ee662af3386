package lovelace.forecast;

/// Which values series have, and so which distributions their forecasts are.
public enum ValueKind {
  /// Small whole numbers from 0 are counts, other values with zeros are amounts, and the rest are
  /// numbers. Series with a negative value, with bounds, or with columns are numbers.
  AUTO,
  /// Any numbers.
  NUMBERS,
  /// Whole numbers from 0. Forecasts are whole, too.
  COUNTS,
  /// 0 or any positive number, such as kilograms.
  AMOUNTS
}
