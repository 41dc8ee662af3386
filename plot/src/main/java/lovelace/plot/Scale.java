package lovelace.plot;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The scale of an axis: the range of its values, their places, and the ticks worth labelling.
final class Scale {

  /// A labelled place. An empty label gives a line without text.
  record Tick(double value, String label) {}

  /// Converts numbers to local times and back.
  interface Clock {
    LocalDateTime time(double value);

    double value(LocalDateTime time);
  }

  private final double low;
  private final double high;
  private final boolean log;
  private final @Nullable Clock clock;
  private final double from;
  private final double to;

  private Scale(
      double low, double high, boolean log, @Nullable Clock clock, double from, double to) {
    this.low = low;
    this.high = high;
    this.log = log;
    this.clock = clock;
    this.from = from;
    this.to = to;
  }

  /// A scale whose values lie exactly between low and high.
  static Scale exact(double low, double high, boolean log, @Nullable Clock clock) {
    return new Scale(low, high, log, clock, 0, 1);
  }

  /// A scale that contains the values from low to high with a margin, which is a fraction of their
  /// range. It also contains zero if that costs little room. A range without width gets one.
  static Scale around(double low, double high, double margin, boolean log, @Nullable Clock clock) {
    if (!(low <= high)) return exact(log ? 0.1 : 0, 1, log, clock);
    if (log) {
      double span = Math.log(high) - Math.log(low);
      double pad = span > 0 ? margin * span : 0.5;
      double start = Math.max(Double.MIN_NORMAL, low * Math.exp(-pad));
      return exact(start, finite(Math.max(high, 2 * start) * Math.exp(pad)), true, clock);
    }
    double width = high / 2 - low / 2;
    double largest = Math.max(Math.abs(low), Math.abs(high));
    if (!(width > Math.max(1e-12 * largest, Double.MIN_NORMAL))) {
      double pad = Math.max(largest == 0 ? 0.5 : 0.05 * largest, 1e-300);
      return exact(finite(low - pad), finite(high + pad), false, clock);
    }
    double pad = 2 * margin * width;
    boolean zeroBelow = clock == null && margin > 0 && low >= 0 && low < 0.35 * high;
    boolean zeroAbove = clock == null && margin > 0 && high <= 0 && high > 0.35 * low;
    return exact(
        zeroBelow ? 0 : finite(low - pad), zeroAbove ? 0 : finite(high + pad), false, clock);
  }

  /// The same scale, drawn from one coordinate to another.
  Scale laid(double start, double end) {
    return new Scale(low, high, log, clock, start, end);
  }

  double low() {
    return low;
  }

  double high() {
    return high;
  }

  /// The coordinate of a value; NaN if it has none, such as zero on a logarithmic axis.
  double at(double value) {
    double fraction =
        log
            ? (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))
            : (value / 2 - low / 2) / (high / 2 - low / 2);
    double place = from + fraction * (to - from);
    return Double.isFinite(place) ? Math.clamp(place, -1e5, 1e5) : Double.NaN;
  }

  /// About `count` ticks at round values.
  List<Tick> ticks(int count) {
    if (clock != null) return times(clock, count);
    if (log && Math.log10(high) - Math.log10(low) >= 1) return powers(count);
    return round(count);
  }

  /// The power of ten by which [#round] divides its labels, 0 for none.
  int exponent() {
    if (clock != null || log) return 0;
    double largest = Math.max(Math.abs(low), Math.abs(high));
    int power = (int) Math.floor(Math.log10(largest) + 1e-9);
    return power >= 6 || power <= -4 ? power : 0;
  }

  private List<Tick> round(int count) {
    double raw = (high / 2 - low / 2) / Math.max(1, count) * 2;
    int power = (int) Math.floor(Math.log10(raw));
    BigDecimal unit = BigDecimal.ONE.scaleByPowerOfTen(power);
    double leading = raw / unit.doubleValue();
    BigDecimal step =
        unit.multiply(
            BigDecimal.valueOf(leading <= 1.4 ? 1 : leading <= 2.8 ? 2 : leading <= 7 ? 5 : 10));
    int exponent = exponent();
    int decimals = Math.max(0, step.stripTrailingZeros().scale() + exponent);
    var ticks = new ArrayList<Tick>();
    BigDecimal at = new BigDecimal(low).divide(step, 0, RoundingMode.CEILING).multiply(step);
    for (; at.compareTo(new BigDecimal(high)) <= 0; at = at.add(step)) {
      BigDecimal shown = at.scaleByPowerOfTen(-exponent).setScale(decimals, RoundingMode.HALF_EVEN);
      ticks.add(new Tick(at.doubleValue(), label(shown)));
    }
    return ticks;
  }

  private static String label(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.toPlainString().replace('-', '−');
  }

  private List<Tick> powers(int count) {
    int first = (int) Math.ceil(Math.log10(low) - 1e-9);
    int last = (int) Math.floor(Math.log10(high) + 1e-9);
    int every = Math.max(1, (last - first) / Math.max(1, count) + 1);
    var ticks = new ArrayList<Tick>();
    for (int p = first; p <= last; p += every)
      ticks.add(new Tick(Double.parseDouble("1e" + p), power(p)));
    if (ticks.size() < 3)
      for (int p = first - 1; p <= last; p++)
        for (int digit : new int[] {2, 5}) {
          double value = Double.parseDouble(digit + "e" + p);
          if (value >= low && value <= high)
            ticks.add(
                new Tick(
                    value,
                    Math.abs(p) < 4
                        ? label(BigDecimal.valueOf(value).stripTrailingZeros())
                        : digit + "×" + power(p)));
        }
    return ticks;
  }

  static String power(int exponent) {
    if (exponent >= -2 && exponent <= 3)
      return BigDecimal.ONE.scaleByPowerOfTen(exponent).toPlainString();
    var text = new StringBuilder("10");
    for (char c : Integer.toString(exponent).toCharArray())
      text.append(c == '-' ? '⁻' : "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(c - '0'));
    return text.toString();
  }

  private record Step(ChronoUnit unit, int count) {}

  private List<Tick> times(Clock clock, int count) {
    LocalDateTime start = clock.time(low);
    LocalDateTime end = clock.time(high);
    double seconds = Math.max(1, ChronoUnit.SECONDS.between(start, end));
    Step step = step(seconds, Math.max(1, count));
    LocalDateTime at = floor(start, step);
    var ticks = new ArrayList<Tick>();
    for (; !at.isAfter(end) && ticks.size() < 100; at = at.plus(step.count, step.unit))
      if (clock.value(at) >= low && clock.value(at) <= high)
        ticks.add(new Tick(clock.value(at), name(at, step.unit)));
    return ticks;
  }

  private static Step step(double seconds, int count) {
    List<Step> calendar = new ArrayList<>();
    for (int c : new int[] {1, 2, 5, 15, 30}) calendar.add(new Step(ChronoUnit.SECONDS, c));
    for (int c : new int[] {1, 2, 5, 15, 30}) calendar.add(new Step(ChronoUnit.MINUTES, c));
    for (int c : new int[] {1, 2, 3, 6, 12}) calendar.add(new Step(ChronoUnit.HOURS, c));
    for (int c : new int[] {1, 2, 7, 14}) calendar.add(new Step(ChronoUnit.DAYS, c));
    for (int c : new int[] {1, 2, 3, 6}) calendar.add(new Step(ChronoUnit.MONTHS, c));
    for (Step s : calendar)
      if (s.count * (double) s.unit.getDuration().toSeconds() * count >= seconds) return s;
    double years = seconds / ChronoUnit.YEARS.getDuration().toSeconds() / count;
    for (int ten = 1; ; ten *= 10)
      for (int c : new int[] {1, 2, 5})
        if ((double) c * ten >= years || ten >= 100_000_000)
          return new Step(ChronoUnit.YEARS, c * ten);
  }

  private static LocalDateTime floor(LocalDateTime t, Step step) {
    LocalDateTime day = t.truncatedTo(ChronoUnit.DAYS);
    return switch (step.unit) {
      case YEARS ->
          day.withDayOfYear(1).withYear(Math.floorDiv(t.getYear(), step.count) * step.count);
      case MONTHS ->
          day.withDayOfMonth(1).withMonth((t.getMonthValue() - 1) / step.count * step.count + 1);
      case DAYS -> day.minusDays(Math.floorMod(day.toLocalDate().toEpochDay() + 3, step.count));
      default -> {
        long second = t.toLocalTime().toSecondOfDay();
        yield day.plusSeconds(second - second % (step.count * step.unit.getDuration().toSeconds()));
      }
    };
  }

  private static String name(LocalDateTime t, ChronoUnit unit) {
    String iso = t.toLocalDate().toString();
    return switch (unit) {
      case YEARS -> Integer.toString(t.getYear());
      case MONTHS -> iso.substring(0, iso.length() - 3);
      case DAYS -> iso;
      case SECONDS -> String.format(Locale.ROOT, "%tT", t);
      default -> t.toLocalTime().toSecondOfDay() == 0 ? iso : String.format(Locale.ROOT, "%tR", t);
    };
  }

  private static double finite(double value) {
    return Math.clamp(value, -Double.MAX_VALUE, Double.MAX_VALUE);
  }
}
