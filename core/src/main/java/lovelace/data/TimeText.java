package lovelace.data;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lovelace.data.TimeScale.Resolution;
import org.jspecify.annotations.Nullable;

/// A date or timestamp as it is written in a table.
///
/// A quarter is its first month, as statistical offices date it: `2020Q1`, `2020-Q1`, `2020 Q1`,
/// `Q1 2020`, `Q1-2020`, `1Q2020`, with a capital or small q.
///
/// @param time the local time
/// @param offset the offset from UTC; null if the text has no zone
/// @param resolution the precision of the text
record TimeText(LocalDateTime time, @Nullable ZoneOffset offset, Resolution resolution) {

  private static final Pattern QUARTER =
      Pattern.compile("(\\d{4})[- ]?[Qq]([1-4])|[Qq]([1-4])[- ]?(\\d{4})|([1-4])[Qq][- ]?(\\d{4})");

  /// The shortest and the longest text of a quarter.
  private static final int SHORTEST = 6, LONGEST = 7;

  /// Reads a text. Returns null if it is no date or timestamp.
  static @Nullable TimeText read(String raw) {
    String text = raw.strip();
    if (text.length() > 10 && text.charAt(10) == ' ')
      text = text.substring(0, 10) + "T" + text.substring(11);
    try {
      if (mayBeQuarter(text)) return quarter(text);
      if (text.length() == 7) return month(YearMonth.parse(text));
      if (text.indexOf('T') < 0)
        return new TimeText(LocalDate.parse(text).atStartOfDay(), null, Resolution.DAY);
      Object parsed =
          DateTimeFormatter.ISO_DATE_TIME.parseBest(
              text, ZonedDateTime::from, OffsetDateTime::from, LocalDateTime::from);
      return switch (parsed) {
        case ZonedDateTime t -> of(t.toLocalDateTime(), t.getOffset());
        case OffsetDateTime t -> of(t.toLocalDateTime(), t.getOffset());
        case LocalDateTime t -> of(t, null);
        default -> null;
      };
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static boolean mayBeQuarter(String text) {
    return text.length() >= SHORTEST
        && text.length() <= LONGEST
        && (text.indexOf('Q') >= 0 || text.indexOf('q') >= 0);
  }

  private static @Nullable TimeText quarter(String text) {
    Matcher found = QUARTER.matcher(text);
    if (!found.matches()) return null;
    String year = group(found, 1, 4, 6);
    String quarter = group(found, 2, 3, 5);
    return month(YearMonth.of(Integer.parseInt(year), 3 * Integer.parseInt(quarter) - 2));
  }

  private static String group(Matcher found, int... groups) {
    for (int group : groups) {
      String text = found.group(group);
      if (text != null) return text;
    }
    throw new IllegalStateException("no group of " + found);
  }

  private static TimeText month(YearMonth month) {
    return new TimeText(month.atDay(1).atStartOfDay(), null, Resolution.MONTH);
  }

  private static TimeText of(LocalDateTime t, @Nullable ZoneOffset offset) {
    Resolution resolution =
        t.getNano() != 0
            ? Resolution.MILLISECOND
            : t.getSecond() != 0 ? Resolution.SECOND : Resolution.MINUTE;
    return new TimeText(t, offset, resolution);
  }
}
