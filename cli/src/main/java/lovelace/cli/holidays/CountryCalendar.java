package lovelace.cli.holidays;

import de.focus_shift.jollyday.core.CalendarHierarchy;
import de.focus_shift.jollyday.core.Holiday;
import de.focus_shift.jollyday.core.HolidayManager;
import de.focus_shift.jollyday.core.HolidayType;
import de.focus_shift.jollyday.core.ManagerParameters;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import lovelace.cli.holidays.Holidays.Day;

/// The public holidays of a country, or of a part of it, by Jollyday.
///
/// @param code the code of the country, and of the part
/// @param manager the rules of the country
/// @param parts the part of the country, from the largest; empty for the whole
record CountryCalendar(String code, HolidayManager manager, List<String> parts)
    implements Holidays.Calendar {

  private static final int LETTERS = 2;

  /// The most days between a holiday and the day on which it is observed.
  private static final int OBSERVED_WITHIN = 14;

  static CountryCalendar of(String text) {
    String code = text.strip().toUpperCase(Locale.ROOT);
    List<String> levels = Arrays.asList(code.toLowerCase(Locale.ROOT).split("-", -1));
    String country = levels.getFirst();
    if (country.length() != LETTERS || !countries().contains(country)) throw unknown(code, country);
    HolidayManager manager = HolidayManager.getInstance(ManagerParameters.create(country));
    CalendarHierarchy level = manager.getCalendarHierarchy();
    for (String part : levels.subList(1, levels.size())) {
      CalendarHierarchy below = level.getChildren().get(part);
      if (below == null) throw unknownPart(code, part, level);
      level = below;
    }
    return new CountryCalendar(code, manager, levels.subList(1, levels.size()));
  }

  /// The codes of the countries that are known, in small letters.
  static Set<String> countries() {
    return HolidayManager.getSupportedCalendarCodes().stream()
        .map(each -> each.toLowerCase(Locale.ROOT))
        .filter(each -> each.length() == LETTERS)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static IllegalArgumentException unknown(String code, String country) {
    return new IllegalArgumentException(
        ("the holidays of country '%s' are not known%s; write them into a CSV file with the columns"
                + " date,name and rows such as 2026-02-17,New Year, and name that file")
            .formatted(
                country.toUpperCase(Locale.ROOT),
                country.length() == LETTERS
                    ? ""
                    : " (got '%s', but a code is like DE or DE-BY)".formatted(code)));
  }

  private static IllegalArgumentException unknownPart(
      String code, String part, CalendarHierarchy level) {
    String known =
        level.getChildren().keySet().stream()
            .sorted()
            .map(each -> each.toUpperCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    return new IllegalArgumentException(
        "the holidays of '%s' are not known: '%s' is no part of %s with holidays of its own; %s"
            .formatted(
                code,
                part.toUpperCase(Locale.ROOT),
                level.getId().toUpperCase(Locale.ROOT),
                known.isEmpty()
                    ? "leave it out, or write the holidays into a CSV file with the columns date,name"
                    : "its parts are " + known));
  }

  @Override
  public List<Day> between(LocalDate first, LocalDate last) {
    List<Day> days = new ArrayList<>();
    Set<Holiday> found =
        manager.getHolidays(
            first.minusDays(OBSERVED_WITHIN),
            last.plusDays(OBSERVED_WITHIN),
            parts.toArray(String[]::new));
    for (Holiday holiday : found) {
      if (holiday.getType() != HolidayType.PUBLIC_HOLIDAY) continue;
      String name = holiday.getDescription(Locale.ENGLISH);
      add(days, holiday.getActualDate(), name, first, last);
      holiday
          .getObservedDate()
          .filter(date -> !date.equals(holiday.getActualDate()))
          .ifPresent(date -> add(days, date, name + " (observed)", first, last));
    }
    return days;
  }

  private static void add(
      List<Day> days, LocalDate date, String name, LocalDate first, LocalDate last) {
    if (!date.isBefore(first) && !date.isAfter(last)) days.add(new Day(date, name));
  }
}
