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
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchTablesTest {

  private static final List<String> KEYS =
      List.of(
          "set", "n", "d", "model", "rmse", "nlpd", "coverage", "fit_s", "predict_us", "peak_mb");

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void sets() throws IOException {
    trial = new Trial(folder);
    writeSet(folder.resolve("sets/small"), 160);
  }

  private static void zip(Path file, String text) throws IOException {
    try (var stream = new GZIPOutputStream(Files.newOutputStream(file))) {
      stream.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /// A product of two columns beside a useless, a whole and a constant one; every fifth row is
  /// scored in split 0, every fourth in split 1.
  static void writeSet(Path to, int rows) throws IOException {
    Files.createDirectories(to);
    var random = new SplittableRandom(3);
    StringBuilder data = new StringBuilder();
    StringBuilder mask = new StringBuilder();
    for (int i = 0; i < rows; i++) {
      double a = random.nextDouble(-1, 1);
      double b = random.nextDouble(-1, 1);
      double y = 100 + 50 * a * b + random.nextGaussian();
      data.append("%s,%s,%s,%s,7,%s%n".formatted(a, b, random.nextDouble(), random.nextInt(4), y));
      mask.append("%s,%s%n".formatted(i % 5 == 0 ? 1 : 0, i % 4 == 0 ? 1 : 0));
    }
    zip(to.resolve("data.csv.gz"), data.toString());
    zip(to.resolve("test_mask.csv.gz"), mask.toString());
  }

  private JsonNode json(String name) throws IOException {
    return new ObjectMapper().readTree(folder.resolve(name).toFile());
  }

  private static List<String> keys(JsonNode one) {
    List<String> keys = new ArrayList<>();
    one.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  @Test
  void modelsAreMeasuredInProcessesOfTheirOwnAndOneThatFailsLosesNothing() throws IOException {
    Files.createDirectory(folder.resolve("sets/other"));
    Files.createDirectory(folder.resolve("sets/flat")); // nothing to learn from
    zip(folder.resolve("sets/flat/data.csv.gz"), "1,2,3,4,5\n".repeat(9));
    zip(folder.resolve("sets/flat/test_mask.csv.gz"), "0\n".repeat(8) + "1\n");
    int code =
        trial.run(
            "bench tables @sets --method auto --method exact --method additive --warmup 0"
                + " --out @r.json --out @p");
    String out = trial.out();
    assertEquals(Errors.WRONG_USE, code, trial.err());
    assertTrue(
        trial.err().contains("lovelace: flat, additive failed with exit code 2"), trial.err());
    assertTrue(out.contains("– flat, exact: it failed with exit code 2"), out);
    assertTrue(trial.err().contains("sets/other', which has no data.csv.gz"), trial.err());
    JsonNode all = json("r.json");
    assertEquals(3, all.size());
    for (JsonNode one : all) {
      assertEquals(KEYS, keys(one).subList(0, KEYS.size()));
      for (String key : KEYS)
        if (!key.equals("set") && !key.equals("model"))
          assertTrue(one.get(key).isNumber(), () -> key + " of " + one);
      assertEquals("small", one.get("set").asText());
      assertEquals(128, one.get("n").asInt());
      assertEquals(5, one.get("d").asInt());
      assertEquals(32, one.get("test_rows").asInt());
    }
    JsonNode auto = all.get(0);
    JsonNode exact = all.get(1);
    assertEquals("auto", auto.get("model").asText());
    assertEquals("additive", all.get(2).get("model").asText());
    // noise has a deviation of 1, the target one of 17; a sum of functions cannot make a product
    assertTrue(auto.get("rmse").asDouble() < 0.3, auto.toString());
    assertTrue(exact.get("rmse").asDouble() < 0.3, exact.toString());
    assertTrue(all.get(2).get("rmse").asDouble() > 0.7, all.get(2).toString());
    assertTrue(exact.get("ended").asBoolean(), exact.toString());
    for (String key : List.of("one_50_us", "batch_50_us"))
      assertTrue(auto.get(key).asDouble() > 0, auto.toString());
    assertTrue(auto.get("one_200_us").isNull(), "there are only 128 rows");
    double ratio = auto.get("rmse").asDouble() / exact.get("rmse").asDouble();
    assertTrue(
        out.contains(
            String.format(
                Locale.ROOT, "small: auto's RMSE is %.3f times that of the exact", ratio)),
        out);
    assertTrue(out.contains("times that of the best other model, additive"), out);
    assertTrue(out.contains("Share inside 95 % intervals: "), out);
    assertTrue(ImageIO.read(folder.resolve("p/tables.png").toFile()).getWidth() > 500);
  }

  @Test
  void scoresDoNotDependOnTheUnitOfTheTarget() throws IOException {
    String line = "bench tables @sets --set small --split 1 --method additive --warmup 0 --json";
    JsonNode one = new ObjectMapper().readTree(trial.ok(line)).get(0);
    assertEquals(120, one.get("n").asInt(), "split 1 has other rows");
    assertTrue(keys(one).contains("kernel") && keys(one).contains("engine"), one.toString());
    assertFalse(keys(one).contains("one_50_us"), "a lattice holds no rows");
    double rmse = one.get("rmse").asDouble();
    assertTrue(rmse > 0.7 && rmse < 1.6, "in deviations of the target: " + rmse);
    double nlpd = one.get("nlpd").asDouble();
    assertTrue(nlpd > 1 && nlpd < 2.2, "about that of a standard Gaussian, 1.42: " + nlpd);
  }

  @Test
  void aTableCanBeMadeUp() throws IOException {
    String line = "bench tables --rows 210 --columns 4 --method neighbours --warmup 0 --json";
    JsonNode one = new ObjectMapper().readTree(trial.ok(line)).get(0);
    assertEquals("synthetic", one.get("set").asText());
    assertEquals(210, one.get("n").asInt());
    assertEquals(4, one.get("d").asInt());
    assertEquals("neighbours", one.get("engine").asText());
    assertTrue(one.get("neighbours").asInt() > 0, one.toString());
    for (String key : List.of("one_50_us", "batch_50_us", "one_200_us", "batch_200_us"))
      assertTrue(one.get(key).asDouble() > 0, one.toString());
    assertTrue(one.get("rmse").asDouble() > one.get("noise_rmse").asDouble(), one.toString());
    assertTrue(one.get("rmse").asDouble() < 0.8, one.toString());
  }

  @Test
  void exactIsLeftOutWhereItTakesTooLongAndTheTableSaysSo() throws IOException {
    String out = trial.ok("bench tables --rows 20000 --columns 4 --method exact");
    assertTrue(out.contains("– synthetic, exact: 20,000 rows take too long"), out);
    assertTrue(out.contains("to learn exactly; the limit is 15,000"), out);
  }

  @Test
  void wrongUseIsNamedBeforeAnyWork() throws IOException {
    assertTrue(trial.refused("bench tables").contains("name a folder of sets, or give --rows"));
    assertTrue(trial.refused("bench tables @nowhere").contains("'@nowhere' is not a folder"));
    Files.createDirectories(folder.resolve("empty/one"));
    assertTrue(trial.refused("bench tables @empty").contains("no folder with data.csv.gz"));
    String set = trial.refused("bench tables @sets --set pol");
    assertTrue(set.contains("--set: '@sets' has no set 'pol'; it has small"), set);
    String split = trial.refused("bench tables @sets --split 2");
    assertTrue(split.contains("split must be 0 to 1, got 2"), split);
    String model = trial.refused("bench tables @sets --method tree");
    assertTrue(model.contains("--method") && model.contains("projection, deep"), model);
    assertTrue(trial.refused("bench tables @sets --columns 3").contains("add --rows, or leave"));
    assertTrue(trial.refused("bench tables @sets --rows 100").contains("so DIR, --set and"));
    assertTrue(trial.refused("bench tables --rows 7").contains("--rows"));
    assertTrue(trial.refused("bench tables @sets --out @no/r.json").contains("--out"));
    Files.delete(folder.resolve("sets/small/test_mask.csv.gz"));
    String mask = trial.refused("bench tables @sets");
    assertTrue(mask.contains("no folder with data.csv.gz and test_mask.csv.gz"), mask);
  }
}
