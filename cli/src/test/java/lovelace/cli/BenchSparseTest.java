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

class BenchSparseTest {

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void trial() {
    trial = new Trial(folder);
  }

  private JsonNode json(String name) throws IOException {
    return new ObjectMapper().readTree(folder.resolve(name).toFile());
  }

  @Test
  void partsAndRowsOfOneGrid() throws IOException {
    String out = trial.ok("bench sparse 14x9 --neighbours 12 --rows 1e2,3000 --out @s.json");
    JsonNode one = json("s.json").get("grids").get(0);
    assertEquals("14x9", one.get("grid").asText());
    assertEquals(126, one.get("nodes").asInt());
    assertEquals(12, one.get("neighbours").asInt());
    for (String key :
        List.of(
            "regressions_s",
            "order_s",
            "factor_s",
            "factor_gflops",
            "dense_gflops",
            "factor_to_dense",
            "inverse_s",
            "solve_s",
            "solve16_s",
            "factor_mb",
            "peak_mb")) assertTrue(one.get(key).asDouble() > 0, () -> key + " of " + one);
    assertEquals(
        one.get("factor_gflops").asDouble() / one.get("dense_gflops").asDouble(),
        one.get("factor_to_dense").asDouble(),
        1e-9);
    assertTrue(one.get("largest_front").asInt() <= 126);
    assertTrue(one.get("residual").asDouble() < 1e-10, one::toString);
    JsonNode rows = json("s.json").get("rows");
    assertEquals(2, rows.size());
    assertEquals(100, rows.get(0).get("rows").asLong());
    assertEquals(3000, rows.get(1).get("rows").asLong());
    for (JsonNode each : rows)
      for (String key : List.of("pass_s", "posterior_s", "likelihood_gradient_s"))
        assertTrue(each.get(key).asDouble() > 0, each::toString);
    assertTrue(out.contains("14x9") && out.contains("3,000") && out.contains("dpotrf"), out);
    String err = trial.err();
    assertTrue(err.startsWith("lovelace: sparse engine, 12 neighbours, on 14x9; then rows"), err);
    assertTrue(err.contains("lovelace: 14x9: factor"), err);
  }

  @Test
  void gridsAreMeasuredInProcessesOfTheirOwn() throws IOException {
    String out = trial.ok("bench sparse 9x8 6x5x6 --rows 0 --json --threads 1");
    JsonNode all = new ObjectMapper().readTree(out);
    assertEquals(2, all.get("grids").size());
    assertEquals(180, all.get("grids").get(1).get("nodes").asInt());
    assertTrue(all.get("rows") == null, out);
  }

  @Test
  void aBoxHasItsCertificate() throws IOException {
    String out = trial.ok("bench box --points 10 --rows 2000 --tolerance 0.3 --out @b.json");
    JsonNode box = json("b.json");
    assertTrue(box.get("certificate").get("reached").asDouble() < 0.3, box::toString);
    assertTrue(box.get("fit_s").asDouble() > 0 && box.get("peak_mb").asDouble() > 10);
    assertTrue(out.contains("2,000 on 10 × 10 × 10 nodes") && out.contains("variances"), out);
    assertTrue(trial.err().contains("lovelace: box: plan: sparse engine"), trial.err());
  }

  @Test
  void veryManyRowsCanBeFew() throws IOException {
    String out = trial.ok("bench billion --rows 2e4 --points 20 --out @b.json --quarters 0");
    assertEquals(20_000, json("b.json").get("rows").asLong());
    assertFalse(json("b.json").has("difference"));
    assertTrue(json("b.json").get("processor_s").asDouble() > 0);
    assertTrue(json("b.json").get("error_in_deviations").asDouble() > 0.5);
    assertTrue(out.contains("20,000 on 20 × 20 nodes") && out.contains("103 s, 12 cores"), out);
    assertFalse(out.contains("twice"), out);
  }

  @Test
  void wrongUseIsNamedBeforeAnyWork() {
    String shape = trial.refused("bench sparse 14by9");
    assertTrue(shape.contains("'14by9'") && shape.contains("500x300"), shape);
    assertTrue(trial.refused("bench sparse 14x3").contains("5 points"));
    String large = trial.refused("bench sparse 90000x90000");
    assertTrue(large.contains("GB") && large.contains("-Xmx"), large);
    assertTrue(trial.refused("bench sparse 9x9 --rows 1.5").contains("--rows"));
    assertTrue(trial.refused("bench sparse 9x9 --rows many").contains("'many'"));
    assertTrue(trial.refused("bench sparse 9x9 --neighbours 0").contains("--neighbours"));
    assertTrue(trial.refused("bench sparse 9x9 --out @no/s.json").contains("--out"));
    assertTrue(trial.refused("bench box --points 3").contains("--points"));
    assertTrue(trial.refused("bench box --tolerance 2").contains("--tolerance"));
    assertTrue(trial.refused("bench billion --rows 3").contains("--rows"));
    assertTrue(trial.refused("bench billion --quarters 5").contains("--quarters"));
    assertTrue(trial.refused("bench billion --points 5000").contains("--points"));
    assertFalse(Files.exists(folder.resolve("no")));
  }
}
