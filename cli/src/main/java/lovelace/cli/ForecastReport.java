package lovelace.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import lovelace.forecast.Forecast;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.ValueKind;
import org.jspecify.annotations.Nullable;

/// Reports on a forecast of many series: how many there are of each kind, and remarks by series.
final class ForecastReport {

  /// How many series are named on the screen.
  private static final int SHOWN = 5;

  /// How many remarks are kept. More would fill the memory.
  private static final int KEPT = 100_000;

  private final Map<String, Object> head = new LinkedHashMap<>();
  private final Map<Forecast.Kind, Long> kinds = new EnumMap<>(Forecast.Kind.class);
  private final Map<ValueKind, Long> likelihoods = new EnumMap<>(ValueKind.class);
  private final List<Map<String, Object>> remarks = new ArrayList<>();
  private long series;
  private long withGaps;
  private long gaps;
  private long duplicates;
  private long left;
  private long outliers;
  private long withOutliers;

  /// Adds a fact about the whole table.
  void put(String key, Object value) {
    head.put(key, value);
  }

  /// Adds a series and its forecast.
  void add(PlacedSeries placed, Forecast forecast) {
    add(placed.values().id(), forecast, placed.gaps(), placed.duplicates(), placed.remarks());
  }

  /// Adds a series by what is known of it.
  void add(String id, Forecast forecast, long missing, long repeated, List<String> known) {
    series++;
    kinds.merge(forecast.kind(), 1L, Long::sum);
    likelihoods.merge(forecast.likelihood(), 1L, Long::sum);
    if (missing > 0) withGaps++;
    gaps += missing;
    duplicates += repeated;
    outliers += forecast.outliers().size();
    if (!forecast.outliers().isEmpty()) withOutliers++;
    List<String> all = new ArrayList<>(known);
    String word = word(forecast.kind());
    if (!word.isEmpty()) all.add(word);
    if (all.isEmpty()) return;
    if (remarks.size() == KEPT) {
      left++;
      return;
    }
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("id", id);
    one.put("kind", name(forecast.kind()));
    one.put("remarks", all);
    remarks.add(one);
  }

  private static String word(Forecast.Kind kind) {
    return switch (kind) {
      case LIBRARY, LONG, NONE, NEW -> "";
      case SHORT -> "few values; the spread is hardly known";
      case CONSTANT -> "all values are the same";
      case ONE -> "one value; changes are those of the other series";
    };
  }

  private static String name(Forecast.Kind kind) {
    return kind.toString().toLowerCase(Locale.ROOT);
  }

  /// Refuses a table whose series have no forecast.
  void requireSome(String table) {
    if (series == 0 || kinds.getOrDefault(Forecast.Kind.NONE, 0L) < series) return;
    Object first = remarks.isEmpty() ? List.of() : remarks.getFirst().get("remarks");
    List<String> reasons = strings(first);
    String which =
        series == 1
            ? "the series of '%s' has no".formatted(table)
            : String.format(Locale.ROOT, "none of the %,d series of '%s' has a", series, table);
    throw new IllegalArgumentException(
        which + " forecast" + (reasons.isEmpty() ? "" : ": " + String.join("; ", reasons)));
  }

  /// The report as JSON has it.
  Map<String, Object> json() {
    Map<String, Object> all = new LinkedHashMap<>(head);
    all.put("series", series);
    Map<String, Object> counts = new LinkedHashMap<>();
    for (Forecast.Kind kind : Forecast.Kind.values())
      counts.put(name(kind), kinds.getOrDefault(kind, 0L));
    all.put("kinds", counts);
    Map<String, Object> values = new LinkedHashMap<>();
    for (ValueKind each : List.of(ValueKind.NUMBERS, ValueKind.COUNTS, ValueKind.AMOUNTS))
      values.put(each.name().toLowerCase(Locale.ROOT), likelihoods.getOrDefault(each, 0L));
    all.put("likelihoods", values);
    all.put("steps_missing", gaps);
    all.put("series_with_missing_steps", withGaps);
    all.put("duplicates", duplicates);
    all.put("outliers_left_out", outliers);
    all.put("series_with_outliers_left_out", withOutliers);
    all.put("remarks", remarks);
    if (left > 0) all.put("remarks_left_out", left);
    return all;
  }

  /// The facts that were learned, in words.
  static String learned(ForecastModel model) {
    String seasons = SeriesOptions.text(model.longSeasons().orElse(model.seasons()));
    return String.format(
        Locale.ROOT,
        "%s; %s; %s",
        model.learnedFrom() == 0
            ? "nothing, because no series is long enough"
            : String.format(Locale.ROOT, "from %,d of the series", model.learnedFrom()),
        seasons.equals(SeriesOptions.NONE) ? "no seasons" : "seasons of " + seasons + " steps",
        String.format(
            Locale.ROOT,
            model.longSeasons().isPresent()
                ? "all steps of long series count, and the last %,d of others"
                : "at most the last %,d steps of a series count",
            model.window()));
  }

  /// Prints the summary.
  void print(PrintWriter out, ForecastModel model, boolean zeros) {
    print(out, learned(model), zeros);
  }

  /// Prints the summary, with a line on what was learned.
  void print(PrintWriter out, String learned, boolean zeros) {
    List<String> some = new ArrayList<>();
    kinds.forEach(
        (kind, count) -> {
          String word =
              switch (kind) {
                case LIBRARY -> "by the library of processes";
                case LONG -> "by state spaces over the whole history";
                case SHORT -> "short";
                case CONSTANT -> "constant";
                case ONE -> "from one value";
                case NEW -> "new, by similar series";
                case NONE -> "without a forecast";
              };
          some.add(String.format(Locale.ROOT, "%,d %s", count, word));
        });
    out.printf(Locale.ROOT, "%-11s %,d: %s%n", "series", series, String.join(", ", some));
    long counts = likelihoods.getOrDefault(ValueKind.COUNTS, 0L);
    long amounts = likelihoods.getOrDefault(ValueKind.AMOUNTS, 0L);
    if (counts + amounts > 0)
      out.printf(
          Locale.ROOT,
          "%-11s %,d series are counts, %,d are amounts with zeros, and %,d are numbers%n",
          "values",
          counts,
          amounts,
          series - counts - amounts);
    out.printf("%-11s %s%n", "learned", learned);
    if (gaps > 0)
      out.printf(
          Locale.ROOT,
          "%-11s %,d %s of %,d series without a value, %s%n",
          "gaps",
          gaps,
          gaps == 1 ? "step" : "steps",
          withGaps,
          zeros ? "taken as 0" : "taken as missing; if nothing happened then, pass --gaps zero");
    if (outliers > 0)
      out.printf(
          Locale.ROOT,
          "%-11s %,d %s of %,d series left out; --outliers keep uses them%n",
          "outliers",
          outliers,
          outliers == 1 ? "value" : "values",
          withOutliers);
    remarks.stream()
        .limit(SHOWN)
        .forEach(
            one ->
                out.printf(
                    "%-11s %s%s%n",
                    "remark",
                    String.valueOf(one.get("id")).isEmpty() ? "" : one.get("id") + ": ",
                    String.join("; ", strings(one.get("remarks")))));
    if (remarks.size() > SHOWN)
      out.printf(
          Locale.ROOT,
          "%-11s %,d more series have remarks; --report FILE writes all of them%n",
          "",
          remarks.size() + left - SHOWN);
  }

  private static List<String> strings(@Nullable Object list) {
    return list instanceof List<?> all ? all.stream().map(String::valueOf).toList() : List.of();
  }
}
