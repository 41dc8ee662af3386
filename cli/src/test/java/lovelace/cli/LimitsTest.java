package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `--time` and `--memory`.
class LimitsTest {

  @Test
  void aTimeThatIsTooShortGivesAModelAndSaysByHowMuchItWasPassed(@TempDir Path folder)
      throws IOException {
    Trial trial = new Trial(folder);
    trial.write("a.csv", Trial.wave(0, 600));
    String late = "than --time 1.00e-06 allows";
    String out = trial.ok("fit @a.csv --target y --model @m.lvl --time 0.000001");
    assertTrue(out.contains("learning stopped"), out);
    List<String> told = trial.err().lines().filter(line -> line.contains(late)).toList();
    assertEquals(2, told.size(), trial.err());
    assertEquals(told.getFirst(), trial.err().lines().toList().getLast());
    String json = trial.ok("fit @a.csv --target y --model @m.lvl --time 0.000001 --json");
    assertTrue(json.contains("\"overtime\""), json);
    trial.ok("compare @a.csv --target y --kernels rbf --time 0.000001");
    trial.ok("fit @a.csv --target y --model @m.lvl --time 600 --memory 2g");
    assertFalse(trial.err().contains("allows"), trial.err());
  }

  @Test
  void limitsThatAreTooSmallStopWithAdviceAndKeepTheOldFile(@TempDir Path folder)
      throws IOException {
    Trial trial = new Trial(folder);
    trial.write("a.csv", Trial.wave(0, 600));
    trial.write("m.lvl", "old");
    String told = trial.refused("fit @a.csv --target y --engine exact --memory 2m --model @m.lvl");
    assertTrue(told.contains("the exact process of 600 rows needs 3 MB of memory"), told);
    assertTrue(told.contains("allow more memory (--memory)"), told);
    trial.write("p.csv", "a,b,y\n0,0,1\n1,0,2\n0,1,2\n1,1,4\n2,1,5\n");
    told = trial.refused("fit @p.csv --target y --grid 2100x2100 --memory 1g --model @m.lvl");
    assertTrue(told.contains("the 2100×2100 grid over"), told);
    assertTrue(
        told.contains("give fewer grid points (--grid) or allow more memory (--memory)"), told);
    assertEquals("old", Files.readString(trial.file("m.lvl")));
    for (String wrong : new String[] {"--time 0", "--time -3", "--memory x", "--memory 4q"})
      assertTrue(
          trial
              .refused("fit @a.csv --target y --model @m.lvl " + wrong)
              .contains(wrong.split(" ", -1)[0] + " must be"),
          trial.err());
  }
}
