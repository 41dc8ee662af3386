package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import lovelace.testing.Needs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchKrigingTest {

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void trial() {
    trial = new Trial(folder);
  }

  @Test
  @Needs("Rscript")
  void bothProgramsStandInOneTable() throws Exception {
    String out = trial.ok("bench kriging --rows 150 --global --out @k.json");
    for (String method :
        List.of(
            "true parameters",
            "Lovelace, told the family ",
            "Lovelace, told nothing ",
            "gstat, told the family ",
            "gstat, told nothing ",
            "gstat, told the family, all rows"))
      assertTrue(out.lines().anyMatch(line -> line.startsWith(method)), method + ": " + out);
    JsonNode all = new ObjectMapper().readTree(folder.resolve("k.json").toFile());
    assertEquals(6, all.size());
    double best = all.get(0).get("crps").asDouble();
    for (JsonNode one : all) {
      assertTrue(one.get("crps").asDouble() > 0.97 * best, "nothing beats the truth: " + one);
      assertTrue(one.get("rmse").asDouble() < 1, one.toString());
      assertTrue(one.get("predict_s").asDouble() >= 0, one.toString());
    }
  }

  @Test
  void withoutROursIsPrintedAndTheExitCodeIsNotZero() throws Exception {
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "bench",
            "kriging",
            "--rows",
            "100");
    builder.environment().put("PATH", folder.toString()); // has no Rscript
    Process process = builder.redirectError(err.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(Errors.FAILURE, process.waitFor(), Files.readString(err));
    assertTrue(out.contains("Lovelace, told the family"), out);
    assertFalse(out.contains("gstat"), out);
    String said = Files.readString(err);
    assertTrue(said.contains("r-cran-gstat") && said.contains("--ours"), said);
  }

  @Test
  void wrongUseIsNamed() throws Exception {
    assertTrue(trial.refused("bench kriging --rows 99").contains("--rows"));
    assertTrue(trial.refused("bench kriging --ours --global").contains("--global"));
    assertTrue(trial.refused("bench kriging --ours --out @no/k.json").contains("--out"));
  }
}
