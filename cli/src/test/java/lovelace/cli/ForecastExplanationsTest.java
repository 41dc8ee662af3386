package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The tables that explain forecasts: six series of months with a season, of which shop 1 has an
/// outlier and shop 2 a shift, and one value of a seventh.
class ForecastExplanationsTest {

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void table() throws IOException {
    trial = new Trial(folder);
    StringBuilder text = new StringBuilder("unique_id,ds,y\n");
    for (String row : ForecastCommandTest.sales()) {
      String[] cells = row.strip().split(",", -1);
      double y = Double.parseDouble(cells[2]);
      if (cells[0].equals("shop 1") && cells[1].equals("2017-03-01")) y = 90_000;
      if (cells[0].equals("shop 2") && cells[1].compareTo("2017-06") > 0) y += 70;
      text.append(cells[0]).append(',').append(cells[1]).append(',').append(y).append('\n');
    }
    trial.write("sales.csv", text + "alone,2018-01-01,5\n");
  }

  private List<String[]> rows(String file) throws IOException {
    return Files.readAllLines(trial.file(file)).stream().map(line -> line.split(",", -1)).toList();
  }

  @Test
  void partsAddUpAtEveryTime() throws IOException {
    trial.ok("forecast @sales.csv --horizon 6 --components @c.csv --out @f.csv --levels 80");
    List<String[]> rows = rows("c.csv");
    assertEquals("unique_id,ds,component,value,lo-80,hi-80", String.join(",", rows.getFirst()));
    Map<String, Double> sums = new HashMap<>();
    for (String[] row : rows.subList(1, rows.size())) {
      sums.merge(row[0] + row[1], Double.parseDouble(row[3]), Double::sum);
      assertTrue(Double.parseDouble(row[4]) <= Double.parseDouble(row[5]), String.join(",", row));
    }
    assertEquals(6 * 48 + 2 * 15 + 6 * 6, sums.size());
    for (String[] row : rows("sales.csv").subList(1, 100))
      if (!row[2].equals("90000.0"))
        assertEquals(
            Double.parseDouble(row[2]), sums.getOrDefault(row[0] + row[1], Double.NaN), 1e-6);
    for (String[] row : rows("f.csv").subList(1, 37))
      if (!row[0].equals("alone")) {
        double median = Double.parseDouble(row[2]);
        assertEquals(median, sums.getOrDefault(row[0] + row[1], Double.NaN), 0.05 * median);
      }
    assertTrue(rows.stream().noneMatch(row -> row[0].equals("alone")));
  }

  @Test
  void whatIsOddIsNamed() throws IOException {
    String said =
        trial.ok(
            "forecast @sales.csv --horizon 6 --anomalies @a.csv --out @f.csv --report @r.json");
    assertTrue(said.contains("outliers    1 value of 1 series left out"), said);
    assertTrue(
        said.contains("shop 1: an outlier in the history was left out: 2017-03-01 (90000 where "),
        said);
    List<String[]> rows = rows("a.csv");
    assertEquals(
        "unique_id,ds,kind,left_out,period,size,lo-95,hi-95,t", String.join(",", rows.getFirst()));
    String[] outlier =
        rows.stream().filter(row -> row[0].equals("shop 1")).findFirst().orElseThrow();
    assertEquals("2017-03-01", outlier[1]);
    assertEquals("outlier", outlier[2]);
    assertEquals("true", outlier[3]);
    assertEquals(89_820, Double.parseDouble(outlier[5]), 60);
    String[] shift = rows.stream().filter(row -> row[0].equals("shop 2")).findFirst().orElseThrow();
    assertEquals("2017-06-01", shift[1]);
    assertEquals("shift", shift[2]);
    assertEquals(70, Double.parseDouble(shift[5]), 12);
    JsonNode report = new ObjectMapper().readTree(trial.file("r.json").toFile());
    assertEquals(1, report.get("outliers_left_out").asInt());
    assertEquals(1, report.get("series_with_outliers_left_out").asInt());
    String kept = trial.ok("forecast @sales.csv --horizon 6 --outliers keep --out @k.csv");
    assertFalse(kept.contains("left out"), kept);
  }

  @Test
  void fittedValuesStandBesideTheValues() throws IOException {
    trial.ok("forecast @sales.csv --horizon 6 --fitted @v.parquet --out @f.csv");
    trial.ok("forecast @sales.csv --horizon 6 --fitted @v.csv --out @f.csv --from 2018-07-01");
    List<String[]> rows = rows("v.csv");
    assertEquals(
        "unique_id,ds,value,median,residual,lo-80,hi-80,lo-95,hi-95",
        String.join(",", rows.getFirst()));
    assertEquals(1 + 6 * (42 - 3), rows.size());
    for (String[] row : rows.subList(1, rows.size()))
      assertEquals(
          Double.parseDouble(row[2]) - Double.parseDouble(row[3]),
          Double.parseDouble(row[4]),
          1e-6);
    assertTrue(Files.size(trial.file("v.parquet")) > 0);
  }

  @Test
  void filesAreCheckedBeforeAnyWork() {
    String said = trial.refused("forecast @sales.csv --horizon 6 --anomalies @a.xyz");
    assertTrue(said.contains("--anomalies"), said);
    said = trial.refused("forecast @sales.csv --horizon 6 --coefficients @c.csv --out @f.csv");
    assertTrue(said.contains("add --future, --covariates or --holidays"), said);
    assertFalse(Files.exists(trial.file("f.csv")));
    assertTrue(
        trial.refused("forecast @sales.csv --horizon 6 --outliers maybe").contains("--outliers"));
  }
}
