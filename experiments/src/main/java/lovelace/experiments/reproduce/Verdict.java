package lovelace.experiments.reproduce;

import java.util.Locale;
import lovelace.experiments.reproduce.Report.Entry;
import lovelace.experiments.reproduce.Report.Tone;

/// Numbers as a report shows them, coloured by how they stand beside the paper's. A number of ours
/// that is none is an empty text, which makes an empty cell.
final class Verdict {

  private Verdict() {}

  /// An error; good where it is at most the paper's, uncoloured where the paper has none (NaN).
  static Entry error(double ours, double paper) {
    return new Entry(scientific(ours), tone(ours <= paper, ours, paper));
  }

  /// A speedup; good where it is at least the paper's.
  static Entry speedup(double ours, double paper) {
    return new Entry(times(ours), tone(ours >= paper, ours, paper));
  }

  private static Tone tone(boolean good, double ours, double paper) {
    if (!Double.isFinite(ours)) return Tone.BAD;
    if (Double.isNaN(paper)) return Tone.NONE;
    return good ? Tone.GOOD : Tone.BAD;
  }

  /// What was not to be measured, or what the paper does not give.
  static final String NONE = "–";

  /// A figure of the paper's: a dash where it gives none.
  static Entry paper(String text) {
    return Entry.of(text.isEmpty() ? NONE : text);
  }

  /// `3.2e-5`.
  static String scientific(double value) {
    if (!Double.isFinite(value)) return "";
    if (value == 0) return "0";
    return String.format(Locale.ROOT, "%.2e", value)
        .replace("e+00", "")
        .replace("e+0", "e")
        .replace("e-0", "e-");
  }

  /// `12×`, with two digits at least.
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

  /// Milliseconds, as many digits as matter.
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
