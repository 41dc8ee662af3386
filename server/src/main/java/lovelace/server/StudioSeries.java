package lovelace.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import lovelace.forecast.Bands;
import lovelace.forecast.Forecast;
import lovelace.forecast.StoredSeries;
import lovelace.forecast.TimeSeries;
import lovelace.forecast.time.Frequency;
import org.jspecify.annotations.Nullable;

/// Answers the series page of the studio: which series there are, one of them with its forecast,
/// and how good forecasts would have been. Series are those of a file that is served, or of a table
/// that was uploaded.
final class StudioSeries {

  /// The most ids that a search gives, and the most values of a history.
  private static final int FOUND = 50;

  private static final int HISTORY = 3_000;

  private static final Bands BANDS = Bands.of(50, 80, 95);

  /// Runs long work and answers with its result.
  interface Stream {
    void run(ServerResponse response, StudioJob.Work work);
  }

  private final Server server;
  private final StudioPool work;
  private final StudioShelf<StudioTable> tables;
  private final StudioShelf<ForecastContent> shelf;
  private final Stream stream;

  StudioSeries(
      Server server,
      StudioPool work,
      StudioShelf<StudioTable> tables,
      Stream stream,
      long room,
      long life) {
    this.server = server;
    this.work = work;
    this.tables = tables;
    this.stream = stream;
    shelf = new StudioShelf<>("forecasts", 16, room / 2, life, System::nanoTime);
  }

  Addresses addresses(Addresses all) {
    return all.post("/series", this::learn)
        .post("/series/find", (q, r) -> answer(q, r, (body, pass) -> find(body)))
        .post("/series/view", (q, r) -> answer(q, r, this::view))
        .post("/series/backtest", (q, r) -> answer(q, r, this::backtest));
  }

  /// About how many bytes of forecasts are kept for pages.
  long bytes() {
    return shelf.bytes();
  }

  /// The facts about forecasts, in a line.
  static Map<String, Object> about(String name, ForecastContent content) {
    return Answers.map(
        "name", name,
        "series", content.size(),
        "horizon", content.model().options().horizon(),
        "frequency", content.table().frequency().words(),
        "observations", content.count());
  }

  private void answer(
      ServerRequest request,
      ServerResponse response,
      BiFunction<JsonNode, Gate.Pass, Map<String, Object>> task) {
    long start = System.nanoTime();
    try (Gate.Pass pass = server.gate().enter()) {
      JsonNode body = StudioBody.object(Body.read(request, pass, StudioBody.MOST), pass);
      Studio.answer(response, start, task.apply(body, pass));
    }
  }

  /// Learns from a table that was uploaded.
  private void learn(ServerRequest request, ServerResponse response) {
    try (Gate.Pass pass = server.gate().enter()) {
      JsonNode body = StudioBody.object(Body.read(request, pass, StudioBody.MOST), pass);
      StudioTable table = tables.require(body.path("table").asText());
      StudioForecasts wish = new StudioForecasts(body);
      pass.reserve(StudioForecasts.bytes(table));
      String name = body.path("name").asText("table");
      stream.run(
          response,
          progress -> {
            ForecastContent made = wish.of(table);
            String id = shelf.put(made, 8L * made.count() + 400L * made.size() + (1 << 16));
            Map<String, Object> about = about(name, made);
            about.put("id", id);
            return Answers.map("forecasts", about);
          });
    }
  }

  private ForecastContent content(JsonNode body) {
    if (body.path("forecasts").isTextual()) return shelf.require(body.get("forecasts").asText());
    if (!body.path("model").isTextual())
      throw Refusal.wrong("name a 'model' that is served, or 'forecasts' of a table");
    String name = body.get("model").asText();
    if (server.models().require(name, null).content() instanceof ForecastContent content)
      return content;
    throw Refusal.wrong("'%s' is a model of columns; the tab Explore shows it", name);
  }

  private Map<String, Object> find(JsonNode body) {
    ForecastContent content = content(body);
    String wanted = body.path("search").asText("").toLowerCase(Locale.ROOT);
    List<String> found = new ArrayList<>();
    int count = 0;
    for (String id : content.ids()) {
      if (!id.toLowerCase(Locale.ROOT).contains(wanted)) continue;
      if (count++ < FOUND) found.add(id);
    }
    return Answers.map("ids", found, "count", count, "all", content.size());
  }

  /// The series that a page has open. If the file has one series, the page need not name it.
  private static StoredSeries series(ForecastContent content, JsonNode body) {
    if (content.size() == 0)
      throw Refusal.wrong("there are no series here; send their values to 'observe' first");
    return content.require(
        body.path("id").isTextual() ? body.get("id").asText() : content.ids().getFirst());
  }

  private Map<String, Object> view(JsonNode body, Gate.Pass pass) {
    ForecastContent content = content(body);
    StoredSeries series = series(content, body);
    int most = content.model().options().horizon();
    int horizon =
        body.has("horizon")
            ? ForecastInputs.count("horizon", body.get("horizon").asDouble(Double.NaN), most)
            : most;
    List<StoredSeries> one = List.of(series);
    if (!content.has(one)) ForecastInference.reserve(content, one, server.threads(), pass);
    int shown = Math.min(HISTORY, series.values().size());
    pass.reserve(200L * (shown + horizon));
    return work.compute(() -> seen(content, series, horizon, shown));
  }

  private static Map<String, Object> seen(
      ForecastContent content, StoredSeries series, int horizon, int shown) {
    Forecast forecast = content.forecast(List.of(series)).getFirst();
    Frequency steps = series.steps();
    boolean plain = steps.unit() == Frequency.Unit.NUMBER;
    double unit = plain ? 1 : steps.unit().civil() ? 86_400 : 1;
    double[] past = new double[shown];
    List<@Nullable Double> values = new ArrayList<>();
    for (int t = 0; t < shown; t++) {
      past[t] = content.moment(series, t - shown).number().doubleValue() / unit;
      double value = series.values().value(series.values().size() - shown + t);
      values.add(Double.isNaN(value) ? null : Double.valueOf(value));
    }
    double[] ahead = new double[horizon];
    String[] times = new String[horizon];
    double[][] bands = new double[BANDS.names().size()][horizon];
    boolean none = forecast.kind() == Forecast.Kind.NONE;
    for (int k = 0; k < horizon; k++) {
      ahead[k] = content.moment(series, k).number().doubleValue() / unit;
      times[k] = content.time(series, k);
      double[] at = BANDS.at(forecast, k);
      for (int c = 0; c < at.length; c++) bands[c][k] = at[c];
    }
    Map<String, Object> all = Answers.map();
    for (int c = 0; c < bands.length && !none; c++) all.put(BANDS.names().get(c), bands[c]);
    Map<String, Object> time =
        Answers.map(
            "label",
            content.table().time(),
            "unit",
            plain ? "" : steps.unit().civil() ? "days" : "seconds");
    if (!plain) time.put("origin", "1970-01-01T00:00");
    return Answers.map(
        "id", series.values().id(),
        "kind", forecast.kind().name().toLowerCase(Locale.ROOT),
        "horizon", content.model().options().horizon(),
        "frequency", steps.words(),
        "seasons", content.model().seasons(),
        "count", series.values().size(),
        "gaps", series.values().gaps(),
        "time", time,
        "target", content.table().target(),
        "past", past,
        "values", values,
        "ahead", ahead,
        "times", times,
        "bands", all);
  }

  private Map<String, Object> backtest(JsonNode body, Gate.Pass pass) {
    ForecastContent content = content(body);
    List<TimeSeries> series = new ArrayList<>();
    if (body.path("all").asBoolean(false))
      for (String id : content.ids()) series.add(content.require(id).values());
    else series.add(series(content, body).values());
    List<StoredSeries> longest =
        series.size() == 1
            ? List.of(series(content, body))
            : content.ids().stream().limit(200).map(content::require).toList();
    ForecastInference.reserve(content, longest, server.threads(), pass);
    return work.compute(() -> StudioBacktest.of(content.model(), series));
  }
}
