package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import lovelace.Model;
import lovelace.posterior.Scores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `evaluate`, `update`, `merge`, `plot`, `compare` and `completion`, in one process.
class ModelCommandsTest {

  private static final String GRID = " --grid 60 --bounds x=0:6";
  private static final String FIT =
      " --target y --no-train --set lengthscale=0.8 --set outputscale=0.3 --set noise=0.01"
          + " --set mean=0.1"
          + GRID
          + " --model @";
  private static final String FIT_WITHOUT_GRID = FIT.replace(GRID, "");

  @TempDir private Path folder;
  private Trial trial = new Trial(Path.of("."));

  @BeforeEach
  void writeTables() throws IOException {
    trial = new Trial(folder);
    trial.write("a.csv", Trial.wave(0, 120));
    trial.write("b.csv", Trial.wave(120, 200));
    trial.write("all.csv", Trial.wave(0, 200));
    trial.write("test.csv", Trial.wave(200, 260));
  }

  private static double number(String json, String key) {
    Matcher m = Pattern.compile("\"" + Pattern.quote(key) + "\": (-?[0-9.eE+-]+)").matcher(json);
    assertTrue(m.find(), () -> key + " in " + json);
    return Double.parseDouble(m.group(1));
  }

  private double[] predictions(String model) {
    return Arrays.stream(trial.ok("predict @" + model + " @test.csv").split("\n", -1))
        .skip(1)
        .filter(line -> !line.isBlank())
        .flatMapToDouble(
            line -> {
              String[] f = line.split(",", -1);
              return IntStream.of(2, 3, 4, 5).mapToDouble(j -> Double.parseDouble(f[j]));
            })
        .toArray();
  }

  private void assertAlike(String expected, String actual) {
    double[] p = predictions(expected);
    double[] q = predictions(actual);
    for (int i = 0; i < p.length; i++) assertEquals(p[i], q[i], 1e-8);
    String one = trial.ok("inspect --json @" + expected);
    String two = trial.ok("inspect --json @" + actual);
    assertEquals(
        number(one, "log_marginal_likelihood"), number(two, "log_marginal_likelihood"), 1e-6);
    Pattern fingerprint = Pattern.compile("\"fingerprint\": \"([0-9a-f]+)\"");
    Matcher m = fingerprint.matcher(one);
    Matcher n = fingerprint.matcher(two);
    assertTrue(m.find() && n.find());
    assertEquals(m.group(1), n.group(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--kernel rbf",
        "--kernel rbf --engine spectral --transform log",
        "--kernel rbf --engine krylov",
        "--kernel matern32 --engine markov",
        "--kernel rbf --engine exact"
      })
  void updateEqualsRefittingOnTheUnionAndForgetUndoesIt(String options) {
    String fit = options.endsWith("exact") ? FIT_WITHOUT_GRID : FIT;
    for (String part : List.of("a", "b", "all"))
      trial.ok("fit @" + part + ".csv " + options + fit + part + ".lvl");
    String said = trial.ok("update @a.lvl @b.csv --model @ab.lvl");
    assertTrue(said.contains("200 rows, 120 before; parameters are those of"), said);
    assertAlike("all.lvl", "ab.lvl");
    trial.ok("update @ab.lvl @b.csv --forget --model @ab.lvl");
    assertAlike("a.lvl", "ab.lvl");
    said = trial.ok("merge @a.lvl @b.lvl --model @m.lvl");
    assertTrue(said.contains("200 rows of 2 models; parameters are those of"), said);
    assertAlike("all.lvl", "m.lvl");
    String notes = trial.ok("inspect @m.lvl");
    assertTrue(notes.contains("merged      120 rows (made "), notes);
    assertTrue(notes.contains("lovelace fit") && notes.contains("lovelace merge"), notes);
  }

  /// Ranks are those of the first fit, and other fits can take them over.
  @Test
  void ranksOfTheFirstFitServeUpdatesAndMerges() {
    trial.ok("fit @a.csv --kernel rbf --transform ranks" + FIT + "a.lvl");
    for (String part : List.of("b", "all"))
      trial.ok("fit @" + part + ".csv --kernel rbf --transform-from @a.lvl" + FIT + part + ".lvl");
    trial.ok("update @a.lvl @b.csv --model @ab.lvl");
    assertAlike("all.lvl", "ab.lvl");
    trial.ok("update @ab.lvl @b.csv --forget --model @ab.lvl");
    assertAlike("a.lvl", "ab.lvl");
    trial.ok("merge @a.lvl @b.lvl --model @m.lvl");
    assertAlike("all.lvl", "m.lvl");

    trial.ok("fit @b.csv --kernel rbf --transform ranks" + FIT + "own.lvl");
    String said = trial.refused("merge @a.lvl @own.lvl --model @m.lvl");
    assertTrue(said.contains("ranks of different tables"), said);
    assertTrue(said.contains("--transform-from"), said);
    said = trial.refused("fit @b.csv --transform log --transform-from @a.lvl" + FIT + "no.lvl");
    assertTrue(said.contains("leave out one of the two"), said);
    said = trial.refused("fit @b.csv --transform-from @none.lvl" + FIT + "no.lvl");
    assertTrue(said.contains("there is no model '@none.lvl'"), said);
    said = trial.refused("fit @b.csv --intensity --transform-from @a.lvl --model @no.lvl");
    assertTrue(said.contains("--transform-from"), said);
  }

  @Test
  void aChainIsTheExactModelAndHoldsItsRows() throws IOException {
    String fit = FIT_WITHOUT_GRID + "%s.lvl --kernel matern12";
    String chain = fit + " --engine chain";
    for (String part : List.of("a", "b", "all"))
      trial.ok("fit @" + part + ".csv" + chain.formatted(part));
    trial.ok("fit @all.csv" + fit.formatted("exact") + " --engine exact");
    assertAlike("exact.lvl", "all.lvl");
    trial.ok("update @a.lvl @b.csv --model @ab.lvl");
    assertAlike("all.lvl", "ab.lvl");
    trial.ok("update @ab.lvl @b.csv --forget --model @ab.lvl");
    assertAlike("a.lvl", "ab.lvl");
    trial.ok("merge @a.lvl @b.lvl --model @m.lvl");
    assertAlike("all.lvl", "m.lvl");
    String json = trial.ok("inspect --json @all.lvl");
    assertTrue(json.contains("\"engine\": \"chain\""), json);
    assertTrue(json.contains("\"holds_training_rows\": true"), json);
    assertTrue(json.contains("\"plan\": {"), json);
    assertTrue(json.contains("\"seed\": 1"), json);
    assertTrue(json.contains("\"chosen\": \"chain\""), json);
    String said = trial.ok("inspect @all.lvl");
    assertTrue(said.contains("nodes are the 200 places of the rows"), said);
    assertTrue(said.contains("plan        chain engine, "), said);
    assertTrue(
        said.contains("with grid points it is a model on a grid, which keeps no rows"), said);
    assertFalse(said.contains("lattice"), said);
    assertEquals(61, trial.ok("sample @all.lvl @test.csv --draws 3").lines().count());
    trial.ok("plot @all.lvl --out @all.svg");
    trial.ok("evaluate @all.lvl @test.csv");
    String refused = trial.refused("fit @all.csv" + chain.formatted("grid") + " --grid 60");
    assertTrue(refused.contains("--engine chain makes none"), refused);
    assertTrue(refused.contains("or use --engine markov"), refused);
    trial.ok("fit @all.csv" + fit.formatted("grid") + " --engine markov --grid 60");
    assertTrue(
        trial.err().startsWith("plan: markov engine, as asked, on the 60 grid"), trial.err());
    json = trial.ok("inspect --json @grid.lvl");
    assertTrue(json.contains("\"holds_training_rows\": false"), json);
    trial.ok("fit @all.csv" + fit.formatted("own") + " --engine markov");
    json = trial.ok("inspect --json @own.lvl");
    assertTrue(json.contains("\"engine\": \"markov\""), json);
    assertTrue(json.contains("\"holds_training_rows\": false"), json);
    trial.ok("fit @all.csv" + fit.formatted("few") + " --engine markov --grid 12");
    assertTrue(trial.err().contains("--engine chain and no --grid"), trial.err());
  }

  @Test
  void updateWithTheSameRowsSaysThatTheyCountTwice() {
    trial.ok("fit @a.csv" + FIT + "a.lvl");
    String remark =
        "lovelace: these rows have the fingerprint of those that the model has learned from, so"
            + " they now count twice; --forget takes them out again";
    trial.ok("update @a.lvl @a.csv --model @aa.lvl");
    assertTrue(trial.err().contains(remark), trial.err());
    trial.ok("update @a.lvl @a.csv --json --model @aa.lvl");
    assertTrue(trial.err().contains(remark), trial.err());
    trial.ok("update @aa.lvl @a.csv --forget --model @aa.lvl");
    assertFalse(trial.err().contains("twice"), trial.err());
    trial.ok("update @a.lvl @b.csv --model @ab.lvl");
    assertFalse(trial.err().contains("twice"), trial.err());
  }

  @Test
  void mergeRefusesCopiesAndNamesModelsOfTheSameRows() throws IOException {
    trial.ok("fit @a.csv" + FIT + "a.lvl");
    trial.ok("fit @b.csv" + FIT + "b.lvl");
    trial.ok("merge @a.lvl @b.lvl --model @both.lvl");
    Files.copy(folder.resolve("a.lvl"), folder.resolve("copy.lvl"));
    Files.createSymbolicLink(folder.resolve("link.lvl"), Path.of("a.lvl"));
    for (String models :
        List.of(
            "@a.lvl @a.lvl",
            "@a.lvl @./a.lvl",
            "@a.lvl @link.lvl",
            "@a.lvl @copy.lvl",
            "@a.lvl @b.lvl @copy.lvl")) {
      String said = trial.refused("merge " + models + " --model @m.lvl");
      assertTrue(said.contains("would count twice"), said);
      assertFalse(Files.exists(folder.resolve("m.lvl")));
    }
    trial.ok("fit @a.csv" + FIT + "again.lvl");
    for (String models :
        List.of("@a.lvl @again.lvl", "@a.lvl @b.lvl @again.lvl", "@both.lvl @a.lvl @b.lvl")) {
      trial.ok("merge " + models + " --model @m.lvl");
      assertEquals(1, trial.err().lines().filter(l -> l.contains("now count twice")).count());
    }
  }

  @Test
  void evaluateSaysThatTheModelHasLearnedFromTheRows() {
    trial.ok("fit @a.csv" + FIT + "a.lvl");
    String remark = "lovelace: the model has learned from these rows, so the scores say how well";
    trial.ok("evaluate @a.lvl @a.csv");
    assertTrue(trial.err().contains(remark), trial.err());
    assertFalse(trial.out().contains("learned from"), trial.out());
    trial.ok("evaluate @a.lvl @b.csv");
    assertFalse(trial.err().contains("learned from"), trial.err());
    trial.ok("evaluate @a.lvl @a.csv --quiet");
    assertEquals("", trial.err());
  }

  @Test
  void updateReadsDatesOnTheModelsScale() throws IOException {
    StringBuilder january = new StringBuilder("day,sold\n");
    StringBuilder february = new StringBuilder("day,sold\n");
    for (int i = 1; i <= 28; i++) {
      january.append(String.format(Locale.ROOT, "2024-01-%02d,%s%n", i, Math.sin(i / 5.0)));
      february.append(String.format(Locale.ROOT, "2024-02-%02d,%s%n", i, Math.sin((i + 31) / 5.0)));
    }
    trial.write("jan.csv", january.toString());
    trial.write("feb.csv", february.toString());
    trial.write("both.csv", january + february.toString().replace("day,sold\n", ""));
    String fit =
        " --target sold --no-train --set lengthscale=6 --set outputscale=1 --set noise=0.01"
            + " --set mean=0 --grid 70 --bounds day=2024-01-01:2024-02-28 --model @";
    for (String part : List.of("jan", "feb", "both"))
      trial.ok("fit @" + part + ".csv" + fit + part + ".lvl");
    trial.ok("update @jan.lvl @feb.csv --model @u.lvl");
    trial.ok("merge @jan.lvl @feb.lvl --model @m.lvl");
    String expected = trial.ok("predict @both.lvl @both.csv");
    for (String model : List.of("u", "m")) {
      String[] one = expected.split("\n", -1);
      String[] two = trial.ok("predict @" + model + ".lvl @both.csv").split("\n", -1);
      for (int i = 1; i < one.length - 1; i++)
        assertEquals(
            Double.parseDouble(one[i].split(",", -1)[2]),
            Double.parseDouble(two[i].split(",", -1)[2]),
            1e-8);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "log"})
  void evaluateGivesTheScoresInTheTargetsUnits(String transform) throws IOException {
    trial.ok("fit @a.csv --transform " + transform + FIT + "m.lvl");
    String json = trial.ok("evaluate @m.lvl @test.csv --json --plot @c.html");
    Model model = Model.load(folder.resolve("m.lvl"));
    List<String[]> rows =
        Files.readAllLines(folder.resolve("test.csv")).stream()
            .skip(1)
            .map(line -> line.split(",", -1))
            .toList();
    double[] x = rows.stream().mapToDouble(r -> Double.parseDouble(r[0])).toArray();
    double[] y = rows.stream().mapToDouble(r -> Double.parseDouble(r[1])).toArray();
    Scores scores = Scores.of(model.predictObservation(x), y);
    assertEquals(60, number(json, "rows"));
    assertEquals(scores.rmse(), number(json, "rmse"), 1e-14);
    assertEquals(scores.mae(), number(json, "mae"), 1e-14);
    assertEquals(scores.nlpd(), number(json, "nlpd"), 1e-13);
    assertEquals(scores.crps(), number(json, "crps"), 1e-14);
    assertEquals(scores.intervalScore(0.95), number(json, "interval_score"), 1e-13);
    for (String level : List.of("0.5", "0.9", "0.95"))
      assertEquals(scores.coverage(Double.parseDouble(level)), number(json, level));
    assertTrue(Files.readString(folder.resolve("c.html")).contains("Calibration of y"));
    String text = trial.ok("evaluate @m.lvl @test.csv");
    assertTrue(text.contains("NLPD") && text.contains("inside 95 %"), text);
  }

  @Test
  void weightsChangeTheNoiseOfARow() throws IOException {
    trial.ok("fit @a.csv" + FIT + "m.lvl");
    trial.write("w.csv", "x,y,w\n1,1.2,1\n2,0.7,4\n");
    trial.write("v.csv", "x,y\n1,1.2\n2,0.7\n");
    double with = number(trial.ok("evaluate @m.lvl @w.csv --weights w --json"), "nlpd");
    double without = number(trial.ok("evaluate @m.lvl @v.csv --json"), "nlpd");
    assertTrue(with != without);
  }

  @Test
  void picturesOfAllKindsAreWritten() throws IOException {
    trial.ok("fit @a.csv --target y --model @m.lvl");
    for (String extension : List.of("png", "svg", "html")) {
      for (String what : List.of("", "@test.csv", "--what trace", "@test.csv --what calibration")) {
        String said = trial.ok("plot @m.lvl " + what + " --out @p." + extension);
        assertEquals(folder.resolve("p." + extension).toString(), said.strip());
        assertTrue(Files.size(folder.resolve("p." + extension)) > 5000);
        Files.delete(folder.resolve("p." + extension));
      }
    }
    trial.ok("plot @m.lvl @test.csv --draws 0 --of observation --out @n.svg");
    String svg = Files.readString(folder.resolve("n.svg"));
    assertTrue(svg.contains("noise included") && !svg.contains(">draws<"), svg);
  }

  @Test
  void compareRanksKernels() throws IOException {
    String table =
        trial.ok("compare @a.csv --target y --kernels rbf,matern12 --folds 3 --plot @k.svg");
    assertTrue(table.contains("120 rows, 3 folds") && table.contains("matern12"), table);
    assertTrue(Files.readString(folder.resolve("k.svg")).contains("cross-validated NLPD"));
    String json = trial.ok("compare @a.csv --target y --kernels 'rbf(lengthscale=1)' --json");
    assertTrue(number(json, "bic") < 0 && number(json, "nlpd_standard_error") > 0, json);
    assertEquals(
        List.of("rbf(lengthscale=1,2)", "sm(2)"),
        CompareCommand.split("rbf(lengthscale=1,2), sm(2)"));
  }

  @Test
  void completionKnowsEveryCommand() {
    String script = trial.ok("completion");
    for (String command : commands()) assertTrue(script.contains(command), command);
    assertTrue(script.contains("complete -F _complete_lovelace"), script);
  }

  private static List<String> commands() {
    return List.of(
        "fit",
        "predict",
        "sample",
        "evaluate",
        "plot",
        "inspect",
        "update",
        "merge",
        "compare",
        "bench",
        "reproduce",
        "demo",
        "completion");
  }

  @Test
  void helpOfEveryCommandHasExamplesAndExitCodes() {
    for (String command : commands()) {
      String help = trial.ok(command + " --help");
      assertTrue(help.startsWith("Usage: lovelace " + command), help);
      if (!command.equals("bench"))
        assertTrue(help.contains("Example"), () -> command + ": " + help);
      assertTrue(help.contains("130"), () -> command + ": " + help);
      assertFalse(help.contains("%%") || help.contains("WARN"), () -> command + ": " + help);
    }
  }
}
