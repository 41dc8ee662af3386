package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import lovelace.onnx.OnnxFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The output that docs/areas.md, docs/diagnostics.md and docs/export.md show.
class AreasPageTest {

  @TempDir private Path folder;

  /// Runs the blocks of a page that are typed into a shell, one after another.
  private void run(String page, int count) throws Exception {
    List<String> blocks =
        Stream.of(Files.readString(Path.of("../docs/" + page)).split("```sh\n", -1))
            .skip(1)
            .map(part -> part.substring(0, part.indexOf("```")))
            .toList();
    assertEquals(count, blocks.size());
    for (String block : blocks) {
      int first = block.indexOf("lovelace ");
      Process script =
          new ProcessBuilder("sh", "-c", block.substring(0, first))
              .directory(folder.toFile())
              .inheritIO()
              .start();
      assertEquals(0, script.waitFor());
      Trial trial = new Trial(folder);
      for (String line : block.substring(first).lines().toList())
        trial.ok(
            line.replaceFirst("^lovelace ", "")
                .replaceAll(" (\\w+\\.(csv|lvl|geojson|onnx|parquet)|checks\\b)", " @$1"));
    }
  }

  @Test
  void everyCommandOfThePageOfAreasWorks() throws Exception {
    run("areas.md", 2);
    List<String> areas = Files.readAllLines(folder.resolve("areas.csv"));
    assertEquals("field,crop,mean,standard_error,lower,upper,cells,outside", areas.getFirst());
    assertEquals(3, areas.size());
    double[] ring =
        Stream.of(areas.get(2).split(",")).skip(2).mapToDouble(Double::parseDouble).toArray();
    // 5 + 2 sin(x/2) + cos(y/3) over the ring
    double sum = 0;
    int n = 0;
    for (double x = 2.05; x < 8; x += 0.1)
      for (double y = 1.05; y < 5; y += 0.1)
        if (Math.abs(x - 5) > 1 || Math.abs(y - 3) > 1) {
          sum += 5 + 2 * Math.sin(x / 2) + Math.cos(y / 3);
          n++;
        }
    assertEquals(sum / n, ring[0], 4 * ring[1]);
    assertTrue(ring[1] > 0.002 && ring[1] < 0.05, () -> "standard error " + ring[1]);
    assertEquals(3, Files.readAllLines(folder.resolve("regions.csv")).size());
  }

  @Test
  void everyCommandOfThePageOfDiagnosticsWorks() throws Exception {
    run("diagnostics.md", 1);
    Path checks = folder.resolve("checks");
    assertEquals(301, Files.readAllLines(checks.resolve("loo.csv")).size());
    assertTrue(Files.readAllLines(checks.resolve("coverage.csv")).getLast().startsWith("held out"));
  }

  @Test
  void everyCommandOfThePageOfExportWorks() throws Exception {
    run("export.md", 2);
    OnnxFile file = OnnxFile.read(folder.resolve("model.onnx"));
    assertEquals(Files.size(folder.resolve("model.onnx")), file.bytes());
    assertEquals("300", String.valueOf(file.facts().get("rows")));
    int[] rows = {0};
    try (Table table = Table.open(folder.resolve("table.parquet").toString(), System.in)) {
      table.read(
          Reading.of(Reading.Missing.ERROR, table.column("x"), table.column("stddev")),
          (count, columns) -> rows[0] += count);
    }
    assertEquals(40_000, rows[0]);
  }
}
