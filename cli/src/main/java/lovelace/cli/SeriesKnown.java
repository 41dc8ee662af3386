package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import lovelace.forecast.Columns;
import lovelace.forecast.Forecaster;
import lovelace.forecast.TimeSeries;

/// The columns and holidays that are known of the horizon of the series of a table. It gives series
/// their columns.
final class SeriesKnown implements AutoCloseable {

  /// How many different columns of holidays are kept.
  private static final int CACHED = 5_000;

  private final KnownOptions options;
  private final Table table;
  private final Optional<Table> plan;
  private final SeriesHolidays holidays;
  private final Map<List<Object>, SeriesHolidays.Found> cache = new HashMap<>();
  private final Map<String, Long> remarks = new LinkedHashMap<>();
  private Optional<KnownTable> known = Optional.empty();
  private Map<Integer, String> countries = Map.of();
  private final Set<String> holidayNames = new HashSet<>();
  private boolean zeros;
  private long asked;
  private long refused;
  private String firstRefusal = "";

  private SeriesKnown(KnownOptions options, Table table, Optional<Table> plan) {
    this.options = options;
    this.table = table;
    this.plan = plan;
    holidays = new SeriesHolidays(options);
  }

  /// Opens the tables that options name.
  static SeriesKnown open(KnownOptions options, Table table) throws IOException {
    return new SeriesKnown(options, table, options.open());
  }

  /// The columns of the table that are no ids, times or targets.
  Set<String> taken(SeriesOptions series) throws IOException {
    return options.taken(table, plan, series);
  }

  /// Reads the columns of a table of series.
  void read(SeriesTable series, SeriesOptions how) throws IOException {
    zeros = how.gaps() == Forecaster.Gaps.ZERO;
    if (plan.isPresent() || !options.covariates().isEmpty()) {
      KnownColumns columns = KnownColumns.find(table, plan, series.columns(), options.covariates());
      if (!columns.columns().isEmpty())
        known = Optional.of(KnownTable.read(series, table, plan, columns));
    }
    if (options.by().isPresent()) {
      countries = SeriesCountries.read(series, table, options.by().get());
      holidays.check(Set.copyOf(countries.values()));
    }
  }

  /// The table of the future.
  Optional<Table> plan() {
    return plan;
  }

  /// The columns of the table that are used.
  Set<String> used() {
    Set<String> used = new HashSet<>();
    known.ifPresent(k -> k.columns().columns().forEach(each -> used.add(each.name())));
    options.by().ifPresent(used::add);
    return used;
  }

  /// Refuses a table of the future from which nothing is used.
  ///
  /// @param fresh whether ids of the future that no series has are forecast too
  void requireUse(SeriesTable series, boolean fresh) {
    if (plan.isPresent() && known.isEmpty() && !fresh)
      throw KnownColumns.nothing(table, plan.get(), series.columns());
  }

  /// Prints what is known.
  ///
  /// @param fresh whether ids of the future that no series has are forecast too
  void print(PrintWriter out, boolean fresh) {
    known.ifPresent(
        k -> {
          out.printf(
              "%-11s %s, known by %s%n",
              "covariates",
              k.columns().words(),
              plan.isPresent()
                  ? "'%s' and '%s'".formatted(table.name(), plan.get().name())
                  : "'" + table.name() + "'");
          if (!k.remark().isEmpty() && !fresh) out.printf("%-11s %s%n", "remark", k.remark());
        });
    if (holidays.any()) out.printf("%-11s %s%n", "holidays", holidays.words());
    out.flush();
  }

  /// Prints remarks on the columns of all series.
  void printRemarks(PrintWriter out) {
    remarks.forEach(
        (remark, count) ->
            out.printf(
                "%-11s %s%s%n",
                "holidays",
                remark,
                count > 1 ? String.format(Locale.ROOT, " (%,d series)", count) : ""));
  }

  /// Whether a column of series is one of holidays.
  boolean isHoliday(String column) {
    return holidayNames.contains(column);
  }

  /// Whether a column is used for series.
  boolean any() {
    return known.isPresent() || holidays.any();
  }

  /// Gives series their columns, from the first value to the end of the horizon.
  ///
  /// @param lead the steps between the end of a series and its forecast
  /// @param horizon the steps of a forecast; 0 if all columns lie within the series
  /// @param rows the steps after a series for which columns must have a row
  List<PlacedSeries> attach(
      List<PlacedSeries> series, ToIntFunction<PlacedSeries> lead, int horizon, int rows)
      throws IOException {
    if (!any()) return series;
    Map<Integer, List<KnownTable.Values>> values =
        known.isEmpty()
            ? Map.of()
            : known.get().of(series.stream().map(PlacedSeries::number).toList());
    Map<KnownSteps.Key, Columns> alike = new HashMap<>();
    List<PlacedSeries> all = new ArrayList<>();
    for (PlacedSeries each : series) {
      if (each.values().size() == 0) {
        all.add(each);
        continue;
      }
      KnownSteps steps = new KnownSteps(each, lead.applyAsInt(each), horizon, rows, zeros);
      if (known.isPresent()) steps.add(known.get(), values.getOrDefault(each.number(), List.of()));
      asked++;
      if (steps.refusal().isPresent()) {
        refused++;
        if (firstRefusal.isEmpty())
          firstRefusal =
              (each.values().id().isEmpty() ? "" : each.values().id() + ": ")
                  + steps.refusal().get();
        all.add(each.without(steps.refusal().get()));
        continue;
      }
      if (holidays.any()) steps.add(holidays(each, steps));
      all.add(steps.placed(alike));
    }
    return all;
  }

  private SeriesHolidays.Found holidays(PlacedSeries each, KnownSteps steps) throws IOException {
    Optional<String> country = Optional.empty();
    if (options.by().isPresent()) {
      String code = countries.get(each.number());
      if (code == null) return new SeriesHolidays.Found(List.of(), List.of(), List.of());
      country = Optional.of(code);
    }
    long to = each.first() + steps.rows();
    List<Object> key =
        Arrays.asList(country.orElse(""), each.steps(), each.first(), each.end(), to);
    SeriesHolidays.Found found = cache.get(key);
    if (found == null) {
      found = holidays.columns(country, each.steps(), each.first(), each.end(), to);
      if (cache.size() >= CACHED) cache.clear();
      cache.put(key, found);
    }
    holidayNames.addAll(found.names());
    for (String remark : found.remarks()) remarks.merge(remark, 1L, Long::sum);
    return found;
  }

  /// Refuses a table in which no series has the columns that it needs.
  void requireSome() {
    if (asked > 0 && refused == asked)
      throw new IllegalArgumentException(
          (asked == 1
                  ? "the series cannot be forecast with these columns. "
                  : String.format(
                      Locale.ROOT,
                      "none of %,d series can be forecast with these columns. ",
                      asked))
              + firstRefusal);
    remarks.clear(); // they come again when all series are forecast
  }

  @Override
  public void close() throws IOException {
    if (plan.isPresent()) plan.get().close();
  }

  /// A series with other values and columns.
  static PlacedSeries with(PlacedSeries series, TimeSeries values, long first, List<String> more) {
    List<String> remarks = new ArrayList<>(series.remarks());
    remarks.addAll(more);
    return new PlacedSeries(
        series.number(),
        values,
        series.steps(),
        first,
        values.gaps(),
        series.duplicates(),
        remarks);
  }
}
