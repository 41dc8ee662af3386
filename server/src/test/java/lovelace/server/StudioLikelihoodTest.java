package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.options.Options;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Counts and classes in the studio.
class StudioLikelihoodTest {

  private static final int ROWS = 40;

  @TempDir static Path folder;
  private static Server server;
  private static Model calls;

  @BeforeAll
  static void start() throws IOException {
    calls =
        Fit.DEFAULT
            .withLikelihood("poisson")
            .withKernel("rbf")
            .withTraining(false)
            .set("lengthscale", 1)
            .set("outputscale", 1)
            .set("mean", 0)
            .to(data());
    calls.save(folder.resolve("calls.lvl"));
    server = Trial.start(Trial.options(folder.resolve("calls.lvl")));
  }

  /// Counts with exposures.
  private static Dataset data() {
    SplittableRandom random = new SplittableRandom(2);
    double[] x = random.doubles(ROWS, 0, 5).toArray();
    double[] y = new double[ROWS];
    double[] hours = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      hours[i] = 1 + i % 3;
      y[i] = Likelihood.poisson().law(Of.OBSERVATION, hours[i]).draw(Math.sin(x[i]), random);
    }
    return Dataset.of(x, 1, y).withWeights(hours);
  }

  private static String table() {
    Dataset data = data();
    StringBuilder csv = new StringBuilder("time,calls,hours,busy\n");
    for (int i = 0; i < ROWS; i++)
      csv.append(data.inputs()[i])
          .append(',')
          .append(data.target()[i])
          .append(',')
          .append(data.weight(i))
          .append(',')
          .append(data.target()[i] > data.weight(i) ? 1 : 0)
          .append('\n');
    return csv.toString();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static JsonNode post(String path, String body) throws Exception {
    HttpResponse<String> response = Trial.post(server, "/studio/api/" + path, body);
    assertEquals(200, response.statusCode(), response.body());
    return Trial.json(response);
  }

  private static double[] numbers(JsonNode array) {
    double[] values = new double[array.size()];
    for (int i = 0; i < values.length; i++) values[i] = array.get(i).asDouble();
    return values;
  }

  /// The answer to a fit of the table; its last line.
  private static HttpResponse<String> fit(String likelihood, String target, String size)
      throws Exception {
    String table = post("tables", table()).get("id").asText();
    return Trial.post(
        server,
        "/studio/api/sessions",
        """
        {"table": "%s", "target": "%s", "inputs": ["time"], "kernel": "rbf", "likelihood": "%s", "size": "%s"}"""
            .formatted(table, target, likelihood, size));
  }

  private static JsonNode fitted(String likelihood, String target, String size) throws Exception {
    HttpResponse<String> response = fit(likelihood, target, size);
    assertEquals(200, response.statusCode(), response.body());
    JsonNode last = Trial.JSON.readTree(response.body().lines().toList().getLast());
    assertTrue(last.has("state"), response.body());
    return last.get("state");
  }

  @Test
  void pictureIsOfTheRate() throws Exception {
    JsonNode state = post("sessions", "{\"model\": \"calls\"}").get("state");
    assertEquals("poisson", state.at("/law/name").asText());
    assertEquals("rate of y", state.get("shown").asText());
    assertEquals("log", state.get("transform").asText());
    assertEquals("counts", state.at("/law/values").asText());
    assertTrue(state.at("/law/steps").asInt() > 0);
    JsonNode view =
        post(
                "sessions/" + state.get("id").asText() + "/view",
                "{\"view\": {\"x\": 0, \"points\": 50, \"data\": true}}")
            .get("view");
    double[] x = new double[50];
    double from = view.get("from").asDouble();
    double to = view.get("to").asDouble();
    for (int i = 0; i < x.length; i++) x[i] = from + (to - from) * i / (x.length - 1);
    assertArrayEquals(
        calls.predict(x, Of.FUNCTION).means(), numbers(view.get("mean")), 1e-6, "latent");
    Prediction observed = calls.predict(x, Of.OBSERVATION);
    for (int i = 0; i < x.length; i++)
      assertEquals(observed.upper(i, 0.95), view.at("/observed/high/" + i).asDouble());
    assertTrue(view.at("/data/plain").asBoolean());
    Dataset rows = calls.observed().orElseThrow();
    for (int i = 0; i < rows.size(); i++)
      assertEquals(
          rows.target()[i] / rows.weight(i), view.at("/data/target/" + i).asDouble(), 1e-6);
  }

  @Test
  void observationsJoinAndParametersChange() throws Exception {
    String id = post("sessions", "{\"model\": \"calls\"}").at("/state/id").asText();
    JsonNode state = post("sessions/" + id + "/observe", "{\"row\": [2.5, 7]}").get("state");
    assertEquals(ROWS + 1, state.get("observations").asInt());
    HttpResponse<String> half =
        Trial.post(server, "/studio/api/sessions/" + id + "/observe", "{\"row\": [2.5, 2.5]}");
    assertEquals(400, half.statusCode());
    assertTrue(half.body().contains("a count must be"), half.body());
    assertEquals(ROWS, post("sessions/" + id + "/undo", "{}").at("/state/observations").asInt());
    double before = post("sessions/" + id + "/view", "{}").at("/state/likelihood").asDouble();
    JsonNode changed =
        post("sessions/" + id + "/parameters", "{\"values\": {\"lengthscale\": [0.7]}}");
    assertTrue(changed.at("/state/likelihood").asDouble() != before);
  }

  @Test
  void tablesAreFittedWithTheirExposure() throws Exception {
    JsonNode state = fitted("poisson", "calls", "hours");
    double size =
        Fit.DEFAULT.withLikelihood("poisson").withKernel("rbf").to(data()).logMarginalLikelihood();
    assertEquals(size, state.get("likelihood").asDouble(), 1e-3 * Math.abs(size));
    JsonNode checks = post("sessions/" + state.get("id").asText() + "/checks", "{}");
    assertEquals(ROWS, checks.get("count").asInt());
    assertTrue(checks.get("nlpd").asDouble() > 0.5 && checks.get("nlpd").asDouble() < 3);
    assertTrue(checks.get("spread").asDouble() > 0.5 && checks.get("spread").asDouble() < 1.7);
    assertFalse(checks.has("crps"), "a score of Gaussian predictions");
  }

  @Test
  void classesAreCheckedByWhatHappens() throws Exception {
    JsonNode state = fitted("bernoulli", "busy", "");
    assertEquals("probability of busy = 1", state.get("shown").asText());
    assertEquals("logit", state.get("transform").asText());
    JsonNode checks = post("sessions/" + state.get("id").asText() + "/checks", "{}");
    assertTrue(checks.get("brier").asDouble() < 0.3, checks.toString());
    assertTrue(checks.get("shares").size() > 1);
    assertFalse(checks.has("residual"));
  }

  @Test
  void classesAtOnePlaceAreRowsOneByOne() {
    double[] x = {0, 0, 0, 1, 1, 2, 2, 3, 4, 5};
    double[] y = {1, 0, 1, 0, 0, 1, 1, 0, 1, 0};
    Model model =
        Fit.DEFAULT
            .withLikelihood("bernoulli")
            .withKernel("rbf")
            .withTraining(false)
            .set("lengthscale", 1)
            .set("outputscale", 1)
            .set("mean", 0)
            .to(Dataset.of(x, 1, y));
    StudioSession session = new StudioSession("m", model, null, Options.Maker.LIBRARY);
    assertEquals(10, Objects.requireNonNull(session.rows()).size());
    assertEquals(10, StudioChecks.of(session, Options.Maker.LIBRARY).get("count"));
  }

  @ParameterizedTest
  @CsvSource({
    "binomial, calls, '', needs a column of trials",
    "bernoulli, busy, hours, takes no column of sizes",
    "bernoulli, calls, '', a class must be 0 or 1",
    "poison, calls, '', poisson",
    "poisson, calls, calls, and also the target or an input",
  })
  void wrongFitsAreRefused(String likelihood, String target, String size, String message)
      throws Exception {
    HttpResponse<String> response = fit(likelihood, target, size);
    assertTrue(response.body().contains(message), response.body());
    assertFalse(response.body().contains("\"state\""), response.body());
  }
}
