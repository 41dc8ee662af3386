package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `--grid data`: the nodes of the data are those of the model.
final class DataGridTest {

  private static final String SET =
      " --no-train --set outputscale=1 --set noise=0.05 --set mean=0 --model @m.lvl ";

  @TempDir Path folder;

  /// Pixels of a map with gaps, their coordinates of few digits.
  private String map(String odd) {
    SplittableRandom random = new SplittableRandom(2);
    StringBuilder csv = new StringBuilder("east,north,temp\n");
    for (int i = 0; i < 20; i++)
      for (int j = 0; j < 14; j++)
        if ((3 * i + 5 * j) % 8 != 0 && i != 7)
          csv.append(
              String.format(
                  Locale.ROOT,
                  "%.5f,%.5f,%.3f%n",
                  -95.91153 + i * 0.0092739866,
                  34.29519 + j * 0.0092739783,
                  Math.sin(0.3 * i) + Math.cos(0.4 * j) + 0.1 * random.nextGaussian()));
    return csv + odd;
  }

  @Test
  void pixelsAreNodesOfTheModel() throws IOException {
    Trial trial = new Trial(folder);
    trial.write("map.csv", map(""));
    String fit = "fit @map.csv --target temp --grid data --kernel matern32 --set lengthscale=0.05";
    String said = trial.ok(fit + " --engine krylov" + SET);
    assertTrue(said.contains("the data's own 20×14 grid, with a margin of two: east 0.0092"), said);
    assertTrue(said.contains("of a step off a node are moved onto it"), said);
    assertTrue(trial.err().contains("24×18 grid"), trial.err());
    said = trial.ok("update @m.lvl @map.csv --model @u.lvl");
    assertTrue(said.contains("the data's own 20×14 grid"), said);
    assertTrue(trial.ok(fit + " --json" + SET).contains("the data's own 20×14 grid"));
  }

  @Test
  void hoursAreNodesOfTheModel() throws IOException {
    Trial trial = new Trial(folder);
    StringBuilder csv = new StringBuilder("time,load\n");
    for (int i = 0; i < 400; i++)
      if (i % 24 < 21 && (i < 50 || i > 90))
        csv.append("%s,%s%n".formatted(LocalDateTime.of(2024, 2, 27, 3, 0).plusHours(i), i % 24));
    trial.write("load.csv", csv.toString());
    String fit = "fit @load.csv --target load --kernel matern52 --set lengthscale=0.5 --grid ";
    String said = trial.ok(fit + "data" + SET);
    assertTrue(
        said.contains("the data's own grid of 400 nodes, with a margin of two: 0.0417 apart"),
        said);
    said = trial.ok(fit + "data --extend time=2024-02-27:2024-04-01" + SET);
    assertTrue(said.contains("nodes, continued over the ranges given, with a margin"), said);
    assertFalse(trial.ok(fit + "50" + SET).contains("own grid"));
  }

  @Test
  void aTableThatShowsSomeRowsFirstIsReadForItsSteps() throws SQLException {
    Trial trial = new Trial(folder);
    try (Database database = Database.open()) {
      database.execute(
          "copy (select i / 8.0::double as a, sin(i / 5000.0)::double as y from range(12001) t(i)) to "
              + Database.literal(trial.file("rows.parquet").toString()));
    }
    String fit = "fit @rows.parquet --target y --grid data --set lengthscale=300" + SET;
    String said = trial.ok(fit);
    assertTrue(said.contains("the data's own grid of 12001 nodes"), said);
    assertTrue(said.contains(": 0.125 apart"), said);
    said = trial.refused(fit + "--memory 1m");
    assertTrue(said.contains("the data's own grid of 12,005 points needs"), said);
    assertTrue(said.contains("--grid"), said);
  }

  @Test
  void dataWithoutAGridAreRefusedAndNothingIsLost() throws IOException {
    Trial trial = new Trial(folder);
    trial.write("m.lvl", "kept");
    trial.write("odd.csv", map("-95.9,34.301,1\n"));
    String fit = "fit @odd.csv --target temp --grid data --set lengthscale=0.05" + SET;
    String said = trial.refused(fit);
    assertTrue(said.contains("column 'east' has no grid of its own: -95.9 (row "), said);
    assertTrue(said.contains("of steps of 0.0092"), said);
    assertTrue(said.contains("drop such rows or give grid points"), said);
    trial.write("map.csv", map(""));
    assertTrue(
        trial
            .refused(fit.replace("odd", "map") + "--engine exact")
            .contains("--grid asks for a grid, and --engine exact makes none"));
    assertTrue(
        trial
            .refused(fit.replace("odd", "map").replace("--no-train", "") + "--deep 4,2")
            .contains("the data's own grid covers columns"));
    assertTrue(
        trial
            .refused(fit.replace("--grid data", "--grid pixels"))
            .contains("must look like 1000 or 100x100, or be 'data', got 'pixels'"));
    assertTrue(Files.readString(trial.file("m.lvl")).equals("kept"));
  }
}
