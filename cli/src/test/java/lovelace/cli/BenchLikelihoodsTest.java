package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchLikelihoodsTest {

  private static final List<String> KEYS =
      List.of("problem", "likelihood", "nlpd", "mse", "fit_s", "peak_mb");

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void start() {
    trial = new Trial(folder);
  }

  private static void zip(Path file, String text) throws IOException {
    try (var stream = new GZIPOutputStream(Files.newOutputStream(file))) {
      stream.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void aLatticeIsMeasuredWithTheTrueParametersAndWithLearnedOnes() throws IOException {
    int code = trial.run("bench likelihoods --case bernoulli --size 16 --draws 1 --out @l.json");
    assertEquals(0, code, trial.err());
    JsonNode all = new ObjectMapper().readTree(folder.resolve("l.json").toFile());
    assertEquals(2, all.size());
    for (JsonNode one : all) {
      List<String> keys = new ArrayList<>();
      one.fieldNames().forEachRemaining(keys::add);
      assertEquals(KEYS, keys.subList(0, KEYS.size()));
      assertEquals("bernoulli", one.get("likelihood").asText());
      assertTrue(one.get("mse").asDouble() < 1.5, one::toString);
      assertTrue(one.get("peak_mb").asDouble() > 30, one::toString);
    }
    assertEquals("lattice 16x16", all.get(0).get("problem").asText());
    assertEquals(1, all.get(0).get("exact_ratio").asDouble(), 0.02);
    assertFalse(all.get(0).has("published_mse"), "another lattice than the published one");
    assertTrue(trial.out().contains("Learned, bernoulli: "), trial.out());
  }

  /// Counts of a rate that changes, in three folds and a row without one.
  @Test
  void aSetIsScoredFoldByFoldBesideAPeer() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    StringBuilder rows = new StringBuilder("year,count,fold\n");
    for (int i = 0; i < 60; i++) {
      double rate = i < 30 ? 4 : 0.5;
      int count = 0;
      for (double at = random.nextExponential(); at < rate; at += random.nextExponential()) count++;
      rows.append(1900 + i).append(',').append(count).append(',');
      rows.append(i == 7 ? "" : i % 3).append('\n');
    }
    Path sets = Files.createDirectory(folder.resolve("sets"));
    zip(sets.resolve("coal.csv.gz"), rows.toString());
    zip(sets.resolve("peers.csv.gz"), "fold,coal\n0,2\n1,2\n2,2\n");
    assertEquals(0, trial.run("bench likelihoods @sets --case coal --json"), trial.err());
    JsonNode one = new ObjectMapper().readTree(trial.out()).get(0);
    assertEquals("coal", one.get("problem").asText());
    assertEquals("poisson", one.get("likelihood").asText());
    assertEquals(3, one.get("runs").asInt());
    double nlpd = one.get("nlpd").asDouble();
    assertTrue(nlpd > 1 && nlpd < 1.8, one::toString); // counts with the true rates have about 1.5
    assertEquals(nlpd - 2, one.get("nlpd_difference").asDouble(), 1e-9);
    assertTrue(one.get("nlpd_difference_se").asDouble() > 0, one::toString);
    // the peer lacks a fold
    zip(sets.resolve("peers.csv.gz"), "fold,coal\n0,2\n1,2\n");
    assertEquals(Errors.WRONG_USE, trial.run("bench likelihoods @sets --case coal --json"));
    assertTrue(trial.err().contains("has 0 rows for fold 2"), trial.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--case beta           | --case must be bernoulli, poisson, gamma, outliers or coal, banana, motorcycle, got 'beta'",
        "--case coal           | --case coal is a set; name the folder that has coal.csv.gz",
        "@                     | there is no file",
        "--size 3              | --size must lie between 16 and 2000, got 3",
        "--draws 0             | --draws must lie between 1 and 1000, got 0"
      })
  void wrongRequestsAreRefusedBeforeAnyWork(String arguments, String message) {
    assertEquals(Errors.WRONG_USE, trial.run("bench likelihoods " + arguments));
    assertTrue(trial.err().contains(message), trial.err());
  }
}
