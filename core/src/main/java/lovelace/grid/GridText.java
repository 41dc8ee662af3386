package lovelace.grid;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/// Formats numbers for messages, short and readable.
public final class GridText {

  private GridText() {}

  /// Six significant digits, without an exponent for ordinary sizes.
  public static String number(double value) {
    if (!Double.isFinite(value)) return Double.toString(value);
    if (value == 0) return "0";
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(6)).stripTrailingZeros();
    double size = Math.abs(value);
    return size >= 1e-4 && size < 1e9 ? rounded.toPlainString() : rounded.toString();
  }

  public static String bytes(long bytes) {
    double kib = (double) bytes / (1 << 10);
    if (kib < 1 << 10) return String.format(Locale.ROOT, "%.1f KiB", kib);
    if (kib < 1 << 20) return String.format(Locale.ROOT, "%.1f MiB", kib / (1 << 10));
    return String.format(Locale.ROOT, "%.1f GiB", kib / (1 << 20));
  }

  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
