package lovelace.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.Forecaster;
import lovelace.forecast.PlacedRows;
import lovelace.forecast.StoredSeries;
import lovelace.forecast.StoredTable;
import lovelace.forecast.time.Frequency;
import lovelace.forecast.time.Inference;
import lovelace.forecast.time.Moment;
import lovelace.forecast.time.TimeForm;

/// Forecasts the series of a table that was uploaded.
final class StudioForecasts {

  /// How many series tell the frequency.
  private static final int VOTERS = 300;

  /// The longest horizon that a page asks for.
  private static final int LONGEST = 1_000;

  private final String id; // empty for one series
  private final String time;
  private final String target;
  private final int horizon;

  StudioForecasts(JsonNode body) {
    id = body.path("id").asText("");
    time = body.path("time").asText("");
    target = body.path("target").asText("");
    horizon = body.path("horizon").asInt(0);
    if (horizon < 1 || horizon > LONGEST)
      throw Refusal.wrong(
          "the horizon must be 1 to %,d steps, got %s",
          LONGEST, body.path("horizon").asText("none"));
    if (time.isEmpty() || target.isEmpty() || time.equals(target))
      throw Refusal.wrong("choose a column of times and another one of values");
    if (id.equals(time) || id.equals(target))
      throw Refusal.wrong(
          "'%s' is the id of the series, and also the time or the target; choose another column",
          id);
  }

  /// About how many bytes the work needs beside the table.
  static long bytes(StudioTable table) {
    return 300L * table.rows();
  }

  /// Learns from the series of a table.
  ForecastContent of(StudioTable table) {
    double[] values = table.numbers(target);
    List<String[]> texts = id.isEmpty() ? table.texts(time) : table.texts(time, id);
    Set<String> times = new LinkedHashSet<>();
    for (String[] row : texts) if (!row[0].isEmpty()) times.add(row[0]);
    List<String> distinct = List.copyOf(times);
    TimeForm.Column read = TimeForm.read("the table", time, distinct);
    Map<String, Moment> moments = new LinkedHashMap<>();
    for (int i = 0; i < distinct.size(); i++) moments.put(distinct.get(i), read.moments().get(i));
    Map<String, List<PlacedRows.Value>> rows = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      String[] row = texts.get(i);
      Moment moment = moments.get(row[0]);
      if (moment != null)
        rows.computeIfAbsent(row.length > 1 ? row[1] : "", key -> new ArrayList<>())
            .add(new PlacedRows.Value(moment, values[i]));
    }
    return of(rows, read.form());
  }

  private ForecastContent of(Map<String, List<PlacedRows.Value>> rows, TimeForm form) {
    List<List<Moment>> voters =
        rows.values().stream()
            .limit(VOTERS)
            .map(each -> each.stream().map(PlacedRows.Value::moment).sorted().toList())
            .toList();
    Inference.OfMany found = Frequency.inferMany(voters, form);
    Frequency steps =
        found.frequency().orElseThrow(() -> Refusal.wrong("column '%s': %s", time, found.reason()));
    List<StoredSeries> series = new ArrayList<>();
    rows.forEach(
        (name, each) -> {
          PlacedRows placed = PlacedRows.of(name, each, steps, form);
          series.add(
              new StoredSeries(
                  id.isEmpty() ? List.of() : List.of(name),
                  placed.steps(),
                  placed.first(),
                  placed.values()));
        });
    series.sort(Comparator.comparing(each -> each.values().id()));
    int longest = series.stream().mapToInt(each -> each.values().size()).max().orElse(0);
    ForecastModel model =
        Forecaster.DEFAULT
            .withHorizon(horizon)
            .withSeasons(steps.seasons(longest))
            .learn(series.stream().map(StoredSeries::values).toList());
    StoredTable table =
        new StoredTable(
            id.isEmpty() ? List.of() : List.of(id),
            id.isEmpty() ? List.of() : List.of("VARCHAR"),
            time,
            "VARCHAR",
            target,
            form,
            steps);
    return ForecastContent.of(model, table, series);
  }
}
