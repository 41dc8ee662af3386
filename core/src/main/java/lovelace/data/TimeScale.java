package lovelace.data;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Turns dates and timestamps into numbers: the time elapsed since `origin` in some unit, or
/// calendar years.
///
/// The unit is chosen so that lengthscales are easy to read. If every value is the start of a
/// month, it is years, `year + (month − 1)/12`, so that months are equally spaced and a season has
/// period 1. Otherwise it is elapsed days (for dates, and for timestamps that span two days or
/// more), hours, minutes or seconds, depending on the span. Timestamps with zones are kept in their
/// common offset, or in UTC if the offsets differ; timestamps without zones are taken as they are.
/// A quarter such as `2020Q1` is read as its first month. Values are printed at the finest
/// resolution of the texts they were read from.
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

  /// The precision with which values are printed.
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

  /// How to write a time, for messages.
  public static final String FORMS =
      "write it like 1949-01, 2020-01-31, 2020-01-31T12:30:00Z or 2020Q1";

  /// Whether a text is a date or timestamp that this type reads.
  public static boolean recognizes(String text) {
    return TimeText.read(text) != null;
  }

  /// Whether a text is a timestamp with a zone or an offset.
  public static boolean hasZone(String text) {
    TimeText moment = TimeText.read(text);
    return moment != null && moment.offset() != null;
  }

  /// The month that a text such as `1949-01` or `2020Q1` names; empty if it names none.
  public static Optional<YearMonth> month(String text) {
    TimeText moment = TimeText.read(text);
    return moment == null || moment.resolution() != Resolution.MONTH
        ? Optional.empty()
        : Optional.of(YearMonth.from(moment.time()));
  }

  /// Returns the scale that suits the texts of a column: quarters `2020Q1`, ISO months `1949-01`,
  /// dates `2020-01-31`, or timestamps `2020-01-31T12:30`. A space may replace the T, and a zone or
  /// offset may follow.
  public static TimeScale of(String column, List<String> texts) {
    if (texts.isEmpty())
      throw new IllegalArgumentException(
          "column '" + column + "' has 0 rows, at least 1 is needed");
    List<TimeText> moments = new ArrayList<>();
    Set<ZoneOffset> offsets = new HashSet<>();
    Resolution finest = Resolution.MONTH;
    for (int i = 0; i < texts.size(); i++) {
      TimeText moment = TimeText.read(texts.get(i));
      if (moment == null) throw unreadable(i, column, texts.get(i));
      if (!moments.isEmpty() && (moments.getFirst().offset() == null) != (moment.offset() == null))
        throw mixedZones(i, column, texts.get(i));
      moments.add(moment);
      if (moment.offset() != null) offsets.add(moment.offset());
      if (moment.resolution().compareTo(finest) > 0) finest = moment.resolution();
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
      TimeText moment = TimeText.read(texts.get(i));
      if (moment == null) throw unreadable(i, column, texts.get(i));
      if ((moment.offset() == null) != offset.isEmpty()) throw mixedZones(i, column, texts.get(i));
      result[i] = number(local(moment, offset));
    }
    return result;
  }

  /// Turns one text into a number.
  ///
  /// @throws IllegalArgumentException if [#refusal] gives a reason
  public double parse(String text) {
    double number = find(text);
    if (!Double.isNaN(number)) return number;
    throw new IllegalArgumentException("'%s' is %s".formatted(text, refusal(text).orElseThrow()));
  }

  /// Turns one text into a number; NaN if [#refusal] gives a reason.
  public double find(String text) {
    TimeText moment = TimeText.read(text);
    if (moment == null || (moment.offset() == null) != offset.isEmpty()) return Double.NaN;
    return number(local(moment, offset));
  }

  /// The reason why a text is no time of this scale, to follow "is"; empty if it is one.
  public Optional<String> refusal(String text) {
    TimeText moment = TimeText.read(text);
    if (moment == null) return Optional.of("not a date or timestamp; " + FORMS);
    if ((moment.offset() == null) == offset.isEmpty()) return Optional.empty();
    return Optional.of(
        offset.isEmpty()
            ? "a time with a zone, and the other times of its column have none; remove the zone"
            : "a time without a zone, and the other times of its column have one; add the zone");
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

  private static LocalDateTime local(TimeText moment, Optional<ZoneOffset> offset) {
    if (moment.offset() == null || offset.isEmpty()) return moment.time();
    return moment
        .time()
        .atOffset(moment.offset())
        .withOffsetSameInstant(offset.get())
        .toLocalDateTime();
  }

  private static IllegalArgumentException unreadable(int row, String column, String text) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "row %,d (data rows count from 1): column '%s' is '%s', not a date or timestamp; "
                + FORMS,
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
