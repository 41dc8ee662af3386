package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Requests to models of counts, classes and noise that varies.
class LikelihoodServerTest {

  private static final double[] X = {0.4, 2.5, 4.1};
  private static final double[] SIZES = {1, 4, 2};

  @TempDir static Path folder;
  static Model calls = model("poisson", Column.of("calls"));
  static Model rain = model("bernoulli", Column.of("rain", List.of("dry", "wet")));
  static Model noisy = model("gaussian(noise=varying)", Column.of("y"));
  static Server server;

  private static Model model(String likelihood, Column target) {
    Likelihood law = Likelihood.parse(likelihood);
    boolean varying = law.isVarying();
    SplittableRandom random = new SplittableRandom(8);
    double[] x = random.doubles(30, 0, 5).toArray();
    double[] y =
        Arrays.stream(x)
            .map(
                at ->
                    (varying ? Likelihood.gaussian().with(0.04) : law)
                        .law(Of.OBSERVATION, 1)
                        .draw(Math.sin(at), random))
            .toArray();
    Fit fit =
        Fit.DEFAULT
            .withLikelihood(law)
            .withKernel("rbf")
            .withTraining(false)
            .set("lengthscale", 1)
            .set("outputscale", 1)
            .set("mean", 0);
    if (varying)
      fit = fit.set("noise.lengthscale", 2).set("noise.outputscale", 0.5).set("noise.mean", -1.5);
    return fit.to(Dataset.of(x, List.of(Column.of("x")), y, target));
  }

  @BeforeAll
  static void start() throws IOException {
    calls.save(folder.resolve("calls.lvl"));
    calls.save(folder.resolve("more.lvl"));
    rain.save(folder.resolve("rain.lvl"));
    noisy.save(folder.resolve("noisy.lvl"));
    server =
        Trial.start(
            Trial.options(
                    folder.resolve("calls.lvl"),
                    folder.resolve("more.lvl"),
                    folder.resolve("rain.lvl"),
                    folder.resolve("noisy.lvl"))
                .withUpdates(true));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String tensor(String name, double[] values) {
    return """
        {"name": "%s", "shape": [%s], "datatype": "FP64", "data": %s}"""
        .formatted(name, values.length, Arrays.toString(values));
  }

  private static HttpResponse<String> ask(String address, String parameters, String... tensors)
      throws Exception {
    return Trial.post(
        server,
        "/v2/models/" + address,
        "{\"inputs\": [%s], \"parameters\": {%s}}"
            .formatted(String.join(",", tensors), parameters));
  }

  private static JsonNode answer(String name, String parameters, String... tensors)
      throws Exception {
    HttpResponse<String> response = ask(name + "/infer", parameters, tensors);
    assertEquals(200, response.statusCode(), response.body());
    return Trial.json(response);
  }

  @ParameterizedTest
  @CsvSource({
    "calls, function", "calls, rate", "calls, observation",
    "rain, function", "rain, probability", "rain, observation",
    "noisy, function", "noisy, observation"
  })
  void answersAreOfWhatIsAskedFor(String name, String of) throws Exception {
    Model model = name.equals("calls") ? calls : name.equals("rain") ? rain : noisy;
    JsonNode answer =
        answer(name, "\"of\": \"" + of + "\", \"quantiles\": [0.1, 0.9]", tensor("x", X));
    Prediction p = model.predict(X, Of.valueOf(of.toUpperCase(Locale.ROOT)));
    assertArrayEquals(p.means(), Trial.output(answer, "mean"));
    assertArrayEquals(p.variances(), Trial.output(answer, "variance"));
    double[] quantiles = Trial.output(answer, "quantiles");
    assertEquals(2 * X.length, quantiles.length);
    for (int i = 0; i < X.length; i++) {
      assertEquals(p.quantile(i, 0.1), quantiles[2 * i], 1e-12);
      assertEquals(p.quantile(i, 0.9), quantiles[2 * i + 1], 1e-12);
      assertEquals(p.upper(i, 0.95), Trial.output(answer, "upper")[i], 1e-9);
    }
    if (name.equals("noisy")) return;
    String usual = model.likelihood().usual().toString();
    assertArrayEquals(
        model.predict(X, model.likelihood().usual()).means(), Trial.output(answer, usual));
  }

  @Test
  void rateOrProbabilityComesWithoutAsking() throws Exception {
    assertArrayEquals(
        rain.predict(X, Of.PROBABILITY).means(),
        Trial.output(answer("rain", "", tensor("x", X)), "mean"));
    assertArrayEquals(
        calls.predict(X, Of.OBSERVATION).variances(),
        Trial.output(answer("calls", "\"noise\": true", tensor("x", X)), "variance"));
  }

  @Test
  void observationsHaveSizesOfTheirOwn() throws Exception {
    JsonNode answer =
        answer(
            "calls",
            "\"of\": \"observation\", \"draws\": 5, \"seed\": 3",
            tensor("x", X),
            tensor("exposure", SIZES));
    Prediction p = calls.predict(X, Of.OBSERVATION, SIZES);
    assertArrayEquals(p.means(), Trial.output(answer, "mean"));
    assertArrayEquals(
        calls.sample(X, 5, Of.OBSERVATION, SIZES, new SplittableRandom(3)),
        Trial.output(answer, "samples"));
    for (double draw : Trial.output(answer, "samples")) assertEquals(Math.rint(draw), draw);
  }

  @Test
  void metadataTellsTheLikelihood() throws Exception {
    JsonNode about = Trial.json(Trial.get(server, "/v2/models/rain"));
    JsonNode likelihood = about.at("/parameters/likelihood");
    assertEquals("bernoulli", likelihood.get("name").asText());
    assertEquals("[\"function\",\"probability\",\"observation\"]", likelihood.get("of").toString());
    assertEquals("probability", likelihood.get("usual").asText());
    assertTrue(likelihood.get("steps").asInt() > 0);
    assertEquals("wet", about.at("/parameters/target/words/1").asText());
    assertTrue(about.get("outputs").findValuesAsText("name").contains("probability"));
    JsonNode counts =
        Trial.json(Trial.get(server, "/v2/models/calls")).at("/parameters/likelihood");
    assertEquals("exposure", counts.get("size").asText());
  }

  @Test
  void wrongRequestsAreRefusedWithWhatThereIs() throws Exception {
    refused(
        "can predict only function, rate, observation",
        "calls/infer",
        "\"of\": \"probability\"",
        "");
    refused("send only one of them", "calls/infer", "\"of\": \"rate\", \"noise\": true", "");
    refused("numbers between 0 and 1", "calls/infer", "\"quantiles\": [0.5, 1]", "");
    refused(
        "row 2: exposure of an observation must be finite and > 0, got -4.0",
        "calls/infer",
        "\"of\": \"observation\"",
        "," + tensor("exposure", new double[] {1, -4, 2}));
    refused(
        "applies to observations, but the request asks for the rate",
        "calls/infer",
        "",
        "," + tensor("exposure", SIZES));
    refused(
        "has 2 rows, the other inputs have 3",
        "calls/infer",
        "\"of\": \"observation\"",
        "," + tensor("exposure", new double[] {1, 2}));
    refused(
        "unknown input 'trials'",
        "rain/infer",
        "\"of\": \"observation\"",
        "," + tensor("trials", SIZES));
    refused("a count must be", "more/observe", "", "," + tensor("y", new double[] {1, 2.5, 0}));
  }

  private static void refused(String message, String address, String parameters, String more)
      throws Exception {
    HttpResponse<String> response = ask(address, parameters, tensor("x", X) + more);
    assertEquals(400, response.statusCode(), response.body());
    assertTrue(response.body().contains(message), response.body());
  }

  @Test
  void countsAreObservedWithTheirExposure() throws Exception {
    double[] y = {3, 9, 1};
    HttpResponse<String> response =
        ask("more/observe", "", tensor("x", X), tensor("calls", y), tensor("exposure", SIZES));
    assertEquals(200, response.statusCode(), response.body());
    Dataset rows = Dataset.of(X, calls.columns(), y, calls.target()).withWeights(SIZES);
    assertArrayEquals(
        calls.with(rows).predict(X, Of.RATE).means(),
        Trial.output(answer("more", "", tensor("x", X)), "rate"),
        1e-12);
  }
}
