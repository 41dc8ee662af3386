package lovelace.experiments.reproduce;

import java.util.Locale;
import lovelace.experiments.reproduce.Report.Entry;
import lovelace.experiments.reproduce.Report.Tone;

/// Formats numbers for a report, with a colour that compares them with the paper's. NaN becomes an
/// empty text, which makes an empty cell.
final class Verdict {

  private Verdict() {}

  /// An error. It is good if it is at most the paper's, and has no colour if the paper has none
  /// (NaN).
  static Entry error(double ours, double paper) {
    return new Entry(scientific(ours), tone(ours <= paper, ours, paper));
  }

  /// A speedup. It is good if it is at least the paper's.
  static Entry speedup(double ours, double paper) {
    return new Entry(times(ours), tone(ours >= paper, ours, paper));
  }

  private static Tone tone(boolean good, double ours, double paper) {
    if (!Double.isFinite(ours)) return Tone.BAD;
    if (Double.isNaN(paper)) return Tone.NONE;
    return good ? Tone.GOOD : Tone.BAD;
  }

  /// The text for a value that was not to be measured, or that the paper does not give.
  static final String NONE = "–";

  /// A figure of the paper; a dash if it gives none.
  static Entry paper(String text) {
    return Entry.of(text.isEmpty() ? NONE : text);
  }

  /// A number such as `3.2e-5`.
  static String scientific(double value) {
    if (!Double.isFinite(value)) return "";
    if (value == 0) return "0";
    return String.format(Locale.ROOT, "%.2e", value)
        .replace("e+00", "")
        .replace("e+0", "e")
        .replace("e-0", "e-");
  }

  /// A factor such as `12×`, with two digits at least.
  static String times(double value) {
    if (!Double.isFinite(value)) return "";
    String format =
        value < 0.0995 ? "%.3f×" : value < 0.995 ? "%.2f×" : value < 9.95 ? "%.1f×" : "%,.0f×";
    return String.format(Locale.ROOT, format, value);
  }

  /// A speedup with the digits that the paper prints.
  static String printed(double value) {
    return times(value).replace(".0×", "×");
  }

  /// Milliseconds with the digits that matter.
  static String milliseconds(double value) {
    if (!Double.isFinite(value)) return "";
    String format = value < 0.1 ? "%.3f" : value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, value);
  }

  static String fixed(double value, int digits) {
    if (!Double.isFinite(value)) return "";
    String text = String.format(Locale.ROOT, "%,." + digits + "f", Math.abs(value));
    return value < 0 && text.matches(".*[1-9].*") ? "−" + text : text;
  }
}
