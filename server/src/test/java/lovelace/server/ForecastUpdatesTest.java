package lovelace.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import lovelace.forecast.Bands;
import lovelace.forecast.Forecasts;
import lovelace.forecast.StoredSeries;
import lovelace.forecast.TimeSeries;
import lovelace.options.Options;
import lovelace.server.Replay.State;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Values that a server takes for series are forecast from at once, exactly as `update` does, and
/// lie in the file after the server stopped.
class ForecastUpdatesTest {

  private static final String OBSERVE = "/v2/models/sales/observe";
  private static final String FORECAST = "/v2/models/sales/forecast";
  private static final List<StoredSeries> SHOPS = TrialForecasts.shops(3, 5);

  @TempDir Path folder;
  Path file;
  ServerOptions options;

  @BeforeEach
  void save() throws IOException {
    file = folder.resolve("sales.lvf");
    TrialForecasts.save(file, SHOPS);
    options = Trial.options(file).withUpdates(true);
  }

  /// A request with ids, months (counted from the first) and values. Months are left out if they
  /// are negative.
  private static String rows(List<String> ids, int[] months, double... values) {
    List<String> times = Arrays.stream(months).mapToObj(TrialForecasts::month).toList();
    String time =
        months.length == 0 || months[0] < 0
            ? ""
            : ",{\"name\":\"time\",\"shape\":[%s],\"datatype\":\"BYTES\",\"data\":[\"%s\"]}"
                .formatted(times.size(), String.join("\",\"", times));
    return String.format(
        Locale.ROOT,
        "{\"inputs\":[{\"name\":\"id\",\"shape\":[%d],\"datatype\":\"BYTES\",\"data\":[\"%s\"]}%s,"
            + "{\"name\":\"y\",\"shape\":[%d],\"datatype\":\"FP64\",\"data\":%s}]}",
        ids.size(),
        String.join("\",\"", ids),
        time,
        values.length,
        Arrays.toString(values));
  }

  private static String row(String id, int month, double value) {
    return rows(List.of(id), new int[] {month}, value);
  }

  private static long observed(Server server, String body) throws Exception {
    HttpResponse<String> answer = Trial.post(server, OBSERVE, body);
    assertEquals(200, answer.statusCode(), answer.body());
    return Trial.json(answer).get("observations").asLong();
  }

  private static ForecastContent content(Server server) {
    return (ForecastContent) server.models().require("sales", null).content();
  }

  /// Compares the answers of a server with forecasts.
  private static void same(Forecasts expected, Server server, String id) throws Exception {
    HttpResponse<String> response = Trial.post(server, FORECAST, "{\"id\":\"%s\"}".formatted(id));
    assertEquals(200, response.statusCode(), response.body());
    JsonNode answer = Trial.json(response);
    for (int k = 0; k < TrialForecasts.HORIZON; k++) {
      double[] at = Bands.DEFAULT.at(expected.of(id), k);
      for (int c = 0; c < at.length; c++)
        assertEquals(
            at[c],
            answer.get(Bands.DEFAULT.names().get(c)).get(k).asDouble(),
            1e-9 * Math.abs(at[c]),
            id + " step " + k);
    }
  }

  @Test
  void valuesAreForecastFromAtOnceAsByUpdateAndAfterARestart() throws Exception {
    Forecasts expected =
        Forecasts.load(file)
            .update(List.of(TimeSeries.of("shop 0", 140, 90), TimeSeries.of("shop 2", 200)));
    Path copy = Files.createDirectory(folder.resolve("crashed")).resolve("sales.lvf");
    try (Server server = Trial.start(options)) {
      assertEquals(91, observed(server, row("shop 0", 30, 140)));
      assertEquals(
          93, observed(server, rows(List.of("shop 2", "shop 0"), new int[] {32, 31}, 200, 90)));
      for (String id : List.of("shop 0", "shop 1", "shop 2")) same(expected, server, id);
      assertTrue(
          Trial.post(server, FORECAST, "{\"id\":\"shop 0\"}")
              .body()
              .contains("\"time\":[\"" + TrialForecasts.month(32)));
      Files.copy(file, copy); // what a crash would leave
      Files.copy(Journal.beside(file), Journal.beside(copy));
    }
    for (String id : List.of("shop 0", "shop 1", "shop 2"))
      assertArrayEquals(
          expected.of(id).series().values(), Forecasts.load(file).of(id).series().values(), id);
    try (Server reads = Trial.start(Trial.options(copy))) {
      same(expected, reads, "shop 0");
    }
    assertEquals(30, Forecasts.load(copy).of("shop 0").series().size(), "only read");
    try (Server server = Trial.start(Trial.options(copy).withUpdates(true))) {
      assertEquals(93, content(server).count());
      same(expected, server, "shop 0");
    }
    assertEquals(32, Forecasts.load(copy).of("shop 0").series().size());
    try (Server server = Trial.start(options)) {
      assertEquals(93, content(server).count());
      assertEquals(94, observed(server, row("shop 1", 31, 1)), "the journal began again");
    }
  }

  @Test
  void gapsAndNewSeriesAreTaken() throws Exception {
    try (Server server = Trial.start(options)) {
      observed(server, row("shop 1", 34, 120)); // three months later
      assertEquals(34, content(server).require("shop 1").values().size());
      assertEquals(3, content(server).require("shop 1").values().gaps());
      observed(server, rows(List.of("shop 1"), new int[] {-1}, 121)); // the month after
      assertEquals(35, content(server).require("shop 1").values().size());
      observed(server, rows(List.of("new", "new"), new int[] {3, 5}, 7, 9));
      assertEquals(4, content(server).size());
      assertEquals(
          TrialForecasts.month(6),
          Trial.json(Trial.post(server, FORECAST, "{\"id\":\"new\"}")).get("time").get(0).asText());
    }
    Forecasts after = Forecasts.load(file);
    assertArrayEquals(new double[] {7, Double.NaN, 9}, after.of("new").series().values());
    assertEquals(121, after.of("shop 1").series().value(34));
    try (Server server = Trial.start(options)) {
      assertEquals(94, content(server).count());
    }
  }

  private static void refused(Server server, String words, String body) throws Exception {
    HttpResponse<String> answer = Trial.post(server, OBSERVE, body);
    assertEquals(400, answer.statusCode(), answer.body());
    assertTrue(Trial.json(answer).get("error").asText().contains(words), answer.body());
  }

  @Test
  void wrongValuesAreRefusedAndLeaveNothing() throws Exception {
    try (Server server = Trial.start(options)) {
      long length = Files.size(Journal.beside(file));
      refused(
          server,
          "values up to %s; the next one must be later".formatted(TrialForecasts.month(29)),
          row("shop 0", 29, 1));
      refused(server, "must be later", rows(List.of("shop 0", "shop 0"), new int[] {31, 31}, 1, 2));
      refused(server, "is not a step", row("shop 0", 30, 1).replace("2023-07-01", "2023-07-02"));
      refused(server, "is not a date", row("shop 0", 30, 1).replace("2023-07-01", "July"));
      refused(server, "by 10,000 steps", row("shop 0", 30, 1).replace("2023-07-01", "9999-07-01"));
      refused(server, "no series 'a' yet", rows(List.of("a"), new int[] {-1}, 1));
      String noValue =
          "{\"inputs\":[{\"name\":\"id\",\"shape\":[1],\"datatype\":\"BYTES\",\"data\":[\"shop 0\"]}]}";
      refused(server, "input 'y' is missing", noValue);
      refused(server, "has a null", row("shop 0", 30, 1).replace("[1.0]", "[null]"));
      refused(server, "one length", rows(List.of("shop 0"), new int[] {30}, 1, 2));
      refused(server, "unknown input 'z'", row("shop 0", 30, 1).replace("\"y\"", "\"z\""));
      assertEquals(length, Files.size(Journal.beside(file)));
      assertEquals(90, content(server).count());
      assertEquals(91, observed(server, row("shop 0", 30, 1)));
    }
  }

  @Test
  void afterSomeRowsTheFileIsWrittenAndTheServerGoesOn() throws Exception {
    ServerOptions few = options.withLimits(options.limits().withPending(3));
    try (Server server = Trial.start(few)) {
      for (int i = 0; i < 7; i++) observed(server, row("shop 0", 30 + i, i));
      long end = System.nanoTime() + 10_000_000_000L;
      while (Forecasts.load(file).of("shop 0").series().size() < 36 && System.nanoTime() < end)
        Thread.sleep(10);
      assertEquals(36, Forecasts.load(file).of("shop 0").series().size());
      server.models().reload(); // its own writing is no news
      assertEquals(97, content(server).count());
    }
    assertEquals(37, Forecasts.load(file).of("shop 0").series().size());
  }

  /// Clients that add values to different series at the same time lose none.
  @Test
  void concurrentUpdatesAllCount() throws Exception {
    try (Server server = Trial.start(options);
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int c = 0; c < 6; c++) {
        String id = "client " + c;
        all.add(
            clients.submit(
                () -> {
                  for (int i = 0; i < 5; i++) observed(server, row(id, i, i));
                  return 0;
                }));
      }
      for (Future<?> one : all) one.get();
      assertEquals(120, content(server).count());
    }
    assertArrayEquals(
        new double[] {0, 1, 2, 3, 4}, Forecasts.load(file).of("client 5").series().values());
  }

  @Test
  void rowsInPartsAreRowsInOneStep() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    ForecastContent start = ForecastContent.load(file);
    List<byte[]> rows = new ArrayList<>();
    int[] next = {30, 31, 32, 0};
    for (int i = 0; i < 40; i++) {
      int shop = random.nextInt(4);
      int step = next[shop] + random.nextInt(3);
      next[shop] = step + 1;
      long index = start.require("shop 0").first() + step;
      rows.add(ForecastContent.row(shop == 3 ? "ñew" : "shop " + shop, index, random.nextDouble()));
    }
    Options.Maker maker = Options.Maker.LIBRARY;
    ForecastContent whole = start.with(rows, maker);
    ForecastContent parts = start;
    for (int from = 0; from < rows.size(); from += 7)
      parts = parts.with(rows.subList(from, Math.min(rows.size(), from + 7)), maker);
    assertEquals(whole.fingerprint(), parts.fingerprint(), "seed " + seed);
    assertEquals(130, parts.count());
    for (String id : whole.ids()) {
      assertEquals(whole.require(id).first(), parts.require(id).first(), "seed " + seed);
      assertArrayEquals(
          whole.require(id).values().values(), parts.require(id).values().values(), "seed " + seed);
    }
    Path copy = folder.resolve("copy.lvf");
    whole.save(copy, true);
    assertEquals(whole.fingerprint(), ForecastContent.load(copy).fingerprint(), "seed " + seed);
  }

  @Test
  void aJournalCutAtAnyByteKeepsItsWholeEntriesAndAFlippedBitIsDamage() throws Exception {
    byte[] bytes;
    ForecastContent before = ForecastContent.load(file);
    try (Server server = Trial.start(options)) {
      observed(server, row("shop 0", 30, 4));
      observed(server, rows(List.of("a", "shop 1"), new int[] {3, 31}, 5, 6));
      bytes = Files.readAllBytes(Journal.beside(file));
    }
    int first = 36 + 12 + 16 + 20 + "shop 0".length();
    assertEquals(first + 12 + 16 + 40 + "ashop 1".length(), bytes.length);
    for (int cut = 36; cut <= bytes.length; cut++) {
      Replay replay = new Replay(Arrays.copyOf(bytes, cut), before);
      assertEquals(cut < first ? 0 : cut < bytes.length ? 1 : 3, replay.rows.size(), "at " + cut);
      boolean whole = cut == 36 || cut == first || cut == bytes.length;
      assertEquals(whole ? State.WHOLE : State.TORN, replay.state(), "at " + cut);
    }
    for (int at = 0; at < bytes.length; at++) {
      byte[] flipped = bytes.clone();
      flipped[at] ^= 16;
      Replay replay = new Replay(flipped, before);
      assertEquals(State.DAMAGED, replay.state(), "byte " + at);
    }
    // whole entries whose rows are no rows
    ByteBuffer strange = ByteBuffer.allocate(bytes.length);
    byte[] body = Arrays.copyOfRange(bytes, 48, first);
    body[16] = 77; // the length of the id
    strange.put(bytes, 0, 36).put(Journal.entry(body));
    Replay replay = new Replay(Arrays.copyOf(strange.array(), strange.position()), before);
    assertEquals(State.DAMAGED, replay.state());
    assertEquals(0, replay.rows.size());
  }
}
