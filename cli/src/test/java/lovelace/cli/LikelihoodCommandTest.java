package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Counts, classes and noise of each row on the command line.
class LikelihoodCommandTest {

  private static final int ROWS = 60;

  @TempDir static Path folder;

  private final Trial trial = new Trial(folder);

  @BeforeAll
  static void writeFiles() throws IOException {
    var random = new SplittableRandom(4);
    StringBuilder csv =
        new StringBuilder("x,count,hours,class,word,two,success,trials,amount,y,sd,weight,one\n");
    for (int i = 0; i < ROWS; i++) {
      double x = i / 10.0;
      double f = Math.sin(x);
      double hours = 1 + i % 3;
      int count = 0; // Poisson by the gaps between events
      for (double t = exponential(random); t < hours * Math.exp(0.5 + f); count++)
        t += exponential(random);
      double p = 1 / (1 + Math.exp(-2 * f));
      int one = random.nextDouble() < p ? 1 : 0;
      int successes = 0;
      for (int k = 0; k < 5; k++) if (random.nextDouble() < p) successes++;
      double sd = 0.1 + 0.05 * (i % 4);
      csv.append(
          String.format(
              Locale.ROOT,
              "%s,%d,%s,%d,%s,%d,%d,5,%s,%s,%s,%s,1%n",
              x,
              count,
              hours,
              one,
              one == 1 ? "bad" : "good",
              one + 1,
              successes,
              Math.exp(f) * exponential(random),
              f + sd * random.nextGaussian(),
              sd,
              1 / (sd * sd)));
    }
    new Trial(folder).write("t.csv", csv.toString());
  }

  private static double exponential(SplittableRandom random) {
    return -Math.log1p(-random.nextDouble());
  }

  private String fit(String options) {
    return trial.ok("fit @t.csv --inputs x --model @m.lvl " + options);
  }

  /// The printed JSON, without spaces.
  private String json(String options) {
    return fit(options + " --json").replaceAll("\\s", "");
  }

  private Model model() throws IOException {
    return Model.load(folder.resolve("m.lvl"));
  }

  private static final String HELD =
      " --no-train --set lengthscale=1 --set outputscale=1 --set mean=0";

  @Test
  void wordsBecomeClassesAndTheOutputSaysWhichIsOne() throws IOException {
    String said = fit("--target word --likelihood bernoulli" + HELD);
    assertTrue(said.contains("classes     good is 1, bad is 0"), said);
    assertEquals(List.of("bad", "good"), model().target().values());
    double good = model().predict(1.5).mean(0);
    said = json("--target word --likelihood bernoulli --positive bad" + HELD);
    assertTrue(said.contains("\"classes\":[\"good\",\"bad\"]"), said);
    assertEquals(-good, model().predict(1.5).mean(0), 1e-8);
    fit("--target class --likelihood bernoulli" + HELD);
    assertEquals(-good, model().predict(1.5).mean(0), 1e-8);
    assertFalse(model().target().isText());
  }

  @Test
  void modelsWithOtherClassesForOneAreNotMerged() throws IOException {
    fit("--target word --likelihood bernoulli" + HELD);
    Model good = model();
    trial.ok("update @m.lvl @t.csv --model @twice.lvl");
    assertEquals(2 * ROWS, Model.load(folder.resolve("twice.lvl")).count());
    trial.ok(
        "fit @t.csv --inputs x --target word --likelihood bernoulli --positive bad --model @bad.lvl"
            + HELD);
    String said = trial.refused("merge @m.lvl @bad.lvl --model @no.lvl");
    assertTrue(said.contains("different classes of 'word', [bad, good] and [good, bad]"), said);
    Dataset rows =
        Dataset.of(
            new double[] {1, 2},
            good.columns(),
            new double[] {0, 1},
            Column.of("word", List.of("good", "bad")));
    assertThrows(IllegalArgumentException.class, () -> good.with(rows));
  }

  @Test
  void twoOtherNumbersAreClassesToo() throws IOException {
    String said = fit("--target two --likelihood bernoulli" + HELD);
    assertTrue(said.contains("classes     2 is 1, 1 is 0"), said);
    double two = model().predict(1.5).mean(0);
    fit("--target class --likelihood bernoulli" + HELD);
    assertEquals(model().predict(1.5).mean(0), two, 1e-12);
  }

  @Test
  void knownNoiseIsWeightsOfNoiseOne() throws IOException {
    fit("--target y --weights weight --fix noise=1" + HELD);
    double[] weighted = {model().predict(2.5).mean(0), model().predict(2.5).variance(0)};
    String said = json("--target y --noise-sd sd" + HELD);
    assertTrue(said.contains("\"likelihood\":\"gaussian(noise=known)\""), said);
    assertEquals(weighted[0], model().predict(2.5).mean(0), 1e-10);
    assertEquals(weighted[1], model().predict(2.5).variance(0), 1e-10);
    String variances = "select *, sd * sd as v from input";
    trial.ok(
        "fit @t.csv --sql '%s' --inputs x --target y --noise-variance v --model @m.lvl%s"
            .formatted(variances, HELD));
    assertEquals(weighted[0], model().predict(2.5).mean(0), 1e-10);
  }

  @Test
  void exposureCountsAndIsNoInput() throws IOException {
    trial.ok(
        "fit @t.csv --sql 'select x, count, hours from input' --target count --likelihood poisson"
            + " --exposure hours --model @m.lvl"
            + HELD);
    assertEquals(List.of("x"), model().columns().stream().map(c -> c.name()).toList());
    double rate = model().predict(1.5).mean(0);
    trial.ok(
        "fit @t.csv --sql 'select x, count, 10 * hours as hours from input' --target count"
            + " --likelihood poisson --exposure hours --model @m.lvl --set mean="
            + -Math.log(10)
            + HELD.replace(" --set mean=0", ""));
    assertEquals(rate - Math.log(10), model().predict(1.5).mean(0), 1e-7);
  }

  @Test
  void classesThatAreToldApartWithoutAMistakeAreAdvisedAbout() {
    String rows = "select x, (x > 3)::int as y from input";
    String line = "fit @t.csv --sql '%s' --target y --likelihood bernoulli --model @m.lvl";
    String said = trial.ok(line.formatted(rows));
    assertTrue(
        said.contains("advice      the model separates the classes without a mistake"), said);
    said = trial.ok(line.formatted(rows) + " --fix outputscale=30");
    assertFalse(said.contains("separates the classes"), said);
    said = fit("--target class --likelihood bernoulli");
    assertFalse(said.contains("separates the classes"), said);
  }

  /// The columns that a command adds to the table, by row.
  private List<double[]> rows(String line, String... columns) {
    List<String> lines = trial.ok(line).lines().toList();
    List<String> names = List.of(lines.getFirst().split(",", -1));
    List<double[]> rows = new ArrayList<>();
    for (String each : lines.subList(1, lines.size())) {
      String[] cells = each.split(",", -1);
      double[] row = new double[columns.length];
      for (int j = 0; j < row.length; j++)
        row[j] = Double.parseDouble(cells[names.indexOf(columns[j])]);
      rows.add(row);
    }
    assertEquals(ROWS, rows.size());
    return rows;
  }

  @Test
  void countsArePredictedAsFunctionRateAndObservation() {
    fit("--target count --likelihood poisson --exposure hours" + HELD);
    String line = "predict @m.lvl @t.csv ";
    var functions = rows(line + "--of function", "mean", "variance", "hours", "lower");
    var rates = rows(line + "--quantiles 0.5", "mean", "variance", "lower", "upper", "q0.5");
    var counts =
        rows(line + "--of observation --exposure hours", "mean", "variance", "lower", "upper");
    assertEquals("", trial.err());
    for (int i = 0; i < ROWS; i++) {
      double m = functions.get(i)[0];
      double v = functions.get(i)[1];
      double hours = functions.get(i)[2];
      double rate = Math.exp(m + v / 2);
      double spread = rate * rate * Math.expm1(v);
      assertEquals(rate, rates.get(i)[0], 1e-9 * rate, "log-normal mean");
      assertEquals(spread, rates.get(i)[1], 1e-9 * spread);
      assertEquals(Math.exp(functions.get(i)[3]), rates.get(i)[2], 1e-9 * rate);
      assertEquals(Math.exp(m), rates.get(i)[4], 1e-9 * rate, "median");
      double[] count = counts.get(i);
      assertEquals(hours * rate, count[0], 1e-7 * count[0]);
      assertEquals(hours * rate + hours * hours * spread, count[1], 1e-6 * count[1]);
      assertEquals(Math.rint(count[2]), count[2], "a whole number");
      assertEquals(Math.rint(count[3]), count[3], "a whole number");
      assertTrue(count[2] >= 0 && count[2] <= count[0] && count[0] < count[3] + 1);
    }
    trial.ok(line + "--of observation");
    assertTrue(
        trial.err().contains("every observation has exposure 1; --exposure COLUMN"), trial.err());
  }

  @Test
  void probabilitiesLieBetweenZeroAndOne() {
    fit("--target word --likelihood bernoulli" + HELD);
    var functions = rows("predict @m.lvl @t.csv --of function", "mean", "lower", "upper");
    var found = rows("predict @m.lvl @t.csv", "mean", "lower", "upper");
    for (int i = 0; i < ROWS; i++) {
      double[] p = found.get(i);
      assertTrue(0 < p[1] && p[1] < p[0] && p[0] < p[2] && p[2] < 1, Arrays.toString(p));
      for (int j = 1; j < 3; j++)
        assertEquals(1 / (1 + Math.exp(-functions.get(i)[j])), p[j], 1e-9);
    }
    for (double[] draw : rows("sample @m.lvl @t.csv --draws 2 --of observation", "draw1", "draw2"))
      assertTrue((draw[0] == 0 || draw[0] == 1) && (draw[1] == 0 || draw[1] == 1));
    for (double[] draw : rows("sample @m.lvl @t.csv --draws 1", "draw1"))
      assertTrue(draw[0] > 0 && draw[0] < 1);
  }

  @Test
  void drawsOfObservationsHaveTheMeansOfPredictions() {
    fit("--target success --likelihood binomial --trials trials" + HELD);
    String what = " --of observation --trials trials";
    var means = rows("predict @m.lvl @t.csv" + what, "mean", "variance");
    String[] names = new String[400];
    for (int s = 0; s < names.length; s++) names[s] = "draw" + (s + 1);
    var draws = rows("sample @m.lvl @t.csv --draws 400" + what, names);
    double worst = 0;
    for (int i = 0; i < ROWS; i++) {
      double mean = Arrays.stream(draws.get(i)).average().orElseThrow();
      for (double draw : draws.get(i)) assertEquals(Math.rint(draw), draw);
      double error = Math.sqrt(means.get(i)[1] / names.length);
      worst = Math.max(worst, Math.abs(mean - means.get(i)[0]) / error);
    }
    assertTrue(worst < 4.5, "in standard errors, of 60 rows: " + worst);
  }

  @Test
  void observationsOfKnownNoiseHaveIt() {
    fit("--target y --noise-sd sd" + HELD);
    var functions = rows("predict @m.lvl @t.csv", "mean", "variance", "sd");
    var found = rows("predict @m.lvl @t.csv --of observation --noise-sd sd", "mean", "variance");
    for (int i = 0; i < ROWS; i++) {
      double[] f = functions.get(i);
      assertEquals(f[0], found.get(i)[0], 1e-12);
      assertEquals(f[1] + f[2] * f[2], found.get(i)[1], 1e-10);
    }
  }

  private JsonNode evaluated(String options) throws IOException {
    return new ObjectMapper().readTree(trial.ok("evaluate @m.lvl @t.csv --json " + options));
  }

  @Test
  void scoresOfClassesAreThoseOfTheirProbabilities() throws IOException {
    fit("--target word --likelihood bernoulli --positive bad" + HELD);
    var rows = rows("predict @m.lvl @t.csv", "mean", "class");
    double log = 0;
    double squares = 0;
    double wrong = 0;
    double pairs = 0;
    double wins = 0;
    for (double[] row : rows) {
      log -= Math.log(row[1] == 1 ? row[0] : 1 - row[0]) / ROWS;
      squares += (row[0] - row[1]) * (row[0] - row[1]) / ROWS;
      if (row[0] > 0.5 != (row[1] == 1)) wrong += 1.0 / ROWS;
      for (double[] other : rows) {
        if (row[1] != 1 || other[1] != 0) continue;
        pairs++;
        wins += row[0] > other[0] ? 1 : row[0] == other[0] ? 0.5 : 0;
      }
    }
    JsonNode found = evaluated("");
    assertEquals(log, found.get("nlpd").asDouble(), 1e-8);
    assertEquals(squares, found.get("brier").asDouble(), 1e-8);
    assertEquals(wrong, found.get("error_rate").asDouble(), 1e-12);
    assertEquals(wins / pairs, found.get("area_under_curve").asDouble(), 1e-12);
    String text = trial.ok("evaluate @m.lvl @t.csv");
    assertTrue(text.contains("area under the ROC curve"), text);
    long counted = 0;
    for (JsonNode bin : found.get("calibration")) counted += bin.get("rows").asLong();
    assertEquals(ROWS, counted);
    assertTrue(trial.ok("evaluate @m.lvl @t.csv").contains("probability of bad"), trial.out());
  }

  private String calibration(String options) throws IOException {
    evaluated(options + " --plot @c.svg");
    String drawn = Files.readString(trial.file("c.svg"));
    trial.ok("plot @m.lvl @t.csv --what calibration --out @p.svg " + options);
    assertEquals(drawn, Files.readString(trial.file("p.svg")));
    return drawn;
  }

  @Test
  void calibrationIsDrawnAsSuitsTheTargets() throws IOException {
    fit("--target word --likelihood bernoulli --positive bad" + HELD);
    String svg = calibration("");
    assertTrue(svg.contains("predicted probability of word = bad"), svg);
    assertTrue(svg.contains("share of rows with word = bad"), svg);
    assertTrue(svg.contains("60 rows"), svg);
    fit("--target count --likelihood poisson --exposure hours" + HELD);
    assertTrue(calibration("--exposure hours").contains("randomised ranks inside it (%)"));
    fit("--target success --likelihood binomial --trials trials" + HELD);
    assertTrue(calibration("--trials trials").contains("randomised ranks inside it (%)"));
    fit("--target class --likelihood binomial --trials one" + HELD);
    assertTrue(calibration("--trials one").contains("predicted probability of a success (class)"));
    fit("--target amount --likelihood gamma --set shape=1" + HELD);
    assertTrue(calibration("").contains("targets inside it (%)"));
  }

  @Test
  void theLogScoreOfCountsIsTheirProbabilityOverTheFunction() throws IOException {
    fit("--target count --likelihood poisson --exposure hours" + HELD);
    double log = 0;
    for (double[] row :
        rows("predict @m.lvl @t.csv --of function", "mean", "variance", "count", "hours")) {
      double sum = 0; // over f, by steps of a hundredth of its deviation
      double factorial = 0;
      for (int k = 2; k <= row[2]; k++) factorial += Math.log(k);
      for (int s = -800; s <= 800; s++) {
        double z = s / 100.0;
        double f = row[0] + z * Math.sqrt(row[1]) + Math.log(row[3]);
        sum += 0.01 * Math.exp(-z * z / 2 + row[2] * f - Math.exp(f) - factorial);
      }
      log -= Math.log(sum / Math.sqrt(2 * Math.PI)) / ROWS;
    }
    JsonNode found = evaluated("--exposure hours");
    assertEquals(log, found.get("nlpd").asDouble(), 1e-7);
    assertTrue(found.get("rank_distance").asDouble() < 0.3);
    assertTrue(found.get("coverage").get("0.95").asDouble() > 0.8);
    assertFalse(found.has("crps"));
    String said = trial.ok("evaluate @m.lvl @t.csv");
    assertTrue(said.contains("exposure    1 in every row; --exposure COLUMN"), said);
  }

  @Test
  void amountsAndOutliersAndNoiseThatVariesHaveLogScoreAndCoverage() throws IOException {
    for (String options :
        List.of(
            "--target amount --likelihood gamma --set shape=1",
            "--target y --likelihood student-t --set noise=0.04 --set df=4",
            "--target y --noise-model varying --set noise.mean=-1.5 --set noise.outputscale=0.1"
                + " --set noise.lengthscale=2")) {
      fit(options + HELD.replace("lengthscale=1", "rbf.lengthscale=1"));
      JsonNode found = evaluated("");
      assertTrue(Double.isFinite(found.get("nlpd").asDouble()), options);
      double inside = found.get("coverage").get("0.9").asDouble();
      assertTrue(inside > 0.7, options + ": " + inside);
    }
  }

  @Test
  void compareScoresKernelsUnderALikelihood() {
    String said =
        trial.ok(
            "compare @t.csv --inputs x --target count --likelihood poisson --exposure hours"
                + " --kernels rbf --folds 2");
    assertTrue(said.contains("60 rows, 2 folds") && said.contains("rbf"), said);
  }

  @Test
  void aLikelihoodIsSuggestedForClassesAndCounts() {
    String advice = "suggestion  'class' holds only 0 and 1; --likelihood bernoulli models";
    String noise = HELD + " --set noise=1";
    assertTrue(fit("--target class" + noise).contains(advice), trial.out());
    String counts = fit("--target count" + noise);
    assertTrue(counts.contains("suggestion  'count' holds small whole numbers"), counts);
    assertTrue(counts.contains("--likelihood poisson models their rate"), counts);
    assertTrue(json("--target count" + noise).contains("\"suggested_likelihood\":\"poisson\""));
    assertFalse(fit("--target y" + noise).contains("suggestion"), trial.out());
    assertFalse(fit("--target count --likelihood gaussian" + noise).contains("suggestion"));
    assertFalse(fit("--target class --likelihood bernoulli" + HELD).contains("suggestion"));
  }
}
