package lovelace.series;

import java.util.Arrays;

/// Periods from text, such as `24 168`.
final class Seasons {

  private Seasons() {}

  static double[] of(String periods) {
    return Arrays.stream(periods.split(" ", -1))
        .filter(part -> !part.isEmpty())
        .mapToDouble(Double::parseDouble)
        .toArray();
  }
}
