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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import lovelace.forecast.TimeSeries;
import lovelace.options.Options;
import lovelace.server.Replay.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server killed at any moment has kept every value that it acknowledged for a series, in order
/// and once, and its file of forecasts is whole.
class ForecastCrashIT {

  private static final int TIMES = Boolean.getBoolean("lovelace.long") ? 50 : 3;
  private static final int CLIENTS = 3;

  @TempDir Path folder;

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

  private static boolean observe(String address, String id, int month, double value)
      throws InterruptedException {
    String body =
        """
        {"inputs": [{"name": "id", "shape": [1], "datatype": "BYTES", "data": ["%s"]},
                    {"name": "time", "shape": [1], "datatype": "BYTES", "data": ["%s"]},
                    {"name": "y", "shape": [1], "datatype": "FP64", "data": [%s]}]}
        """
            .formatted(id, TrialForecasts.month(month), value);
    try {
      HttpResponse<String> answer =
          Trial.CLIENT.send(
              HttpRequest.newBuilder(URI.create(address + "/v2/models/sales/observe"))
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertEquals(200, answer.statusCode(), answer.body());
      return true;
    } catch (IOException e) {
      return false; // killed; it may have been kept or not
    }
  }

  /// The file on the disk, with the rows of its journal.
  private static ForecastContent found(Path file, String where) throws IOException {
    ForecastContent after = ForecastContent.load(file); // whole, whatever the server was doing
    Replay replay = new Replay(Files.readAllBytes(Journal.beside(file)), after);
    assertTrue(replay.state() == State.WHOLE || replay.state() == State.TORN, where);
    return (ForecastContent) replay.onto(Options.Maker.LIBRARY, Journal.beside(file));
  }

  @Test
  void killedServersLoseNoValueTheyAcknowledged() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    Path file = folder.resolve("sales.lvf");
    TrialForecasts.save(file, TrialForecasts.shops(2, 5));
    List<List<Double>> kept = new ArrayList<>();
    for (int c = 0; c < CLIENTS; c++) kept.add(new ArrayList<>());
    for (int time = 0; time < TIMES; time++) {
      String where = "seed " + seed + ", crash " + time;
      Process process = start(file);
      double[] unsure = new double[CLIENTS];
      CountDownLatch first = new CountDownLatch(1);
      try (BufferedReader out = process.inputReader(UTF_8)) {
        String address = "http://127.0.0.1:" + out.readLine();
        List<Thread> clients = new ArrayList<>();
        for (int c = 0; c < CLIENTS; c++) {
          SplittableRandom own = random.split();
          List<Double> values = kept.get(c);
          int client = c;
          clients.add(
              Thread.ofVirtual()
                  .start(
                      () -> {
                        try {
                          while (true) {
                            double value = own.nextDouble();
                            unsure[client] = value;
                            if (!observe(address, "client " + client, values.size(), value)) return;
                            values.add(value);
                            first.countDown();
                            unsure[client] = Double.NaN;
                          }
                        } catch (InterruptedException e) {
                          Thread.currentThread().interrupt();
                        }
                      }));
        }
        assertTrue(first.await(60, TimeUnit.SECONDS), where);
        Thread.sleep(random.nextInt(900));
        process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        for (Thread client : clients) client.join();
      }
      ForecastContent after = found(file, where);
      for (int c = 0; c < CLIENTS; c++) {
        List<Double> values = kept.get(c);
        var stored = after.series("client " + c);
        TimeSeries series = stored == null ? TimeSeries.of("none") : stored.values();
        // of each client one value may have been in flight
        if (series.size() == values.size() + 1) values.add(unsure[c]);
        assertEquals(values.size(), series.size(), where);
        for (int t = 0; t < values.size(); t++)
          assertEquals(values.get(t), series.value(t), where + ", value " + t);
      }
    }
    int all = kept.stream().mapToInt(List::size).sum();
    System.out.println(TIMES + " crashes, none of " + all + " values lost");
  }
}
