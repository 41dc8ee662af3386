package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BacktestCommandTest {

  @TempDir private Path folder;

  private Trial trial;

  @BeforeEach
  void table() throws IOException {
    trial = new Trial(folder);
    trial.write("sales.csv", "unique_id,ds,y\n" + String.join("", ForecastCommandTest.sales()));
  }

  private JsonNode json(String line) throws IOException {
    return new ObjectMapper().readTree(trial.ok(line + " --json"));
  }

  @Test
  void scoresAreThoseOfTheWrittenForecasts() throws IOException {
    JsonNode all = json("backtest @sales.csv --horizon 3 --windows 4 --step 2 --out @b.csv");
    List<String> lines = Files.readAllLines(trial.file("b.csv"));
    assertEquals("unique_id,cutoff,ds,y,median,mean,lo-80,hi-80,lo-95,hi-95", lines.getFirst());
    assertEquals(1 + 6 * 4 * 3, lines.size());
    assertEquals(6 * 4, all.get("forecasts").asInt());
    double smape = 0;
    double inside = 0;
    double loss = 0;
    for (String line : lines.subList(1, lines.size())) {
      String[] part = line.split(",", -1);
      double y = Double.parseDouble(part[3]);
      double median = Double.parseDouble(part[4]);
      smape += 200 * Math.abs(y - median) / (y + median) / (lines.size() - 1);
      boolean in = y >= Double.parseDouble(part[6]) && y <= Double.parseDouble(part[7]);
      inside += in ? 1. / (lines.size() - 1) : 0;
      loss += Math.abs(y - median);
    }
    JsonNode ours = all.get("lovelace");
    assertEquals(smape, ours.get("smape").asDouble(), 1e-5, "quantiles are found to 1e-7");
    assertEquals(inside, ours.get("coverage").get("80").asDouble(), 1e-9);
    assertTrue(loss > 0);
    double better = all.get("seasonal_naive").get("mase").asDouble();
    assertTrue(ours.get("mase").asDouble() < better, "the noise of two seasons is larger: " + all);
    assertEquals(3, all.get("lovelace_by_step").size());
    double bySteps = 0;
    for (JsonNode step : all.get("lovelace_by_step")) bySteps += step.get("smape").asDouble() / 3;
    assertEquals(ours.get("smape").asDouble(), bySteps, 1e-9);
  }

  @Test
  void laterValuesDoNotChangeTheFirstForecast() throws IOException {
    trial.ok("backtest @sales.csv --horizon 3 --windows 2 --out @a.csv");
    List<String> rows = new ArrayList<>(ForecastCommandTest.sales());
    for (int s = 0; s < 6; s++) { // the last two values of each series
      String shop = "shop " + s + ",";
      List<Integer> at = new ArrayList<>();
      for (int i = 0; i < rows.size(); i++) if (rows.get(i).startsWith(shop)) at.add(i);
      for (int i : at.subList(at.size() - 2, at.size()))
        rows.set(i, rows.get(i).replaceAll(",[^,]*$", ",5000\n"));
    }
    trial.write("other.csv", "unique_id,ds,y\n" + String.join("", rows));
    trial.ok("backtest @other.csv --horizon 3 --windows 2 --out @b.csv");
    List<String> a = Files.readAllLines(trial.file("a.csv"));
    List<String> b = Files.readAllLines(trial.file("b.csv"));
    assertEquals(a.size(), b.size());
    int changed = 0;
    for (int i = 1; i < a.size(); i++) {
      String[] left = a.get(i).split(",", -1);
      String[] right = b.get(i).split(",", -1);
      assertEquals(left[4], right[4], "the median of " + a.get(i));
      if (!left[3].equals(right[3])) changed++;
    }
    assertEquals(12, changed, "values that were forecast");
  }

  @Test
  void windowsThatDoNotFitAreCounted() throws IOException {
    String said = trial.ok("backtest @sales.csv --horizon 12 --windows 4");
    assertTrue(said.contains("of 6 series"), said);
    assertTrue(said.contains("cuts, which have too few values before them"), said);
    assertTrue(said.contains("seasonal naive"), said);
    assertFalse(said.contains("NaN"), said);
    said = trial.refused("backtest @sales.csv --horizon 60");
    assertTrue(said.contains("choose a shorter --horizon"), said);
    for (String wrong : List.of("--windows 0", "--step 0", "--horizon 0", "--out @b.xls"))
      trial.refused("backtest @sales.csv --horizon 3 " + wrong);
  }

  /// No season is known before the first cut, of 14 months, and few values before the second.
  @Test
  void earlyCutsDoNotDecideWhatLaterOnesUse() throws IOException {
    SplittableRandom random = new SplittableRandom(4);
    StringBuilder rows = new StringBuilder("unique_id,ds,y\n");
    for (int s = 0; s < 5; s++)
      for (int t = 0; t < 50; t++)
        rows.append(
            String.format(
                Locale.ROOT,
                "shop %d,%d-%02d-01,%.3f%n",
                s,
                2020 + t / 12,
                1 + t % 12,
                200 + t + 60 * Math.sin((t + 2 * s) * Math.PI / 6) + 5 * random.nextGaussian()));
    trial.write("clean.csv", rows.toString());
    String said = trial.ok("backtest @clean.csv --horizon 12");
    assertTrue(said.contains("10 cuts; weights learned from 5 series before each of the"), said);
    assertTrue(said.contains("first 2 cuts"), said);
    assertTrue(said.contains("fewer than 36 values (three seasons) before a cut"), said);
    assertTrue(said.contains("5 cuts, which have too few values before them"), said);
    JsonNode all = json("backtest @clean.csv --horizon 12");
    assertEquals(2, all.get("learned_cuts").asInt());
    double ours = all.get("lovelace").get("mase").asDouble();
    assertTrue(ours < all.get("seasonal_naive").get("mase").asDouble(), all.toString());
    said = trial.ok("backtest @clean.csv --horizon 6 --windows 2");
    assertTrue(said.contains("learned from 5 series before the first cut"), said);
    JsonNode anew = json("backtest @clean.csv --horizon 12 --refit");
    assertEquals(all.get("lovelace"), anew.get("lovelace"), "both cuts learn");
    said = trial.ok("backtest @clean.csv --horizon 30");
    assertTrue(said.contains("5 of 5 series, 5 cuts"), "too few for two seasons: " + said);
  }

  @Test
  void seasonalNaiveRepeatsTheLastSeason() {
    double[] values = {1, 2, 3, 1.5, Double.NaN, 3.5, 9};
    SeriesScores.Scale scale = SeriesScores.Scale.of(values, 6, 3);
    assertEquals(0.5, scale.absolute(), 1e-12, "two changes of a half, and one gap");
    SeasonalNaive naive = new SeasonalNaive(values, 6, 3, scale);
    assertEquals(1.5, naive.at(0, 0.5)[0], 1e-12);
    assertEquals(2, naive.at(1, 0.5)[0], 1e-12, "a gap looks further back");
    assertEquals(3.5, naive.at(5, 0.5)[0], 1e-12);
    assertEquals(Math.sqrt(2), (naive.at(3, 0.9)[0] - 1.5) / (naive.at(0, 0.9)[0] - 1.5), 1e-9);
  }

  @Test
  void scoresHaveTheirDefinitions() {
    SeriesScores scores = new SeriesScores(80);
    SeriesScores.Quantiles uniform = (step, levels) -> levels.clone(); // between 0 and 1
    scores.add(
        new double[] {0.5, 2}, scores.quantiles(uniform, 0, 2), new SeriesScores.Scale(0.5, 0.5));
    assertEquals(1.5, scores.mase(), 1e-12, "(0 + 1.5)/2 in units of 0.5");
    assertEquals(0.5 * 200 * 1.5 / 2.5, scores.smape(), 1e-12);
    assertEquals(Math.sqrt(2.25), scores.rmsse(), 1e-12);
    assertEquals(0.5, scores.coverage(0), 1e-12);
    assertEquals((0.8 + 0.8 + 10 * (2 - 0.9)) / 2 / 0.5, scores.interval(0), 1e-9);
    double at = 0; // twice the pinball loss of the quantiles p of a uniform distribution
    double far = 0;
    for (int q = 1; q <= 19; q++) {
      double p = q / 20.;
      at += 2 * (0.5 >= p ? p * (0.5 - p) : (1 - p) * (p - 0.5)) / 19;
      far += 2 * p * (2 - p) / 19;
    }
    assertEquals((at + far) / 2.5, scores.wql(), 1e-12);
    assertEquals((at + far) / 2 / 0.5, scores.crps(), 1e-12);
  }
}
