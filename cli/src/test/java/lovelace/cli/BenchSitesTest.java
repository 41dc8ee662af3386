package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchSitesTest {

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void trial() {
    trial = new Trial(folder);
  }

  @Test
  void everySettingHasTimesAndErrors() throws IOException {
    String out = trial.ok("bench sites gaps/matern32/0.3/0.1/400 --cold --out @s.json");
    JsonNode one = new ObjectMapper().readTree(folder.resolve("s.json").toFile()).get(0);
    assertEquals("gaps/matern32/0.3/0.1/400", one.get("case").asText());
    for (JsonNode setting : one.get("trials"))
      for (String key : List.of("table_s", "map_s", "gaps_mean", "joint_covariance"))
        assertTrue(setting.get(key).asDouble() >= 0, () -> key + " of " + setting);
    assertTrue(out.contains("sites 40/3") && out.contains("neighbours 400"), out);
    assertTrue(out.contains("Cases that need sites, of 1"), out);
  }

  @Test
  void wrongUseIsNamedBeforeAnyWork() {
    String refused = trial.refused("bench sites nowhere/matern32/0.3/1/3000");
    assertTrue(
        refused.contains("nowhere") && refused.contains("gaps/matern32/0.3/1/3000"), refused);
    assertTrue(trial.refused("bench sites gaps/cubic/0.3/1/3000").contains("matern52"));
    assertTrue(trial.refused("bench sites gaps/rbf/0.3/1/30").contains("400"));
    assertTrue(trial.refused("bench sites --rows 1e9").contains("--rows"));
    assertTrue(trial.refused("bench sites --out @no/s.json").contains("--out"));
    assertFalse(Files.exists(folder.resolve("no")));
  }
}
