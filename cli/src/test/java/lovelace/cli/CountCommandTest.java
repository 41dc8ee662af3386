package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Counts and amounts through the command.
class CountCommandTest {

  @TempDir private Path folder;

  private Trial trial;

  /// Five series of counts, four of amounts with zeros.
  @BeforeEach
  void table() throws IOException {
    trial = new Trial(folder);
    SplittableRandom random = new SplittableRandom(8);
    StringBuilder rows = new StringBuilder("unique_id,ds,y\n");
    StringBuilder counts = new StringBuilder("unique_id,ds,y\n");
    for (int s = 0; s < 9; s++)
      for (int t = 0; t < 70; t++) {
        double y = random.nextInt(3) > 0 ? 0 : random.nextInt(1, 5);
        if (s >= 5) y *= 0.5 + random.nextInt(100) / 100.;
        String row =
            (s < 5 ? "n " : "kg ")
                + s
                + ","
                + LocalDate.of(2024, 1, 1).plusDays(t)
                + ","
                + y
                + "\n";
        rows.append(row);
        if (s < 5) counts.append(row);
      }
    trial.write("all.csv", rows.toString());
    trial.write("counts.csv", counts.toString());
  }

  private static double[] numbers(String line) {
    String[] cells = line.split(",", -1);
    double[] all = new double[cells.length - 2];
    for (int c = 2; c < cells.length; c++) all[c - 2] = Double.parseDouble(cells[c]);
    return all;
  }

  @Test
  void countsAreWholeAndNothingIsNegative() throws IOException {
    String said =
        trial.ok(
            "forecast @all.csv --horizon 7 --total 7 --total-out @sum.csv --draws 50 --draws-out @d.csv --out @f.csv --report @r.json");
    assertTrue(
        said.contains("5 series are counts, 4 are amounts with zeros, and 0 are numbers"), said);
    for (String file : List.of("f.csv", "sum.csv", "d.csv")) {
      List<String> lines = Files.readAllLines(trial.file(file));
      for (String line : lines.subList(1, lines.size())) {
        double[] found = numbers(file.equals("sum.csv") ? line.replaceFirst(",[^,]*,", ",") : line);
        for (int c = 0; c < found.length; c++) {
          assertTrue(found[c] >= 0, line);
          boolean mean = !file.equals("d.csv") && c == 1;
          if (line.startsWith("n ") && !mean) assertEquals(Math.rint(found[c]), found[c], line);
        }
      }
    }
    JsonNode report = new ObjectMapper().readTree(trial.file("r.json").toFile());
    assertEquals(5, report.get("likelihoods").get("counts").asInt());
    assertEquals(4, report.get("likelihoods").get("amounts").asInt());
  }

  @Test
  void kindsCanBeChosenAndWrongOnesAreNamed() throws IOException {
    String said = trial.ok("forecast @counts.csv --horizon 3 --likelihood numbers --out @f.csv");
    assertTrue(!said.contains("are counts"), said);
    String wrong = trial.refused("forecast @all.csv --horizon 3 --likelihood counts");
    assertTrue(
        wrong.contains("series 'kg 5': value ") && wrong.contains("counts are whole"), wrong);
    wrong = trial.refused("forecast @counts.csv --horizon 3 --likelihood counts --between 0,9");
    assertTrue(wrong.contains("--between") && wrong.contains("--likelihood counts"), wrong);
    wrong = trial.refused("forecast @counts.csv --horizon 3 --likelihood poisson");
    assertTrue(wrong.contains("--likelihood") && wrong.contains("poisson"), wrong);
  }

  @Test
  void backtestsScoreCounts() throws IOException {
    trial.ok("backtest @counts.csv --horizon 7 --windows 2 --json --out @cut.csv");
    List<String> lines = Files.readAllLines(trial.file("cut.csv"));
    assertEquals(1 + 5 * 2 * 7, lines.size());
  }
}
