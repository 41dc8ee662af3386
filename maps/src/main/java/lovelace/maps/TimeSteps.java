package lovelace.maps;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import lovelace.data.Column;
import lovelace.data.TimeScale;

/// The times of a map: dates or numbers, listed one by one, or from one to another in steps.
public final class TimeSteps {

  /// The most steps of a map.
  public static final int MOST = 1_000;

  /// One time.
  ///
  /// @param value its number in the model's column
  /// @param label its usual notation
  public record Step(double value, String label) {}

  private TimeSteps() {}

  /// Reads a list of times, separated by commas: `2024-01-31`, or `2024-01-01/2024-12-31/P1M` for
  /// every month (ISO 8601; `P7D`, `PT6H`). For a column of numbers: `0,2.5` or `0/10/0.5`. Steps
  /// count from the first time: a month after 31 January is the last day of February, and the next
  /// one is 31 March.
  ///
  /// @throws IllegalArgumentException if a part is not such a time
  public static List<Step> parse(String text, Column time) {
    List<Step> all = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String[] range = part.strip().split("/", -1);
      if (range.length != 1 && range.length != 3)
        throw wrong(part, time, "is neither a time nor a range FROM/TO/STEP");
      if (time.time().isPresent()) dates(range, part, time, time.time().get(), all);
      else numbers(range, part, time, all);
      if (all.size() > MOST)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "'%s' has more than %,d times; take longer steps", text, MOST));
    }
    return all;
  }

  private static void dates(
      String[] range, String part, Column time, TimeScale scale, List<Step> all) {
    LocalDateTime from = moment(range[0], part, time, scale);
    if (range.length == 1) {
      all.add(step(from, scale));
      return;
    }
    LocalDateTime to = moment(range[1], part, time, scale);
    if (to.isBefore(from)) throw wrong(part, time, "ends before it begins");
    for (int k = 0; all.size() <= MOST; k++) {
      LocalDateTime at = from.plus(times(range[2], k, part, time));
      if (k > 0 && !at.isAfter(from)) throw wrong(part, time, "has a step that is not > 0");
      if (at.isAfter(to)) return;
      all.add(step(at, scale));
    }
  }

  private static Step step(LocalDateTime at, TimeScale scale) {
    String label =
        at.toLocalTime().equals(LocalTime.MIDNIGHT) ? at.toLocalDate().toString() : at.toString();
    return new Step(scale.number(at), label);
  }

  /// A period or a duration, multiplied by k. For months this differs from adding them one by one.
  private static TemporalAmount times(String text, int k, String part, Column time) {
    try {
      return text.contains("T")
          ? Duration.parse(text.strip()).multipliedBy(k)
          : Period.parse(text.strip()).multipliedBy(k);
    } catch (DateTimeException | ArithmeticException e) {
      throw wrong(
          part, time, "has a step that is not a period of ISO 8601 such as P1M, P7D or PT6H");
    }
  }

  private static LocalDateTime moment(String raw, String part, Column time, TimeScale scale) {
    String text = raw.strip();
    try {
      Optional<YearMonth> month = TimeScale.month(text);
      if (month.isPresent()) return month.get().atDay(1).atStartOfDay();
      if (text.indexOf('T') < 0) return LocalDate.parse(text).atStartOfDay();
      if (text.matches(".*(Z|[+-]\\d\\d(:?\\d\\d)?)")) {
        ZoneOffset own = scale.offset().orElse(ZoneOffset.UTC);
        return OffsetDateTime.parse(text).withOffsetSameInstant(own).toLocalDateTime();
      }
      return LocalDateTime.parse(text);
    } catch (DateTimeException e) {
      throw wrong(part, time, "is not a date or timestamp");
    }
  }

  private static void numbers(String[] range, String part, Column time, List<Step> all) {
    double from = number(range[0], part, time);
    if (range.length == 1) {
      all.add(new Step(from, label(from)));
      return;
    }
    double to = number(range[1], part, time);
    double by = number(range[2], part, time);
    if (!(by > 0)) throw wrong(part, time, "has a step that is not > 0");
    if (to < from) throw wrong(part, time, "ends before it begins");
    for (int k = 0; from + k * by <= to + 1e-9 * by && all.size() <= MOST; k++)
      all.add(new Step(from + k * by, label(from + k * by)));
  }

  private static String label(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString((double) Math.round(value * 1e9) / 1e9);
  }

  private static double number(String text, String part, Column time) {
    try {
      double value = Double.parseDouble(text.strip());
      if (Double.isFinite(value)) return value;
    } catch (NumberFormatException e) {
      // reported below
    }
    throw wrong(part, time, "is not a number");
  }

  private static IllegalArgumentException wrong(String part, Column time, String what) {
    Optional<TimeScale> scale = time.time();
    return new IllegalArgumentException(
        "'%s' %s; column '%s' holds %s, write %s"
            .formatted(
                part,
                what,
                time.name(),
                scale.isPresent() ? "dates" : "numbers",
                scale.isPresent()
                    ? "2024-01-31,2024-02-29 or 2024-01-01/2024-12-31/P1M"
                    : "0,2.5 or 0/10/0.5"));
  }
}
