package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands with models of the sparse engine: a map with a gap on its own grid, and scattered
/// rows as sites.
final class SparseCommandTest {

  private static final String SET =
      " --kernel matern12 --no-train --set outputscale=1 --set lengthscale=0.2,3 --set mean=0 ";

  @TempDir Path folder;
  private Trial trial = new Trial(Path.of("."));

  @BeforeEach
  void tables() throws IOException {
    trial = new Trial(folder);
    StringBuilder map = new StringBuilder("east,north,temp\n");
    StringBuilder gap = new StringBuilder("east,north,temp\n");
    for (int i = 0; i < 44; i++)
      for (int j = 0; j < 40; j++) {
        boolean hidden = Math.hypot(i - 20, j - 18) < 6;
        (hidden ? gap : map).append(row(10 + 0.05 * i, -4 + 0.5 * j));
      }
    trial.write("map.csv", map.toString());
    trial.write("gap.csv", gap.toString());
    var random = new SplittableRandom(3);
    StringBuilder sites = new StringBuilder("east,north,temp\n");
    for (int i = 0; i < 1600; i++)
      sites.append(row(10 + 2.2 * random.nextDouble(), -4 + 20 * random.nextDouble()));
    trial.write("sites.csv", sites.toString());
  }

  private static String row(double x, double y) {
    double value = Math.sin(3 * x) * Math.cos(0.2 * y) + 0.3 * Math.sin(40 * x + 3 * y);
    return String.format(Locale.ROOT, "%.3f,%.2f,%.4f%n", x, y, value);
  }

  private static String[] rows(String csv) {
    return csv.lines().skip(1).toArray(String[]::new);
  }

  /// Observed pixels without noise come back exactly, with variance 0; hidden ones do not. What is
  /// added and forgotten again leaves the model as it was.
  @Test
  void aMapWithoutNoiseIsKnownWhereItWasSeen() throws IOException {
    String said = trial.ok("fit @map.csv --target temp" + SET + "--set noise=0 --model @m.lvl");
    assertTrue(trial.err().contains("plan: sparse engine, there is no noise"), trial.err());
    assertTrue(said.contains("the data's own 44×40 grid"), said);
    assertTrue(said.contains("observed nodes pinned"), said);
    for (String row : rows(trial.ok("predict @m.lvl @map.csv"))) {
      String[] cells = row.split(",", -1);
      assertEquals(Double.parseDouble(cells[2]), Double.parseDouble(cells[3]), 1e-12, row);
      assertEquals(0, Double.parseDouble(cells[4]), row);
    }
    String hidden = trial.ok("predict @m.lvl @gap.csv");
    for (String row : rows(hidden))
      assertTrue(Double.parseDouble(row.split(",", -1)[4]) > 1e-3, row);
    trial.ok("update @m.lvl @gap.csv --model @all.lvl");
    String[] now = rows(trial.ok("predict @all.lvl @gap.csv"));
    for (String row : now) assertEquals(0, Double.parseDouble(row.split(",", -1)[4]), row);
    trial.ok("update @all.lvl @gap.csv --forget --model @again.lvl");
    String[] before = rows(hidden);
    String[] after = rows(trial.ok("predict @again.lvl @gap.csv"));
    for (int i = 0; i < before.length; i++)
      assertEquals(
          number(before[i], 3), number(after[i], 3), 1e-6 * Math.sqrt(number(after[i], 4)));
    trial.ok("plot @m.lvl @map.csv --out @map.png");
    assertTrue(Files.size(folder.resolve("map.png")) > 10_000);
    assertEquals(3, trial.ok("sample @m.lvl @gap.csv --draws 2").lines().limit(3).count());
    assertTrue(trial.ok("inspect @m.lvl").contains("sparse, 24 neighbours"));
  }

  private static double number(String row, int column) {
    return Double.parseDouble(row.split(",", -1)[column]);
  }

  /// Scattered rows of a rough kernel become sites. The file holds them, and an update is a fit of
  /// all rows.
  @Test
  void scatteredRowsBecomeSites() throws IOException {
    String set = SET + "--set noise=0.01 ";
    String said = trial.ok("fit @sites.csv --target temp" + set + "--model @m.lvl");
    assertTrue(
        trial.err().contains("the kernel is rough, and rows lie between grid points"), trial.err());
    String sites = said.replaceAll("(?s).*with ([0-9,]+ sites at the rows).*", "$1");
    assertTrue(sites.startsWith("1,"), said);
    assertTrue(trial.ok("inspect @m.lvl").contains("with the training rows"), trial.out());
    said = trial.ok("update @m.lvl @gap.csv --model @u.lvl");
    assertTrue(said.contains("sites at the rows"), said);
    assertFalse(said.contains(sites), said);
    String more = Files.readString(folder.resolve("gap.csv"));
    trial.write(
        "both.csv",
        Files.readString(folder.resolve("sites.csv")) + more.substring(more.indexOf('\n') + 1));
    trial.ok("fit @both.csv --target temp" + set + "--model @all.lvl");
    assertEquals(trial.ok("predict @all.lvl @map.csv"), trial.ok("predict @u.lvl @map.csv"));
    assertTrue(trial.ok("evaluate @u.lvl @map.csv").contains("RMSE"));
  }

  /// Exit code 2, with what to do.
  @Test
  void wrongUsesSayWhatToDo() throws IOException {
    String fit = "fit @map.csv --target temp --engine sparse --model @m.lvl --kernel ";
    String said = trial.refused(fit + "'matern12 + constant'");
    assertTrue(said.contains("leave constant and linear terms of the kernel out"), said);
    assertTrue(trial.refused(fit + "'matern12 + linear'").contains("leave constant"));
    said =
        trial.refused(
            fit
                + "rbf --no-train --set lengthscale=3,30 --set outputscale=1 --set noise=0.1"
                + " --set mean=0");
    assertTrue(said.contains("too smooth for the sparse engine"), said);
    said =
        trial.refused(
            "fit @map.csv --target temp --engine sparse --grid 300x300 --memory 200m"
                + SET
                + "--set noise=0.1 --model @m.lvl");
    assertTrue(said.contains("use a grid of at most about 1"), said);
    String map = Files.readString(folder.resolve("map.csv"));
    trial.write("twice.csv", map + "10,-4,7\n");
    said = trial.refused("fit @twice.csv --target temp" + SET + "--set noise=0 --model @m.lvl");
    assertTrue(said.contains("rows 1 and 1,652"), said);
    assertTrue(said.contains("at one place, east = 10.0, north = -4.0"), said);
    assertTrue(said.contains("the smallest noise that works is 1.01e-09"), said);
    StringBuilder four = new StringBuilder("a,b,c,d,y\n");
    var random = new SplittableRandom(4);
    for (int i = 0; i < 40; i++)
      for (int c = 0; c < 5; c++) four.append(random.nextDouble()).append(c < 4 ? "," : "\n");
    trial.write("four.csv", four.toString());
    said =
        trial.refused("fit @four.csv --target y --engine sparse --kernel matern12 --model @m.lvl");
    assertTrue(said.contains("at most three inputs"), said);
    assertFalse(Files.exists(folder.resolve("m.lvl")));
  }

  /// Rows that would take more memory than allowed are refused before anything is learned.
  @Test
  void sitesThatDoNotFitNameTheGridThatDoes() {
    String said =
        trial.refused("fit @sites.csv --target temp --kernel matern12 --memory 12m --model @m.lvl");
    assertTrue(said.contains("the sparse process of 1,600 rows needs"), said);
    assertTrue(said.contains("a grid of at most about "), said);
  }
}
