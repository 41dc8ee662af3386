package lovelace.experiments.reproduce;

import java.util.List;
import java.util.Locale;

/// Writes counts and ranges in the words of a report.
final class Findings {

  private Findings() {}

  /// A count in words: `all 7`, `none of 7` or `3 of 7`.
  static String of(int part, int whole) {
    return part == whole
        ? String.format(Locale.ROOT, "all %,d", whole)
        : String.format(
            Locale.ROOT,
            "%s of %,d",
            part == 0 ? "none" : String.format(Locale.ROOT, "%,d", part),
            whole);
  }

  static String list(List<String> names) {
    return String.join(", ", names);
  }

  /// A range in words: `1.3e-5`, or `1.3e-5 to 2.1e-4` if values differ.
  static String range(double[] values) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    String from = Verdict.scientific(low);
    String to = Verdict.scientific(high);
    return from.equals(to) ? from : from + " to " + to;
  }

  static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
