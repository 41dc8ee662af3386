package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.forecast.Forecast;
import lovelace.forecast.ForecastFile;
import lovelace.forecast.Forecasts;
import lovelace.forecast.TimeSeries;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForecastFilesTest {

  private static final String HEAD = "shop,item,month,sold\n";

  @TempDir private Path folder;

  private Trial trial;

  /// Quarters from 2015 of four series, by quarter.
  private final List<List<String>> quarters = new ArrayList<>();

  @BeforeEach
  void table() throws IOException {
    trial = new Trial(folder);
    var random = new SplittableRandom(3);
    for (int t = 0; t < 40; t++) {
      List<String> rows = new ArrayList<>();
      for (int s = 0; s < 4; s++)
        rows.add(
            String.format(
                Locale.ROOT,
                "%d,%s,%dQ%d,%.1f%n",
                1 + s / 2,
                s % 2 == 0 ? "a" : "b, ü",
                2015 + t / 4,
                1 + t % 4,
                100 + 20 * s + 15 * Math.sin(Math.PI * t / 2) + 3 * random.nextGaussian()));
      quarters.add(rows);
    }
    trial.write("first.csv", HEAD + rows(0, 36));
    trial.write("next.csv", HEAD + rows(36, 38));
  }

  private String rows(int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int t = from; t < to; t++) for (String row : quarters.get(t)) text.append(quoted(row));
    return text.toString();
  }

  private static String quoted(String row) {
    return row.replace("b, ü", "\"b, ü\"");
  }

  private String save(String more) {
    return trial.ok("forecast @first.csv --id shop,item --horizon 4 --model @m.lvf " + more);
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(trial.file(file));
  }

  @Test
  void aFileForecastsAsItsTableDid() throws IOException {
    String said = save("--out @a.csv");
    assertTrue(said.contains("4 series with 144 values; go on with"), said);
    trial.ok("forecast --model @m.lvf --out @b.csv");
    assertEquals(lines("a.csv"), lines("b.csv"));
    trial.ok("forecast --model @m.lvf --horizon 2 --out @c.csv");
    assertEquals(lines("a.csv").get(2), lines("c.csv").get(2));
    assertEquals(1 + 4 * 2, lines("c.csv").size());
  }

  @Test
  void anUpdateEqualsForecastsOfTheLongerTableWithTheSameWeights() throws IOException {
    save("--out @a.csv");
    Forecasts before = Forecasts.load(trial.file("m.lvf"));
    String said = trial.ok("forecast --update @m.lvf @next.csv --out @b.csv");
    assertTrue(said.contains("8 values added to 4 series, 0 of them new"), said);
    assertTrue(said.contains("changed     "), said);
    List<String> lines = lines("b.csv");
    assertEquals("shop,item,month,median,mean,lo-80,hi-80,lo-95,hi-95", lines.getFirst());
    assertTrue(lines.get(1).startsWith("1,a,2024Q3,"), lines.get(1));
    assertTrue(lines.get(5).startsWith("1,\"b, ü\",2024Q3,"), lines.get(5));
    double[] longer = new double[38];
    for (int t = 0; t < longer.length; t++)
      longer[t] = Double.parseDouble(quarters.get(t).getFirst().split(",", -1)[3]);
    Forecast expected = before.model().forecast(List.of(TimeSeries.of("1, a", longer))).getFirst();
    String[] row = lines.get(4).split(",", -1);
    double[] quantiles = expected.quantiles(3, 0.025, 0.1, 0.5, 0.9, 0.975); // found in one pass
    assertEquals(quantiles[2], Double.parseDouble(row[3]), 1e-9);
    assertEquals(quantiles[4], Double.parseDouble(row[8]), 1e-9);
    Forecasts after = Forecasts.load(trial.file("m.lvf"));
    assertArrayEquals(longer, after.of("1, a").series().values());
    trial.ok("forecast --model @m.lvf --out @c.csv");
    assertEquals(lines, lines("c.csv"));
  }

  @Test
  void gapsAreFilledAndNewSeriesAreAdded() throws IOException {
    save("");
    trial.write(
        "more.csv", HEAD + quoted(quarters.get(38).get(1)) + "7,c,2024Q1,5\n7,c,2024Q2,6\n");
    String said = trial.ok("forecast --update @m.lvf @more.csv --model @n.lvf --out @b.csv");
    assertTrue(said.contains("3 values added to 2 series, 1 of them new; 2 steps without"), said);
    assertEquals(4, ForecastFile.open(trial.file("m.lvf")).series(), "--model left it alone");
    Forecasts after = Forecasts.load(trial.file("n.lvf"));
    assertEquals(List.of("1, a", "1, b, ü", "2, a", "2, b, ü", "7, c"), after.ids());
    assertEquals(39, after.of("1, b, ü").series().size());
    assertEquals(2, after.of("1, b, ü").series().gaps());
    assertTrue(lines("b.csv").getLast().startsWith("7,c,2025Q2,"), lines("b.csv").getLast());
  }

  @Test
  void whatDoesNotFollowIsRefusedAndTheFileStays() throws IOException {
    save("");
    byte[] whole = Files.readAllBytes(trial.file("m.lvf"));
    trial.write("old.csv", HEAD + rows(35, 38));
    assertEquals(
        "lovelace: series '1, a' of '@old.csv' has a value at 2023Q4, and in '@m.lvf' it ends at 2023Q4; leave out rows up to there, or forecast the whole table again\n",
        trial.refused("forecast --update @m.lvf @old.csv"));
    trial.write("days.csv", HEAD + "1,a,2024-01-05,3\n");
    assertTrue(
        trial
            .refused("forecast --update @m.lvf @days.csv")
            .startsWith(
                "lovelace: row 1 of '@days.csv': column 'month': '2024-01-05' is not a quarter"),
        trial.err());
    trial.write("names.csv", "shop,sku,month,sold\n1,a,2024Q1,3\n");
    assertTrue(
        trial
            .refused("forecast --update @m.lvf @names.csv")
            .startsWith(
                "lovelace: '@names.csv' has no column 'item', which the series of '@m.lvf' have"),
        trial.err());
    assertArrayEquals(whole, Files.readAllBytes(trial.file("m.lvf")));
  }

  @Test
  void otherStepsAreRefused() throws IOException {
    StringBuilder months = new StringBuilder("ds,y\n");
    for (int t = 0; t < 30; t++)
      months.append(String.format(Locale.ROOT, "%d-%02d-01,%d%n", 2020 + t / 12, 1 + t % 12, t % 5));
    trial.write("months.csv", months.toString());
    trial.ok("forecast @months.csv --horizon 3 --model @m.lvf");
    trial.write("late.csv", "ds,y\n2022-07-15,3\n");
    String said = trial.refused("forecast --update @m.lvf @late.csv");
    assertTrue(said.contains("the series of '@late.csv': 2022-07-15"), said);
    trial.write("weeks.csv", "ds,y\n2022-07-01,3\n2022-07-08,3\n2022-07-15,2\n");
    said = trial.refused("forecast --update @m.lvf @weeks.csv");
    assertTrue(said.contains("the series of '@weeks.csv'"), said);
    assertTrue(said.contains("correct the times, or leave the series out"), said);
  }

  @Test
  void wrongFilesAndOptionsAreRefused() throws IOException {
    save("");
    assertTrue(
        trial.refused("forecast --model @none.lvf").contains("there is no file '@none.lvf'"));
    assertTrue(trial.refused("forecast --model @first.csv").contains("is not a file of forecasts"));
    assertTrue(
        trial.refused("forecast --model @m.lvf --horizon 5").contains("--horizon 5 is longer"));
    assertTrue(trial.refused("forecast --model @m.lvf --gaps zero").contains("leave out --gaps"));
    assertTrue(trial.refused("forecast --update @m.lvf").contains("no TABLE is named"));
    assertTrue(
        trial
            .refused("forecast @first.csv --id shop,item --horizon 2 --from 2020Q1 --model @n.lvf")
            .contains("leave out --from"));
    assertTrue(
        trial
            .refused("predict @m.lvf @next.csv --out @p.csv")
            .contains("holds forecasts of series"));
    byte[] whole = Files.readAllBytes(trial.file("m.lvf"));
    whole[whole.length / 2] ^= 1;
    Files.write(trial.file("m.lvf"), whole);
    assertTrue(trial.refused("forecast --model @m.lvf").contains("its check sum is wrong"));
  }

  @Test
  void inspectShowsWhatTheFileHolds() throws IOException {
    save("");
    String said = trial.ok("inspect @m.lvf");
    assertTrue(said.contains("forecasts   4 series with 144 values, "), said);
    assertTrue(said.contains("frequency   Q (quarters"), said);
    assertTrue(said.contains("times       2015Q1 to 2023Q4"), said);
    var json = new ObjectMapper().readTree(trial.ok("inspect @m.lvf --json"));
    assertEquals(4, json.get("horizon").asInt());
    assertEquals("month", json.get("time").asText());
    double sum = 0;
    for (var weight : json.get("weights").get("season")) sum += weight.asDouble();
    assertEquals(1, sum, 1e-9);
  }

  @Test
  void thereIsNoGraphOfForecastsAndTheRefusalSaysWhatToDo() throws IOException {
    trial.ok("forecast @first.csv --id shop,item --horizon 2 --model @sales.lvf");
    for (String out : List.of("m.onnx", "m.parquet")) {
      String said = trial.refused("export @sales.lvf --out @" + out);
      assertTrue(said.contains("computed from histories and not from inputs"), said);
      assertTrue(said.contains("lovelace forecast --model @sales.lvf --out next.parquet"), said);
      assertTrue(said.contains("lovelace serve @sales.lvf"), said);
      assertTrue(Files.notExists(trial.file(out)));
    }
  }
}
