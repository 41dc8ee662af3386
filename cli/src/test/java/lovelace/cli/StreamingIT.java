package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import lovelace.Model;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Predictions of many rows in a small heap.
class StreamingIT {

  @TempDir private Path folder;

  private static final int ROWS = Boolean.getBoolean("lovelace.long") ? 10_000_000 : 300_000;

  private void run(String heap, String line) throws Exception {
    Path target = Path.of("target").toAbsolutePath();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*",
                "lovelace.cli.Main"));
    command.addAll(List.of(line.split(" ", -1)));
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    assertEquals(0, process.waitFor(), () -> log());
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (java.io.IOException e) {
      return e.toString();
    }
  }

  private static void execute(String sql) throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:duckdb:");
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> query(String sql) throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:duckdb:");
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      List<String> found = new ArrayList<>();
      while (rows.next())
        for (int c = 1; c <= rows.getMetaData().getColumnCount(); c++) found.add(rows.getString(c));
      return found;
    }
  }

  /// Rows that a hash spreads over the square.
  private void write(int rows, String file) throws Exception {
    execute(
        String.format(
            Locale.ROOT,
            "copy (select 'row ' || i as id, (hash(i) %% 1000003) / 1000003 as a, (hash(-i) %% 1000003) / 1000003 as b, sin(i) as y from range(%d) t(i)) to '%s'",
            rows,
            folder.resolve(file)));
  }

  @ParameterizedTest
  @CsvSource({"many.parquet, p.parquet", "many.csv, p.csv"})
  void manyRowsPassThroughASmallHeapInOrder(String in, String out) throws Exception {
    write(2000, "few.csv");
    run(
        "-Xmx512m",
        "fit few.csv --inputs a,b --target y --no-train --kernel rbf --grid 100x100 --set lengthscale=0.2"
            + " --set outputscale=1 --set noise=0.1 --set mean=0 --model m.lvl");
    write(ROWS, in);
    run("-Xmx512m", "predict m.lvl " + in + " --out " + out);
    String result = folder.resolve(out).toString();
    assertEquals(
        List.of("" + ROWS, "0", "0"),
        query(
            "select count(*), count(*) filter (where id <> 'row ' || (n - 1)), count(*) filter (where mean is null) from (select *, row_number() over () as n from '"
                + result
                + "')"));
    List<String> some =
        query(
            "select a, b, mean, variance from '"
                + result
                + "' where id = 'row "
                + (ROWS - 77)
                + "'");
    var prediction =
        Model.load(folder.resolve("m.lvl"))
            .predict(Double.parseDouble(some.get(0)), Double.parseDouble(some.get(1)));
    assertEquals(prediction.mean(0), Double.parseDouble(some.get(2)));
    assertEquals(prediction.variance(0), Double.parseDouble(some.get(3)));
  }

  @Test
  void missingInputIsNamedByItsRow() throws Exception {
    write(5000, "rows.csv");
    run(
        "-Xmx512m",
        "fit rows.csv --inputs a,b --target y --no-train --kernel rbf --grid 20 --set lengthscale=0.2"
            + " --set outputscale=1 --set noise=0.1 --set mean=0 --model m.lvl");
    List<String> lines = new ArrayList<>(Files.readAllLines(folder.resolve("rows.csv")));
    lines.set(4321, "row,0.5,oops,1");
    Files.write(folder.resolve("bad.csv"), lines);
    try {
      run("-Xmx512m", "predict m.lvl bad.csv --out p.csv");
    } catch (AssertionError e) {
      assertTrue(
          log().contains("row 4,321 of 'bad.csv': column 'b' is 'oops', not a number"), log());
      assertTrue(Files.notExists(folder.resolve("p.csv")));
      return;
    }
    throw new AssertionError("a missing input was accepted");
  }
}
