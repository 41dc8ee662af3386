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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchMapTest {

  private static final List<String> KEYS =
      List.of(
          "kernel",
          "mae",
          "rmse",
          "crps",
          "interval_score",
          "coverage",
          "fit_s",
          "predict_s",
          "peak_mb",
          "log_marginal_likelihood",
          "certificate",
          "exceedance");

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void map() throws IOException {
    trial = new Trial(folder);
    writeMap(folder.resolve("map"), 12, 9);
  }

  private static void zip(Path file, String text) throws IOException {
    try (var stream = new GZIPOutputStream(Files.newOutputStream(file))) {
      stream.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /// Pixels of a smooth function with a hole in the middle; one held-out pixel has no value.
  static void writeMap(Path to, int across, int up) throws IOException {
    Files.createDirectory(to);
    var random = new SplittableRandom(5);
    StringBuilder train = new StringBuilder("east,north,warmth\n");
    StringBuilder test = new StringBuilder("east,north,warmth\n");
    for (int i = 0; i < across; i++)
      for (int j = 0; j < up; j++) {
        double y = 20 + 3 * Math.sin(0.5 * i) + 2 * Math.cos(0.6 * j) + 0.2 * random.nextGaussian();
        boolean hidden = Math.abs(i - across / 2) < 2 && Math.abs(j - up / 2) < 2;
        boolean never = i == across / 2 && j == up / 2;
        (hidden ? test : train)
            .append("%s,%s,%s%n".formatted(0.25 * i, j, never ? "NA" : String.valueOf(y)));
      }
    zip(to.resolve("train.csv.gz"), train.toString());
    zip(to.resolve("test.csv.gz"), test.toString());
  }

  private JsonNode json(String name) throws IOException {
    return new ObjectMapper().readTree(folder.resolve(name).toFile());
  }

  private static Set<Integer> colours(Path picture) throws IOException {
    var image = ImageIO.read(picture.toFile());
    Set<Integer> all = new HashSet<>();
    for (int x = 0; x < image.getWidth(); x += 3)
      for (int y = 0; y < image.getHeight(); y += 3) all.add(image.getRGB(x, y));
    return all;
  }

  /// The blocks of docs/maps.md on maps with gaps that are typed into a shell.
  private static List<String> page() throws IOException {
    List<String> blocks = new ArrayList<>();
    String page = Files.readString(Path.of("../docs/maps.md"));
    for (String part :
        page.substring(page.indexOf("## Maps with gaps")).split("```sh(?: long)?\n", -1))
      if (!part.startsWith("#")) blocks.add(part.substring(0, part.indexOf("```")));
    return blocks;
  }

  /// A command of the page on files of the folder.
  private static String here(String line) {
    return line.replaceFirst("^lovelace ", "")
        .replaceAll(" (heaton|mymap|pictures|map\\.(?=lvl|png)|filled)", " @$1");
  }

  @Test
  void kernelsAreMeasuredInProcessesOfTheirOwnAndOneThatFailsLosesNothing() throws IOException {
    writeMap(folder.resolve("heaton"), 12, 9);
    // a folder where the last picture goes
    Files.createDirectories(folder.resolve("pictures/matern12+matern32.png"));
    int code = trial.run(here(page().getFirst().strip()) + " --threads 1");
    assertEquals(Errors.FAILURE, code, trial.err());
    assertTrue(
        trial.err().contains("lovelace: matern12 + matern32 failed with exit code 1"), trial.err());
    JsonNode all = json("heaton.json");
    assertEquals(2, all.size());
    for (JsonNode one : all) {
      List<String> keys = new ArrayList<>();
      one.fieldNames().forEachRemaining(keys::add);
      assertEquals(KEYS, keys);
      for (String key : KEYS.subList(1, KEYS.size() - 2))
        assertTrue(one.get(key).isNumber(), () -> key + " of " + one);
      double rmse = one.get("rmse").asDouble();
      assertTrue(rmse > 0.1 && rmse < 1.5, "noise has deviation 0.2: " + rmse);
      assertTrue(one.get("mae").asDouble() < rmse);
      assertTrue(one.get("peak_mb").asDouble() > 30);
      JsonNode exceedance = one.get("exceedance");
      assertEquals(3, exceedance.size());
      for (JsonNode threshold : exceedance) {
        int pixels = 0;
        for (JsonNode each : threshold.get("classes")) pixels += each.get("pixels").asInt();
        assertEquals(8, pixels, "every pixel that is scored is in a class");
      }
    }
    assertEquals("matern12", all.get(0).get("kernel").asText());
    assertEquals("matern12, linear mean", all.get(1).get("kernel").asText());
    String out = trial.out();
    assertTrue(out.contains("108 pixels, 99 of them learned from and 8 scored"), out);
    assertTrue(out.contains("matern12, linear mean  ") && out.contains("peak MB"), out);
    assertFalse(out.contains("Heaton"), "the map is not the published one: " + out);
    assertTrue(out.contains("base rate  calibration error"), out);
    for (String name : List.of("matern12-exceedance.png", "matern12-linear-mean-exceedance.png"))
      assertTrue(colours(folder.resolve("pictures").resolve(name)).size() > 5, name);
    for (String name : List.of("matern12.png", "matern12-linear-mean.png")) {
      assertTrue(out.contains(name), out);
      int colours = colours(folder.resolve("pictures").resolve(name)).size();
      assertTrue(colours > 100, name + " has " + colours + " colours");
    }
    String err = trial.err();
    assertTrue(err.contains("lovelace: matern12, linear mean: fitting 108 pixels"), err);
    assertTrue(err.contains("lovelace: matern12: plan: exact"), err);
    // a lengthscale for each column
    assertTrue(err.matches("(?s).*matern12.lengthscale [\\d.]+ and [\\d.]+,.*"), err);
  }

  @Test
  void theCommandsOfThePageWorkAndGiveItsScores() throws Exception {
    List<String> blocks = page();
    assertEquals(3, blocks.size());
    String own = blocks.get(1);
    int command = own.indexOf("lovelace bench map");
    Process script =
        new ProcessBuilder("sh", "-c", own.substring(0, command))
            .directory(folder.toFile())
            .inheritIO()
            .start();
    assertEquals(0, script.waitFor());
    String out = trial.ok(here(own.substring(command).strip()));
    String wanted = row(Files.readString(Path.of("../docs/maps.md")));
    String found = row(out);
    for (int score = 1; score <= 6; score++)
      assertEquals(
          Double.parseDouble(wanted.split(" +", -1)[score]),
          Double.parseDouble(found.split(" +", -1)[score]),
          score == 6 ? 0.5 : 0.015, // about a digit of what is printed; 6 is log L
          wanted + " is now " + found);
    for (String line : blocks.get(2).lines().toList()) trial.ok(here(line));
    // the row under the names, one for each row of the table: all have a prediction
    assertEquals(51, Files.readAllLines(folder.resolve("filled.csv")).size());
  }

  /// The row of a kernel in a table that was printed.
  private static String row(String text) {
    return text.lines().filter(line -> line.matches("matern32 +\\d.*")).findFirst().orElseThrow();
  }

  @Test
  void oneKernelCanPrintItsJson() throws IOException {
    String out = trial.ok("bench map @map --kernel rbf --json --out @p --engine exact --time 60");
    JsonNode one = new ObjectMapper().readTree(out).get(0);
    assertEquals("rbf", one.get("kernel").asText());
    assertTrue(one.get("certificate").isNull(), "the exact process needs none");
    assertTrue(Files.exists(folder.resolve("p/rbf.png")));
  }

  @Test
  void aGridCarriesItsCertificate() throws IOException {
    String out = trial.ok("bench map @map --kernel rbf --json --out @p --engine spectral");
    JsonNode certificate = new ObjectMapper().readTree(out).get(0).get("certificate");
    assertTrue(certificate.get("reached").isNumber(), out);
    assertTrue(certificate.get("met").isBoolean(), out);
  }

  @Test
  void wrongUseIsNamedBeforeAnyWork() throws IOException {
    String missing = trial.refused("bench map @nowhere --out @p");
    assertTrue(missing.contains("'@nowhere' has no file 'train.csv.gz'"), missing);
    assertTrue(trial.refused("bench map @map --kernel mattern --out @p").contains("--kernel"));
    assertTrue(trial.refused("bench map @map --mean cubic --out @p").contains("--mean"));
    assertTrue(trial.refused("bench map @map --time 0 --out @p").contains("--time"));
    assertTrue(trial.refused("bench map @map --memory much --out @p").contains("--memory"));
    assertTrue(trial.refused("bench map @map --out @no/r.json --out @p").contains("--out"));
    assertTrue(trial.refused("bench map @map --out @map/train.csv.gz").contains("--out"));
    String column = trial.refused("bench map @map --out @p --kernel 'rbf[7]'");
    assertTrue(column.contains("--kernel"), column);
    assertFalse(Files.exists(folder.resolve("p")));
  }
}
