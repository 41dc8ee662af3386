package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.source.Source;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The requests of the studio's page, and the answers.
final class StudioTest {

  @TempDir static Path folder;
  private static Server server;
  private static Model line;
  private static Model wide;

  @BeforeAll
  static void start() throws IOException {
    line = Trial.line(300, 1);
    line.save(folder.resolve("line.lvl"));
    Trial.plane(200, 2).save(folder.resolve("plane.lvl"));
    wide = Trial.wide(300, 30, 3);
    wide.save(folder.resolve("wide.lvl"));
    server =
        Trial.start(
            Trial.options(
                    folder.resolve("line.lvl"),
                    folder.resolve("plane.lvl"),
                    folder.resolve("wide.lvl"))
                .withLimits(ServerOptions.Limits.DEFAULT.withRows(150_000)));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpResponse<String> ask(String path, String body) throws Exception {
    return Trial.post(server, "/studio/api/" + path, body);
  }

  private static JsonNode post(String path, String body) throws Exception {
    HttpResponse<String> response = ask(path, body);
    assertEquals(200, response.statusCode(), response.body());
    return Trial.json(response);
  }

  private static String open(String model) throws Exception {
    return post("sessions", "{\"model\":\"" + model + "\"}").at("/state/id").asText();
  }

  private static double[] numbers(JsonNode array) {
    double[] values = new double[array.size()];
    for (int i = 0; i < values.length; i++) values[i] = array.get(i).asDouble();
    return values;
  }

  private static String csv(int rows) {
    SplittableRandom random = new SplittableRandom(3);
    StringBuilder text = new StringBuilder("time,noise,flow\n");
    for (int i = 0; i < rows; i++) {
      double t = 10 * random.nextDouble();
      double y = Math.sin(t) + 0.1 * random.nextGaussian();
      text.append(t).append(",abc,").append(y).append('\n');
    }
    return text.toString();
  }

  /// The last line of a stream, and how many came before it.
  private static JsonNode last(HttpResponse<String> response) throws IOException {
    assertEquals(200, response.statusCode(), response.body());
    List<String> lines = response.body().lines().toList();
    assertTrue(lines.getFirst().contains("job"), lines.getFirst());
    return new ObjectMapper().readTree(lines.getLast());
  }

  // ---- what is shown ----

  @Test
  void modelsAreListedWithTheirColumns() throws Exception {
    JsonNode about = Trial.json(Trial.get(server, "/studio/api/about"));
    assertEquals("line", about.at("/models/0/name").asText());
    assertEquals("depth (m)", about.at("/models/1/inputs/0").asText());
    assertEquals(200, about.at("/models/1/observations").asInt());
  }

  @Test
  void curveIsThePosterior() throws Exception {
    JsonNode view =
        post(
                "sessions",
                "{\"model\":\"line\",\"view\":{\"x\":0,\"points\":50,\"draws\":3,\"seed\":7,\"data\":true}}")
            .get("view");
    double[] mean = numbers(view.get("mean"));
    double from = view.get("from").asDouble();
    double to = view.get("to").asDouble();
    double[] points = new double[50];
    for (int i = 0; i < 50; i++) points[i] = from + (to - from) * i / 49;
    Prediction p = line.predict(points);
    assertArrayEquals(p.means(), mean, 1e-6);
    assertEquals(p.deviation(20), view.at("/sd/20").asDouble(), 1e-6);
    double[] draws = line.sample(points, 3, new SplittableRandom(7));
    assertEquals(draws[2 * 50 + 10], view.at("/draws/2/10").asDouble(), 1e-6);
    assertEquals("averages", view.at("/data/kind").asText());
    long sum = Arrays.stream(numbers(view.at("/data/counts"))).mapToLong(v -> (long) v).sum();
    assertEquals(300, sum);
  }

  @Test
  void pagesAreToldTheTransformOfTheTarget(@TempDir Path own) throws Exception {
    SplittableRandom random = new SplittableRandom(4);
    double[] x = random.doubles(150, 0, 6).toArray();
    double[] y = new double[150];
    for (int i = 0; i < 150; i++) y[i] = Math.sinh(4 * Math.sin(x[i]));
    Model model =
        Fit.DEFAULT
            .withEngine(Engine.EXACT)
            .withTransform(TargetTransform.RANKS)
            .to(Dataset.of(x, 1, y));
    model.save(own.resolve("ranks.lvl"));
    try (Server ranked = Trial.start(Trial.options(own.resolve("ranks.lvl")))) {
      JsonNode opened =
          Trial.json(
              Trial.post(
                  ranked,
                  "/studio/api/sessions",
                  "{\"model\":\"ranks\",\"view\":{\"x\":0,\"points\":5}}"));
      TargetTransform told = TargetTransform.parse(opened.at("/state/transform").asText());
      assertEquals(model.transform(), told);
      double from = opened.at("/view/from").asDouble();
      double middle = told.invert(opened.at("/view/mean/0").asDouble());
      double median = model.predict(from).quantile(0, 0.5);
      assertEquals(median, middle, 1e-4 * (1 + Math.abs(median)));
      String id = opened.at("/state/id").asText();
      JsonNode checks =
          Trial.json(Trial.post(ranked, "/studio/api/sessions/" + id + "/checks", "{}"));
      assertTrue(checks.has("transform"), checks.toString());
      assertEquals(told, TargetTransform.parse(checks.get("transform").asText()));
    }
  }

  @Test
  void mapCoversTwoColumns() throws Exception {
    JsonNode view =
        post(
                "sessions/" + open("plane") + "/view",
                "{\"view\":{\"x\":0,\"y\":1,\"nx\":9,\"ny\":7}}")
            .get("view");
    assertEquals(63, view.get("mean").size());
    assertEquals(63, view.get("sd").size());
    JsonNode slice =
        post(
                "sessions/" + open("plane") + "/view",
                "{\"view\":{\"x\":1,\"at\":[2,0],\"points\":5}}")
            .get("view");
    assertEquals(5, slice.get("mean").size());
  }

  @Test
  void everyColumnOfAWideModelHasASlice() throws Exception {
    JsonNode state = post("sessions", "{\"model\":\"wide\"}").get("state");
    double[] middle = new double[5];
    for (int j = 0; j < 5; j++) middle[j] = state.at("/columns/" + j + "/middle").asDouble();
    middle[1] = 3;
    JsonNode slices =
        post(
                "sessions/" + state.get("id").asText() + "/view",
                "{\"view\":{\"x\":0,\"y\":1,\"nx\":4,\"ny\":4,\"slices\":13,\"at\":"
                    + Trial.JSON.writeValueAsString(middle)
                    + "}}")
            .at("/view/slices");
    assertEquals(5, slices.size());
    for (int j = 0; j < 5; j++) {
      JsonNode slice = slices.get(j);
      double[] point = middle.clone();
      double from = slice.get("from").asDouble();
      point[j] = from + (slice.get("to").asDouble() - from) * 4 / 12;
      assertTrue(from < middle[j] && middle[j] < slice.get("to").asDouble());
      assertEquals(
          wide.predict(point).mean(0), slice.get("mean").get(4).asDouble(), 1e-5, "column " + j);
      assertEquals(
          wide.predict(point).deviation(0), slice.get("sd").get(4).asDouble(), 1e-5, "column " + j);
    }
  }

  @Test
  void mapsOfManyNeighboursHaveFewerPlaces() throws Exception {
    Trial.wide(500, 400, 3).save(folder.resolve("near.lvl"));
    try (Server other = Trial.start(Trial.options(folder.resolve("near.lvl")))) {
      String id =
          Trial.json(Trial.post(other, "/studio/api/sessions", "{\"model\":\"near\"}"))
              .at("/state/id")
              .asText();
      JsonNode view =
          Trial.json(
                  Trial.post(
                      other,
                      "/studio/api/sessions/" + id + "/view",
                      "{\"view\":{\"x\":0,\"y\":1,\"nx\":64,\"ny\":64,\"slices\":120}}"))
              .get("view");
      assertEquals(21 * 21, view.get("mean").size());
      assertEquals(
          89, view.at("/slices/0/points").asInt(), "1e10 / (400³ / 3) places in five slices");
    }
  }

  // ---- what is changed ----

  @Test
  void observationJoinsThePrivateCopyOnly() throws Exception {
    String id = open("line");
    JsonNode before =
        post("sessions/" + id + "/view", "{\"view\":{\"points\":101}}").at("/view/sd/100");
    JsonNode answer =
        post("sessions/" + id + "/observe", "{\"row\":[10.3,-0.8],\"view\":{\"points\":101}}");
    assertTrue(answer.at("/view/sd/100").asDouble() < before.asDouble());
    assertEquals(301, answer.at("/state/observations").asInt());
    assertEquals(-0.8, answer.at("/state/added/0/1").asDouble());
    assertTrue(answer.get("milliseconds").asDouble() > 0);
    Model same =
        line.with(
            Source.of(
                Dataset.of(
                    new double[] {10.3}, line.columns(), new double[] {-0.8}, line.target())),
            Outside.ERROR,
            new Options.Maker("", ""));
    double to = answer.at("/view/to").asDouble();
    assertEquals(same.predict(to).mean(0), answer.at("/view/mean/100").asDouble(), 1e-6);
    JsonNode served = Trial.json(Trial.get(server, "/v2/models/line"));
    assertEquals(300, served.at("/parameters/observations").asInt());
    JsonNode undone = post("sessions/" + id + "/undo", "{\"view\":{\"points\":101}}");
    assertEquals(300, undone.at("/state/observations").asInt());
    assertEquals(before.asDouble(), undone.at("/view/sd/100").asDouble(), 1e-6);
  }

  @Test
  void slidersRefitBySpectralEngineAndLearningRestores() throws Exception {
    String id = open("line");
    JsonNode changed =
        post(
            "sessions/" + id + "/parameters",
            "{\"values\":{\"noise\":[0.5],\"rbf.lengthscale\":[2.5]}}");
    assertTrue(changed.at("/state/engine").asText().startsWith("spectral"));
    assertEquals(0.5, changed.at("/state/noise").asDouble(), 1e-12);
    double worse = changed.at("/state/likelihood").asDouble();
    JsonNode learned = last(ask("sessions/" + id + "/learn", "{}"));
    assertTrue(learned.at("/state/likelihood").asDouble() > worse + 10);
    assertEquals(0.01, learned.at("/state/noise").asDouble(), 0.004);
    JsonNode back = post("sessions/" + id + "/reset", "{}");
    assertEquals(line.noise(), back.at("/state/noise").asDouble(), 1e-12);
  }

  /// A map without noise on its own grid, and scattered rows as sites: both can be opened, drawn,
  /// observed, moved and checked, and stay with their engine.
  @Test
  void sparseModelsCanBePlayedWith() throws Exception {
    Fit fit =
        Fit.DEFAULT
            .withKernel("matern12")
            .withEngine(Engine.SPARSE)
            .withTraining(false)
            .set("lengthscale", 4)
            .set("outputscale", 1)
            .set("mean", 0);
    SplittableRandom random = new SplittableRandom(9);
    double[] pixels = new double[2 * 300];
    double[] places = new double[2 * 300];
    double[] y = new double[300];
    for (int i = 0; i < y.length; i++) {
      pixels[2 * i] = i / 18;
      pixels[2 * i + 1] = i % 18;
      for (int c = 0; c < 2; c++) places[2 * i + c] = 17 * random.nextDouble();
      y[i] = Math.sin(0.5 * pixels[2 * i]);
    }
    fit.set("noise", 0).to(Dataset.of(pixels, 2, y)).save(folder.resolve("map.lvl"));
    fit.withEngine(Engine.SITES)
        .set("noise", 0.1)
        .to(Dataset.of(places, 2, y))
        .save(folder.resolve("sites.lvl"));
    try (Server own =
        Trial.start(Trial.options(folder.resolve("map.lvl"), folder.resolve("sites.lvl")))) {
      for (String name : List.of("map", "sites")) {
        String opened =
            Trial.post(own, "/studio/api/sessions", "{\"model\":\"" + name + "\"}").body();
        String path =
            "/studio/api/sessions/" + new ObjectMapper().readTree(opened).at("/state/id").asText();
        JsonNode seen =
            answer(own, path + "/observe", "{\"row\":[16,15,0.5],\"view\":{\"nx\":9,\"ny\":7}}");
        assertEquals(301, seen.at("/state/observations").asInt(), name);
        JsonNode moved =
            answer(own, path + "/parameters", "{\"values\":{\"matern12.lengthscale\":[5,3]}}");
        String engine = name.equals("map") ? "sparse" : "sites";
        assertTrue(moved.at("/state/engine").asText().startsWith(engine), moved.toString());
        assertTrue(answer(own, path + "/checks", "{}").get("rmse").asDouble() < 1, name);
      }
    }
  }

  private static JsonNode answer(Server own, String path, String body) throws Exception {
    HttpResponse<String> response = Trial.post(own, path, body);
    assertEquals(200, response.statusCode(), response.body());
    return Trial.json(response);
  }

  /// One thread, and a fit that is far from its end.
  @Test
  void learningInOneTabLeavesOthersFree() throws Exception {
    SplittableRandom random = new SplittableRandom(5);
    StringBuilder text = new StringBuilder("a,b,c,y\n");
    for (int i = 0; i < 590; i++) {
      double[] x = {random.nextDouble(), random.nextDouble(), random.nextDouble()};
      text.append("%s,%s,%s,%s%n".formatted(x[0], x[1], x[2], Math.sin(9 * x[0] * x[1]) + x[2]));
    }
    try (Server one = Trial.start(Trial.options(folder.resolve("line.lvl")).withThreads(1))) {
      String id =
          Trial.json(Trial.post(one, "/studio/api/sessions", "{\"model\":\"line\"}"))
              .at("/state/id")
              .asText();
      String table =
          Trial.json(Trial.post(one, "/studio/api/tables", text.toString())).get("id").asText();
      String body =
          "{\"table\":\"%s\",\"target\":\"y\",\"inputs\":[\"a\",\"b\",\"c\"],\"kernel\":\"rbf + matern32 + matern52 + rbf*matern12\"}"
              .formatted(table);
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(one.address() + "/studio/api/sessions"))
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build();
      var lines = Trial.CLIENT.send(request, HttpResponse.BodyHandlers.ofLines()).body().iterator();
      String job = new ObjectMapper().readTree(lines.next()).get("job").asText();
      String line = lines.next();
      while (!line.contains("iteration")) line = lines.next();
      HttpResponse<String> click =
          Trial.post(
              one,
              "/studio/api/sessions/" + id + "/observe",
              "{\"row\":[5,0.5],\"view\":{\"points\":50}}");
      assertEquals(200, click.statusCode(), click.body());
      JsonNode running = Trial.json(Trial.post(one, "/studio/api/jobs/" + job + "/cancel", "{}"));
      assertTrue(running.get("cancelled").asBoolean(), "the fit goes on meanwhile");
      while (lines.hasNext()) lines.next();
    }
  }

  @Test
  void clicksJoinACopyThatLearns() throws Exception {
    StudioSession session = new StudioSession("line", line, null, new Options.Maker("", ""));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch clicked = new CountDownLatch(1);
    CompletableFuture<Void> learning =
        CompletableFuture.runAsync(
            () ->
                session.learn(
                    (iteration, value, gradient, x) -> {
                      begun.countDown();
                      try {
                        return clicked.await(60, TimeUnit.SECONDS);
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    }),
            Thread::startVirtualThread);
    begun.await();
    CompletableFuture<Void> click =
        CompletableFuture.runAsync(
            () -> session.observe(new double[] {5, 0.5}), Thread::startVirtualThread);
    click.get(30, TimeUnit.SECONDS);
    clicked.countDown();
    learning.get(60, TimeUnit.SECONDS);
    assertEquals(301, session.state().model().count());
    assertEquals(1, session.state().added().size());
    assertTrue(session.state().model().noise() != line.noise());
  }

  /// Five factorisations of 1,600 rows are not done in this time.
  @Test
  void longRequestsAreGivenUpAtTheirTime() throws Exception {
    SplittableRandom random = new SplittableRandom(8);
    double[] x = random.doubles(2000, 0, 10).toArray();
    double[] y = Arrays.stream(x).map(Math::sin).toArray();
    Path file = folder.resolve("exact.lvl");
    Fit.DEFAULT
        .withKernel("1.0*rbf(lengthscale=1.0)")
        .withTraining(false)
        .withMean("zero")
        .fix("noise", 0.01)
        .withEngine(Engine.EXACT)
        .to(Dataset.of(x, 1, y))
        .save(file);
    ServerOptions options = Trial.options(file);
    try (Server hasty =
        Trial.start(options.withLimits(options.limits().withTimeout(Duration.ofMillis(150))))) {
      String id =
          Trial.json(Trial.post(hasty, "/studio/api/sessions", "{\"model\":\"exact\"}"))
              .at("/state/id")
              .asText();
      HttpResponse<String> checks =
          Trial.post(hasty, "/studio/api/sessions/" + id + "/checks", "{}");
      assertEquals(504, checks.statusCode(), checks.body());
    }
  }

  private static long kept(Server server) throws Exception {
    return Trial.get(server, "/metrics")
        .body()
        .lines()
        .filter(each -> each.startsWith("lovelace_studio_bytes "))
        .mapToLong(each -> Long.parseLong(each.substring(22)))
        .sum();
  }

  @Test
  void whatLearningLeavesIsCounted() throws Exception {
    try (Server own = Trial.start(Trial.options(folder.resolve("line.lvl")))) {
      String id =
          Trial.json(Trial.post(own, "/studio/api/sessions", "{\"model\":\"line\"}"))
              .at("/state/id")
              .asText();
      long before = kept(own);
      last(Trial.post(own, "/studio/api/sessions/" + id + "/learn", "{}"));
      long learned = kept(own);
      assertTrue(learned > before, before + " and then " + learned);
      Trial.post(own, "/studio/api/sessions/" + id + "/reset", "{}");
      assertEquals(before, kept(own));
    }
  }

  @Test
  void checksLeaveOutWhatTheyPredict() throws Exception {
    JsonNode found = post("sessions/" + open("line") + "/checks", "{}");
    assertEquals("averages", found.get("kind").asText());
    assertEquals(1, found.get("spread").asDouble(), 0.25);
    assertEquals(20, found.get("coverage").size());
    long total = Arrays.stream(numbers(found.get("bins"))).mapToLong(v -> (long) v).sum();
    assertEquals(found.get("count").asLong(), total);
  }

  // ---- tables ----

  @Test
  void tableIsFittedShownCheckedAndDownloaded() throws Exception {
    JsonNode table = post("tables", csv(400));
    assertEquals("text", table.at("/columns/1/kind").asText());
    JsonNode fitted =
        last(
            ask(
                "sessions",
                """
                {"table":"%s","target":"flow","inputs":["time"],"kernel":"rbf","name":"my flow",
                 "view":{"data":true}}"""
                    .formatted(table.get("id").asText())));
    assertEquals("rows", fitted.at("/view/data/kind").asText());
    assertEquals(400, fitted.at("/view/data/x").size());
    assertEquals(0.01, fitted.at("/state/noise").asDouble(), 0.004);
    String id = fitted.at("/state/id").asText();
    JsonNode found = post("sessions/" + id + "/checks", "{}");
    assertEquals("rows", found.get("kind").asText());
    assertEquals(400, found.get("count").asInt());
    assertEquals(0.1, found.get("rmse").asDouble(), 0.03);
    HttpResponse<byte[]> file =
        Trial.CLIENT.send(
            HttpRequest.newBuilder(
                    URI.create(server.address() + "/studio/api/sessions/" + id + "/model"))
                .build(),
            HttpResponse.BodyHandlers.ofByteArray());
    assertEquals(
        "attachment; filename=\"my-flow.lvl\"",
        file.headers().firstValue("Content-Disposition").orElseThrow());
    Path saved = folder.resolve("downloaded.lvl");
    Files.write(saved, file.body());
    assertEquals(400, Model.load(saved).count());
  }

  @Test
  void messagesOfATableNameTheRowOfATime() throws Exception {
    String[][] cases = {
      {"2020-01-01,2020-01-02,oops", "row 3: column 'day' is 'oops', neither a number nor a time"},
      {"2020-01-01,,2020-13-01", "row 3: column 'day' is '2020-13-01', neither a number nor"},
      {"2020-01-01,,2020-01-02,2020-01-03T10:00Z", "row 4: column 'day' is '2020-01-03T10:00Z', a"},
    };
    for (String[] one : cases) {
      StringBuilder csv = new StringBuilder("day,y\n");
      for (String day : one[0].split(",", -1)) csv.append(day).append(",1\n");
      String table = post("tables", csv.toString()).get("id").asText();
      String body = "{\"table\":\"%s\",\"target\":\"y\",\"inputs\":[\"day\"]}".formatted(table);
      String told = ask("sessions", body).body();
      assertTrue(told.contains(one[1]), told);
    }
  }

  /// A pool that throws what a task threw puts the name of a class before the message.
  @Test
  void messagesOfTheLibraryNameNoClass() throws Exception {
    String table = post("tables", "x,y\n1,5\n2,5\n3,5\n").get("id").asText();
    String body = "{\"table\":\"%s\",\"target\":\"y\",\"inputs\":[\"x\"]%s}";
    String told = last(ask("sessions", body.formatted(table, ""))).get("error").asText();
    assertTrue(told.startsWith("target 'y' is constant"), told);
    told = ask("sessions", body.formatted(table, ",\"kernel\":\"wobbly\"")).body();
    assertTrue(told.contains("no kernel is called 'wobbly'"), told);
    assertFalse(told.contains("java."), told);
  }

  @Test
  void quartersOfATableAreTimes() throws Exception {
    JsonNode table = post("tables", "day,y\n2020Q1,1\nQ2 2020,2\n2020-Q3,3\n4Q2020,4\n");
    assertEquals("time", table.at("/columns/0/kind").asText());
  }

  @Test
  void manyRowsAreSentAsCells() throws Exception {
    String table = post("tables", csv(100_000)).get("id").asText();
    JsonNode fitted =
        last(
            ask(
                "sessions",
                """
                {"table":"%s","target":"flow","inputs":["time"],"kernel":"matern52",
                 "view":{"data":true}}"""
                    .formatted(table)));
    JsonNode data = fitted.at("/view/data");
    assertEquals("cells", data.get("kind").asText());
    assertTrue(data.get("x").size() < 24_000);
    assertEquals(100_000, Arrays.stream(numbers(data.get("counts"))).sum());
  }

  @Test
  void fitIsCancelled() throws Exception {
    StringBuilder text = new StringBuilder("a,b,c,y\n");
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 590; i++) {
      double[] x = {random.nextDouble(), random.nextDouble(), random.nextDouble()};
      text.append("%s,%s,%s,%s%n".formatted(x[0], x[1], x[2], Math.sin(9 * x[0] * x[1]) + x[2]));
    }
    String table = post("tables", text.toString()).get("id").asText();
    String body =
        "{\"table\":\"%s\",\"target\":\"y\",\"inputs\":[\"a\",\"b\",\"c\"],\"kernel\":\"rbf\"}"
            .formatted(table);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.address() + "/studio/api/sessions"))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    CompletableFuture<HttpResponse<java.util.stream.Stream<String>>> answer =
        Trial.CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofLines());
    var lines = answer.join().body().iterator();
    String job = new ObjectMapper().readTree(lines.next()).get("job").asText();
    assertTrue(post("jobs/" + job + "/cancel", "{}").get("cancelled").asBoolean());
    String last = "";
    while (lines.hasNext()) last = lines.next();
    assertTrue(last.contains("\"cancelled\":true"), last);
  }

  @Test
  void moreInputsAreShownTwoAtATime() throws Exception {
    SplittableRandom random = new SplittableRandom(6);
    double[] x = random.doubles(4 * 150, 0, 1).toArray();
    double[] y = new double[150];
    StringBuilder text = new StringBuilder("a;b;c;d;y\n");
    for (int i = 0; i < y.length; i++) {
      y[i] = Math.sin(6 * x[4 * i]) + x[4 * i + 3] + 0.05 * random.nextGaussian();
      for (int j = 0; j < 4; j++) text.append(x[4 * i + j]).append(';');
      text.append(y[i]).append('\n');
    }
    String table = post("tables", text.toString()).get("id").asText();
    String exact =
        last(ask(
                "sessions",
                "{\"table\":\"%s\",\"target\":\"y\",\"inputs\":[\"a\",\"b\",\"d\"]}"
                    .formatted(table)))
            .at("/state/id")
            .asText();
    Path file = folder.resolve("sum.lvl");
    Fit.DEFAULT
        .withShape(Options.Shape.ADDITIVE)
        .withTraining(false)
        .set("lengthscale", 0.3)
        .set("outputscale", 0.5)
        .set("noise", 0.01)
        .set("mean", 0)
        .to(Dataset.of(x, 4, y))
        .save(file);
    try (Server other = Trial.start(Trial.options(file))) {
      JsonNode sum = Trial.json(Trial.post(other, "/studio/api/sessions", "{\"model\":\"sum\"}"));
      String path = "/studio/api/sessions/" + sum.at("/state/id").asText();
      String view =
          "\"view\":{\"x\":3,\"y\":0,\"at\":[0.1,0.2,0.3,0.4],\"nx\":8,\"ny\":6,\"data\":true}";
      JsonNode shown =
          Trial.json(
              Trial.post(other, path + "/observe", "{\"row\":[0.5,0.5,0.5,0.5,1]," + view + "}"));
      assertEquals(48, shown.at("/view/mean").size(), shown.toString());
      assertEquals("none", shown.at("/view/data/kind").asText());
      JsonNode moved =
          Trial.json(Trial.post(other, path + "/parameters", "{\"values\":{\"noise\":[0.1]}}"));
      assertEquals(0.1, moved.at("/state/noise").asDouble(), 1e-12);
      HttpResponse<String> checks = Trial.post(other, path + "/checks", "{}");
      assertEquals(400, checks.statusCode());
      assertTrue(checks.body().contains("upload its rows"), checks.body());
    }
    JsonNode map =
        post(
            "sessions/" + exact + "/view",
            "{\"view\":{\"x\":2,\"y\":0,\"at\":[0.5,0.9,0.5],\"nx\":10,\"ny\":10,\"data\":true}}");
    assertEquals(100, map.at("/view/sd").size());
    assertEquals(150, map.at("/view/data/y").size());
    assertTrue(post("sessions/" + exact + "/checks", "{}").get("rmse").asDouble() < 0.3);
  }

  // ---- refusals ----

  private static void refused(int status, String words, String path, String body) throws Exception {
    HttpResponse<String> response = ask(path, body);
    assertEquals(status, response.statusCode(), response.body());
    String error = Trial.json(response).get("error").asText();
    assertTrue(error.contains(words), error);
  }

  @Test
  void errorsAreToldInWords() throws Exception {
    String id = open("line");
    refused(404, "not here any more", "sessions/0123/view", "{}");
    refused(404, "there is no model", "sessions", "{\"model\":\"../../etc/passwd\"}");
    refused(400, "name a 'model'", "sessions", "{}");
    refused(400, "not JSON", "sessions", "{");
    refused(400, "list of finite numbers", "sessions/" + id + "/observe", "{\"row\":[1,\"a\"]}");
    refused(400, "1 inputs and a target", "sessions/" + id + "/observe", "{\"row\":[1,2,3]}");
    refused(400, "outside", "sessions/" + id + "/observe", "{\"row\":[1e6,0]}");
    refused(400, "no observation to take back", "sessions/" + id + "/undo", "{}");
    refused(
        400,
        "no parameter is called",
        "sessions/" + id + "/parameters",
        "{\"values\":{\"size\":[1]}}");
    refused(400, "between 2 and 2,000", "sessions/" + id + "/view", "{\"view\":{\"points\":9999}}");
    refused(400, "a column from 0 to 0", "sessions/" + id + "/view", "{\"view\":{\"x\":3}}");
    refused(400, "acquisition must be", "searches", "{\"acquisition\":\"luck\"}");
  }

  @Test
  void wrongTablesAreRefusedByRowAndColumn() throws Exception {
    refused(400, "empty", "tables", " \n");
    refused(400, "row 2 has 3 values", "tables", "a,b\n1,2\n1,2,3\n");
    refused(400, "row 2 has 3 values", "tables", "1,2\n1,2,3\n");
    refused(400, "row 1: a quote is not closed", "tables", "a,b\n\"1,2\n");
    refused(400, "101 columns; the most is 100", "tables", "1,".repeat(100) + "1\n");
    refused(400, "empty", "tables", "\uFEFF \n");
    refused(400, "not text", "tables", "a,b\n1,\u0000\n");
    refused(400, "no rows", "tables", "a,b\n");
    refused(413, "more than 150,000 rows", "tables", "a,b\n" + "1,2\n".repeat(150_001));
    String table = post("tables", "a;b;c\n1,5;2;x\n2,5;;y\n3,5;4;z\n").get("id").asText();
    refused(
        400,
        "column 'c' is 'x'",
        "sessions",
        "{\"table\":\"%s\",\"target\":\"c\",\"inputs\":[\"a\"]}".formatted(table));
    refused(
        400,
        "no column 'd'",
        "sessions",
        "{\"table\":\"%s\",\"target\":\"d\",\"inputs\":[\"a\"]}".formatted(table));
    refused(
        400,
        "kernel",
        "sessions",
        "{\"table\":\"%s\",\"target\":\"b\",\"inputs\":[\"a\"],\"kernel\":\"rubbish\"}"
            .formatted(table));
    HttpResponse<String> constant =
        ask(
            "sessions",
            "{\"table\":\"%s\",\"target\":\"y\",\"inputs\":[\"x\"]}"
                .formatted(post("tables", "x,y\n1,1\n2,1\n3,1\n").get("id").asText()));
    assertTrue(last(constant).get("error").asText().contains("constant"), constant.body());
  }

  @Test
  void pagesAreOpenAndTheStudioAsksForTheToken() throws Exception {
    try (Server guarded =
        Trial.start(Trial.options(folder.resolve("line.lvl")).withToken("secret"))) {
      assertEquals(200, Trial.get(guarded, "/").statusCode());
      assertEquals(200, Trial.get(guarded, "/studio.js").statusCode());
      assertEquals(401, Trial.get(guarded, "/studio/api/about").statusCode());
      assertEquals(401, Trial.get(guarded, "/metrics").statusCode());
      assertEquals(
          401, Trial.post(guarded, "/studio/api/sessions", "{\"model\":\"line\"}").statusCode());
    }
  }

  @Test
  void pageNamesNothingOutsideTheServer() throws Exception {
    HttpResponse<String> page = Trial.get(server, "/");
    String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();
    assertTrue(policy.contains("default-src 'self'"), policy);
    for (String name : List.of("/", "/studio.css", "/studio.js", "/explore.js", "/api.js")) {
      String text = Trial.get(server, name).body();
      assertTrue(!text.contains("http://") && !text.contains("https://"), name);
    }
  }

  // ---- searches ----

  @Test
  void searchGoesStepByStep() throws Exception {
    JsonNode begun = post("searches", "{\"acquisition\":\"logei\",\"initial\":3,\"seed\":2}");
    assertEquals(64 * 64, begun.get("truth").size());
    String id = begun.get("id").asText();
    JsonNode now = begun;
    for (int i = 0; i < 5; i++) {
      double[] next = numbers(now.get("next"));
      now = post("searches/" + id + "/step", "{}");
      double[] told = numbers(now.get("history").get(i));
      assertArrayEquals(next, Arrays.copyOf(told, 2));
    }
    // the next point is where the acquisition is highest, to the width of the map's cells
    double[] merit = numbers(now.get("merit"));
    double[] next = numbers(now.get("next"));
    int side = now.get("side").asInt();
    double cell = 1024.0 / (side - 1);
    int near =
        (int) Math.round((next[1] + 512) / cell) * side + (int) Math.round((next[0] + 512) / cell);
    double[] sorted = merit.clone();
    Arrays.sort(sorted);
    assertTrue(merit[near] >= sorted[(int) (0.98 * sorted.length)], "merit at the next point");
  }

  // ---- the shelf ----

  @Test
  void shelfIsBoundedInNumberBytesAndTime() {
    long[] now = {0};
    StudioShelf<String> shelf = new StudioShelf<>("thing", 2, 100, 10, () -> now[0]);
    String a = shelf.put("a", 40);
    String b = shelf.put("b", 40);
    shelf.require(a);
    String c = shelf.put("c", 40);
    assertEquals(2, shelf.size());
    assertEquals("a", shelf.require(a));
    assertEquals(404, refusal(() -> shelf.require(b)));
    assertEquals(413, refusal(() -> shelf.put("d", 101)));
    shelf.resize(c, 70);
    assertEquals(70, shelf.bytes());
    now[0] = 11;
    assertEquals(404, refusal(() -> shelf.require(c)));
    assertEquals(0, shelf.bytes());
  }

  private static int refusal(Runnable task) {
    try {
      task.run();
      return 0;
    } catch (Refusal e) {
      return e.status();
    }
  }
}
