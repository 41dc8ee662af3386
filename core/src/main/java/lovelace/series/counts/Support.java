package lovelace.series.counts;

import java.util.Arrays;

/// Which values a series can have.
public enum Support {
  /// Any number.
  NUMBERS,
  /// Whole numbers from 0.
  COUNTS,
  /// 0, and any positive number.
  AMOUNTS;

  /// Counts of a larger mean are numbers: whole steps hardly matter then.
  private static final double LARGE = 200;

  private static final double LARGEST = 10_000;

  /// Finds it from values. Small whole numbers are counts, and other values with zeros are amounts,
  /// unless there is a negative value. Values that are all the same, but not 0, are numbers.
  ///
  /// @param values NaN is a gap
  public static Support of(double... values) {
    double[] seen = seen(values);
    if (seen.length == 0 || Arrays.stream(seen).anyMatch(v -> v < 0)) return NUMBERS;
    double first = seen[0];
    if (first != 0 && Arrays.stream(seen).allMatch(v -> v == first)) return NUMBERS;
    if (isWhole(seen)) return isSmall(seen) ? COUNTS : NUMBERS;
    return Arrays.stream(seen).anyMatch(v -> v == 0) ? AMOUNTS : NUMBERS;
  }

  /// Whether counts are small enough for count models.
  static boolean isSmall(double... seen) {
    return Arrays.stream(seen).average().orElse(0) <= LARGE
        && Arrays.stream(seen).max().orElse(0) <= LARGEST;
  }

  /// Whether all values are whole numbers.
  static boolean isWhole(double... seen) {
    return Arrays.stream(seen).allMatch(v -> v == Math.rint(v));
  }

  /// The values without gaps.
  static double[] seen(double... values) {
    return Arrays.stream(values).filter(v -> !Double.isNaN(v)).toArray();
  }

  /// The place of the first value that is not of this kind; −1 if all are.
  public int firstOther(double... values) {
    for (int t = 0; t < values.length; t++) {
      if (Double.isNaN(values[t])) continue;
      boolean fits =
          switch (this) {
            case NUMBERS -> true;
            case COUNTS -> values[t] >= 0 && values[t] == Math.rint(values[t]);
            case AMOUNTS -> values[t] >= 0;
          };
      if (!fits) return t;
    }
    return -1;
  }
}
