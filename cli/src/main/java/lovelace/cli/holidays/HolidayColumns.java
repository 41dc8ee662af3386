package lovelace.cli.holidays;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import lovelace.cli.holidays.Holidays.Day;
import lovelace.forecast.time.Frequency;

/// Holidays as columns, with a value for each step of a series.
public final class HolidayColumns {

  /// The name of the column that counts holidays.
  public static final String COUNT = "holidays";

  private static final int FEWEST = 2;

  private final Map<String, double[]> columns;
  private final Map<String, Integer> leftOut;
  private final List<String> remarks;

  private HolidayColumns(
      Map<String, double[]> columns, Map<String, Integer> leftOut, List<String> remarks) {
    this.columns = columns;
    this.leftOut = leftOut;
    this.remarks = List.copyOf(remarks);
  }

  /// The names of the columns, in alphabetical order.
  public List<String> names() {
    return List.copyOf(columns.keySet());
  }

  /// A copy of the values of a column, from the first step to the last.
  ///
  /// @throws IllegalArgumentException if there is no such column
  public double[] values(String name) {
    double[] values = columns.get(name);
    if (values == null)
      throw new IllegalArgumentException(
          "no column of holidays is named '%s'; there are %s".formatted(name, names()));
    return values.clone();
  }

  /// The holidays that were left out because the history has them fewer than twice, and how often
  /// it has them.
  public Map<String, Integer> leftOut() {
    return Map.copyOf(leftOut);
  }

  /// Remarks for people: which holidays were left out, and where a file of holidays ends too early.
  public List<String> remarks() {
    return remarks;
  }

  static HolidayColumns of(
      Holidays holidays, Frequency frequency, long first, long lastOfHistory, long last) {
    if (frequency.unit() == Frequency.Unit.NUMBER)
      throw new IllegalArgumentException(
          "holidays need dates, but the times are plain numbers; write dates, or leave the holidays"
              + " out");
    if (!(first <= lastOfHistory && lastOfHistory <= last))
      throw new IllegalArgumentException(
          "steps must be in order, got first %s, last of history %s, last %s"
              .formatted(first, lastOfHistory, last));
    LocalDate start = frequency.days(first).first(), end = frequency.days(last).last();
    Map<LocalDate, Set<String>> named = new HashMap<>();
    for (Day day : holidays.between(start, end))
      named.computeIfAbsent(day.date(), date -> new TreeSet<>()).add(day.name());
    Map<String, double[]> columns = new TreeMap<>();
    Map<String, Set<LocalDate>> past = new HashMap<>();
    boolean counts = isCounted(frequency);
    int steps = Math.toIntExact(last - first + 1);
    for (int i = 0; i < steps; i++) {
      Frequency.Days days = frequency.days(first + i);
      for (LocalDate date = days.first(); !date.isAfter(days.last()); date = date.plusDays(1)) {
        Set<String> names = named.getOrDefault(date, Set.of());
        if (counts && !names.isEmpty()) names = Set.of(COUNT);
        for (String name : names) {
          double[] values = columns.computeIfAbsent(name, each -> new double[steps]);
          values[i] = counts ? values[i] + 1 : 1;
          if (first + i <= lastOfHistory)
            past.computeIfAbsent(name, each -> new TreeSet<>()).add(date);
        }
      }
    }
    Map<String, Integer> leftOut = new TreeMap<>();
    for (String name : columns.keySet()) {
      int count = past.getOrDefault(name, Set.of()).size();
      if (count < FEWEST) leftOut.put(name, count);
    }
    columns.keySet().removeAll(leftOut.keySet());
    return new HolidayColumns(
        new LinkedHashMap<>(columns), leftOut, remarks(holidays, leftOut, end));
  }

  /// Whether the steps are weeks or longer.
  private static boolean isCounted(Frequency frequency) {
    return switch (frequency.unit()) {
      case YEAR, QUARTER, MONTH, WEEK -> true;
      case DAY, BUSINESS_DAY, HOUR, MINUTE, SECOND, NUMBER -> false;
    };
  }

  private static List<String> remarks(
      Holidays holidays, Map<String, Integer> leftOut, LocalDate end) {
    List<String> remarks = new ArrayList<>();
    if (!leftOut.isEmpty())
      remarks.add(
          String.format(
              Locale.ROOT,
              "The history has these holidays of %s fewer than twice, so they are left out: %s.",
              holidays.name(),
              String.join(", ", leftOut.keySet())));
    holidays
        .end()
        .filter(known -> known.getYear() < end.getYear())
        .ifPresent(
            known ->
                remarks.add(
                    "The holidays of '%s' end on %s and the steps on %s; add the later holidays."
                        .formatted(holidays.name(), known, end)));
    return remarks;
  }
}
