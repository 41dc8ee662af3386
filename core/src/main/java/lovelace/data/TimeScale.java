package lovelace.data;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns dates and timestamps into numbers: the time elapsed since `origin` in some unit, or
/// calendar years.
///
/// The unit is chosen so that lengthscales are easy to read. If every value is the start of a
/// month, it is years, `year + (month − 1)/12`, so that months are equally spaced and a season has
/// period 1. Otherwise it is elapsed days (for dates, and for timestamps that span two days or
/// more), hours, minutes or seconds, depending on the span. Timestamps with zones are kept in their
/// common offset, or in UTC if the offsets differ; timestamps without zones are taken as they are.
/// Values are printed at the finest resolution of the texts they were read from.
///
/// @param origin what the number 0 stands for; unused for years
/// @param offset the offset in which values are printed; empty if the texts had none
public record TimeScale(
    LocalDateTime origin, Unit unit, Resolution resolution, Optional<ZoneOffset> offset) {

  /// The unit of the numbers.
  public enum Unit {
    /// Seconds.
    SECONDS(1),
    /// 60 seconds.
    MINUTES(60),
    /// 3,600 seconds.
    HOURS(3_600),
    /// 86,400 seconds.
    DAYS(86_400),
    /// Calendar years of twelve equal months.
    YEARS(31_556_952);

    private final double seconds;

    Unit(double seconds) {
      this.seconds = seconds;
    }

    /// The name of the unit, such as `days`.
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// How finely values are printed.
  public enum Resolution {
    /// `1949-01`.
    MONTH("uuuu-MM"),
    /// `2020-01-31`.
    DAY("uuuu-MM-dd"),
    /// `2020-01-31T12:30`.
    MINUTE("uuuu-MM-dd'T'HH:mm"),
    /// `2020-01-31T12:30:59`.
    SECOND("uuuu-MM-dd'T'HH:mm:ss"),
    /// `2020-01-31T12:30:59.123`.
    MILLISECOND("uuuu-MM-dd'T'HH:mm:ss.SSS");

    private final DateTimeFormatter format;

    Resolution(String pattern) {
      this.format = DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
    }
  }

  /// A text that was read: local time, its offset if it had one, and its resolution.
  private record Moment(LocalDateTime time, @Nullable ZoneOffset offset, Resolution resolution) {}

  /// Whether a text is a date or timestamp that this type reads.
  public static boolean recognizes(String text) {
    return read(text) != null;
  }

  /// Returns the scale that suits the texts of a column: ISO months `1949-01`, dates `2020-01-31`,
  /// or timestamps `2020-01-31T12:30`. A space may replace the T, and a zone or offset may follow.
  public static TimeScale of(String column, List<String> texts) {
    if (texts.isEmpty())
      throw new IllegalArgumentException(
          "column '" + column + "' has 0 rows, at least 1 is needed");
    List<Moment> moments = new ArrayList<>();
    Set<ZoneOffset> offsets = new HashSet<>();
    Resolution finest = Resolution.MONTH;
    for (int i = 0; i < texts.size(); i++) {
      Moment moment = read(texts.get(i));
      if (moment == null) throw unreadable(i, column, texts.get(i));
      if (!moments.isEmpty() && (moments.getFirst().offset == null) != (moment.offset == null))
        throw mixedZones(i, column, texts.get(i));
      moments.add(moment);
      if (moment.offset != null) offsets.add(moment.offset);
      if (moment.resolution.compareTo(finest) > 0) finest = moment.resolution;
    }
    Optional<ZoneOffset> offset =
        offsets.size() > 1 ? Optional.of(ZoneOffset.UTC) : offsets.stream().findAny();
    List<LocalDateTime> times = moments.stream().map(m -> local(m, offset)).toList();
    return of(times, finest, offset);
  }

  private static TimeScale of(
      List<LocalDateTime> times, Resolution finest, Optional<ZoneOffset> offset) {
    LocalDateTime first = times.getFirst();
    LocalDateTime last = first;
    boolean monthly = true;
    for (LocalDateTime t : times) {
      if (t.isBefore(first)) first = t;
      if (t.isAfter(last)) last = t;
      monthly &= t.equals(YearMonth.from(t).atDay(1).atStartOfDay());
    }
    monthly &= finest == Resolution.MONTH || !first.equals(last);
    LocalDateTime origin = first.truncatedTo(ChronoUnit.DAYS);
    if (monthly) return new TimeScale(origin, Unit.YEARS, finest, offset);
    if (finest.compareTo(Resolution.DAY) <= 0)
      return new TimeScale(origin, Unit.DAYS, finest, offset);
    double span = seconds(first, last);
    Unit unit = Unit.SECONDS;
    for (Unit larger : List.of(Unit.MINUTES, Unit.HOURS, Unit.DAYS))
      if (span >= 2 * larger.seconds) unit = larger;
    return new TimeScale(unit == Unit.DAYS ? origin : first, unit, finest, offset);
  }

  /// Turns the texts of a column into numbers.
  public double[] parse(String column, List<String> texts) {
    double[] result = new double[texts.size()];
    for (int i = 0; i < result.length; i++) {
      Moment moment = read(texts.get(i));
      if (moment == null) throw unreadable(i, column, texts.get(i));
      if ((moment.offset == null) != offset.isEmpty()) throw mixedZones(i, column, texts.get(i));
      result[i] = number(local(moment, offset));
    }
    return result;
  }

  /// Turns one text into a number.
  public double parse(String text) {
    return parse("time", List.of(text))[0];
  }

  /// Turns a local time into a number.
  public double number(LocalDateTime t) {
    if (unit != Unit.YEARS) return seconds(origin, t) / unit.seconds;
    double day = t.getDayOfMonth() - 1 + t.toLocalTime().toNanoOfDay() / 86_400e9;
    double month = t.getMonthValue() - 1 + day / t.toLocalDate().lengthOfMonth();
    return t.getYear() + month / 12;
  }

  /// Turns a number into a local time, to the nearest millisecond.
  public LocalDateTime time(double number) {
    if (!(Math.abs(number) < 1e15))
      throw new IllegalArgumentException("a time must be a number below 1e15, got " + number);
    if (unit != Unit.YEARS) return shift(origin, number * unit.seconds);
    double months = number * 12;
    long month = (long) Math.floor(months + 1e-9);
    LocalDate start =
        LocalDate.of((int) Math.floorDiv(month, 12L), (int) Math.floorMod(month, 12L) + 1, 1);
    double days = Math.max(0, months - month) * start.lengthOfMonth();
    return shift(start.atStartOfDay(), days * 86_400);
  }

  /// Formats a number as text, rounded to the resolution of the scale.
  public String format(double number) {
    LocalDateTime t = time(number);
    LocalDateTime rounded =
        switch (resolution) {
          case MONTH ->
              YearMonth.from(t.plusDays(t.toLocalDate().lengthOfMonth() / 2))
                  .atDay(1)
                  .atStartOfDay();
          case DAY -> t.plusHours(12).truncatedTo(ChronoUnit.DAYS);
          case MINUTE -> t.plusSeconds(30).truncatedTo(ChronoUnit.MINUTES);
          case SECOND -> t.plusNanos(500_000_000).truncatedTo(ChronoUnit.SECONDS);
          case MILLISECOND -> t;
        };
    String text = rounded.format(resolution.format);
    return offset.isEmpty() || resolution.compareTo(Resolution.DAY) <= 0
        ? text
        : text + offset.get();
  }

  private static double seconds(LocalDateTime from, LocalDateTime to) {
    Duration elapsed = Duration.between(from, to);
    return elapsed.getSeconds() + elapsed.getNano() / 1e9;
  }

  private static LocalDateTime shift(LocalDateTime from, double seconds) {
    double whole = Math.floor(seconds);
    long millis = Math.round((seconds - whole) * 1_000);
    try {
      return from.plusSeconds((long) whole).plus(Duration.ofMillis(millis));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "time %s seconds after %s is out of range".formatted(seconds, from), e);
    }
  }

  private static LocalDateTime local(Moment moment, Optional<ZoneOffset> offset) {
    if (moment.offset == null || offset.isEmpty()) return moment.time;
    return moment
        .time
        .atOffset(moment.offset)
        .withOffsetSameInstant(offset.get())
        .toLocalDateTime();
  }

  private static @Nullable Moment read(String raw) {
    String text = raw.strip();
    if (text.length() > 10 && text.charAt(10) == ' ')
      text = text.substring(0, 10) + "T" + text.substring(11);
    try {
      if (text.length() == 7)
        return new Moment(YearMonth.parse(text).atDay(1).atStartOfDay(), null, Resolution.MONTH);
      if (text.indexOf('T') < 0)
        return new Moment(LocalDate.parse(text).atStartOfDay(), null, Resolution.DAY);
      Object parsed =
          DateTimeFormatter.ISO_DATE_TIME.parseBest(
              text, ZonedDateTime::from, OffsetDateTime::from, LocalDateTime::from);
      return switch (parsed) {
        case ZonedDateTime t -> moment(t.toLocalDateTime(), t.getOffset());
        case OffsetDateTime t -> moment(t.toLocalDateTime(), t.getOffset());
        case LocalDateTime t -> moment(t, null);
        default -> null;
      };
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static Moment moment(LocalDateTime t, @Nullable ZoneOffset offset) {
    Resolution resolution =
        t.getNano() != 0
            ? Resolution.MILLISECOND
            : t.getSecond() != 0 ? Resolution.SECOND : Resolution.MINUTE;
    return new Moment(t, offset, resolution);
  }

  private static IllegalArgumentException unreadable(int row, String column, String text) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "row %,d (data rows count from 1): column '%s' is '%s', not an ISO date or timestamp; write it like 1949-01, 2020-01-31 or 2020-01-31T12:30:00Z",
            row + 1,
            column,
            text));
  }

  private static IllegalArgumentException mixedZones(int row, String column, String text) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "row %,d (data rows count from 1): column '%s' is '%s', but a column's times must all have a zone or all have none; add or remove the zone",
            row + 1,
            column,
            text));
  }
}
