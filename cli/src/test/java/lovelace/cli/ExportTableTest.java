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
import lovelace.Model;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `lovelace export` to tables.
class ExportTableTest {

  @TempDir private static Path folder;

  private final Trial trial = new Trial(folder);

  @BeforeAll
  static void fit() throws IOException {
    Trial trial = new Trial(folder);
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder dated = new StringBuilder("day,depth,heat\n");
    StringBuilder plain = new StringBuilder("x,y,z\n");
    for (int i = 0; i < 60; i++) {
      dated.append(
          String.format(
              Locale.ROOT,
              "2020-01-%02d,%s,%s%n",
              1 + i % 31,
              random.nextDouble(),
              random.nextDouble()));
      double x = i % 8;
      double y = i / 8;
      plain.append(x + "," + y + "," + Math.sin(x + y) + "\n");
    }
    trial.write("dated.csv", dated.toString());
    trial.write("plain.csv", plain.toString());
    String how =
        " --no-train --set lengthscale=5,1 --set outputscale=1 --set noise=0.1 --set mean=0";
    trial.ok("fit @dated.csv --target heat --grid 8x8 --model @dated.lvl" + how);
    trial.ok("fit @plain.csv --target z --engine exact --kernel rbf --model @plain.lvl" + how);
  }

  private List<String> lines(String name) throws IOException {
    return Files.readAllLines(trial.file(name));
  }

  @Test
  void aTableHasThePredictionsOfARegularGrid() throws IOException {
    String said = trial.ok("export @plain.lvl --out @t.csv --grid 5x3 --interval 0.9");
    assertTrue(said.contains("15 rows"), said);
    List<String> lines = lines("t.csv");
    assertEquals("x,y,mean,stddev,lower,upper,outside", lines.getFirst());
    assertEquals(16, lines.size());
    Model model = Model.load(trial.file("plain.lvl"));
    for (int i = 0; i < 15; i++) {
      String[] cells = lines.get(i + 1).split(",", -1);
      double x = 7 * (i / 3) / 4.0; // the data reach from 0 to 7, the last input runs fastest
      double y = 7 * (i % 3) / 2.0;
      assertEquals(x, Double.parseDouble(cells[0]));
      assertEquals(y, Double.parseDouble(cells[1]));
      Prediction p = model.predict(new double[] {x, y});
      assertEquals(p.mean(0), Double.parseDouble(cells[2]));
      assertEquals(p.deviation(0), Double.parseDouble(cells[3]));
      assertEquals(p.quantile(0, 0.05), Double.parseDouble(cells[4]), 1e-12);
      assertEquals(p.quantile(0, 0.95), Double.parseDouble(cells[5]), 1e-12);
      assertEquals("false", cells[6]);
    }
  }

  @Test
  void datesRangesAndFixedInputsAreAsElsewhere() throws IOException {
    trial.ok(
        "export @dated.lvl --out @d.csv --grid 4 --at depth=0.5 --bounds day=2020-01-01:2020-01-31");
    List<String> lines = lines("d.csv");
    assertEquals("day,depth,mean,stddev,lower,upper,outside", lines.getFirst());
    assertEquals(5, lines.size());
    assertTrue(lines.get(2).startsWith("2020-01-11,0.5,"), lines.get(2));
    assertTrue(lines.get(4).startsWith("2020-01-31,0.5,"), lines.get(4));
    trial.write("rows.csv", "day,depth\n2020-01-11,0.5\n");
    String predicted = trial.ok("predict @dated.lvl @rows.csv").lines().toList().get(1);
    assertEquals(predicted.split(",", -1)[2], lines.get(2).split(",", -1)[2]);
  }

  /// Rows stay in their order whatever the number of threads and row groups.
  @Test
  void aLargeTableStaysInOrder() throws IOException {
    trial.ok("export @dated.lvl --out @big.parquet --grid 31x10000 --bounds depth=0:1");
    try (Table table = Table.open(trial.file("big.parquet").toString(), System.in)) {
      assertEquals(7, table.fields().size());
      double[] last = {-1, 0};
      table.read(
          Reading.of(Reading.Missing.ERROR, table.column("depth"), table.column("mean")),
          (count, columns) -> {
            for (int i = 0; i < count; i++) {
              double expected = last[1] % 10_000 / 9_999;
              assertEquals(expected, columns[0][i], 1e-15);
              last[1]++;
            }
          });
      assertEquals(310_000, last[1]);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "export @plain.lvl --out @t.parquet | a table needs --grid",
        "export @plain.lvl --out @t.parquet --grid 3x3x3 | --grid 3x3x3 has 3 numbers, and the inputs are x, y",
        "export @plain.lvl --out @t.parquet --grid 1 | '1' is not a whole number of 2 or more",
        "export @plain.lvl --out @t.parquet --grid 9x | '' is not a whole number of 2 or more",
        "export @plain.lvl --out @t.parquet --grid 2000000 | more than 1e+11; use fewer points",
        "export @plain.lvl --out @t.parquet --grid 3 --bounds z=0:1 | --bounds needs COLUMN=LO:HI with one of the inputs x, y",
        "export @plain.lvl --out @t.parquet --grid 3 --bounds x=1:0 | LO < HI",
        "export @plain.lvl --out @t.parquet --grid 3 --at z=0 | --at z: the model has no column 'z'",
        "export @plain.lvl --out @t.parquet --grid 3 --float32 | --float32 is only for graphs",
        "export @plain.lvl --out @t.parquet --grid 3 --interval 2 | --interval must lie between 0 and 1",
        "export @dated.lvl --out @t.onnx --grid 3 | --grid is only for tables, and",
        "export @plain.lvl --out @t.txt | must end in .onnx for a graph, or in .parquet",
      })
  void wrongInputIsRefusedInWords(String line, String message) {
    String said = trial.refused(line);
    assertTrue(said.contains(message), said);
    assertFalse(Files.exists(trial.file("t.parquet")));
  }
}
