package lovelace.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import lovelace.forecast.Forecast;
import lovelace.forecast.Forecaster;
import lovelace.forecast.StoredSeries;

/// Answers requests about files of forecasts: what they hold, and the address `forecast`, which
/// takes and gives plain JSON.
final class ForecastProtocol {

  private final Server server;

  ForecastProtocol(Server server) {
    this.server = server;
  }

  /// The metadata of the protocol beside name and versions.
  static Map<String, Object> metadata(ForecastContent content) {
    List<Object> inputs = new ArrayList<>();
    for (String name : ForecastInference.INPUTS)
      inputs.add(
          Protocol.tensor(
              name,
              name.equals("id") ? "BYTES" : "INT64",
              List.of(name.equals("horizon") ? 1 : -1)));
    List<Object> outputs = new ArrayList<>();
    for (String name : ForecastInference.names())
      outputs.add(
          Protocol.tensor(
              name,
              name.equals("time") ? "BYTES" : "FP64",
              name.equals("quantiles") ? List.of(-1, -1, -1) : List.of(-1, -1)));
    Forecaster options = content.model().options();
    Map<String, Object> parameters =
        Answers.map(
            "series",
            content.size(),
            "horizon",
            options.horizon(),
            "seasons",
            content.model().seasons(),
            "frequency",
            content.table().frequency().text(),
            "ids",
            content.table().ids(),
            "time",
            content.table().time(),
            "target",
            Answers.map("name", content.table().target()),
            "observations",
            content.count());
    return Answers.map("inputs", inputs, "outputs", outputs, "parameters", parameters);
  }

  /// Computes the answer to a request of the protocol.
  InferAnswer infer(
      Served.Version version, ForecastContent content, InferRequest read, Gate.Pass pass) {
    ServerOptions.Limits limits = server.options().limits();
    ForecastInference inference = new ForecastInference(version, content, read, limits.rows());
    long end = System.nanoTime() + Math.min(limits.timeout().toNanos(), read.timeout);
    return inference.isLong()
        ? server.compute(() -> inference.answer(server.threads(), pass, end))
        : inference.answer(server.threads(), pass, end);
  }

  /// The answer to a request for the forecast of one series.
  byte[] forecast(Served.Version version, byte[] body, Gate.Pass pass) {
    if (!(version.content() instanceof ForecastContent content))
      throw Refusal.wrong(
          "'%s' is a model of columns, and has no forecasts of series; ask /v2/models/%s/infer",
          version.name(), version.name());
    ServerOptions.Limits limits = server.options().limits();
    ForecastRequest read = ForecastRequest.read(body, Room.of(pass, limits.rows(), 1));
    int longest = content.model().options().horizon();
    int steps =
        read.horizon() == 0
            ? longest
            : ForecastInputs.count("horizon", (double) read.horizon(), longest);
    String id = read.id();
    if (id == null && content.size() != 1)
      throw Refusal.wrong(
          String.format(
              Locale.ROOT, "'id' is missing; name one of the %,d series", content.size()));
    StoredSeries series = content.require(id == null ? content.ids().getFirst() : id);
    if (steps > limits.rows())
      throw new Refusal(
          413,
          String.format(
              Locale.ROOT,
              "a request may have at most %,d rows, got %,d; ask for a shorter horizon",
              limits.rows(),
              steps));
    long end = System.nanoTime() + limits.timeout().toNanos();
    List<StoredSeries> one = List.of(series);
    pass.reserve(steps * 40L * read.bands().names().size());
    boolean made = content.has(one);
    if (!made) ForecastInference.reserve(content, one, server.threads(), pass);
    Forecast forecast =
        made
            ? content.forecast(one).getFirst()
            : server.compute(() -> Inference.within(end, () -> content.forecast(one).getFirst()));
    server.metrics().rows(version.name(), steps);
    return written(version, content, series, forecast, read, steps);
  }

  private static byte[] written(
      Served.Version version,
      ForecastContent content,
      StoredSeries series,
      Forecast forecast,
      ForecastRequest read,
      int steps) {
    List<String> names = read.bands().names();
    double[][] values = new double[steps][];
    for (int k = 0; k < steps; k++) values[k] = read.bands().at(forecast, k);
    JsonBytes json = new JsonBytes(1024);
    json.raw("{\"model_name\":").text(version.name());
    json.raw(",\"model_version\":").text(version.number());
    json.raw(",\"id\":").text(series.values().id());
    json.raw(",\"kind\":").text(forecast.kind().name().toLowerCase(Locale.ROOT));
    json.raw(",\"time\":[");
    for (int k = 0; k < steps; k++) {
      if (k > 0) json.raw(',');
      json.text(content.time(series, k));
    }
    for (int c = 0; c < names.size(); c++) {
      json.raw("],\"").raw(names.get(c)).raw("\":[");
      for (int k = 0; k < steps; k++) {
        if (k > 0) json.raw(',');
        if (Double.isFinite(values[k][c])) json.number(values[k][c]);
        else json.raw("null");
      }
    }
    return json.raw("]}").toArray(0);
  }
}
