package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.plan.Engine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests to a model with a column of words and a column whose missing values it knows how to
/// fill.
class WordsTest {

  @TempDir static Path folder;
  static Model model = shop();
  static Server server;

  private static Model shop() {
    SplittableRandom random = new SplittableRandom(5);
    int n = 40;
    double[] x = new double[2 * n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[2 * i] = random.nextInt(3);
      x[2 * i + 1] = 4 * random.nextDouble();
      y[i] = x[2 * i] * Math.sin(x[2 * i + 1]);
    }
    List<Column> columns =
        List.of(
            Column.of("colour", List.of("blue", "green", "red")), Column.of("size").filledBy(2.25));
    return Fit.DEFAULT
        .withEngine(Engine.EXACT)
        .withKernel("matern32")
        .withTraining(false)
        .set("lengthscale", 1.5)
        .set("outputscale", 1)
        .set("noise", 0.01)
        .set("mean", 0)
        .to(Dataset.of(x, columns, y, Column.of("price")));
  }

  @BeforeAll
  static void start() throws IOException {
    model.save(folder.resolve("shop.lvl"));
    model.save(folder.resolve("till.lvl"));
    server =
        Trial.start(
            Trial.options(folder.resolve("shop.lvl"), folder.resolve("till.lvl"))
                .withUpdates(true));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<String> ask(String verb, String colours, String sizes, String more)
      throws Exception {
    return Trial.post(
        server,
        "/v2/models/" + (verb.equals("infer") ? "shop/" : "till/") + verb,
        """
        {"inputs": [{"name": "colour", "shape": [2], "datatype": "BYTES", "data": %s},
                    {"name": "size", "shape": [2], "datatype": "FP64", "data": %s}%s}
        """
            .formatted(colours, sizes, more));
  }

  @Test
  void wordsAndMissingValuesPredictAsTheirNumbers() throws Exception {
    JsonNode answer = Trial.json(ask("infer", "[\"red\", \"blue\"]", "[1.5, null]", "]"));
    assertArrayEquals(
        model.predict(2, 1.5, 0, 2.25).means(), Trial.output(answer, "mean"), answer.toString());
    assertEquals("input 'size': 1 missing, read as 2.25", answer.at("/parameters/notes").asText());
    JsonNode matrix =
        Trial.json(
            Trial.post(
                server,
                "/v2/models/shop/infer",
                "{\"inputs\": [{\"name\": \"x\", \"shape\": [2, 2], \"datatype\": \"FP64\","
                    + " \"data\": [2, 1.5, 0, null]}]}"));
    assertArrayEquals(Trial.output(answer, "mean"), Trial.output(matrix, "mean"));
  }

  @Test
  void wordThatWasNotSeenIsDecidedByTheOtherInputsOrRefused() throws Exception {
    JsonNode answer = Trial.json(ask("infer", "[\"red\", \"mauve\"]", "[1.5, 1.5]", "]"));
    assertArrayEquals(model.predict(2, 1.5, -1, 1.5).means(), Trial.output(answer, "mean"));
    assertEquals(
        "input 'colour': 1 words that the model has not seen (mauve); these rows are predicted from the other inputs",
        answer.at("/parameters/notes").asText());
    HttpResponse<String> refused =
        ask(
            "infer",
            "[\"red\", \"mauve\"]",
            "[1.5, 1.5]",
            "], \"parameters\": {\"unseen\": \"error\"}");
    assertEquals(400, refused.statusCode());
    assertTrue(
        refused
            .body()
            .contains(
                "input 'colour' holds 'mauve' in row 2, a word that the model has not seen; it knows blue, green, red"),
        refused.body());
  }

  @Test
  void metadataListsTheWords() throws Exception {
    JsonNode about = Trial.json(Trial.get(server, "/v2/models/shop"));
    assertEquals(
        "[{\"name\":\"colour\",\"unit\":\"\",\"datatype\":\"BYTES\",\"words\":[\"blue\",\"green\",\"red\"]},"
            + "{\"name\":\"size\",\"unit\":\"\",\"datatype\":\"FP64\",\"missing\":\"2.25\"}]",
        about.at("/parameters/columns").toString());
  }

  @Test
  void observationsMayHoldWords() throws Exception {
    JsonNode before = Trial.json(Trial.get(server, "/v2/models/till"));
    HttpResponse<String> response =
        ask(
            "observe",
            "[\"red\", \"green\"]",
            "[1.5, 2.5]",
            ", {\"name\": \"price\", \"shape\": [2], \"datatype\": \"FP64\", \"data\": [1, 2]}]");
    assertEquals(200, response.statusCode(), response.body());
    assertFalse(response.body().contains("notes"), response.body());
    JsonNode after = Trial.json(Trial.get(server, "/v2/models/till"));
    assertEquals(
        before.at("/parameters/observations").asLong() + 2,
        after.at("/parameters/observations").asLong());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ["red", null]  | [1, 2]     | input 'colour' has no value of 'colour' in row 2, and the model cannot fill it in
          ["red", "red"] | ["1", "2"] | 'data' of input 'size' holds '1'
          ["red"]        | [1, 2]     | input 'colour' of datatype BYTES and shape [2] must hold one text for each element
          """)
  void mistakesNameTheInput(String colours, String sizes, String message) throws Exception {
    HttpResponse<String> response = ask("infer", colours, sizes, "]");
    assertEquals(400, response.statusCode());
    assertTrue(response.body().contains(message), response.body());
  }

  @Test
  void numberOfAWordMustBeOne() throws Exception {
    HttpResponse<String> response =
        Trial.post(
            server,
            "/v2/models/shop/infer",
            "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 2], \"datatype\": \"FP64\", \"data\":"
                + " [3, 1]}]}");
    assertEquals(400, response.statusCode());
    assertTrue(
        response
            .body()
            .contains(
                "input 'x' holds 3.0 for 'colour' in row 1; send words, or the number of a word from 0 to 2"),
        response.body());
  }

  @Test
  void studioStepsFromWordToWord() throws Exception {
    JsonNode state =
        Trial.json(Trial.post(server, "/studio/api/sessions", "{\"model\":\"shop\"}")).get("state");
    assertEquals("[\"blue\",\"green\",\"red\"]", state.at("/columns/0/words").toString());
    double middle = state.at("/columns/0/middle").asDouble();
    assertEquals(Math.rint(middle), middle, "held at a word");
    JsonNode view =
        Trial.json(
                Trial.post(
                    server,
                    "/studio/api/sessions/" + state.get("id").asText() + "/view",
                    "{\"view\":{\"x\":0,\"at\":[0.2,1.5],\"points\":7}}"))
            .get("view");
    assertEquals(-0.5, view.get("from").asDouble());
    for (int i = 0; i < 7; i++) {
      double code = Math.clamp(Math.rint(-0.5 + 3.0 * i / 6), 0, 2);
      assertEquals(
          model.predict(code, 1.5).mean(0), view.get("mean").get(i).asDouble(), 1e-5, "point " + i);
    }
  }

  /// Writers that sort the members of an object put `data` before `datatype`.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ["red", null]   | [1.5, null] | input 'colour' has no value of 'colour' in row 2
          [null, "red"]   | [1.5, 2]    | input 'colour' has no value of 'colour' in row 1
          [null, null]    | [1.5, 2]    | input 'colour' has no value of 'colour' in row 1
          ["red", "blue"] | [null, 1.5] | input 'size': 1 missing, read as 2.25
          ["red", "blue"] | [null, null]| input 'size': 2 missing, read as 2.25
          [2, null]       | [1.5, 2]    | must hold one text for each element
          [null, 2]       | [1.5, 2]    | must hold one text for each element
          ["red", "blue"] | [null, "2"] | holds '2'; datatype FP64 must hold numbers
          """)
  void membersMayComeInAnyOrder(String colours, String sizes, String words) throws Exception {
    List<String> answers = new ArrayList<>();
    for (List<Integer> order :
        List.of(List.of(0, 1, 2, 3), List.of(3, 2, 0, 1), List.of(1, 3, 0, 2)))
      answers.add(
          Trial.post(
                  server,
                  "/v2/models/shop/infer",
                  "{\"outputs\":[{\"name\":\"mean\"}],\"inputs\":[%s,%s]}"
                      .formatted(
                          tensor(order, "colour", "BYTES", colours),
                          tensor(order, "size", "FP64", sizes)))
              .body());
    assertTrue(answers.getFirst().contains(words), answers.getFirst());
    for (String answer : answers) assertEquals(answers.getFirst(), answer);
  }

  private static String tensor(List<Integer> order, String name, String type, String data) {
    List<String> members =
        List.of(
            "\"name\":\"%s\"".formatted(name),
            "\"shape\":[2]",
            "\"datatype\":\"%s\"".formatted(type),
            "\"data\":" + data);
    return "{" + String.join(",", order.stream().map(members::get).toList()) + "}";
  }
}
