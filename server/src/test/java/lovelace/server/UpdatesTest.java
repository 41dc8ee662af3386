package lovelace.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.options.Options;
import lovelace.posterior.Prediction;
import lovelace.source.Source;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpdatesTest {

  private static final Model LINE = Trial.line(100, 3);
  private static final String OBSERVE = "/v2/models/line/observe";

  @TempDir Path folder;
  Path file;
  ServerOptions options;

  @BeforeEach
  void save() throws IOException {
    file = folder.resolve("line.lvl");
    LINE.save(file);
    options = Trial.options(file).withUpdates(true);
  }

  private static String rows(double x, double y) {
    return """
    {"id": "a", "inputs": [{"name": "x", "shape": [1, 1], "datatype": "FP64", "data": [%s]},
                {"name": "y", "shape": [1], "datatype": "FP64", "data": [%s]}]}
    """
        .formatted(x, y);
  }

  private static Model with(double[] x, double[] y) throws IOException {
    Dataset more = Dataset.of(x, LINE.columns(), y, LINE.target());
    return LINE.with(Source.of(more), Outside.ERROR, new Options.Maker("", ""));
  }

  private static double[] means(Server server) throws Exception {
    return Trial.output(
        Trial.json(
            Trial.post(
                server,
                "/v2/models/line/infer",
                "{\"inputs\":[{\"name\":\"x\",\"shape\":[2],\"datatype\":\"FP64\",\"data\":[3,4]}]}")),
        "mean");
  }

  @Test
  void nothingIsTakenUnlessAllowed() throws Exception {
    try (Server server = Trial.start(options.withUpdates(false))) {
      assertEquals(403, Trial.post(server, OBSERVE, rows(3, 9)).statusCode());
      assertFalse(Files.exists(Journal.beside(file)));
    }
  }

  @Test
  void observationsAreInTheNextAnswerAndAfterARestart() throws Exception {
    Model expected = with(new double[] {3, 4}, new double[] {9, 2});
    Path copy = folder.resolve("crashed.lvl");
    try (Server server = Trial.start(options)) {
      HttpResponse<String> answer = Trial.post(server, OBSERVE, rows(3, 9));
      assertEquals(200, answer.statusCode(), answer.body());
      assertEquals(101, Trial.json(answer).get("observations").asLong());
      assertEquals("a", Trial.json(answer).get("id").asText());
      assertEquals(200, Trial.post(server, OBSERVE, rows(4, 2)).statusCode());
      assertArrayEquals(expected.predict(3, 4).means(), means(server));
      // what a crash would leave
      Files.copy(file, copy);
      Files.copy(Journal.beside(file), Journal.beside(copy));
    }
    assertArrayEquals(
        expected.predict(3, 4).means(), Model.load(file).predict(3, 4).means(), "file after stop");
    assertEquals(100, Model.load(copy).count());
    try (Server server = Trial.start(Trial.options(copy).withUpdates(true))) {
      assertEquals(102, server.models().require("crashed", null).model().count());
    }
    assertEquals(102, Model.load(copy).count());
    try (Server server = Trial.start(options)) {
      assertEquals(102, server.models().require("line", null).model().count());
    }
  }

  @Test
  void aJournalThatTheFileAlreadyHoldsIsNotReplayed() throws Exception {
    Path journal = Journal.beside(file);
    byte[] full;
    try (Server server = Trial.start(options)) {
      Trial.post(server, OBSERVE, rows(3, 9));
      Trial.post(server, OBSERVE, rows(4, 2));
      full = Files.readAllBytes(journal);
    }
    Files.write(journal, full); // as if the crash came before the new journal
    try (Server server = Trial.start(options)) {
      assertEquals(102, server.models().require("line", null).model().count());
    }
  }

  @Test
  void aJournalOfAnotherModelIsSetAside() throws Exception {
    Path journal = Journal.beside(file);
    byte[] full;
    try (Server server = Trial.start(options)) {
      Trial.post(server, OBSERVE, rows(3, 9));
      full = Files.readAllBytes(journal);
    }
    Trial.line(50, 9).save(file);
    Files.write(journal, full);
    try (Server server = Trial.start(options)) {
      assertEquals(50, server.models().require("line", null).model().count());
    }
    try (Stream<Path> files = Files.list(folder)) {
      Path aside =
          files
              .filter(f -> f.getFileName().toString().matches("line\\.lvl\\.journal\\.\\d+"))
              .findFirst()
              .orElseThrow();
      assertArrayEquals(full, Files.readAllBytes(aside));
    }
  }

  @Test
  void afterSoManyRowsTheModelFileIsWritten() throws Exception {
    ServerOptions few = options.withLimits(options.limits().withPending(3));
    try (Server server = Trial.start(few)) {
      for (int i = 0; i < 7; i++)
        assertEquals(200, Trial.post(server, OBSERVE, rows(1 + i, 0.5)).statusCode());
      long end = System.nanoTime() + 10_000_000_000L;
      while (Model.load(file).count() < 106 && System.nanoTime() < end) Thread.sleep(10);
      assertEquals(106, Model.load(file).count());
      server.models().reload(); // its own writing is no news
      assertEquals(107, server.models().require("line", null).model().count());
    }
    assertEquals(107, Model.load(file).count());
  }

  @Test
  void anOperatorsNewFileIsNotOverwrittenWhileItCannotBeLoaded() throws Exception {
    ServerOptions few = options.withLimits(options.limits().withPending(2));
    byte[] good = Files.readAllBytes(file);
    try (Server server = Trial.start(few)) {
      Files.writeString(file, "an operator's file that is no model");
      server.models().reload();
      for (int i = 0; i < 5; i++) Trial.post(server, OBSERVE, rows(1 + i, 0.5));
      server.models().reload();
    }
    assertArrayEquals(
        "an operator's file that is no model".getBytes(UTF_8), Files.readAllBytes(file));
    Files.write(file, good); // the file that the journal belongs to
    try (Server server = Trial.start(options)) {
      assertTrue(server.models().require("line", null).model().count() >= 102, "the journal kept");
    }
  }

  @Test
  void anOperatorsNewFileIsNotOverwrittenWhileItIsBeingLoaded() throws Exception {
    ServerOptions few = options.withLimits(options.limits().withPending(2));
    CountDownLatch loading = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Repository.Loader slow =
        (path, trust) -> {
          Model model = Model.load(path, trust);
          if (model.count() == 100) return model;
          loading.countDown();
          try {
            go.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          return model;
        };
    byte[] operators;
    try (Server server = Server.start(few, new Log(Trial.LINES::add), slow)) {
      Trial.line(50, 9).save(file);
      operators = Files.readAllBytes(file);
      loading.await(); // the server has noticed
      try {
        for (int i = 0; i < 3; i++) Trial.post(server, OBSERVE, rows(1 + i, 0.5));
        assertArrayEquals(operators, Files.readAllBytes(file));
      } finally {
        go.countDown();
      }
      server.models().reload();
      assertEquals(50, server.models().require("line", null).model().count());
    }
    assertArrayEquals(operators, Files.readAllBytes(file));
  }

  @Test
  void concurrentUpdatesAllCountAndReadersSeeWholeModels() throws Exception {
    try (Server server = Trial.start(options);
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> all = new ArrayList<>();
      for (int c = 0; c < 8; c++) {
        double x = 1 + c;
        all.add(
            clients.submit(
                () -> {
                  for (int i = 0; i < 5; i++)
                    assertEquals(200, Trial.post(server, OBSERVE, rows(x, 0.1 * i)).statusCode());
                  return 5;
                }));
        all.add(
            clients.submit(
                () -> {
                  for (int i = 0; i < 20; i++) means(server);
                  return 0;
                }));
      }
      for (Future<Integer> one : all) one.get();
      assertEquals(140, server.models().require("line", null).model().count());
    }
    assertEquals(140, Model.load(file).count());
  }

  /// While updates come one after another, every answer is that of one of the models in turn, mean
  /// and variance alike, and readers never see an older one again.
  @Test
  void readersSeeOneModelEachAndAreNotHeldUp() throws Exception {
    int updates = 12;
    double[] x = new double[updates];
    double[] y = new double[updates];
    List<String> expected = new ArrayList<>();
    for (int k = 0; k <= updates; k++) {
      Model model = k == 0 ? LINE : with(Arrays.copyOf(x, k), Arrays.copyOf(y, k));
      Prediction at = model.predict(3, 4);
      expected.add(List.of(at.mean(0), at.mean(1), at.variance(0), at.variance(1)).toString());
      if (k < updates) {
        x[k] = 2.5 + 0.1 * k;
        y[k] = 5 + k;
      }
    }
    String ask =
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[2],\"datatype\":\"FP64\",\"data\":[3,4]}]}";
    AtomicBoolean done = new AtomicBoolean();
    try (Server server = Trial.start(options);
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> readers = new ArrayList<>();
      for (int c = 0; c < 3; c++)
        readers.add(
            clients.submit(
                () -> {
                  int last = 0;
                  int count = 0;
                  while (!done.get() || count == 0) {
                    JsonNode answer = Trial.json(Trial.post(server, "/v2/models/line/infer", ask));
                    double[] mean = Trial.output(answer, "mean");
                    double[] variance = Trial.output(answer, "variance");
                    String seen = List.of(mean[0], mean[1], variance[0], variance[1]).toString();
                    int now = expected.indexOf(seen);
                    assertTrue(now >= last, seen + " after model " + last);
                    last = now;
                    count++;
                  }
                  return count;
                }));
      for (int k = 0; k < updates; k++)
        assertEquals(200, Trial.post(server, OBSERVE, rows(x[k], y[k])).statusCode());
      done.set(true);
      for (Future<Integer> reader : readers) assertTrue(reader.get() > 0);
    }
  }

  @Test
  void wrongObservationsAreRefusedAndLeaveNothing() throws Exception {
    try (Server server = Trial.start(options)) {
      long length = Files.size(Journal.beside(file));
      HttpResponse<String> outside = Trial.post(server, OBSERVE, rows(1000, 1));
      assertEquals(400, outside.statusCode(), outside.body());
      assertEquals(
          400,
          Trial.post(
                  server,
                  OBSERVE,
                  "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP64\",\"data\":[1]}]}")
              .statusCode());
      assertEquals(length, Files.size(Journal.beside(file)));
      assertEquals(100, server.models().require("line", null).model().count());
      assertEquals(200, Trial.post(server, OBSERVE, rows(1, 1)).statusCode());
    }
  }

  @Test
  void oneServerAtATimeTakesObservations() throws Exception {
    try (Server first = Trial.start(options)) {
      assertTrue(first.port() > 0);
      assertThrows(IllegalArgumentException.class, () -> Trial.start(options).close());
    }
    Files.write(Journal.beside(file), new byte[3], StandardOpenOption.APPEND);
    Trial.start(options).close();
  }
}
