package lovelace.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lovelace.Model;
import lovelace.posterior.Prediction;
import lovelace.testing.Needs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The requests of docs/server.md, and the OpenAPI document, hold.
class GuideTest {

  private static final Pattern CURL =
      Pattern.compile("curl -s localhost:8080(\\S+) -d '([^']*)'", Pattern.DOTALL);

  @TempDir Path folder;

  @Test
  void requestsOfTheGuideAreAnsweredAsTheDocumentSays() throws Exception {
    Path file = folder.resolve("line.lvl");
    Trial.line(60, 1).save(file);
    Path sales = folder.resolve("sales.lvf");
    TrialForecasts.save(sales, TrialForecasts.shops(3, 1));
    try (Server server = Trial.start(Trial.options(file, sales).withUpdates(true))) {
      JsonNode document = Trial.json(Trial.get(server, "/openapi.json"));
      JsonNode schemas = document.at("/components/schemas");
      int requests = 0;
      Matcher curl =
          CURL.matcher(
              Files.readString(Path.of(System.getProperty("docs", "../docs"), "server.md")));
      while (curl.find()) {
        HttpResponse<String> answer = Trial.post(server, curl.group(1), curl.group(2));
        assertEquals(200, answer.statusCode(), answer.body());
        String verb = curl.group(1).replaceFirst(".*/", "");
        boolean plain = verb.equals("forecast");
        check(
            schemas,
            plain ? "forecast_request" : "inference_request",
            Trial.JSON.readTree(curl.group(2)));
        String response = verb.equals("infer") ? "inference_response" : verb + "_response";
        check(schemas, response, Trial.json(answer));
        requests++;
      }
      assertEquals(5, requests);
      check(schemas, "metadata_server_response", Trial.json(Trial.get(server, "/v2")));
      check(schemas, "metadata_model_response", Trial.json(Trial.get(server, "/v2/models/line")));
      check(schemas, "metadata_model_response", Trial.json(Trial.get(server, "/v2/models/sales")));
      check(
          schemas,
          "metadata_model_response",
          Trial.json(Trial.get(server, "/v2/models/line/versions/1")));
      check(
          schemas, "ready_model_response", Trial.json(Trial.get(server, "/v2/models/line/ready")));
      check(schemas, "live_server_response", Trial.json(Trial.get(server, "/v2/health/live")));
      check(schemas, "ready_server_response", Trial.json(Trial.get(server, "/v2/health/ready")));
      check(schemas, "models_response", Trial.json(Trial.get(server, "/v2/models")));
      check(schemas, "error", Trial.json(Trial.get(server, "/v2/models/none")));
      check(schemas, "error", Trial.json(Trial.post(server, "/v2/models/line/infer", "{")));
      for (Iterator<String> paths = document.get("paths").fieldNames(); paths.hasNext(); ) {
        String path = paths.next();
        if (!document.at("/paths").get(path).has("get")) continue;
        String address = path.replace("{model}", "line").replace("{version}", "1");
        assertEquals(200, Trial.get(server, address).statusCode(), path);
      }
    }
  }

  @Test
  @Needs("python3")
  void theProgramOfTheGuideRuns() throws Exception {
    String guide = Files.readString(Path.of(System.getProperty("docs", "../docs"), "server.md"));
    Matcher python = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL).matcher(guide);
    assertTrue(python.find());
    Path file = folder.resolve("line.lvl");
    Model line = Trial.line(60, 1);
    line.save(file);
    try (Server server = Trial.start(Trial.options(file))) {
      Path script = folder.resolve("guide.py");
      Files.writeString(script, python.group(1).replace("http://localhost:8080", server.address()));
      Process client = ClientIT.python(script);
      String said = new String(client.getInputStream().readAllBytes(), UTF_8);
      assertEquals(0, client.waitFor(), said);
      Prediction expected = line.predict(0.5, 1, 7.25);
      assertTrue(said.startsWith("(" + expected.mean(0)), said);
    }
  }

  /// The objects that the Open Inference Protocol publishes, with their types and required fields.
  @Test
  void answersFitTheSchemaOfTheProtocol() throws Exception {
    JsonNode schemas;
    try (InputStream in = GuideTest.class.getResourceAsStream("protocol.json")) {
      schemas = Trial.JSON.readTree(in);
    }
    Path file = folder.resolve("plane.lvl");
    Trial.plane(60, 1).save(file);
    try (Server server = Trial.start(Trial.options(file))) {
      check(schemas, "metadata_server_response", Trial.json(Trial.get(server, "/v2/")));
      for (String version : List.of("", "/versions/1")) {
        String model = "/v2/models/plane" + version;
        check(schemas, "metadata_model_response", Trial.json(Trial.get(server, model)));
        // the request of the protocol's text, with inputs that this model has
        JsonNode request =
            Trial.JSON.readTree(
                """
                {"id": "42",
                 "inputs": [{"name": "depth", "shape": [2], "datatype": "UINT32", "data": [1, 2]},
                            {"name": "age", "shape": [2, 1], "datatype": "FP32", "data": [[3.5], [4]]}],
                 "outputs": [{"name": "mean"}, {"name": "samples"}, {"name": "outside"}]}
                """);
        check(schemas, "inference_request", request);
        HttpResponse<String> response = Trial.post(server, model + "/infer", request.toString());
        assertEquals(200, response.statusCode());
        assertEquals(
            "application/json", response.headers().firstValue("Content-Type").orElseThrow());
        JsonNode answer = Trial.json(response);
        check(schemas, "inference_response", answer);
        assertEquals("42", answer.get("id").asText());
        assertEquals(
            List.of("mean", "samples", "outside"), answer.get("outputs").findValuesAsText("name"));
      }
      check(
          schemas,
          "metadata_model_error_response",
          Trial.json(Trial.get(server, "/v2/models/none")));
      HttpResponse<String> wrong = Trial.post(server, "/v2/models/plane/infer", "{}");
      assertEquals(400, wrong.statusCode());
      check(schemas, "inference_error_response", Trial.json(wrong));
    }
  }

  /// Holds a value to a schema: types, required fields, items, enumerations.
  static void check(JsonNode schemas, String name, JsonNode value) {
    check(schemas, schemas.get(name), value, name);
  }

  private static void check(JsonNode schemas, JsonNode schema, JsonNode value, String where) {
    if (schema.has("$ref")) {
      String reference = schema.get("$ref").asText();
      check(
          schemas, schemas.get(reference.substring(reference.lastIndexOf('/') + 1)), value, where);
      return;
    }
    if (schema.has("anyOf")) {
      AssertionError last = null;
      for (JsonNode one : schema.get("anyOf")) {
        try {
          check(schemas, one, value, where);
          return;
        } catch (AssertionError e) {
          last = e;
        }
      }
      throw new AssertionError(where + " fits none", last);
    }
    switch (schema.path("type").asText()) {
      case "object" -> {
        assertTrue(value.isObject(), where);
        for (JsonNode required : schema.path("required"))
          assertTrue(value.has(required.asText()), where + " lacks " + required.asText());
        value
            .properties()
            .forEach(
                field -> {
                  JsonNode known = schema.path("properties").get(field.getKey());
                  if (known != null)
                    check(schemas, known, field.getValue(), where + "." + field.getKey());
                });
      }
      case "array" -> {
        assertTrue(value.isArray(), where);
        for (JsonNode item : value) check(schemas, schema.get("items"), item, where + "[]");
      }
      case "string" -> assertTrue(value.isTextual(), where);
      case "number" -> assertTrue(value.isNumber(), where);
      case "integer" -> assertTrue(value.isIntegralNumber(), where);
      case "boolean" -> assertTrue(value.isBoolean(), where);
      default -> throw new AssertionError("schema of " + where);
    }
    if (schema.has("enum")) {
      boolean found = false;
      for (JsonNode one : schema.get("enum")) found |= one.equals(value);
      assertTrue(found, where + " is " + value);
    }
  }
}
