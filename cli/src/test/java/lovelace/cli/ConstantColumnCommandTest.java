package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands on a table with a column of one value.
class ConstantColumnCommandTest {

  @Test
  void aConstantColumnIsLeftOutNamedAndNotNeeded(@TempDir Path folder) throws IOException {
    Trial trial = new Trial(folder);
    StringBuilder with = new StringBuilder("x,depth,y\n");
    StringBuilder without = new StringBuilder("x,y\n");
    StringBuilder changed = new StringBuilder("x,depth,y\n");
    for (int i = 0; i < 60; i++) {
      double y = Math.sin(0.2 * i) + 0.01 * (i * 7 % 11);
      with.append(i).append(",2.5,").append(y).append('\n');
      without.append(i).append(',').append(y).append('\n');
      changed.append(i).append(i == 5 ? ",," : "," + i + ",").append(y).append('\n');
    }
    trial.write("with.csv", with.toString());
    trial.write("without.csv", without.toString());
    trial.write("changed.csv", changed.toString());
    String report = trial.ok("fit @with.csv --target y --model @m.lvl");
    assertTrue(report.contains("left out    depth = 2.5, the same in all rows"), report);
    assertTrue(trial.ok("inspect @m.lvl").contains("left out    depth = 2.5"));
    String json = trial.ok("inspect @m.lvl --json");
    assertTrue(
        json.replaceAll("\\s", "")
            .contains("\"left_out\":[{\"name\":\"depth\",\"unit\":\"\",\"value\":2.5}]"),
        json);
    trial.ok("predict @m.lvl @with.csv --out @a.csv");
    trial.ok("predict @m.lvl @without.csv --out @b.csv");
    assertEquals(
        Files.readAllLines(trial.file("b.csv")).size(),
        Files.readAllLines(trial.file("a.csv")).size());
    assertEquals(trial.ok("evaluate @m.lvl @with.csv"), trial.ok("evaluate @m.lvl @without.csv"));
    assertFalse(trial.ok("update @m.lvl @with.csv --model @n.lvl").contains("was 2.5"));
    String told = trial.ok("update @m.lvl @changed.csv --model @n.lvl");
    assertTrue(
        told.contains("column 'depth' was 2.5 in all rows of the fit and is 0.0 to 59.0"), told);
    assertTrue(
        trial.ok("update @n.lvl @without.csv --forget --model @o.lvl").contains("depth = 2.5"));
    trial.ok("merge @m.lvl @o.lvl --model @p.lvl");
    assertTrue(
        trial.ok("compare @with.csv --target y --kernels rbf").contains("left out: depth = 2.5"));
    trial.ok("plot @m.lvl @with.csv --out @p.svg");
  }
}
