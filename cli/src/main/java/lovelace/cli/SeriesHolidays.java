package lovelace.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import lovelace.cli.holidays.HolidayColumns;
import lovelace.cli.holidays.Holidays;
import lovelace.forecast.time.Frequency;

/// The holidays that options name, as columns of series.
final class SeriesHolidays {

  private final KnownOptions options;
  private final Map<String, List<Holidays>> byCountry = new LinkedHashMap<>();

  /// Columns of holidays for some steps.
  record Found(List<String> names, List<double[]> columns, List<String> remarks) {}

  SeriesHolidays(KnownOptions options) {
    this.options = options;
  }

  /// Whether a holiday is the name of a file.
  static boolean isFile(String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    return lower.contains(".") || lower.contains("/") || lower.contains("\\");
  }

  /// Reads the holidays that are named, so that mistakes are told early.
  static void check(KnownOptions options) throws IOException {
    if (options.by().isEmpty()) new SeriesHolidays(options).of(Optional.empty());
  }

  /// Whether there are any.
  boolean any() {
    return !options.holidays().isEmpty() || options.by().isPresent();
  }

  /// The holidays of a country, or those that are named.
  private List<Holidays> of(Optional<String> country) throws IOException {
    List<Holidays> known = byCountry.get(country.orElse(""));
    if (known != null) return known;
    List<Holidays> all = new ArrayList<>();
    int[] window = options.window();
    List<String> named = options.holidays();
    if (named.isEmpty() && country.isPresent()) named = List.of(country.get());
    for (String each : named) all.add(one(each, country).days(window[0], window[1]));
    byCountry.put(country.orElse(""), all);
    return all;
  }

  private Holidays one(String text, Optional<String> country) throws IOException {
    String option = country.isPresent() && !isFile(text) ? "--holidays-by" : "--holidays";
    try {
      if (!isFile(text)) return Holidays.of(text);
      Path file = Path.of(text);
      Relation.check(file);
      return Holidays.read(file, country);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
    }
  }

  /// Refuses countries of a column that are not known.
  void check(Set<String> countries) throws IOException {
    for (String country : new TreeSet<>(countries)) of(Optional.of(country));
  }

  /// The columns of a series.
  ///
  /// @param first the first step
  /// @param end the step after the last value
  /// @param to the step after the last one that is known
  Found columns(Optional<String> country, Frequency frequency, long first, long end, long to)
      throws IOException {
    List<String> names = new ArrayList<>();
    List<double[]> columns = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    List<Holidays> all = of(country);
    for (Holidays each : all) {
      HolidayColumns found =
          Named.of("--holidays", () -> each.columns(frequency, first, end - 1, to - 1));
      for (String name : found.names()) {
        names.add(all.size() > 1 ? each.name() + " " + name : name);
        columns.add(found.values(name));
      }
      remarks.addAll(found.remarks());
    }
    return new Found(names, columns, remarks);
  }

  /// The holidays in words; empty if there are none.
  String words() {
    int[] window = options.window();
    String around =
        window[0] == 0 && window[1] == 0
            ? ""
            : ", with the days from %s before to %s after".formatted(-window[0], window[1]);
    String from = options.by().map(by -> "by column " + by).orElse("");
    String named = String.join(", ", options.holidays());
    return (named + (named.isEmpty() || from.isEmpty() ? "" : " ") + from) + around;
  }
}
