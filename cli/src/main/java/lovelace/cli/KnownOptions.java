package lovelace.cli;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lovelace.cli.Table.Field;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options for columns whose values are known in the future: prices, plans, holidays.
final class KnownOptions {

  private static final Pattern DAYS = Pattern.compile("([-+]?\\d{1,3}):([-+]?\\d{1,3})");

  @Option(
      names = "--future",
      paramLabel = "FILE",
      description =
          "A table with what is known of the horizon, such as prices: the time, the ids, and "
              + "columns that TABLE has too. Without ids it holds for all series.")
  private @Nullable String future;

  @Option(
      names = "--covariates",
      split = ",",
      paramLabel = "COLUMN",
      description =
          "The columns that explain the values and are known in the future, numbers or words "
              + "(default: those that TABLE and --future share).")
  private List<String> covariates = List.of();

  @Option(
      names = "--holidays",
      split = ",",
      paramLabel = "CODE|FILE",
      description =
          "Public holidays of countries or parts of them, such as DE,US-NY, or a CSV file with "
              + "columns date,name.")
  private List<String> holidays = List.of();

  @Option(
      names = "--holiday-days",
      paramLabel = "FROM:TO",
      description =
          "Also give the days around holidays effects of their own: -2:1 is from two days before "
              + "to one day after.")
  private @Nullable String days;

  @Option(
      names = "--holidays-by",
      paramLabel = "COLUMN",
      description =
          "The column of TABLE that has the country of each series, such as DE or US-NY. With a "
              + "file of holidays, its column country is meant.")
  private @Nullable String by;

  /// Refuses wrong values before any work is done.
  void check() throws IOException {
    String file = future;
    if (file != null && Output.isStandard(file))
      throw new IllegalArgumentException("--future must be a file, got '-'; name one");
    if (days != null && holidays.isEmpty() && by == null)
      throw new IllegalArgumentException(
          "--holiday-days gives days around holidays, and no --holidays says which; add --holidays DE");
    window();
    if (by != null
        && (holidays.size() > 1 || holidays.stream().anyMatch(h -> !SeriesHolidays.isFile(h))))
      throw new IllegalArgumentException(
          "--holidays-by takes the country from a column, and --holidays names %s; leave out one of the two, or name one file"
              .formatted(String.join(", ", holidays)));
    SeriesHolidays.check(this);
  }

  /// The first of these options that is given.
  Optional<String> asked() {
    if (future != null) return Optional.of("--future");
    if (!covariates.isEmpty()) return Optional.of("--covariates");
    if (!holidays.isEmpty()) return Optional.of("--holidays");
    return by == null ? Optional.empty() : Optional.of("--holidays-by");
  }

  /// Whether there is a table of the future.
  boolean hasFuture() {
    return future != null;
  }

  /// Opens the table of the future.
  Optional<Table> open() throws IOException {
    String file = future;
    return file == null ? Optional.empty() : Optional.of(Table.of("--future", file));
  }

  List<String> covariates() {
    return covariates.stream().map(String::strip).toList();
  }

  List<String> holidays() {
    return holidays.stream().map(String::strip).toList();
  }

  Optional<String> by() {
    return Optional.ofNullable(by);
  }

  /// The first and the last day around a holiday.
  int[] window() {
    String text = days;
    if (text == null) return new int[2];
    Matcher parts = DAYS.matcher(text.strip());
    if (!parts.matches())
      throw new IllegalArgumentException(
          "--holiday-days must be two days like -2:1, got '%s'".formatted(text));
    int from = Integer.parseInt(parts.group(1));
    int to = Integer.parseInt(parts.group(2));
    if (from > 0 || to < 0 || from < -31 || to > 31)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--holiday-days must go from -31..0 to 0..31 days, got %d:%d; -2:1 is usual",
              from,
              to));
    return new int[] {from, to};
  }

  /// The columns of a table that are no ids, times or targets because of these options.
  Set<String> taken(Table table, Optional<Table> plan, SeriesOptions series) throws IOException {
    Set<String> taken = new HashSet<>(covariates());
    for (String name : covariates()) KnownColumns.require(name, table, plan);
    if (by != null) taken.add(by);
    if (!covariates.isEmpty() || plan.isEmpty()) return taken;
    for (Field field : table.fields()) {
      String name = field.name();
      if (field.kind() == Table.Kind.NUMBER
          && KnownColumns.has(plan.get(), name)
          && series.target().filter(name::equals).isEmpty()
          && !series.ids().contains(name)
          && series.time().filter(name::equals).isEmpty()
          && !Set.of("unique_id", "ds", "y").contains(name)
          && !KnownColumns.isEmpty(plan.get(), name)) taken.add(name);
    }
    return taken;
  }
}
