package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import lovelace.forecast.Bands;
import lovelace.forecast.Forecast;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.StoredSeries;
import lovelace.forecast.TimeSeries;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Forecasts by id, under both addresses. Every number is that of the library.
class ForecastServerTest {

  private static final String INFER = "/v2/models/sales/infer";
  private static final String FORECAST = "/v2/models/sales/forecast";

  @TempDir static Path folder;
  static Server server;
  static List<StoredSeries> shops;
  static ForecastModel model;

  @BeforeAll
  static void start() throws IOException {
    shops = TrialForecasts.shops(4, 7);
    model = TrialForecasts.save(folder.resolve("sales.lvf"), shops);
    TrialForecasts.save(folder.resolve("one.lvf"), shops.subList(0, 1));
    Trial.line(50, 3).save(folder.resolve("line.lvl"));
    ServerOptions options = Trial.options().withFolder(folder);
    server = Trial.start(options.withLimits(options.limits().withRows(100)));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Forecast forecast(int shop) {
    TimeSeries values = shops.get(shop).values();
    return model.forecast(List.of(values)).getFirst();
  }

  private static String ids(String parameters, String inputs, String... ids) {
    return """
    {"inputs": [{"name": "id", "shape": [%s], "datatype": "BYTES", "data": ["%s"]}%s]%s}
    """
        .formatted(ids.length, String.join("\", \"", ids), inputs, parameters);
  }

  private static JsonNode output(JsonNode answer, String name) {
    for (JsonNode each : answer.get("outputs"))
      if (each.get("name").asText().equals(name)) return each;
    throw new AssertionError("no output " + name + " in " + answer);
  }

  @Test
  void inferGivesEveryStepOfEachSeries() throws Exception {
    HttpResponse<String> response = Trial.post(server, INFER, ids("", "", "shop 2", "shop 0"));
    assertEquals(200, response.statusCode(), response.body());
    JsonNode answer = Trial.json(response);
    assertEquals("[2,4]", output(answer, "median").get("shape").toString());
    List<String> names = Bands.DEFAULT.names();
    for (int c = 0; c < names.size(); c++) {
      double[] values = Trial.output(answer, names.get(c));
      for (int i = 0; i < 8; i++) {
        double[] expected = Bands.DEFAULT.at(forecast(i < 4 ? 2 : 0), i % 4);
        assertEquals(expected[c], values[i], 1e-9 * Math.abs(expected[c]), names.get(c) + i);
      }
    }
    JsonNode times = output(answer, "time");
    assertEquals("BYTES", times.get("datatype").asText());
    assertEquals(TrialForecasts.month(32), times.get("data").get(0).asText());
    assertEquals(TrialForecasts.month(33), times.get("data").get(7).asText());
  }

  @Test
  void aStepAndAShorterHorizonArePartsOfTheWhole() throws Exception {
    double[] whole =
        Trial.output(Trial.json(Trial.post(server, INFER, ids("", "", "shop 1"))), "hi-95");
    String horizon = ",{\"name\":\"horizon\",\"shape\":[1],\"datatype\":\"INT32\",\"data\":[2]}";
    assertArrayEquals(
        Arrays.copyOf(whole, 2),
        Trial.output(Trial.json(Trial.post(server, INFER, ids("", horizon, "shop 1"))), "hi-95"));
    String steps = ",{\"name\":\"step\",\"shape\":[3],\"datatype\":\"INT64\",\"data\":[3,1,4]}";
    JsonNode some = Trial.json(Trial.post(server, INFER, ids("", steps, "shop 1")));
    assertArrayEquals(new double[] {whole[2], whole[0], whole[3]}, Trial.output(some, "hi-95"));
    assertEquals("[3]", output(some, "hi-95").get("shape").toString());
    String quantiles = ",\"parameters\":{\"quantiles\":[0.9,0.5]}";
    JsonNode both = Trial.json(Trial.post(server, INFER, ids(quantiles, "", "shop 1")));
    assertEquals("[1,4,2]", output(both, "quantiles").get("shape").toString());
    double[] found = Trial.output(both, "quantiles");
    assertEquals(forecast(1).quantile(3, 0.9), found[6], 1e-6 * found[6]);
    assertEquals(Trial.output(both, "median")[3], found[7], 1e-6 * found[7]);
  }

  @Test
  void bytesHoldTheSameAsJson() throws Exception {
    byte[] id = "shop 3".getBytes(StandardCharsets.UTF_8);
    String head =
        """
        {"inputs": [{"name": "id", "shape": [1], "datatype": "BYTES", "parameters": {"binary_data_size": %s}}],
         "outputs": [{"name": "time"}, {"name": "lo-80"}], "parameters": {"binary_data_output": true}}"""
            .formatted(4 + id.length);
    ByteBuffer body =
        ByteBuffer.allocate(head.length() + 4 + id.length).order(ByteOrder.LITTLE_ENDIAN);
    body.put(head.getBytes(StandardCharsets.US_ASCII)).putInt(id.length).put(id);
    HttpResponse<byte[]> response =
        Trial.CLIENT.send(
            HttpRequest.newBuilder(URI.create(server.address() + INFER))
                .header("Inference-Header-Content-Length", Integer.toString(head.length()))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body.array()))
                .build(),
            HttpResponse.BodyHandlers.ofByteArray());
    assertEquals(200, response.statusCode());
    int json =
        Integer.parseInt(
            response.headers().firstValue("Inference-Header-Content-Length").orElseThrow());
    ByteBuffer rest =
        ByteBuffer.wrap(response.body()).order(ByteOrder.LITTLE_ENDIAN).position(json);
    JsonNode plain = Trial.json(Trial.post(server, INFER, ids("", "", "shop 3")));
    for (int k = 0; k < 4; k++) {
      byte[] time = new byte[rest.getInt()];
      rest.get(time);
      assertEquals(
          output(plain, "time").get("data").get(k).asText(),
          new String(time, StandardCharsets.UTF_8));
    }
    for (double expected : Trial.output(plain, "lo-80")) assertEquals(expected, rest.getDouble());
    assertEquals(0, rest.remaining());
  }

  @Test
  void thePlainAddressNamesItsColumns() throws Exception {
    HttpResponse<String> response =
        Trial.post(server, FORECAST, "{\"id\":\"shop 1\",\"horizon\":3,\"levels\":[50,97.5]}");
    assertEquals(200, response.statusCode(), response.body());
    JsonNode answer = Trial.json(response);
    assertEquals("library", answer.get("kind").asText());
    assertEquals(TrialForecasts.month(31), answer.get("time").get(0).asText());
    Bands bands = Bands.of(97.5, 50);
    assertEquals(List.of("median", "mean", "lo-50", "hi-50", "lo-97.5", "hi-97.5"), bands.names());
    for (int k = 0; k < 3; k++) {
      double[] expected = bands.at(forecast(1), k);
      for (int c = 0; c < expected.length; c++)
        assertEquals(
            expected[c],
            answer.get(bands.names().get(c)).get(k).asDouble(),
            1e-9 * Math.abs(expected[c]));
    }
    assertEquals(3, answer.get("median").size());
    JsonNode one = Trial.json(Trial.post(server, "/v2/models/one/forecast", ""));
    assertEquals(4, one.get("hi-95").size());
    assertEquals("shop 0", one.get("id").asText());
  }

  private static void refused(int status, String words, String path, String body) throws Exception {
    HttpResponse<String> answer = Trial.post(server, path, body);
    assertEquals(status, answer.statusCode(), answer.body());
    assertTrue(Trial.json(answer).get("error").asText().contains(words), answer.body());
  }

  @Test
  void wrongRequestsAreToldWhatIsWrong() throws Exception {
    refused(
        404, "no series 'shop 9'; there are 4, such as 'shop 0'", FORECAST, "{\"id\":\"shop 9\"}");
    refused(400, "from 1 to 4, the horizon", FORECAST, "{\"id\":\"shop 1\",\"horizon\":5}");
    refused(400, "must be >= 1", FORECAST, "{\"id\":\"shop 1\",\"horizon\":0}");
    refused(400, "whole number", FORECAST, "{\"id\":\"shop 1\",\"horizon\":1.5}");
    refused(400, "percentage from 1", FORECAST, "{\"id\":\"shop 1\",\"levels\":[0.95]}");
    refused(400, "percentage from 1", FORECAST, "{\"id\":\"shop 1\",\"levels\":[80,100]}");
    refused(400, "must hold percentages", FORECAST, "{\"id\":\"shop 1\",\"levels\":[\"80\"]}");
    refused(400, "unknown field 'level'", FORECAST, "{\"id\":\"shop 1\",\"level\":80}");
    refused(400, "'id' is missing", FORECAST, "{\"horizon\":2}");
    refused(400, "given twice", FORECAST, "{\"id\":\"shop 1\",\"id\":\"shop 2\"}");
    refused(400, "not JSON", FORECAST, "{\"id\":");
    refused(400, "no forecasts of series", "/v2/models/line/forecast", "{\"id\":\"shop 1\"}");
    refused(404, "no model 'none'", "/v2/models/none/forecast", "{}");
    refused(404, "no series 'a'", INFER, ids("", "", "shop 1", "a"));
    String step = ",{\"name\":\"step\",\"shape\":[1],\"datatype\":\"INT64\",\"data\":[%s]}";
    refused(400, "from 1 to 4", INFER, ids("", step.formatted("0"), "shop 1"));
    refused(400, "one step for each id", INFER, ids("", step.formatted("1"), "shop 1", "shop 2"));
    refused(
        400,
        "unknown input 'x'",
        INFER,
        ids("", step.formatted("1").replace("step", "x"), "shop 1"));
    refused(
        400, "no meaning for forecasts", INFER, ids(",\"parameters\":{\"draws\":3}", "", "shop 1"));
    refused(
        400,
        "unknown output 'lo-50'",
        INFER,
        ids(",\"outputs\":[{\"name\":\"lo-50\"}]", "", "shop 1"));
    refused(
        400,
        "needs the parameter",
        INFER,
        ids(",\"outputs\":[{\"name\":\"quantiles\"}]", "", "shop 1"));
    refused(
        400,
        "must be BYTES",
        INFER,
        ids("", "", "5").replace("BYTES", "INT64").replace("\"5\"", "5"));
    String[] many = new String[26];
    Arrays.fill(many, "shop 1");
    refused(413, "26 series times 4 steps", INFER, ids("", "", many));
    refused(403, "--allow-updates", "/v2/models/sales/observe", ids("", "", "shop 1"));
    refused(400, "holds forecasts of 4 series", "/studio/api/sessions", "{\"model\":\"sales\"}");
    assertEquals(405, Trial.get(server, FORECAST).statusCode());
  }

  @Test
  void metadataListsWhatCanBeAsked() throws Exception {
    JsonNode about = Trial.json(Trial.get(server, "/v2/models/sales"));
    assertEquals("BYTES", about.get("inputs").get(0).get("datatype").asText());
    assertEquals(8, about.get("outputs").size());
    assertEquals("lo-80", about.get("outputs").get(3).get("name").asText());
    assertEquals(4, about.get("parameters").get("series").asInt());
    assertEquals("M", about.get("parameters").get("frequency").asText());
    assertEquals(120, about.get("parameters").get("observations").asInt());
    assertEquals(200, Trial.get(server, "/v2/models/sales/ready").statusCode());
    assertTrue(Trial.get(server, "/v2/models").body().contains("sales"));
    String metrics = Trial.get(server, "/metrics").body();
    assertTrue(metrics.contains("lovelace_model_series{model=\"sales\",version=\"1\"} 4"), metrics);
    assertTrue(metrics.contains("kernel=\"library\""), metrics);
  }

  @Test
  void aNewFileIsTakenAndABrokenOneNamed() throws Exception {
    Path file = folder.resolve("next.lvf");
    TrialForecasts.save(file, shops.subList(0, 2));
    server.models().reload();
    assertEquals(
        404, Trial.post(server, "/v2/models/next/forecast", "{\"id\":\"shop 2\"}").statusCode());
    TrialForecasts.save(file, shops.subList(0, 3));
    server.models().reload();
    assertEquals(
        200, Trial.post(server, "/v2/models/next/forecast", "{\"id\":\"shop 2\"}").statusCode());
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    server.models().reload();
    assertTrue(Trial.get(server, "/v2/models/next/ready").body().contains("check sum"));
    assertEquals(
        200, Trial.post(server, "/v2/models/next/forecast", "{\"id\":\"shop 2\"}").statusCode());
    Files.delete(file);
    server.models().reload();
    assertEquals(404, Trial.post(server, "/v2/models/next/forecast", "{}").statusCode());
  }
}
