package lovelace.cli.holidays;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import lovelace.forecast.time.Frequency;

/// The holidays of a country or of a file.
///
/// ```java
/// Holidays holidays = Holidays.of("DE-BY").days(-2, 1);
/// HolidayColumns columns = holidays.columns(frequency, first, lastOfHistory, last);
/// ```
///
/// A holiday keeps its name over the years. If people have another day off because a holiday falls
/// on a weekend, that day is a holiday with the same name and `(observed)`.
public final class Holidays {

  /// A holiday.
  ///
  /// @param date its date
  /// @param name its name
  public record Day(LocalDate date, String name) implements Comparable<Day> {
    @Override
    public int compareTo(Day other) {
      int order = date.compareTo(other.date);
      return order != 0 ? order : name.compareTo(other.name);
    }
  }

  /// Where holidays come from.
  interface Calendar {

    /// The holidays between two dates, which belong to the range too, in any order.
    List<Day> between(LocalDate first, LocalDate last);

    /// The last date of which the calendar knows; empty if it knows all.
    default Optional<LocalDate> end() {
      return Optional.empty();
    }
  }

  /// The most days of a window on each side of a holiday.
  private static final int WIDEST = 366;

  private final String name;
  private final Calendar calendar;
  private final int from, to;

  private Holidays(String name, Calendar calendar, int from, int to) {
    this.name = name;
    this.calendar = calendar;
    this.from = from;
    this.to = to;
  }

  /// The public holidays of a country, such as `DE`, or of a part of it, such as `DE-BY`. The codes
  /// are those of ISO 3166.
  ///
  /// @throws IllegalArgumentException if the country or the part is not known; the message shows
  ///   the file to write instead
  public static Holidays of(String code) {
    CountryCalendar calendar = CountryCalendar.of(code);
    return new Holidays(calendar.code(), calendar, 0, 0);
  }

  /// The holidays of a CSV file with the columns `date,name` and perhaps `country`. Dates are
  /// written like 2026-12-25.
  ///
  /// @throws IllegalArgumentException if the file has another form; the message names the row
  public static Holidays read(Path file) throws IOException {
    return read(file, Optional.empty());
  }

  /// The holidays of one country of a CSV file: those rows whose column `country` names it or is
  /// empty.
  public static Holidays read(Path file, Optional<String> country) throws IOException {
    return new Holidays(file.toString(), HolidayFile.read(file, country), 0, 0);
  }

  /// The same holidays with the days around them: `days(-2, 1)` adds two days before each and one
  /// day after. A day of a window has a name of its own, such as `Christmas -1`.
  public Holidays days(int from, int to) {
    if (from > 0 || to < 0 || from < -WIDEST || to > WIDEST)
      throw new IllegalArgumentException(
          "a window of holidays goes from -366..0 to 0..366 days, got %s to %s; write it like -2, 1"
              .formatted(from, to));
    return new Holidays(name, calendar, from, to);
  }

  /// The code of the country, or the file.
  public String name() {
    return name;
  }

  /// The last date of which the holidays are known; empty if they are known for all years.
  public Optional<LocalDate> end() {
    return calendar.end();
  }

  /// The holidays from one date to another, in order, with the days of their windows. Both dates
  /// belong to the range.
  public List<Day> between(LocalDate first, LocalDate last) {
    TreeSet<Day> days = new TreeSet<>();
    for (Day day : calendar.between(first.minusDays(to), last.minusDays(from)))
      for (int shift = from; shift <= to; shift++) {
        LocalDate date = day.date.plusDays(shift);
        if (date.isBefore(first) || date.isAfter(last)) continue;
        String words =
            shift == 0 ? day.name : day.name + (shift < 0 ? " -" : " +") + Math.abs(shift);
        days.add(new Day(date, words));
      }
    return new ArrayList<>(days);
  }

  /// The holidays as columns of a series, one value for each step.
  ///
  /// Steps of days and shorter ones have a column for each name: 1 on the holiday and 0 elsewhere.
  /// Weeks and longer steps have one column, which counts the days that are holidays. A holiday
  /// that the history has fewer than twice is left out, because nothing can be learned of it.
  ///
  /// @param frequency the steps, with a calendar
  /// @param first the number of the first step
  /// @param lastOfHistory the number of the last step that was observed
  /// @param last the number of the last step of the columns
  public HolidayColumns columns(Frequency frequency, long first, long lastOfHistory, long last) {
    return HolidayColumns.of(this, frequency, first, lastOfHistory, last);
  }
}
