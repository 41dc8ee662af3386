package lovelace.forecast.time;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lovelace.forecast.time.TimeForm.Kind;
import org.jspecify.annotations.Nullable;

/// One text of a column of times, as it is written.
///
/// @param text the text
/// @param kind its kind; a text of digits alone is a number until the whole column is known
/// @param time the time on the clock that the text names; null for numbers
/// @param number the number; null for times
/// @param offset the offset of the text, or of its region at that time; null without one
/// @param region the region in brackets; null without one
/// @param pattern the pattern of the text, without seconds' decimals
/// @param decimals the digits behind the point
record TimeWritten(
    String text,
    Kind kind,
    @Nullable LocalDateTime time,
    @Nullable BigDecimal number,
    @Nullable ZoneOffset offset,
    @Nullable ZoneId region,
    String pattern,
    int decimals) {

  private static final Pattern TIME =
      Pattern.compile(
          "(\\d{4}-\\d\\d-\\d\\d)([Tt ])(\\d\\d)(:\\d\\d)?(:\\d\\d)?(?:[.,](\\d{1,9}))?"
              + "( ?)(Z|z|UTC|GMT|[+-]\\d\\d(?::?\\d\\d)?)?(?:\\[([^]]+)])?");

  private static final Pattern MONTH = Pattern.compile("(\\d{4})-(\\d\\d)");

  private static final Pattern QUARTER =
      Pattern.compile(
          "(\\d{4})([- ]?)([Qq])([1-4])|([Qq])([1-4])([- ]?)(\\d{4})"
              + "|([1-4])([Qq])([- ]?)(\\d{4})");

  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,3})?");

  private static final Pattern COMPACT_DATE = Pattern.compile("(1[5-9]|2[0-5])\\d{6}");

  private static final Pattern COMPACT_MONTH = Pattern.compile("(1[5-9]|2[0-5])\\d{4}");

  private static final Pattern YEAR = Pattern.compile("\\d{4}");

  /// The years that four digits may stand for.
  private static final int FIRST_YEAR = 1500, LAST_YEAR = 2500;

  /// Reads a text; null if it is no time.
  static @Nullable TimeWritten read(String raw) {
    String text = raw.strip();
    try {
      if (text.length() == 10 && text.charAt(4) == '-' && text.charAt(7) == '-') {
        int year = digits(text, 0, 4), month = digits(text, 5, 7), day = digits(text, 8, 10);
        return year < 0 || month < 0 || day < 0
            ? null
            : of(text, Kind.DATE, LocalDate.of(year, month, day), "uuuu-MM-dd");
      }
      Matcher months = MONTH.matcher(text);
      if (text.length() == 7 && months.matches())
        return of(text, Kind.MONTH, day(months.group(1), months.group(2), "01"), "uuuu-MM");
      Matcher quarter = QUARTER.matcher(text);
      if (quarter.matches()) return quarter(text, quarter);
      if (NUMBER.matcher(text).matches()) return number(text);
      Matcher time = TIME.matcher(text);
      return time.matches() ? time(text, time) : null;
    } catch (DateTimeException e) {
      return null;
    }
  }

  /// The number that digits write; -1 if another character is among them.
  private static int digits(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) return -1;
      number = 10 * number + digit;
    }
    return number;
  }

  private static LocalDate day(String year, String month, String day) {
    return LocalDate.of(Integer.parseInt(year), Integer.parseInt(month), Integer.parseInt(day));
  }

  private static TimeWritten of(String text, Kind kind, LocalDate date, String pattern) {
    return new TimeWritten(text, kind, date.atStartOfDay(), null, null, null, pattern, 0);
  }

  private static TimeWritten number(String text) {
    BigDecimal number = new BigDecimal(text);
    int decimals = text.indexOf('.') < 0 ? 0 : Math.max(0, number.scale());
    return new TimeWritten(text, Kind.NUMBER, null, number, null, null, "", decimals);
  }

  /// A quarter with its year first, with its letter first, or with its number first.
  private static TimeWritten quarter(String text, Matcher found) {
    if (found.group(1) != null)
      return quarter(
          text,
          found.group(1),
          found.group(4),
          "uuuu" + found.group(2) + "'" + found.group(3) + "'Q");
    if (found.group(5) != null)
      return quarter(
          text,
          found.group(8),
          found.group(6),
          "'" + found.group(5) + "'Q" + found.group(7) + "uuuu");
    return quarter(
        text,
        found.group(12),
        found.group(9),
        "Q'" + found.group(10) + "'" + found.group(11) + "uuuu");
  }

  private static TimeWritten quarter(String text, String year, String quarter, String pattern) {
    int month = 3 * Integer.parseInt(quarter) - 2;
    return of(text, Kind.QUARTER, YearMonth.of(Integer.parseInt(year), month).atDay(1), pattern);
  }

  private static @Nullable TimeWritten time(String text, Matcher found) {
    String minutes = found.group(4), seconds = found.group(5), fraction = found.group(6);
    String blank = found.group(7), offset = found.group(8), region = found.group(9);
    if ((fraction != null && seconds == null) || (offset == null && !blank.isEmpty())) return null;
    LocalTime clock =
        LocalTime.of(
            Integer.parseInt(found.group(3)),
            minutes == null ? 0 : Integer.parseInt(minutes.substring(1)),
            seconds == null ? 0 : Integer.parseInt(seconds.substring(1)),
            fraction == null ? 0 : Integer.parseInt((fraction + "00000000").substring(0, 9)));
    LocalDateTime time = LocalDate.parse(found.group(1)).atTime(clock);
    String pattern =
        "uuuu-MM-dd"
            + (found.group(2).equals(" ") ? " " : "'T'")
            + "HH"
            + (minutes == null ? "" : ":mm")
            + (seconds == null ? "" : ":ss");
    ZoneId zone = region == null ? null : ZoneId.of(region);
    ZoneOffset shift =
        offset != null ? offsetOf(offset) : zone != null ? time.atZone(zone).getOffset() : null;
    String tail =
        (offset == null ? "" : blank + patternOf(offset)) + (zone == null ? "" : "'['VV']'");
    return new TimeWritten(
        text,
        shift == null ? Kind.TIME : Kind.INSTANT,
        time,
        null,
        shift,
        zone,
        pattern + "|" + tail,
        fraction == null ? 0 : fraction.length());
  }

  private static ZoneOffset offsetOf(String text) {
    return Character.isLetter(text.charAt(0)) ? ZoneOffset.UTC : ZoneOffset.of(text);
  }

  private static String patternOf(String offset) {
    if (offset.equals("UTC") || offset.equals("GMT")) return "'" + offset + "'";
    if (Character.isLetter(offset.charAt(0))) return "XXX";
    return offset.length() == 3 ? "x" : offset.indexOf(':') < 0 ? "xx" : "xxx";
  }

  /// The text as one of a kind; empty if it is not. Digits may be years, months and dates.
  Optional<TimeWritten> as(Kind wanted) {
    if (kind == wanted) return Optional.of(this);
    if (kind != Kind.NUMBER) return Optional.empty();
    try {
      return switch (wanted) {
        case YEAR -> {
          if (!YEAR.matcher(text).matches()) yield Optional.empty();
          int year = Integer.parseInt(text);
          yield year < FIRST_YEAR || year > LAST_YEAR
              ? Optional.empty()
              : Optional.of(of(text, wanted, LocalDate.of(year, 1, 1), "uuuu"));
        }
        case MONTH ->
            COMPACT_MONTH.matcher(text).matches()
                ? Optional.of(
                    of(text, wanted, day(text.substring(0, 4), text.substring(4), "01"), "uuuuMM"))
                : Optional.empty();
        case DATE ->
            COMPACT_DATE.matcher(text).matches()
                ? Optional.of(
                    of(
                        text,
                        wanted,
                        day(text.substring(0, 4), text.substring(4, 6), text.substring(6)),
                        "uuuuMMdd"))
                : Optional.empty();
        default -> Optional.empty();
      };
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /// The moment of the text in a column of the zone.
  Moment moment(Optional<ZoneId> zone) {
    if (number != null) return Moment.of(number);
    if (time == null) throw new IllegalStateException("neither time nor number: " + text);
    return offset != null ? Moment.of(time.toInstant(offset)) : Moment.of(time, zone);
  }
}
