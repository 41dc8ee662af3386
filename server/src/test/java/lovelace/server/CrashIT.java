package lovelace.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import lovelace.Model;
import lovelace.io.Fingerprint;
import lovelace.server.Replay.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server killed at any moment of its updates has kept every observation it acknowledged, and its
/// model file is whole.
class CrashIT {

  private static final int TIMES = Boolean.getBoolean("lovelace.long") ? 50 : 3;
  private static final int CLIENTS = 3;

  @TempDir Path folder;

  private record Row(double x, double y) {}

  private Process start(Path file) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            "lovelace.server.ServeProcess",
            file.toString(),
            "7")
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static boolean observe(String address, Row row) throws InterruptedException {
    String body =
        """
        {"inputs": [{"name": "x", "shape": [1], "datatype": "FP64", "data": [%s]},
                    {"name": "y", "shape": [1], "datatype": "FP64", "data": [%s]}]}
        """
            .formatted(row.x, row.y);
    try {
      HttpResponse<String> answer =
          Trial.CLIENT.send(
              HttpRequest.newBuilder(URI.create(address + "/v2/models/line/observe"))
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals(200, answer.statusCode(), answer.body());
      return true;
    } catch (IOException e) {
      return false; // killed; it may have been kept or not
    }
  }

  private static long fingerprint(List<Row> rows) {
    Fingerprint sum = new Fingerprint();
    for (Row row : rows) sum.add(new double[] {row.x}, 0, 1, row.y, 1);
    return sum.value();
  }

  @Test
  void killedServersLoseNothingTheyAcknowledged() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    Path file = folder.resolve("line.lvl");
    Model model = Trial.line(60, 5);
    model.save(file);
    long fingerprint = model.provenance().fingerprint();
    long count = model.count();
    long acknowledged = 0;
    for (int time = 0; time < TIMES; time++) {
      String where = "seed " + seed + ", crash " + time;
      Process process = start(file);
      List<Row> kept = new ArrayList<>();
      List<Row> unsure = new ArrayList<>();
      try (BufferedReader out = process.inputReader(UTF_8)) {
        String address = "http://127.0.0.1:" + out.readLine();
        List<Thread> clients = new ArrayList<>();
        for (int c = 0; c < CLIENTS; c++) {
          SplittableRandom own = random.split();
          clients.add(
              Thread.ofVirtual()
                  .start(
                      () -> {
                        try {
                          while (true) {
                            Row row = new Row(10 * own.nextDouble(), own.nextGaussian());
                            boolean done = observe(address, row);
                            synchronized (kept) {
                              (done ? kept : unsure).add(row);
                            }
                            if (!done) return;
                          }
                        } catch (InterruptedException e) {
                          Thread.currentThread().interrupt();
                        }
                      }));
        }
        Thread.sleep(100 + random.nextInt(900));
        process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        for (Thread client : clients) client.join();
      }
      Model after = Model.load(file); // whole, whatever it was doing
      assertTrue(after.count() >= 60, where);
      Replay replay = new Replay(Files.readAllBytes(Journal.beside(file)), new ModelContent(after));
      assertTrue(replay.state() == State.WHOLE || replay.state() == State.TORN, where);
      List<double[]> pending = replay.rows.stream().map(ModelContent::numbers).toList();
      long found = after.count() + pending.size();
      Fingerprint rest = new Fingerprint();
      for (double[] row : pending) rest.add(row, 0, 1, row[1], row[2]);
      long total = after.provenance().fingerprint() + rest.value();
      // all that was acknowledged, and any of those in flight
      boolean explained = false;
      for (int some = 0; some < 1 << unsure.size(); some++) {
        List<Row> rows = new ArrayList<>(kept);
        for (int k = 0; k < unsure.size(); k++) if ((some >> k & 1) != 0) rows.add(unsure.get(k));
        explained |= found == count + rows.size() && total == fingerprint + fingerprint(rows);
      }
      assertTrue(explained, where + ": " + found + " rows of " + count + " + " + kept.size());
      acknowledged += kept.size();
      count = found;
      fingerprint = total;
    }
    assertTrue(acknowledged > 0);
    System.out.println(
        TIMES + " crashes, " + acknowledged + " observations acknowledged, none lost");
  }
}
