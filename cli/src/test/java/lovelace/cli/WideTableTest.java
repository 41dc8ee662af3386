package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every verb on a table of five columns whose model holds its rows and predicts from neighbours.
class WideTableTest {

  private static final String GIVEN =
      " --target y --engine neighbours --kernel matern32 --no-train --set outputscale=1"
          + " --set lengthscale=0.8,0.8,1,3,9 --set noise=0.01 --set mean=0";

  @TempDir private Path folder;

  private Trial trial() {
    return new Trial(folder);
  }

  @BeforeEach
  void tables() throws IOException {
    var random = new SplittableRandom(5);
    StringBuilder[] parts = {new StringBuilder(), new StringBuilder()};
    for (StringBuilder part : parts) part.append("a,b,c,d,e,y\n");
    for (int i = 0; i < 260; i++) {
      double[] x = random.doubles(5).toArray();
      double y = Math.sin(4 * x[0] * x[1]) + x[2] * x[2] + 0.1 * random.nextGaussian();
      StringBuilder row = new StringBuilder();
      for (double v : x) row.append(v).append(',');
      parts[i < 200 ? 0 : 1].append(row).append(y).append('\n');
    }
    Files.writeString(folder.resolve("train.csv"), parts[0]);
    Files.writeString(folder.resolve("more.csv"), parts[1]);
  }

  @Test
  void rowsAreAddedAndForgotten() {
    Trial trial = trial();
    trial.ok("fit @train.csv --model @m.lvl" + GIVEN);
    String before = trial.ok("predict @m.lvl @more.csv");
    String updated = trial.ok("update @m.lvl @more.csv --model @u.lvl");
    assertTrue(updated.contains("neighbours (each prediction uses the"), updated);
    assertTrue(trial.ok("inspect @u.lvl").contains("with the training rows"));
    assertTrue(!trial.ok("predict @u.lvl @more.csv").equals(before), "the new rows count");
    trial.ok("update @u.lvl @more.csv --forget --model @b.lvl");
    assertEquals(before, trial.ok("predict @b.lvl @more.csv"));
    String json = trial.ok("inspect @b.lvl --json");
    assertTrue(json.contains("\"neighbours\": 200"), json);
    assertTrue(json.contains("\"holds_training_rows\": true"), json);
  }

  @Test
  void drawsSayHowTheyAreMade() {
    Trial trial = trial();
    trial.ok("fit @train.csv --model @m.lvl" + GIVEN);
    String draws = trial.ok("sample @m.lvl @more.csv --draws 2 --seed 3");
    assertTrue(trial.err().contains("given the 200 nearest of the model's rows"), trial.err());
    assertEquals(draws, trial.ok("sample @m.lvl @more.csv --draws 2 --seed 3"));
    List<String> lines = draws.lines().toList();
    assertEquals("a,b,c,d,e,y,draw1,draw2", lines.getFirst());
    assertEquals(61, lines.size());
  }

  @Test
  void foldsOfAComparisonAreOfTheSameEngine() {
    Trial trial = trial();
    String text =
        trial.ok("compare @train.csv --target y --engine exact --kernels matern32,rbf --folds 2");
    assertTrue(text.contains("200 rows, 2 folds"), text);
    assertEquals(4, text.lines().count(), text);
  }
}
