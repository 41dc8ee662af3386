package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.Model;
import lovelace.likelihood.Likelihood;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtocolTest {

  @TempDir static Path folder;
  static Model line = Trial.line(300, 1);
  static Model plane = Trial.plane(400, 2);
  static Server server;

  @BeforeAll
  static void start() throws IOException {
    line.save(folder.resolve("line.lvl"));
    plane.save(folder.resolve("plane.lvl"));
    server = Trial.start(Trial.options(folder.resolve("line.lvl"), folder.resolve("plane.lvl")));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void serverSaysWhatItIs() throws Exception {
    for (String path : List.of("/v2", "/v2/")) {
      JsonNode about = Trial.json(Trial.get(server, path));
      assertEquals("lovelace", about.get("name").asText());
      assertEquals("binary_tensor_data", about.get("extensions").get(0).asText());
    }
    assertTrue(Trial.json(Trial.get(server, "/v2/health/live")).get("live").asBoolean());
    assertTrue(Trial.json(Trial.get(server, "/v2/health/ready")).get("ready").asBoolean());
    JsonNode ready = Trial.json(Trial.get(server, "/v2/models/line/ready"));
    assertEquals("line", ready.get("name").asText());
    assertTrue(ready.get("ready").asBoolean());
  }

  /// A method that an address does not take is not the same as an address that is not there.
  @ParameterizedTest
  @CsvSource({
    "GET, /v2/models/line/infer, POST",
    "GET, /v2/models/none/infer, POST",
    "GET, /v2/models/line/versions/1/infer, POST",
    "DELETE, /v2/models/line/observe, POST",
    "POST, /v2/models/line, GET",
    "POST, /v2/models/line/ready, GET",
    "POST, /v2/health/live, GET",
    "POST, /v2, GET",
    "PUT, /metrics, GET",
    "POST, /openapi.json, GET",
    "GET, /studio/api/tables, POST",
    "POST, /studio/api/sessions/1, 'DELETE, GET'",
    "POST, /, 'GET, HEAD'"
  })
  void otherMethodsAreRefusedWithThoseThatWork(String method, String path, String allowed)
      throws Exception {
    HttpResponse<String> answer =
        Trial.CLIENT.send(
            HttpRequest.newBuilder(URI.create(server.address() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertEquals(405, answer.statusCode(), answer.body());
    assertEquals(allowed, answer.headers().firstValue("Allow").orElse(""));
    assertEquals(
        "%s does not work at '%s'; use %s".formatted(method, path, allowed.replace(", ", " or ")),
        Trial.json(answer).get("error").asText());
  }

  @ParameterizedTest
  @CsvSource({"GET, /v2/models/line/infers", "POST, /v2/models/line/learn", "GET, /nowhere"})
  void addressesThatAreNotThereAreNotFound(String method, String path) throws Exception {
    HttpResponse<String> answer =
        Trial.CLIENT.send(
            HttpRequest.newBuilder(URI.create(server.address() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertEquals(404, answer.statusCode(), answer.body());
  }

  @Test
  void metadataListsOneInputAndAllOutputs() throws Exception {
    JsonNode about = Trial.json(Trial.get(server, "/v2/models/plane/versions/1"));
    assertEquals("plane", about.get("name").asText());
    assertEquals("[\"1\"]", about.get("versions").toString());
    assertEquals(
        "[{\"name\":\"x\",\"datatype\":\"FP64\",\"shape\":[-1,2]}]",
        about.get("inputs").toString());
    assertEquals(
        Inference.outputs(Likelihood.gaussian()), about.get("outputs").findValuesAsText("name"));
    assertEquals("depth", about.at("/parameters/columns/0/name").asText());
  }

  @ParameterizedTest
  @ValueSource(strings = {"[1.5, 2.5, 0.25, 4]", "[[1.5, 2.5], [0.25, 4]]"})
  void flatAndNestedDataPredictAsTheModel(String data) throws Exception {
    HttpResponse<String> response =
        Trial.post(
            server,
            "/v2/models/plane/infer",
            """
            {"id": "42", "inputs": [{"name": "x", "shape": [2, 2], "datatype": "FP64", "data": %s}],
             "parameters": {"interval": 0.9, "noise": true}}
            """
                .formatted(data));
    assertEquals(200, response.statusCode(), response.body());
    JsonNode answer = Trial.json(response);
    assertEquals("42", answer.get("id").asText());
    assertEquals("plane", answer.get("model_name").asText());
    assertEquals("1", answer.get("model_version").asText());
    Prediction expected = plane.predictObservation(1.5, 2.5, 0.25, 4);
    assertArrayEquals(expected.means(), Trial.output(answer, "mean"));
    assertArrayEquals(expected.variances(), Trial.output(answer, "variance"));
    for (int i = 0; i < 2; i++) {
      assertEquals(expected.deviation(i), Trial.output(answer, "stddev")[i]);
      assertEquals(expected.lower(i, 0.9), Trial.output(answer, "lower")[i]);
      assertEquals(expected.upper(i, 0.9), Trial.output(answer, "upper")[i]);
      assertEquals(0, Trial.output(answer, "outside")[i]);
    }
    assertEquals(6, answer.get("outputs").size());
  }

  @Test
  void columnsMayComeAsSeparateTensorsInAnyOrder() throws Exception {
    JsonNode answer =
        Trial.json(
            Trial.post(
                server,
                "/v2/models/plane/versions/1/infer",
                """
                {"inputs": [{"name": "age", "shape": [2], "datatype": "FP32", "data": [2.5, 4]},
                            {"name": "depth", "shape": [2, 1], "datatype": "INT64", "data": [[1], [3]]}],
                 "outputs": [{"name": "variance"}, {"name": "mean"}]}
                """));
    Prediction expected = plane.predict(1, 2.5, 3, 4);
    assertEquals("variance", answer.at("/outputs/0/name").asText());
    assertArrayEquals(expected.means(), Trial.output(answer, "mean"));
    assertArrayEquals(expected.variances(), Trial.output(answer, "variance"));
    assertFalse(answer.has("id"));
  }

  @Test
  void samplesRepeatFromTheirSeed() throws Exception {
    String request =
        """
        {"inputs": [{"name": "x", "shape": [3], "datatype": "FP64", "data": [1, 2, 30]}],
         "outputs": [{"name": "samples"}, {"name": "outside"}], "parameters": {"draws": 4, "seed": %d}}
        """;
    JsonNode first = Trial.json(Trial.post(server, "/v2/models/line/infer", request.formatted(7)));
    JsonNode second = Trial.json(Trial.post(server, "/v2/models/line/infer", request.formatted(7)));
    JsonNode third = Trial.json(Trial.post(server, "/v2/models/line/infer", request.formatted(8)));
    assertEquals(first, second);
    assertFalse(first.equals(third));
    assertEquals("[4,3]", first.at("/outputs/0/shape").toString());
    assertArrayEquals(
        line.sample(new double[] {1, 2, 30}, 4, new SplittableRandom(7)),
        Trial.output(first, "samples"));
    assertArrayEquals(new double[] {0, 0, 1}, Trial.output(first, "outside"));
  }

  @Test
  void tensorsTravelAsBytes() throws Exception {
    double[] x = {0.5, 1, 7.25};
    String json =
        """
        {"inputs": [{"name": "x", "shape": [3, 1], "datatype": "FP64", "parameters": {"binary_data_size": 24}}],
         "outputs": [{"name": "mean"}, {"name": "outside"}, {"name": "variance", "parameters": {"binary_data": false}}],
         "parameters": {"binary_data_output": true}}
        """;
    byte[] head = json.getBytes(StandardCharsets.UTF_8);
    ByteBuffer body =
        ByteBuffer.allocate(head.length + 24).order(ByteOrder.LITTLE_ENDIAN).put(head);
    for (double value : x) body.putDouble(value);
    HttpResponse<byte[]> response =
        Trial.CLIENT.send(
            HttpRequest.newBuilder(URI.create(server.address() + "/v2/models/line/infer"))
                .header("Inference-Header-Content-Length", Integer.toString(head.length))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body.array()))
                .build(),
            HttpResponse.BodyHandlers.ofByteArray());
    assertEquals(200, response.statusCode(), new String(response.body(), StandardCharsets.UTF_8));
    assertEquals(
        "application/octet-stream", response.headers().firstValue("Content-Type").orElseThrow());
    int length =
        Integer.parseInt(
            response.headers().firstValue("Inference-Header-Content-Length").orElseThrow());
    JsonNode answer = Trial.JSON.readTree(response.body(), 0, length);
    assertEquals(24, answer.at("/outputs/0/parameters/binary_data_size").asInt());
    assertEquals(3, answer.at("/outputs/1/parameters/binary_data_size").asInt());
    ByteBuffer rest = ByteBuffer.wrap(response.body(), length, 27).order(ByteOrder.LITTLE_ENDIAN);
    Prediction expected = line.predict(x);
    for (int i = 0; i < 3; i++) assertEquals(expected.mean(i), rest.getDouble());
    for (int i = 0; i < 3; i++) assertEquals(0, rest.get());
    assertEquals(length + 27, response.body().length);
    assertArrayEquals(expected.variances(), Trial.output(answer, "variance"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          FP64  | [0.1]   | 0.1
          FP32  | [0.1]   | 0.10000000149011612
          INT8  | [-3]    | -3
          UINT16| [65535] | 65535
          INT64 | [9007199254740992] | 9007199254740992
          """)
  void valuesAreOfTheirType(String type, String data, double value) throws Exception {
    JsonNode answer =
        Trial.json(
            Trial.post(
                server,
                "/v2/models/line/infer",
                "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"%s\",\"data\":%s}]}"
                    .formatted(type, data)));
    assertArrayEquals(line.predict(value).means(), Trial.output(answer, "mean"));
  }
}
