package lovelace.cli.holidays;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import lovelace.cli.holidays.Holidays.Day;
import lovelace.csv.CsvRows;

/// Holidays that a user wrote into a CSV file.
///
/// @param days the holidays
/// @param end the date of the last one
record HolidayFile(List<Day> days, Optional<LocalDate> end) implements Holidays.Calendar {

  private static final String FORM =
      "a file of holidays begins with date,name or date,name,country and has rows such as"
          + " 2026-12-25,Christmas";

  HolidayFile {
    days = List.copyOf(days);
  }

  static HolidayFile read(Path file, Optional<String> country) throws IOException {
    Map<String, Integer> columns = new HashMap<>();
    List<Day> days = new ArrayList<>();
    TreeSet<String> others = new TreeSet<>();
    try (CsvRows rows = CsvRows.of(Files.readString(file), ',')) {
      String[] header = rows.next();
      if (header == null) throw wrong(file, "is empty");
      for (int i = 0; i < header.length; i++) columns.put(header[i].toLowerCase(Locale.ROOT), i);
      int date = column(file, columns, "date"), name = column(file, columns, "name");
      Integer place = columns.get("country");
      rows.takeAsHeader();
      for (String[] values = rows.next(); values != null; values = rows.next()) {
        String where = place == null ? "" : values[place].strip();
        if (country.isPresent() && !where.isEmpty() && !where.equalsIgnoreCase(country.get())) {
          others.add(where.toUpperCase(Locale.ROOT));
          continue;
        }
        days.add(day(file, rows.row(), values[date], values[name]));
      }
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      throw message.startsWith("'" + file + "'") || message.startsWith("row ")
          ? e
          : wrong(file, "cannot be read: " + message);
    }
    if (days.isEmpty())
      throw wrong(
          file,
          others.isEmpty()
              ? "has no holidays"
              : "has no holidays of '%s', only of %s"
                  .formatted(country.orElse(""), String.join(", ", others)));
    return new HolidayFile(days, days.stream().map(Day::date).max(LocalDate::compareTo));
  }

  private static int column(Path file, Map<String, Integer> columns, String name) {
    Integer found = columns.get(name);
    if (found == null) throw wrong(file, "has no column '%s'".formatted(name));
    return found;
  }

  private static Day day(Path file, int row, String date, String name) {
    if (name.isBlank())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "row %,d of '%s': the holiday of %s has no name", row, file, date));
    try {
      return new Day(LocalDate.parse(date.strip()), name.strip());
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "row %,d of '%s': column 'date' is '%s', not a date; write it like 2026-12-25",
              row,
              file,
              date),
          e);
    }
  }

  private static IllegalArgumentException wrong(Path file, String what) {
    return new IllegalArgumentException("'%s' %s; %s".formatted(file, what, FORM));
  }

  @Override
  public List<Day> between(LocalDate first, LocalDate last) {
    return days.stream()
        .filter(day -> !day.date().isBefore(first) && !day.date().isAfter(last))
        .toList();
  }
}
