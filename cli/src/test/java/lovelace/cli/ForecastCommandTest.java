package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForecastCommandTest {

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void table() throws IOException {
    trial = new Trial(folder);
    trial.write("sales.csv", "unique_id,ds,y\n" + String.join("", sales()));
  }

  /// Six series of months with a season. Each next one is two months longer.
  static List<String> sales() {
    var random = new SplittableRandom(5);
    List<String> rows = new ArrayList<>();
    for (int s = 0; s < 6; s++)
      for (int t = 0; t < 48 + 2 * s; t++) {
        double y =
            (100 + 40 * s) * (1 + 0.3 * Math.sin(Math.PI * t / 6)) + 3 * random.nextGaussian();
        rows.add(
            String.format(
                Locale.ROOT, "shop %d,%d-%02d-01,%.2f%n", s, 2015 + t / 12, t % 12 + 1, y));
      }
    return rows;
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(trial.file(file));
  }

  /// The value of a column in a line of CSV.
  private static double value(List<String> lines, int line, String column) {
    int at = List.of(lines.getFirst().split(",", -1)).indexOf(column);
    assertTrue(at >= 0, column + " is not in " + lines.getFirst());
    return Double.parseDouble(lines.get(line).split(",", -1)[at]);
  }

  private JsonNode report(String file) throws IOException {
    return new ObjectMapper().readTree(trial.file(file).toFile());
  }

  @Test
  void everySeriesContinuesFromItsOwnEndWithItsSeason() throws IOException {
    String said = trial.ok("forecast @sales.csv --horizon 12 --out @f.csv");
    assertTrue(said.contains("id unique_id, time ds, target y"), said);
    assertTrue(said.contains("frequency   M (months, on the first day of the month)"), said);
    assertTrue(said.contains("seasons to try: 12"), said);
    assertTrue(said.contains("learned     from 6 of the series; seasons of 12 steps"), said);
    List<String> lines = lines("f.csv");
    assertEquals("unique_id,ds,median,mean,lo-80,hi-80,lo-95,hi-95", lines.getFirst());
    assertEquals(1 + 6 * 12, lines.size());
    assertTrue(lines.get(1).startsWith("shop 0,2019-01-01,"), lines.get(1));
    assertTrue(lines.get(13).startsWith("shop 1,2019-03-01,"), lines.get(13));
    for (int i = 1; i <= 12; i++) { // shop 0 after four years, so the season starts anew
      double expected = 100 * (1 + 0.3 * Math.sin(Math.PI * (i - 1) / 6));
      assertEquals(expected, value(lines, i, "median"), 6, "two standard deviations: line " + i);
      assertTrue(value(lines, i, "lo-95") < value(lines, i, "lo-80"), lines.get(i));
      assertTrue(value(lines, i, "lo-80") < value(lines, i, "median"), lines.get(i));
      assertTrue(value(lines, i, "median") < value(lines, i, "hi-80"), lines.get(i));
      assertTrue(value(lines, i, "hi-80") < value(lines, i, "hi-95"), lines.get(i));
    }
  }

  @Test
  void theOrderOfRowsAndTheFormatOfFilesDoNotMatter() throws IOException {
    trial.ok("forecast @sales.csv --horizon 3 --out @a.csv");
    List<String> rows = sales();
    rows.sort(Comparator.comparingInt(String::hashCode));
    trial.write("mixed.csv", "unique_id,ds,y\n" + String.join("", rows));
    trial.ok("forecast @mixed.csv --horizon 3 --out @b.csv");
    assertEquals(lines("a.csv"), lines("b.csv"));
    StringBuilder json = new StringBuilder();
    for (String row : rows) {
      String[] part = row.strip().split(",", -1);
      json.append(
          "{\"ds\": \"%s\", \"unique_id\": \"%s\", \"y\": %s}%n"
              .formatted(part[1], part[0], part[2]));
    }
    trial.write("mixed.jsonl", json.toString());
    trial.ok("forecast @mixed.jsonl --horizon 3 --out @c.csv");
    assertEquals(lines("a.csv"), lines("c.csv"));
    trial.ok("forecast @mixed.csv --horizon 3 --out @p.parquet");
    String printed =
        trial.ok("forecast @p.parquet --target median --horizon 1 --season none --out -");
    assertTrue(printed.startsWith("unique_id,ds,median,"), printed);
    assertTrue(printed.contains("\nshop 0,2019-04-01,"), printed);
    String rowsOfJson = trial.ok("forecast @sales.csv --horizon 3 --json");
    assertEquals(18, rowsOfJson.lines().count(), rowsOfJson);
    JsonNode first = new ObjectMapper().readTree(rowsOfJson.lines().findFirst().orElseThrow());
    assertEquals("2019-01-01", first.get("ds").asText());
    assertEquals(value(lines("a.csv"), 1, "lo-80"), first.get("lo-80").asDouble());
  }

  @Test
  void badSeriesAreToldAndStopNoOther() throws IOException {
    trial.write(
        "bad.csv",
        """
        id,day,sales
        rows of one time,2020-01-01,1
        rows of one time,2020-01-02,2
        rows of one time,2020-01-02,4
        rows of one time,2020-01-03,2
        infinite,2020-01-01,3
        infinite,2020-01-02,inf
        infinite,2020-01-03,4
        one,2020-01-02,5
        empty,2020-01-02,
        zero,2020-01-01,0
        zero,2020-01-02,0
        zero,2020-01-03,0
        odd,2020-01-01,1
        odd,2020-01-07,1
        odd,2020-01-03,5
        """);
    String said = trial.ok("forecast @bad.csv --horizon 2 --out @f.csv --report @r.json");
    assertTrue(said.contains("id id, time day, target sales"), "chosen by kind: " + said);
    assertTrue(said.contains("frequency   D (days)"), said);
    assertTrue(said.contains("5 steps of 2 series without a value, taken as missing"), said);
    JsonNode report = report("r.json");
    assertEquals(6, report.get("series").asInt());
    assertEquals(1, report.get("kinds").get("none").asInt());
    assertEquals(1, report.get("kinds").get("one").asInt());
    assertEquals(1, report.get("kinds").get("constant").asInt());
    assertEquals(3, report.get("kinds").get("short").asInt());
    assertEquals(1, report.get("duplicates").asInt());
    List<String> remarks = new ArrayList<>();
    for (JsonNode one : report.get("remarks"))
      remarks.add(one.get("id").asText() + ": " + one.get("remarks"));
    String all = String.join("\n", remarks);
    assertTrue(all.contains("rows of one time: [\"1 row has the time of another"), all);
    assertTrue(all.contains("infinite: [\"1 value is infinite"), all);
    assertTrue(all.contains("empty: [\"no values, so no forecast\"]"), all);
    List<String> lines = lines("f.csv");
    assertEquals(1 + 5 * 2, lines.size(), "all but the empty one");
    for (int i = 1; i < lines.size(); i++)
      if (lines.get(i).startsWith("zero,")) assertEquals(0, value(lines, i, "hi-95"));
  }

  @Test
  void gapsMayCountAsZeros() throws IOException {
    StringBuilder csv = new StringBuilder("ds,y\n");
    for (int t = 0; t < 60; t += t % 3 == 0 ? 1 : 2)
      csv.append("%s,30%n".formatted(LocalDate.of(2020, 1, 1).plusDays(t)));
    trial.write("gaps.csv", csv.toString());
    trial.ok("forecast @gaps.csv --horizon 6 --season none --out @missing.csv");
    String said =
        trial.ok("forecast @gaps.csv --horizon 6 --season none --gaps zero --out @zero.csv");
    assertTrue(said.contains("taken as 0"), said);
    assertEquals(30, value(lines("missing.csv"), 1, "mean"), 0.5);
    double mean = 0;
    for (int i = 1; i <= 6; i++) mean += value(lines("zero.csv"), i, "mean") / 6;
    assertTrue(mean < 26, "a third of the steps is zero: " + mean);
  }

  @Test
  void columnsThatCouldBeSeveralAreNamed() throws IOException {
    trial.write("two.csv", "day,sales,price\n2020-01-01,1,2\n2020-01-02,2,3\n2020-01-03,3,3\n");
    String said = trial.refused("forecast @two.csv --horizon 2");
    assertTrue(said.contains("2 columns of numbers: sales, price; name the one"), said);
    assertTrue(
        trial.ok("forecast @two.csv --horizon 2 --target price").contains("not used    sales"));
    trial.write("times.csv", "a,b,y\n2020-01-01,2020-01-02,2\n2020-01-02,2020-01-03,3\n");
    assertTrue(
        trial
            .refused("forecast @times.csv --horizon 2")
            .contains("2 columns of times: a, b; name one with --time"));
    trial.write(
        "texts.csv",
        "shop,item,ds,y\na,x,2020-01-01,1\na,x,2020-01-02,2\nb,x,2020-01-01,3\nb,x,2020-01-02,4\n");
    assertTrue(
        trial
            .refused("forecast @texts.csv --horizon 2")
            .contains(
                "2 columns of text: shop, item; name those that tell series apart with --id"));
    said = trial.ok("forecast @texts.csv --horizon 1 --id shop,item --out -");
    assertTrue(said.contains("\nb,x,2020-01-03,"), said);
    trial.write(
        "stores.csv",
        "day,store,sales\n2020-01-01,1,2\n2020-01-02,1,3\n2020-01-01,2,3\n2020-01-02,2,4\n");
    said = trial.refused("forecast @stores.csv --horizon 1 --target sales");
    assertTrue(
        said.contains("2 rows of 2020-01-01; name the columns that tell series apart"), said);
    assertTrue(said.contains("store"), said);
    said = trial.ok("forecast @stores.csv --horizon 1 --target sales --id store --out -");
    assertEquals(3, said.lines().count(), said);
    trial.ok("forecast @stores.csv --horizon 1 --target sales --id none");
  }

  @Test
  void wrongTablesAndOptionsAreNamedWithRowAndRemedy() throws IOException {
    trial.write("empty.csv", "");
    trial.write("head.csv", "ds,y\n");
    trial.write("words.csv", "ds,y\n2020-01-01,1\n2020-01-02,two\n2020-01-03,3\n");
    trial.write("times.csv", "ds,y\n2020-01-01,1\n2020-01-01,1\n2020-13-03,3\n");
    trial.write("once.csv", "ds,y\n2020-01-01,1\n");
    List<List<String>> all =
        List.of(
            List.of("forecast @empty.csv --horizon 2", "is empty"),
            List.of("forecast @head.csv --horizon 2", "no rows"),
            List.of("forecast @words.csv --horizon 2", "row 2: 'two'"),
            List.of("forecast @times.csv --horizon 2", "row 3 of '@times.csv': column 'ds'"),
            List.of("forecast @once.csv --horizon 2", "--frequency"),
            List.of("forecast @sales.csv --horizon 0", "--horizon must lie between 1 and"),
            List.of("forecast @sales.csv --horizon -3", "--horizon must lie between 1 and"),
            List.of("forecast @sales.csv --horizon 1.5", "--horizon must be a whole number"),
            List.of("forecast @sales.csv", "--horizon"),
            List.of("forecast @sales.csv --horizon 2 --target z", "--target: "),
            List.of("forecast @sales.csv --horizon 2 --id z", "--id: "),
            List.of("forecast @sales.csv --horizon 2 --time z", "--time: "),
            List.of("forecast @sales.csv --horizon 2 --levels 0.8", "such as 80,95, got 0.8"),
            List.of("forecast @sales.csv --horizon 2 --quantiles 80", "--quantiles must lie"),
            List.of("forecast @sales.csv --horizon 2 --season 1", "--season must be"),
            List.of("forecast @sales.csv --horizon 2 --frequency fast", "--frequency: "),
            List.of("forecast @sales.csv --horizon 2 --from soon", "--from: "),
            List.of(
                "forecast @sales.csv --horizon 2 --total 3", "--total must lie between 1 and 2"),
            List.of("forecast @sales.csv --horizon 2 --draws 3", "--draws-out"),
            List.of("forecast @sales.csv --horizon 2 --between 3", "--between must be two numbers"),
            List.of("forecast @sales.csv --horizon 2 --out @f.xls", "--out: "),
            List.of("forecast @sales.csv --horizon 2 --report @r.txt", "--report must name"));
    for (List<String> one : all) {
      String said = trial.refused(one.getFirst());
      assertTrue(said.contains(one.getLast()), one.getFirst() + ": " + said);
    }
    trial.ok("forecast @once.csv --horizon 2 --frequency D");
  }

  @Test
  void allMayStartAtOneTime() throws IOException {
    trial.ok("forecast @sales.csv --horizon 2 --from 2019-05-01 --out @f.csv");
    List<String> lines = lines("f.csv");
    for (int i = 1; i < lines.size(); i++)
      assertTrue(lines.get(i).contains(i % 2 == 1 ? ",2019-05-01," : ",2019-06-01,"), lines.get(i));
    assertEquals(
        100 * (1 + 0.3 * Math.sin(Math.PI * 4 / 6)),
        value(lines, 1, "median"),
        6,
        "the fifth month");
    List<String> rows = new ArrayList<>(sales());
    rows.replaceAll(
        row -> row.contains(",2019-05-01,") ? row.replaceAll(",[^,]*$", ",9999\n") : row);
    trial.write("later.csv", "unique_id,ds,y\n" + String.join("", rows));
    String said = trial.ok("forecast @later.csv --horizon 2 --from 2019-05-01 --out @g.csv");
    assertEquals(lines, lines("g.csv"), "values from --from on are not seen");
    assertTrue(said.contains("shop 5: 6 steps from --from on are not used"), said);
  }

  @Test
  void totalsAndPathsAgreeWithTheStepsAndTheSeed() throws IOException {
    String line =
        "forecast @sales.csv --horizon 4 --draws 1000 --total 3 --quantiles 0.1,0.9 --out @f.csv";
    trial.ok(line + " --draws-out @d.csv --total-out @t.csv");
    List<String> draws = lines("d.csv");
    assertEquals("unique_id,ds,draw,value", draws.getFirst());
    assertEquals(1 + 6 * 1000 * 4, draws.size());
    assertTrue(draws.get(5).startsWith("shop 0,2019-01-01,2,"), draws.get(5));
    List<String> totals = lines("t.csv");
    assertEquals("unique_id,from,to,median,mean,q0.1,q0.9", totals.getFirst());
    assertTrue(totals.get(1).startsWith("shop 0,2019-01-01,2019-03-01,"), totals.get(1));
    double mean = 0;
    double drawn = 0;
    for (int k = 1; k <= 3; k++) mean += value(lines("f.csv"), k, "mean");
    for (int i = 1; i <= 1000; i++)
      for (int k = 0; k < 3; k++) drawn += value(draws, 4 * (i - 1) + k + 1, "value") / 1000;
    assertEquals(mean, drawn, 3, "three steps of deviation 4 and 1,000 paths: 0.3 is a deviation");
    assertEquals(drawn, value(totals, 1, "mean"), 1e-9 * drawn);
    trial.ok(line + " --draws-out @e.csv --threads 1");
    assertEquals(draws, lines("e.csv"), "the same seed, on any number of threads");
    trial.ok(line + " --draws-out @e.csv --seed 2");
    assertFalse(draws.equals(lines("e.csv")));
  }

  @Test
  void columnsOfAWideTableAreSeries() throws IOException {
    StringBuilder csv = new StringBuilder("month,note,a,b\n");
    for (int t = 0; t < 40; t++)
      csv.append(
          "%s,x,%s,%s%n"
              .formatted(
                  YearMonth.of(2015, 1).plusMonths(t), 10 + t % 2, t < 38 ? 200 + t % 2 : ""));
    trial.write("wide.csv", csv.toString());
    String said =
        trial.ok("forecast @wide.csv --horizon 2 --series-in-columns --season none --out @f.csv");
    assertTrue(said.contains("a series in each of 2 columns"), said);
    assertTrue(said.contains("not used    note"), said);
    List<String> lines = lines("f.csv");
    assertTrue(lines.get(1).startsWith("a,2018-05,"), lines.get(1));
    assertTrue(lines.get(3).startsWith("b,2018-03,"), lines.get(3));
    assertEquals(200.5, value(lines, 3, "median"), 1);
    trial.write("word.csv", "month,a,b\n2015-01,1,2\n2015-02,1,2\n2015-03,1,2\n");
    assertTrue(
        trial
            .refused("forecast @word.csv --horizon 2 --series-in-columns --id a")
            .contains("leave out one of the two"));
  }

  @Test
  void forecastsStayBetweenBounds() throws IOException {
    StringBuilder csv = new StringBuilder("unique_id,ds,y\n");
    for (int t = 0; t < 30; t++) {
      csv.append("share,%s,%s%n".formatted(1990 + t, 100 - 60 * Math.exp(-t / 8.)));
      csv.append("more,%s,%s%n".formatted(1990 + t, 80 + t));
    }
    trial.write("share.csv", csv.toString());
    String said = trial.ok("forecast @share.csv --horizon 10 --between 0,100 --out @f.csv");
    assertTrue(said.contains("more: 9 values lie outside --between 0.0,100.0"), said);
    List<String> lines = lines("f.csv");
    assertEquals(11, lines.size(), "the other series only");
    for (int i = 1; i < lines.size(); i++)
      assertTrue(value(lines, i, "hi-95") <= 100, lines.get(i));
  }

  @Test
  void aFitOfATableWithDatesNamesTheForecast() throws IOException {
    List<String> one = sales().stream().filter(row -> row.startsWith("shop 0")).toList();
    trial.write("one.csv", "shop,month,sold\n" + String.join("", one));
    String said =
        trial.ok(
            "fit @one.csv --target sold --inputs month --kernel rbf --no-train --set lengthscale=1 --set outputscale=1 --set noise=1 --set mean=0 --model @m.lvl");
    String command =
        said.lines().filter(line -> line.startsWith("forecast ")).findFirst().orElse(said);
    assertTrue(command.contains("forecast " + folder), command);
    trial.ok(command.substring(command.indexOf("forecast " + folder)));
    trial.write("plain.csv", "x,y\n1,2\n2,3\n3,5\n4,4\n");
    said =
        trial.ok(
            "fit @plain.csv --target y --kernel rbf --no-train --set lengthscale=1 --set outputscale=1 --set noise=1 --set mean=0 --model @m.lvl");
    assertFalse(said.contains("forecast "), said);
  }
}
