package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Pictures of counts, as the command draws them.
class LikelihoodPlotTest {

  @TempDir static Path folder;

  private final Trial trial = new Trial(folder);

  @BeforeAll
  static void fit() throws IOException {
    StringBuilder csv = new StringBuilder("x,count,hours\n");
    for (int i = 0; i < 24; i++) csv.append(i).append(',').append(2 * (i % 5)).append(",2\n");
    Trial trial = new Trial(folder);
    trial.write("t.csv", csv.toString());
    trial.ok(
        "fit @t.csv --inputs x --target count --likelihood poisson --exposure hours --kernel rbf"
            + " --set lengthscale=5 --set outputscale=1 --set mean=0 --no-train --model @m.lvl");
  }

  @Test
  void countsAreDrawnPerUnitOfExposure() throws IOException {
    trial.ok("plot @m.lvl @t.csv --exposure hours --out @p.html");
    String page = Files.readString(folder.resolve("p.html"));
    assertTrue(page.contains("rate of count"), "the axis says what is drawn");
    assertTrue(
        page.contains("\"y\":[0,1,2,3,4,0,1,2,3,4,") || page.contains("0.0,1.0,2.0,3.0,4.0"));
    trial.ok("plot @m.lvl --of observation --out @o.svg");
    assertTrue(Files.readString(folder.resolve("o.svg")).contains("observations of exposure 1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plot @m.lvl --of probability --out @w.svg|can predict only function, rate, observation",
        "plot @m.lvl --of rate --of observation --out @w.svg|--of is given more than once; give it once",
        "plot @m.lvl @t.csv --trials hours --out @w.svg|--trials is for likelihood binomial",
      })
  void whatCannotBeDrawnIsRefused(String line, String message) {
    String said = trial.refused(line);
    assertTrue(said.contains(message), said);
    assertTrue(Files.notExists(folder.resolve("w.svg")));
  }
}
