package lovelace.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/// The characters of a kernel in text form, read one word, number or sign at a time.
final class KernelScanner {

  private static final int AROUND = 100; // characters shown to both sides of a mistake

  private final String text;
  private int at;

  KernelScanner(String text) {
    this.text = text;
  }

  /// The position of the next character.
  int at() {
    return at;
  }

  /// Throws if there is more to read.
  void requireEnd() {
    space();
    if (at < text.length()) throw error(at, "expected '+', '*' or the end");
  }

  /// One entry, or several in brackets.
  double[] bracketed(Supplier<Double> entry) {
    if (!take('[')) return new double[] {entry.get()};
    List<Double> values = new ArrayList<>();
    do values.add(entry.get());
    while (take(','));
    expect(']', "',' or ']'");
    return values.stream().mapToDouble(v -> v).toArray();
  }

  /// A whole number.
  int whole(int most) {
    space();
    int start = at;
    while (at < text.length() && digit(text.charAt(at))) at++;
    try {
      int value = Integer.parseInt(text.substring(start, at));
      if (value <= most) return value;
    } catch (NumberFormatException e) {
      // told below, as for a number that is too large
    }
    throw error(start, "expected a whole number up to " + most);
  }

  /// Takes `fixed` if it is next.
  boolean atFixed() {
    space();
    if (!atWord("fixed")) return false;
    at += "fixed".length();
    return true;
  }

  /// Whether this word is next, and not the beginning of a longer one.
  private boolean atWord(String word) {
    int end = at + word.length();
    return text.startsWith(word, at)
        && (end == text.length() || !Character.isLetterOrDigit(text.charAt(end)));
  }

  /// Whether a number is next.
  boolean atNumber() {
    if (at >= text.length()) return false;
    char c = text.charAt(at);
    return digit(c) || c == '.' || c == '-' || atWord("unset");
  }

  /// A number; NaN for `unset`.
  double number() {
    space();
    int start = at;
    if (atWord("unset")) {
      at += "unset".length();
      return Double.NaN;
    }
    if (at < text.length() && text.charAt(at) == '-') at++;
    while (at < text.length() && (digit(text.charAt(at)) || text.charAt(at) == '.')) at++;
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      at++;
      if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) at++;
      while (at < text.length() && digit(text.charAt(at))) at++;
    }
    try {
      double value = Double.parseDouble(text.substring(start, at));
      if (Math.abs(value) < Double.POSITIVE_INFINITY) return value;
    } catch (NumberFormatException e) {
      // told below, as for a number that is too large
    }
    throw error(start, "expected a number");
  }

  private static boolean digit(char c) {
    return c >= '0' && c <= '9';
  }

  /// A word in lower case; empty if none is next.
  String word() {
    space();
    int start = at;
    while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) at++;
    if (at - start > AROUND) throw error(start, "no name is so long");
    return text.substring(start, at).toLowerCase(Locale.ROOT);
  }

  /// Takes a sign if it is next.
  boolean take(char c) {
    space();
    if (at >= text.length() || text.charAt(at) != c) return false;
    at++;
    return true;
  }

  /// Takes a sign, or says what was expected.
  void expect(char c, String what) {
    if (!take(c)) throw error(at, "expected " + what);
  }

  /// Skips white space.
  void space() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
  }

  /// The exception for a mistake at a place.
  IllegalArgumentException error(int place, String what) {
    return new IllegalArgumentException(located(place, what));
  }

  /// Says what is wrong and where, with the text around the place.
  String located(int place, String what) {
    int from = Math.max(0, place - AROUND);
    int to = Math.min(text.length(), place + AROUND);
    String line = text.substring(from, to).replaceAll("\\p{Cntrl}", " ");
    return String.format(
        Locale.ROOT,
        "kernel, character %d: %s\n  %s%s%s\n  %s^",
        place + 1,
        what,
        from > 0 ? "…" : "",
        line,
        to < text.length() ? "…" : "",
        " ".repeat(place - from + (from > 0 ? 1 : 0)));
  }
}
