package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Ids without rows, by columns that stay the same in a series.
class NewSeriesTest {

  private static final String RUN =
      "forecast @sales.csv --id shop --target sold --horizon 3 --season none";

  @TempDir private Path folder;

  private Trial trial;

  /// Twelve shops: those in the south sell three times as much.
  @BeforeEach
  void table() throws IOException {
    trial = new Trial(folder);
    var random = new SplittableRandom(2);
    StringBuilder rows = new StringBuilder("shop,region,size,month,sold\n");
    for (int s = 0; s < 12; s++)
      for (int t = 0; t < 24; t++) {
        double level = s % 2 == 0 ? 100 : 300;
        rows.append(
            String.format(
                Locale.ROOT,
                "%d,%s,%d,%d-%02d-01,%.2f%n",
                s,
                s % 2 == 0 ? "north" : "south",
                50 + s,
                2022 + t / 12,
                t % 12 + 1,
                level * (1 + 0.05 * random.nextGaussian())));
      }
    trial.write("sales.csv", rows.toString());
    trial.write("new.csv", "shop,region\n20,north\n21,south\n22,west\n3,south\n");
  }

  private static double value(String row, int column) {
    return Double.parseDouble(row.split(",", -1)[column]);
  }

  @Test
  void newIdsAreForecastByThoseThatAreAlike() throws IOException {
    String said =
        trial.ok(
            RUN
                + " --new @new.csv --out @f.csv --total 2 --total-out @t.csv --draws 200 --draws-out @d.csv --report @r.json");
    assertTrue(
        said.contains("new         3 ids without rows, by series with similar region"), said);
    assertTrue(said.contains("12 by the library of processes, 3 new, by similar series"), said);
    assertTrue(said.contains("20: no rows; forecast by 12 series with similar region"), said);
    assertTrue(said.contains("no other series has its 'west', so the forecast is wide"), said);
    List<String> rows = Files.readAllLines(trial.file("f.csv"));
    assertEquals("shop,month,median,mean,lo-80,hi-80,lo-95,hi-95", rows.getFirst());
    assertEquals(1 + 15 * 3, rows.size());
    String north = rows.get(1 + 12 * 3);
    assertTrue(north.startsWith("20,2024-01-01,"), north);
    assertEquals(100, value(north, 2), 10);
    assertTrue(value(north, 5) < 130, "spread as that within and between shops: " + north);
    assertEquals(300, value(rows.get(1 + 13 * 3), 2), 30);
    String west = rows.get(1 + 14 * 3);
    assertTrue(value(west, 6) < 90 && value(west, 7) > 330, "either region is possible: " + west);
    List<String> totals = Files.readAllLines(trial.file("t.csv"));
    assertEquals(1 + 15, totals.size());
    assertEquals(200, value(totals.get(13), 3), 25);
    assertEquals(1 + 15 * 200 * 3, Files.readAllLines(trial.file("d.csv")).size());
    assertTrue(Files.readString(trial.file("r.json")).contains("\"new\""));
  }

  @Test
  void thePlanMayHaveNewIds() throws IOException {
    StringBuilder plan = new StringBuilder("shop,region,size,month\n");
    for (String shop : List.of("0,north,50", "30,south,55"))
      for (int month = 1; month <= 3; month++)
        plan.append(String.format(Locale.ROOT, "%s,2024-%02d-01%n", shop, month));
    trial.write("plan.csv", plan.toString());
    String said = trial.ok(RUN + " --future @plan.csv --static region --out @f.csv");
    assertTrue(said.contains("new         1 id without rows, by series with similar region"), said);
    List<String> rows = Files.readAllLines(trial.file("f.csv"));
    assertEquals(1 + 13 * 3, rows.size());
    assertEquals(300, value(rows.get(1 + 12 * 3), 2), 30);
    assertFalse(said.contains("belongs to no series"), said);
  }

  @Test
  void wrongTablesOfNewIdsAreRefused() throws IOException {
    trial.write("none.csv", "shop,colour\n20,red\n");
    String said = trial.refused(RUN + " --new @none.csv");
    assertTrue(said.contains("share no column that stays the same in each series"), said);
    trial.write("names.csv", "store,region\n20,red\n");
    said = trial.refused(RUN + " --new @names.csv");
    assertTrue(said.contains("--new: '@names.csv' has no column 'shop'"), said);
    trial.write("old.csv", "shop,region\n3,south\n");
    said = trial.refused(RUN + " --new @old.csv");
    assertTrue(said.contains("all ids of '@old.csv' are in '@sales.csv' too"), said);
    trial.write("two.csv", "shop,region\n20,north\n20,south\n");
    said = trial.refused(RUN + " --new @two.csv --static region");
    assertTrue(
        said.contains("is 'north' and 'south' within series 20; it must stay the same"), said);
    trial.write("words.csv", "shop,size\n20,large\n");
    said = trial.refused(RUN + " --new @words.csv");
    assertTrue(said.contains("column 'size' of '@words.csv' is 'large' for series 20"), said);
    assertTrue(trial.refused(RUN + " --static region").contains("add --new FILE"));
    said = trial.refused(RUN + " --new @new.csv --static colour");
    assertTrue(said.contains("--static: '@sales.csv' has no column 'colour'"), said);
  }
}
