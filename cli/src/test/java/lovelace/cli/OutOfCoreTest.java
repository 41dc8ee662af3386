package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutOfCoreTest {

  @TempDir Path folder;

  private String write(String name, String select) throws SQLException {
    String file = folder.resolve(name).toString();
    try (Database database = Database.open()) {
      database.execute("copy (%s) to %s".formatted(select, Database.literal(file)));
    }
    return file;
  }

  private static final String ROWS =
      "select i / 30000.0::double as a, sin(i / 5000.0)::double as y from range(30001) t(i)";

  private Optional<Source.Overview> overview(String file, Reading.Missing missing)
      throws IOException {
    try (Table table = Table.open(file, InputStream.nullInputStream())) {
      return TableSource.of(table, List.of(table.column("a")), Column.of("y"), null, missing)
          .overview(10_000, 1);
    }
  }

  private Model fit(String file) throws IOException {
    try (Table table = Table.open(file, InputStream.nullInputStream())) {
      return Fit.DEFAULT
          .withTraining(false)
          .set("outputscale", 1)
          .set("lengthscale", 0.2)
          .set("noise", 0.1)
          .set("mean", 0)
          .to(
              TableSource.of(
                  table, List.of(table.column("a")), Column.of("y"), null, Reading.Missing.ERROR));
    }
  }

  @Test
  void parquetTellsItsRangesWithoutBeingRead() throws Exception {
    String file = write("rows.parquet", ROWS);
    try (Table table = Table.open(file, InputStream.nullInputStream())) {
      double[] ranges = table.ranges(List.of(table.column("a"), table.column("y")));
      assertNotNull(ranges);
      assertEquals(0, ranges[0]);
      assertEquals(1, ranges[1]);
      assertEquals(30_001, ranges[4]);
      int[] count = {0};
      table.sample(
          Reading.of(Reading.Missing.SKIP, table.column("a")), 4, 1, (n, columns) -> count[0] += n);
      assertTrue(count[0] > 6500 && count[0] < 8500, count[0] + " rows");
    }
    assertTrue(overview(file, Reading.Missing.ERROR).isPresent());
  }

  @Test
  void rangesComeFromAReadingWhereStatisticsDoNotTell() throws Exception {
    String missing = write("missing.parquet", ROWS + " union all select null, 1.0");
    assertTrue(overview(missing, Reading.Missing.ERROR).isEmpty());
    assertTrue(overview(write("rows.parquet", ROWS), Reading.Missing.SKIP).isEmpty());
    assertTrue(overview(write("rows.csv", ROWS), Reading.Missing.ERROR).isEmpty());
  }

  @Test
  void parquetAndTextGiveOneModel() throws Exception {
    Model one = fit(write("rows.parquet", ROWS));
    Model two = fit(write("rows.csv", ROWS));
    assertEquals(one.provenance().fingerprintText(), two.provenance().fingerprintText());
    assertEquals(one.predict(0.3).mean(0), two.predict(0.3).mean(0));
    assertEquals(one.predict(0.3).variance(0), two.predict(0.3).variance(0));
  }

  @Test
  void benchmarkRuns() throws Exception {
    String table = OutOfCoreBenchmark.run(20_000, folder);
    assertTrue(table.contains("20,000 rows in the sums"), table);
  }
}
