package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchForecastsTest {

  private static final List<String> KEYS =
      List.of(
          "set",
          "frequency",
          "series",
          "smape",
          "mase",
          "crps",
          "msis",
          "coverage95",
          "coverage80",
          "cpu_ms_per_series");

  private static final String[] MONTHS = {"01", "04", "07", "10"};

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void sets() throws IOException {
    trial = new Trial(folder);
    writeSet(folder.resolve("sets"));
  }

  /// A set of quarters with a season, and of walks that are counted from 1 to 24.
  static void writeSet(Path to) throws IOException {
    Files.createDirectories(to);
    StringBuilder train = new StringBuilder("unique_id,frequency,ds,y\n");
    StringBuilder test = new StringBuilder("unique_id,frequency,ds,y\n");
    var random = new SplittableRandom(2);
    for (int s = 0; s < 8; s++) {
      double level = 50 + 10 * s;
      for (int t = 0; t < 24; t++) {
        level += random.nextGaussian();
        (t < 20 ? train : test).append("O%s,O,%s,%s%n".formatted(s, t + 1, level));
      }
      for (int t = 0; t < 44; t++) {
        double y = 100 + 20 * Math.cos(Math.PI * t / 2) + random.nextGaussian();
        (t < 40 ? train : test)
            .append("Q%s,Q,%s-%s,%s%n".formatted(s, 1990 + t / 4, MONTHS[t % 4], y));
      }
    }
    zip(to.resolve("made_train.csv.gz"), train.toString());
    zip(to.resolve("made_test.csv.gz"), test.toString());
  }

  private static void zip(Path file, String text) throws IOException {
    try (var stream = new GZIPOutputStream(Files.newOutputStream(file))) {
      stream.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void everyFrequencyHasItsScores() throws IOException {
    String out = trial.ok("bench forecasts @sets --out @f.json");
    assertTrue(out.contains("made, Q") && out.contains("made, all"), out);
    JsonNode all = new ObjectMapper().readTree(folder.resolve("f.json").toFile());
    assertEquals(3, all.size());
    for (JsonNode one : all)
      for (String key : KEYS) assertTrue(one.has(key) && !one.get(key).isNull(), key + ": " + one);
    assertEquals("O", all.get(0).get("frequency").asText());
    assertEquals("Q", all.get(1).get("frequency").asText());
    assertEquals(16, all.get(2).get("series").asInt());
    double both = all.get(0).get("mase").asDouble() + all.get(1).get("mase").asDouble();
    assertEquals(both / 2, all.get(2).get("mase").asDouble(), 1e-9, "means over series");
    assertTrue(
        all.get(0).get("mase").asDouble() < 3, "a walk in the order of numbers: " + all.get(0));
    // changes of independent noise from season to season are √2 larger than the noise
    assertEquals(0.71, all.get(1).get("mase").asDouble(), 0.25, "the season is found: " + all);
  }

  @Test
  void missingFilesAndSetsAreNamed() throws IOException {
    assertTrue(trial.refused("bench forecasts @none").contains("there is no folder"));
    assertTrue(trial.refused("bench forecasts @sets --set other").contains("it has made"));
    Files.delete(folder.resolve("sets/made_test.csv.gz"));
    assertTrue(trial.refused("bench forecasts @sets").contains("made_test.csv.gz"));
    Files.delete(folder.resolve("sets/made_train.csv.gz"));
    assertTrue(trial.refused("bench forecasts @sets").contains("_train.csv.gz"));
  }

  /// A program in place of R that forecasts the last value, with quantiles around it, and knows
  /// nothing of the first series.
  private void writePeer(Path file) throws IOException {
    Files.writeString(
        file,
        """
        #!/bin/sh
        awk -F, -v h=$4 'NR > 1 { last[$1] = $2 }
          END {
            printf "series,step,milliseconds,0.025"; for (i = 1; i < 20; i++) printf ",%s", i / 20
            print ",0.975"
            for (s in last) if (s > 0) for (k = 1; k <= h; k++) {
              printf "%s,%d,7,%s", s, k, last[s] - 2
              for (i = 1; i < 20; i++) printf ",%s", last[s] + (i - 10) / 10
              print "," last[s] + 2
            }
          }' $2 > $3
        """);
    assertTrue(file.toFile().setExecutable(true));
  }

  @Test
  void peersForecastTheSameSeries() throws IOException {
    writePeer(folder.resolve("peer"));
    trial.ok("bench forecasts @sets --peers ets --limit 5 --rscript @peer --out @f.json");
    JsonNode all = new ObjectMapper().readTree(folder.resolve("f.json").toFile());
    assertEquals(6, all.size());
    JsonNode own = all.get(0);
    JsonNode peer = all.get(1);
    assertEquals("lovelace", own.get("method").asText());
    assertEquals("ets", peer.get("method").asText());
    assertEquals(5, own.get("series").asInt());
    assertEquals(4, peer.get("series").asInt());
    assertEquals(7, peer.get("cpu_ms_per_series").asDouble(), 1e-12);
    assertTrue(own.get("coverage95_se").asDouble() >= 0);
    assertTrue(peer.get("mase_difference_se").asDouble() > 0, "" + peer);
    // Seasons around 100 by one value.
    assertTrue(all.get(3).get("mase_difference").asDouble() > 5, "" + all.get(3));
  }

  @Test
  void withoutRThePeersAreLeftOut() throws IOException {
    trial.ok("bench forecasts @sets --peers ets --limit 3 --rscript @none --out @f.json");
    assertEquals(3, new ObjectMapper().readTree(folder.resolve("f.json").toFile()).size());
    assertTrue(trial.refused("bench forecasts @sets --limit 0").contains("--limit must be ≥ 1"));
  }
}
