package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A tolerance that a fit misses is said before and after everything else.
class MissedToleranceTest {

  private static final String FIT =
      "fit @t.csv --target y --kernel 'periodic(period=fixed(1))+rbf' --model @m.lvl";

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void write() throws IOException {
    trial = new Trial(folder);
    StringBuilder csv = new StringBuilder("x,y\n");
    for (int i = 0; i < 2500; i++) {
      double x = i / 24.0;
      double noise = Math.IEEEremainder(i * 0.618, 1);
      csv.append(x).append(',').append(3 * Math.sin(2 * Math.PI * x) + noise).append('\n');
    }
    trial.write("t.csv", csv.toString());
  }

  private List<String> told() {
    return trial.err().lines().filter(line -> line.startsWith("lovelace: the tolerance")).toList();
  }

  @Test
  void isToldFirstAndLastWithOptionsThatMeetIt() {
    String out = trial.ok(FIT + " --grid 400");
    List<String> told = told();
    assertEquals(2, told.size(), trial.err());
    assertEquals(told.getFirst(), trial.err().lines().toList().getLast());
    assertTrue(out.contains("RMSE") || out.contains("certificate"), out);
    String line = told.getFirst();
    assertTrue(line.contains("1.0 % were asked for; to meet it, fit again with --"), line);
    assertTrue(line.contains("--engine exact and no --grid"), line);
    for (String option :
        line.substring(line.indexOf("fit again with ") + 15)
            .replace(" and no --grid", "")
            .split(" or ", -1)) {
      boolean grid = option.startsWith("--tolerance");
      trial.ok(FIT + " " + option + (grid ? " --grid 400" : ""));
      assertEquals(List.of(), told(), option);
    }
  }

  @Test
  void isAFieldOfTheJson() {
    String json = trial.ok(FIT + " --grid 400 --json");
    assertTrue(json.contains("\"tolerance_missed\""), json);
    assertTrue(json.contains("\"remedies\""), json);
    assertEquals(1, told().size(), trial.err());
    assertTrue(trial.ok("inspect @m.lvl --json").contains("\"tolerance_missed\""));
  }

  @Test
  void isNotToldWhereItIsMet() {
    assertFalse(trial.ok(FIT + " --json").contains("tolerance_missed"), trial.out());
    assertEquals(List.of(), told());
  }
}
