package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import lovelace.forecast.Forecasts;
import lovelace.server.Log;
import lovelace.server.Server;
import lovelace.server.ServerOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands see the values that a server took for series, and lose none of them.
class ForecastJournalTest {

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void serve() throws IOException, InterruptedException {
    trial = new Trial(folder);
    StringBuilder rows = new StringBuilder("shop,month,sold\n");
    for (int t = 0; t < 30; t++)
      for (String shop : List.of("a", "b"))
        rows.append(
            String.format(
                Locale.ROOT,
                "%s,%d-%02d,%.1f%n",
                shop,
                2021 + t / 12,
                1 + t % 12,
                50 + t + 3 * Math.sin(t * t)));
    trial.write("sales.csv", rows.toString());
    trial.ok("forecast @sales.csv --horizon 2 --model @running.lvf");
    Path running = trial.file("running.lvf");
    ServerOptions options =
        ServerOptions.DEFAULT
            .withFiles(List.of(running))
            .withAddress("127.0.0.1", 0)
            .withUpdates(true);
    try (Server server = Server.start(options, new Log(line -> {}))) {
      String body =
          """
          {"inputs": [{"name": "id", "shape": [1], "datatype": "BYTES", "data": ["a"]},
                      {"name": "time", "shape": [1], "datatype": "BYTES", "data": ["2023-07"]},
                      {"name": "y", "shape": [1], "datatype": "FP64", "data": [99]}]}
          """;
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(
                          URI.create(server.address() + "/v2/models/running/observe"))
                      .POST(HttpRequest.BodyPublishers.ofString(body))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      assertEquals(200, answer.statusCode(), answer.body());
      trial.write("more.csv", "shop,month,sold\nb,2023-07,90\n");
      String held = trial.refused("forecast --update @running.lvf @more.csv");
      assertTrue(held.contains("a server takes observations for"), held);
      // what a killed server leaves
      for (String end : List.of("", ".journal"))
        Files.copy(trial.file("running.lvf" + end), trial.file("sales.lvf" + end));
    }
  }

  private double[] values(String file, String id) throws IOException {
    return Forecasts.load(trial.file(file)).of(id).series().values();
  }

  @Test
  void readersUseTheJournalAndLeaveIt() throws IOException {
    trial.ok("forecast --model @sales.lvf --out @next.csv");
    assertTrue(trial.err().contains("1 of the 61 rows come from the journal"), trial.err());
    List<String> next = Files.readAllLines(trial.file("next.csv"));
    assertTrue(next.stream().anyMatch(line -> line.startsWith("a,2023-08")), next.toString());
    assertTrue(next.stream().anyMatch(line -> line.startsWith("b,2023-07")), next.toString());
    assertTrue(trial.ok("inspect @sales.lvf").contains("61"));
    assertEquals(30, values("sales.lvf", "a").length);
    assertTrue(Files.exists(trial.file("sales.lvf.journal")));
  }

  @Test
  void anUpdateTakesInTheJournal() throws IOException {
    trial.ok("forecast --update @sales.lvf @more.csv --out @next.csv");
    assertEquals(99, values("sales.lvf", "a")[30]);
    assertEquals(90, values("sales.lvf", "b")[30]);
    assertTrue(Files.notExists(trial.file("sales.lvf.journal")));
  }

  @Test
  void aFileWithAJournalIsNotReplaced() throws IOException {
    byte[] before = Files.readAllBytes(trial.file("sales.lvf"));
    String said = trial.refused("forecast @sales.csv --horizon 2 --model @sales.lvf");
    assertTrue(said.contains("the new file would not hold"), said);
    assertArrayEquals(before, Files.readAllBytes(trial.file("sales.lvf")));
    trial.ok("forecast --update @sales.lvf @more.csv --model @other.lvf --out @next.csv");
    assertEquals(99, values("other.lvf", "a")[30]);
    assertArrayEquals(before, Files.readAllBytes(trial.file("sales.lvf")));
  }
}
