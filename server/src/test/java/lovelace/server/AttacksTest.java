package lovelace.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.zip.CRC32;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TimeScale;
import lovelace.plan.Engine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Thousands of malformed requests and model files. Each is answered with what is wrong with it;
/// the log stays lines of JSON, and the server answers right requests to the bit afterwards. To
/// repeat one case, run with `-Dlovelace.seed=SEED -Dlovelace.case=CASE`, which a failure prints.
class AttacksTest {

  private static final boolean LONG = Boolean.getBoolean("lovelace.long");
  private static final int REQUESTS = LONG ? 10_000 : 600;
  private static final int FILES = LONG ? 400 : 40;
  private static final int TOGETHER = 16;

  /// The server is stopping or a model file is broken, out of time, out of disk: no fault of its
  /// own.
  private static final Set<Integer> ALLOWED = Set.of(503, 504, 507);

  @TempDir static Path folder;
  static Server server;
  static final List<String> LINES = Collections.synchronizedList(new ArrayList<>());
  static final List<String> OTHER = Collections.synchronizedList(new ArrayList<>());
  static final long SEED = Long.getLong("lovelace.seed", System.nanoTime() & 0xffffffffL);

  /// Messages that bypass the server's own log are printed as text, with their trace.
  private static final Handler TEXT =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          OTHER.add(line.getLoggerName() + ": " + line.getMessage() + " " + line.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeAll
  static void start() throws IOException {
    Trial.line(100, 4).save(folder.resolve("line.lvl"));
    rows(60).save(folder.resolve("rows.lvl"));
    words().save(folder.resolve("words.lvl"));
    TrialForecasts.save(folder.resolve("sales.lvf"), TrialForecasts.shops(2, 3));
    ServerOptions options =
        Trial.options().withFolder(folder).withUpdates(true).withLog(true).withThreads(2);
    options =
        options.withLimits(
            options.limits().withBody(1 << 20).withRows(1000).withTimeout(Duration.ofSeconds(3)));
    server = Server.start(options, new Log(LINES::add));
    Logger.getLogger("").addHandler(TEXT);
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> OTHER.add(thread + ": " + e));
  }

  @AfterAll
  static void stop() {
    Logger.getLogger("").removeHandler(TEXT);
    Thread.setDefaultUncaughtExceptionHandler(null);
    server.close();
  }

  /// An exact model of one column.
  private static Model rows(int n) {
    SplittableRandom random = new SplittableRandom(3);
    double[] x = random.doubles(n, 0, 10).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.cos(x[i]) + 0.1 * random.nextGaussian();
    return Fit.DEFAULT
        .withKernel("1.0*rbf(lengthscale=1.0)")
        .withTraining(false)
        .withMean("zero")
        .fix("noise", 0.01)
        .withEngine(Engine.EXACT)
        .to(Dataset.of(x, 1, y));
  }

  /// A column of words and one of days.
  private static Model words() {
    int n = 40;
    double[] x = new double[2 * n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[2 * i] = i % 3;
      x[2 * i + 1] = i;
      y[i] = i % 3 + Math.sin(i);
    }
    Dataset data =
        Dataset.of(x, 2, y)
            .named(
                List.of(
                    Column.of("colour", List.of("red", "green", "blue")),
                    Column.of("day", TimeScale.of("day", List.of("2020-01-01", "2020-02-01")))),
                Column.of("y"));
    return Fit.DEFAULT
        .withKernel("1.0*rbf(lengthscale=3.0)")
        .withTraining(false)
        .withMean("zero")
        .fix("noise", 0.01)
        .withEngine(Engine.EXACT)
        .to(data);
  }

  private static byte[] right() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.address() + "/v2/models/rows/infer"))
            .POST(HttpRequest.BodyPublishers.ofString(AttackParts.infer("1.25", "")))
            .build();
    HttpResponse<byte[]> answer =
        Trial.CLIENT.send(request, HttpResponse.BodyHandlers.ofByteArray());
    assertEquals(200, answer.statusCode(), new String(answer.body(), UTF_8));
    return answer.body();
  }

  private static String session() throws Exception {
    HttpResponse<String> made = Trial.post(server, "/studio/api/sessions", "{\"model\":\"line\"}");
    return Trial.json(made).path("state").path("id").asText();
  }

  private record Outcome(String kind, List<Integer> statuses, String fault) {}

  private static Outcome outcome(Attacks attacks, int index) {
    Attacks.Attack attack = attacks.attack(index);
    List<Integer> statuses = new ArrayList<>();
    String fault = "";
    try {
      for (RawClient.Answer answer :
          RawClient.send(server.port(), attack.bytes(), !attack.open())) {
        statuses.add(answer.status());
        if (answer.status() >= 500 && !ALLOWED.contains(answer.status()))
          fault = answer.status() + " " + answer.body();
        if (answer.status() >= 400
            && !answer.body().isEmpty()
            && Trial.JSON.readTree(answer.body()).path("error").asText().length() < 10
            && !answer.body().contains("\"ready\":false"))
          fault = answer.status() + " says nothing: " + answer.body();
        if (answer.body().contains("see server log"))
          fault = answer.status() + " says too little: " + answer.body();
      }
      if (statuses.isEmpty() && !new String(attack.bytes(), UTF_8).isBlank()) fault = "no answer";
    } catch (IOException e) {
      fault = e.toString();
    }
    if (!fault.isEmpty())
      fault =
          String.format(
              Locale.ROOT,
              "case %d (%s): %s%n%s",
              index,
              attack.kind(),
              fault,
              new String(attack.bytes(), 0, Math.min(400, attack.bytes().length), UTF_8));
    return new Outcome(attack.kind(), statuses, fault);
  }

  @Test
  void malformedRequestsAreToldSoAndHarmNobody() throws Exception {
    System.out.println("seed " + SEED);
    byte[] before = right();
    Attacks attacks = new Attacks(SEED, session());
    Integer one = Integer.getInteger("lovelace.case");
    List<Future<Outcome>> all = new ArrayList<>();
    try (ExecutorService clients = Executors.newFixedThreadPool(TOGETHER)) {
      for (int i = 0; i < REQUESTS; i++) {
        int index = i;
        if (one == null || one == i) all.add(clients.submit(() -> outcome(attacks, index)));
      }
    }
    Map<Integer, Integer> counts = new TreeMap<>();
    List<String> faults = new ArrayList<>();
    for (Future<Outcome> each : all) {
      Outcome outcome = each.get();
      for (int status : outcome.statuses) counts.merge(status, 1, Integer::sum);
      if (outcome.statuses.isEmpty()) counts.merge(0, 1, Integer::sum);
      if (!outcome.fault.isEmpty()) faults.add(outcome.fault);
    }
    System.out.println("answers by status " + counts);
    if (one != null) all.forEach(each -> System.out.println(each.resultNow()));
    if (one != null) LINES.forEach(System.out::println);
    assertTrue(
        faults.isEmpty(),
        () ->
            String.format(
                Locale.ROOT,
                "seed %d, %d faults, first:%n%s",
                SEED,
                faults.size(),
                String.join("\n\n", faults.stream().limit(8).toList())));
    healthy(before);
  }

  /// Files that no fit wrote, where models are looked for: none of them is answered with 500.
  @Test
  void craftedModelFilesAreRefusedOrServed() throws Exception {
    byte[] before = right();
    SplittableRandom random = new SplittableRandom(SEED);
    List<byte[]> models = new ArrayList<>();
    for (String name : List.of("line", "rows", "words"))
      models.add(Files.readAllBytes(folder.resolve(name + ".lvl")));
    Trial.plane(80, 2).save(folder.resolve("plane.lvl"));
    models.add(Files.readAllBytes(folder.resolve("plane.lvl")));
    Map<Integer, Integer> counts = new TreeMap<>();
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      int which = random.nextInt(models.size());
      byte[] file = CraftedFiles.of(random.split(), models.get(which));
      String name = "crafted" + i;
      Files.write(folder.resolve(name + ".lvl"), file);
      server.models().reload();
      String base = "/v2/models/" + name;
      List<HttpResponse<String>> answers = new ArrayList<>();
      for (String more :
          List.of(
              "", ",\"parameters\":{\"draws\":2}", ",\"parameters\":{\"of\":\"observation\"}")) {
        String body = point(which < 2 ? "1.5" : "1.5,2", which < 2 ? 1 : 2, more);
        answers.add(Trial.post(server, base + "/infer", body));
        answers.add(Trial.post(server, base + "/infer", body.replace("1.5", "1e6")));
      }
      answers.add(Trial.get(server, base));
      answers.add(
          Trial.post(
              server,
              "/studio/api/sessions",
              String.format(
                  Locale.ROOT, "{\"model\":\"%s\",\"view\":{\"points\":9,\"draws\":1}}", name)));
      for (HttpResponse<String> answer : answers) {
        counts.merge(answer.statusCode(), 1, Integer::sum);
        if (answer.statusCode() >= 500 && !ALLOWED.contains(answer.statusCode()))
          faults.add(
              String.format(Locale.ROOT, "file %d of model %d: %s", i, which, answer.body()));
      }
      Files.delete(folder.resolve(name + ".lvl"));
    }
    Files.delete(folder.resolve("plane.lvl"));
    server.models().reload();
    System.out.println("seed " + SEED + ", answers about files by status " + counts);
    assertTrue(
        faults.isEmpty(),
        () ->
            String.format(
                Locale.ROOT,
                "seed %d, %d faults: %s%n%s",
                SEED,
                faults.size(),
                faults.getFirst(),
                LINES.stream().filter(line -> line.contains("request failed")).toList()));
    healthy(before);
  }

  /// Files of forecasts with changed bytes and right check sums.
  @Test
  void craftedFilesOfForecastsAreRefusedOrServed() throws Exception {
    byte[] before = right();
    SplittableRandom random = new SplittableRandom(SEED);
    Path sound = folder.resolve("sound.tmp");
    TrialForecasts.save(sound, TrialForecasts.shops(2, 3));
    byte[] whole = Files.readAllBytes(sound);
    Files.delete(sound);
    Path file = folder.resolve("crafted.lvf");
    Map<Integer, Integer> counts = new TreeMap<>();
    for (int i = 0; i < FILES; i++) {
      byte[] changed = whole.clone();
      for (int k = random.nextInt(3); k >= 0; k--)
        changed[random.nextInt(whole.length - Long.BYTES)] = (byte) random.nextInt(256);
      CRC32 sum = new CRC32();
      sum.update(changed, 0, whole.length - Long.BYTES);
      ByteBuffer.wrap(changed).putLong(whole.length - Long.BYTES, sum.getValue());
      Files.write(file, changed);
      server.models().reload();
      for (String address : List.of("/forecast", "/infer", "/observe")) {
        String body =
            address.equals("/forecast")
                ? "{\"id\":\"shop 1\"}"
                : AttackParts.series("\"shop 1\"", "y", "FP64", "3");
        HttpResponse<String> answer = Trial.post(server, "/v2/models/crafted" + address, body);
        counts.merge(answer.statusCode(), 1, Integer::sum);
        assertTrue(
            answer.statusCode() < 500 || ALLOWED.contains(answer.statusCode()),
            "seed " + SEED + ", file " + i + ": " + answer.body());
      }
    }
    Files.delete(file);
    server.models().reload();
    System.out.println("seed " + SEED + ", answers about files of forecasts " + counts);
    healthy(before);
  }

  private static String point(String values, int columns, String more) {
    return String.format(
        Locale.ROOT,
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,%d],\"datatype\":\"FP64\",\"data\":[%s]}]%s}",
        columns,
        values,
        more);
  }

  private static void healthy(byte[] before) throws Exception {
    long end = System.nanoTime() + 20_000_000_000L;
    while (server.gate().inside() > 0 && System.nanoTime() < end) Thread.sleep(5);
    assertEquals(0, server.gate().inside());
    assertEquals(0, server.gate().reserved());
    assertArrayEquals(before, right());
    for (String line : List.copyOf(LINES)) {
      try {
        JsonNode read = Trial.JSON.readTree(line);
        assertTrue(read.isObject() && !line.contains("\n"), line);
        assertTrue(!line.contains("request failed"), "seed " + SEED + ": " + line);
      } catch (JsonProcessingException e) {
        throw new AssertionError("seed " + SEED + ", not JSON: " + line, e);
      }
    }
    assertEquals(List.of(), List.copyOf(OTHER), "seed " + SEED + ": beside the log");
  }
}
