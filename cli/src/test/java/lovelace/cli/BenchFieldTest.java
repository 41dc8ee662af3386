package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchFieldTest {

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void trial() {
    trial = new Trial(folder);
  }

  @Test
  void secondsOfThePlanAndScoresStandBesideThoseOfTheFit() throws Exception {
    String out = trial.ok("bench field --quick --out @f.json");
    for (String line :
        List.of("map ", "fit ", "predictions ", "RMSE ", "coverage ", "certificate "))
      assertTrue(out.lines().anyMatch(said -> said.startsWith(line)), line + ": " + out);
    JsonNode result = new ObjectMapper().readTree(folder.resolve("f.json").toFile());
    assertEquals(6000, result.get("pixels").asInt());
    assertEquals(4223, result.get("learned_from").asInt()); // 105,569 of 150,000
    assertEquals("sparse", result.get("engine").asText());
    assertTrue(result.get("planned_s").asDouble() > 0, out);
    assertTrue(result.get("fit_s").asDouble() > 0, out);
    // the process has variance 1 and lengthscale 32 pixels; hidden pixels are near observed ones
    assertTrue(result.get("rmse").asDouble() < 0.5, out);
    double coverage = result.get("coverage").asDouble();
    assertTrue(coverage > 0.9 && coverage < 0.99, out);
  }

  @Test
  void wrongUseIsNamed() throws Exception {
    assertTrue(trial.refused("bench field --lengthscale 0").contains("--lengthscale"));
    assertTrue(trial.refused("bench field --noise -1").contains("--noise"));
    assertTrue(trial.refused("bench field --quick --out @no/f.json").contains("--out"));
  }
}
