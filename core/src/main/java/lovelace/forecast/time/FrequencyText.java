package lovelace.forecast.time;

import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lovelace.forecast.time.Frequency.Unit;
import org.jspecify.annotations.Nullable;

/// Frequencies as text.
final class FrequencyText {

  private static final Pattern FORM =
      Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)?\\s*([A-Za-z]*)(?:-([A-Za-z]{3}))?");

  /// The letters of pandas and polars, and words. Upper and lower case matter only for `M` and `m`.
  private static final Map<String, Unit> UNITS =
      Map.ofEntries(
          Map.entry("Y", Unit.YEAR),
          Map.entry("A", Unit.YEAR),
          Map.entry("YEAR", Unit.YEAR),
          Map.entry("YEARLY", Unit.YEAR),
          Map.entry("ANNUAL", Unit.YEAR),
          Map.entry("Q", Unit.QUARTER),
          Map.entry("QUARTER", Unit.QUARTER),
          Map.entry("QUARTERLY", Unit.QUARTER),
          Map.entry("M", Unit.MONTH),
          Map.entry("MO", Unit.MONTH),
          Map.entry("MONTH", Unit.MONTH),
          Map.entry("MONTHLY", Unit.MONTH),
          Map.entry("W", Unit.WEEK),
          Map.entry("WEEK", Unit.WEEK),
          Map.entry("WEEKLY", Unit.WEEK),
          Map.entry("D", Unit.DAY),
          Map.entry("DAY", Unit.DAY),
          Map.entry("DAILY", Unit.DAY),
          Map.entry("B", Unit.BUSINESS_DAY),
          Map.entry("H", Unit.HOUR),
          Map.entry("HOUR", Unit.HOUR),
          Map.entry("HOURLY", Unit.HOUR),
          Map.entry("T", Unit.MINUTE),
          Map.entry("MIN", Unit.MINUTE),
          Map.entry("MINUTE", Unit.MINUTE),
          Map.entry("S", Unit.SECOND),
          Map.entry("SECOND", Unit.SECOND));

  /// Spellings that put years, quarters and months at their start, or at their end.
  private static final Map<String, String> STARTS =
      Map.of("YS", "Y", "AS", "Y", "QS", "Q", "MS", "M");

  private static final Map<String, String> ENDS =
      Map.of("YE", "Y", "AE", "Y", "QE", "Q", "ME", "M");

  /// The finer units of hours and minutes, for fractions of them.
  private static final int SIXTY = 60;

  private FrequencyText() {}

  static String text(Frequency of) {
    String number = number(of.multiple());
    if (of.unit() == Unit.NUMBER) return number;
    return of.multiple() == 1 ? of.unit().letters : number + of.unit().letters;
  }

  private static String number(double multiple) {
    return BigDecimal.valueOf(multiple).stripTrailingZeros().toPlainString();
  }

  static Frequency parse(String text) {
    Matcher found = FORM.matcher(text.strip());
    if (text.isBlank() || !found.matches()) throw unknown(text);
    double multiple = found.group(1) == null ? 1 : Double.parseDouble(found.group(1));
    if (!(multiple > 0)) throw unknown(text);
    String letters = String.valueOf(found.group(2));
    if (letters.isEmpty()) {
      if (found.group(3) != null) throw unknown(text);
      return new Frequency(Unit.NUMBER, multiple, new Moment(0, 0), 0, Optional.empty());
    }
    if (letters.equals("m"))
      throw new IllegalArgumentException(
          "frequency '%s' is ambiguous; write M for months or min for minutes".formatted(text));
    String capitals = letters.toUpperCase(Locale.ROOT);
    boolean starts = STARTS.containsKey(capitals);
    String name = STARTS.getOrDefault(capitals, ENDS.getOrDefault(capitals, capitals));
    Unit unit = UNITS.get(name);
    if (unit == null && name.endsWith("S")) unit = UNITS.get(name.substring(0, name.length() - 1));
    if (unit == null) throw unknown(text);
    return frequency(text, unit, multiple, starts, found.group(3));
  }

  private static Frequency frequency(
      String text, Unit unit, double multiple, boolean starts, @Nullable String anchor) {
    Unit finest = unit;
    double steps = multiple;
    while (steps != Math.rint(steps) && (finest == Unit.HOUR || finest == Unit.MINUTE)) {
      finest = finest == Unit.HOUR ? Unit.MINUTE : Unit.SECOND;
      steps *= SIXTY;
    }
    LocalDate date = LocalDate.EPOCH;
    if (unit == Unit.WEEK) {
      DayOfWeek day = anchor == null ? DayOfWeek.SUNDAY : dayOfWeek(text, anchor);
      date = LocalDate.of(1970, 1, 5).plusDays(day.getValue() - 1L);
    } else if (unit == Unit.YEAR || unit == Unit.QUARTER) {
      Month month = anchor != null ? month(text, anchor) : starts ? Month.JANUARY : Month.DECEMBER;
      date = LocalDate.of(1970, month, 1);
    } else if (anchor != null) throw unknown(text);
    int day = unit.months == 0 ? 0 : starts ? 1 : Frequency.END;
    return new Frequency(finest, steps, Moment.of(date), day, Optional.empty());
  }

  private static DayOfWeek dayOfWeek(String text, String anchor) {
    for (DayOfWeek day : DayOfWeek.values())
      if (day.name().startsWith(anchor.toUpperCase(Locale.ROOT))) return day;
    throw unknown(text);
  }

  private static Month month(String text, String anchor) {
    for (Month month : Month.values())
      if (month.name().startsWith(anchor.toUpperCase(Locale.ROOT))) return month;
    throw unknown(text);
  }

  private static IllegalArgumentException unknown(String text) {
    return new IllegalArgumentException(
        ("frequency '%s' is not known; write one of Y Q M W D B h min s, with a number before it"
                + " if a step is several of them, such as 15min, or a number alone")
            .formatted(text));
  }

  static String words(Frequency of) {
    String steps =
        of.unit() == Unit.NUMBER
            ? "steps of " + number(of.multiple())
            : of.multiple() == 1
                ? of.unit().word + "s"
                : "steps of %s %ss".formatted(number(of.multiple()), of.unit().word);
    return steps + place(of) + clock(of);
  }

  /// Where in the calendar the steps lie.
  private static String place(Frequency of) {
    LocalDate date = of.phase().local().toLocalDate();
    String day =
        of.day() == Frequency.END
            ? "the last day"
            : of.day() == 1 ? "the first day" : "day " + of.day();
    return switch (of.unit()) {
      case WEEK ->
          " on " + date.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH) + "s";
      case MONTH -> ", on " + day + " of the month";
      case QUARTER ->
          ", on %s of the %s month of the quarter"
              .formatted(day, List.of("first", "second", "third").get(of.monthOfQuarter() - 1));
      case YEAR ->
          ", on %s of %s"
              .formatted(day, date.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH));
      default -> "";
    };
  }

  /// The time of day of civil steps, unless it is midnight, and the zone.
  private static String clock(Frequency of) {
    LocalTime time = of.phase().local().toLocalTime();
    String at = of.unit().civil() && !time.equals(LocalTime.MIDNIGHT) ? " at " + time : "";
    return at + of.zone().map(zone -> " in " + zone).orElse("");
  }
}
