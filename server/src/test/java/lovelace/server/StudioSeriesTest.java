package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import lovelace.forecast.Bands;
import lovelace.forecast.Forecast;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.Forecaster;
import lovelace.forecast.StoredSeries;
import lovelace.forecast.TimeSeries;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The answers to the studio's page of forecasts.
class StudioSeriesTest {

  @TempDir static Path folder;
  static Server server;
  static List<StoredSeries> shops;
  static ForecastModel model;

  @BeforeAll
  static void start() throws IOException {
    shops = TrialForecasts.shops(3, 9);
    model = TrialForecasts.save(folder.resolve("sales.lvf"), shops);
    Trial.line(40, 3).save(folder.resolve("line.lvl"));
    server = Trial.start(Trial.options().withFolder(folder));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static JsonNode asked(String what, String body) throws Exception {
    HttpResponse<String> answer = Trial.post(server, "/studio/api/series" + what, body);
    assertEquals(200, answer.statusCode(), answer.body());
    String[] lines = answer.body().strip().split("\n", -1);
    return Trial.JSON.readTree(lines[lines.length - 1]);
  }

  private static void refused(int status, String words, String what, String body) throws Exception {
    HttpResponse<String> answer = Trial.post(server, "/studio/api/series" + what, body);
    assertEquals(status, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains(words), answer.body());
  }

  @Test
  void aSeriesIsSeenWithItsForecast() throws Exception {
    JsonNode about = Trial.json(Trial.get(server, "/studio/api/about"));
    assertEquals("line", about.at("/models/0/name").asText());
    assertEquals(3, about.at("/forecasts/0/series").asInt());
    JsonNode found = asked("/find", "{\"model\":\"sales\",\"search\":\"P 2\"}");
    assertEquals("[\"shop 2\"]", found.get("ids").toString());
    JsonNode view = asked("/view", "{\"model\":\"sales\",\"id\":\"shop 2\",\"horizon\":3}");
    assertEquals(30, view.get("values").size());
    assertEquals(3, view.get("ahead").size());
    assertEquals(TrialForecasts.month(32), view.at("/times/0").asText());
    assertEquals(
        30.0, view.at("/ahead/1").asDouble() - view.at("/ahead/0").asDouble(), "days of September");
    Forecast forecast = model.forecast(List.of(shops.get(2).values())).getFirst();
    double[] at = Bands.of(50, 80, 95).at(forecast, 2);
    assertEquals(at[0], view.at("/bands/median/2").asDouble(), 1e-9 * at[0]);
    assertEquals(at[7], view.at("/bands/hi-95/2").asDouble(), 1e-9 * at[7]);
  }

  /// The scores of the last horizon of one series, by their definition.
  @Test
  void aBacktestIsThatOfTheDefinition() throws Exception {
    TimeSeries all = shops.getFirst().values();
    int horizon = TrialForecasts.HORIZON;
    double error = 0;
    double naive = 0;
    int inside = 0;
    int count = 0;
    for (int cut = all.size() - horizon; cut > all.size() - horizon - 12; cut--) {
      Forecast forecast = model.forecast(List.of(all.first(cut))).getFirst();
      double change = 0;
      for (int t = 1; t < cut; t++) change += Math.abs(all.value(t) - all.value(t - 1)) / (cut - 1);
      for (int k = 0; k < horizon; k++) {
        double y = all.value(cut + k);
        error += Math.abs(y - forecast.median(k)) / change;
        naive += Math.abs(y - all.value(cut - 1)) / change;
        if (y >= forecast.quantile(k, 0.1) && y <= forecast.quantile(k, 0.9)) inside++;
        count++;
      }
    }
    JsonNode found = asked("/backtest", "{\"model\":\"sales\",\"id\":\"shop 0\"}");
    assertEquals(12, found.get("forecasts").asInt());
    assertEquals(error / count, found.at("/ours/mase").asDouble(), 1e-5);
    assertEquals(naive / count, found.at("/naive/mase").asDouble(), 1e-9);
    assertEquals((double) inside / count, found.at("/ours/inside80").asDouble(), 1e-9);
    assertEquals(horizon, found.at("/ours/mases").size());
    JsonNode table = asked("/backtest", "{\"model\":\"sales\",\"all\":true}");
    assertEquals(9, table.get("forecasts").asInt());
    assertEquals(3, table.get("series").asInt());
  }

  private static String uploaded(String csv) throws Exception {
    HttpResponse<String> answer = Trial.post(server, "/studio/api/tables", csv);
    assertEquals(200, answer.statusCode(), answer.body());
    return Trial.json(answer).get("id").asText();
  }

  @Test
  void aTableIsForecastAsByTheLibrary() throws Exception {
    StringBuilder csv = new StringBuilder("shop;month;sold\n");
    for (StoredSeries each : shops)
      for (int t = 29; t >= 0; t--)
        csv.append(
            String.format(
                Locale.ROOT,
                "%s;%s;%s%n",
                each.values().id(),
                TrialForecasts.month(t + Integer.parseInt(each.values().id().substring(5))),
                Double.toString(each.values().value(t)).replace('.', ',')));
    csv.append("nobody;2022-01-01;\n");
    String table = uploaded(csv.toString());
    String wish =
        "{\"table\":\"%s\",\"id\":\"shop\",\"time\":\"month\",\"target\":\"sold\",\"horizon\":4,\"name\":\"mine\"}"
            .formatted(table);
    JsonNode made = asked("", wish).get("forecasts");
    assertEquals(4, made.get("series").asInt());
    assertEquals(90, made.get("observations").asInt());
    String source = "{\"forecasts\":\"%s\"".formatted(made.get("id").asText());
    JsonNode view = asked("/view", source + ",\"id\":\"shop 1\"}");
    double expected =
        Forecaster.DEFAULT
            .withHorizon(4)
            .withSeasons(12)
            .fit(shops.stream().map(StoredSeries::values).toList())
            .of("shop 1")
            .median(3);
    assertEquals(expected, view.at("/bands/median/3").asDouble(), 1e-9 * expected);
    JsonNode none = asked("/view", source + ",\"id\":\"nobody\"}");
    assertEquals("none", none.get("kind").asText());
    assertEquals("{}", none.get("bands").toString());
    refused(400, "id of the series, and also", "", wish.replace("\"sold\"", "\"shop\""));
  }

  @Test
  void wrongRequestsAreToldWhatIsWrong() throws Exception {
    refused(404, "no series 'x'", "/view", "{\"model\":\"sales\",\"id\":\"x\"}");
    refused(400, "from 1 to 4", "/view", "{\"model\":\"sales\",\"id\":\"shop 1\",\"horizon\":5}");
    refused(400, "a model of columns", "/view", "{\"model\":\"line\"}");
    refused(400, "name a 'model'", "/find", "{}");
    refused(404, "not here any more", "/find", "{\"forecasts\":\"none\"}");
    String table = uploaded("day,y\n2020-01-01,1\n2020-01-02,2\n2020-01-03,4\n");
    String wish = "{\"table\":\"%s\",\"time\":\"day\",\"target\":\"%s\",\"horizon\":%s}";
    refused(400, "must be 1 to 1,000", "", wish.formatted(table, "y", 0));
    refused(400, "choose a column of times", "", wish.formatted(table, "day", 1));
    JsonNode made = asked("", wish.formatted(table, "y", 2)).get("forecasts");
    String source = "{\"forecasts\":\"%s\"}".formatted(made.get("id").asText());
    assertEquals("short", asked("/view", source).get("kind").asText());
    refused(400, "a backtest needs more than 5 values", "/backtest", source);
    String plain = uploaded("x,y\n1,1\n2,2\n");
    assertTrue(
        asked("", wish.replace("day", "x").formatted(plain, "y", 1))
            .get("error")
            .asText()
            .contains("no column of times"));
  }
}
