package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `fit` with more inputs than one grid takes.
class ManyInputsTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeTable() throws IOException {
    var random = new SplittableRandom(6);
    StringBuilder rows = new StringBuilder("a,b,c,d,y\n");
    for (int i = 0; i < 80; i++) {
      double[] x = random.doubles(4, -1, 1).toArray();
      double y = Math.sin(3 * x[0] - 2 * x[1]) * x[2] + 0.05 * random.nextGaussian(); // no sum
      rows.append("%s,%s,%s,%s,%s%n".formatted(x[0], x[1], x[2], x[3], y));
    }
    Files.writeString(folder.resolve("t.csv"), rows);
  }

  private void ok(String line) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] args = line.replace("@", folder + "/").split(" ", -1);
    assertEquals(
        0, Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args), err::toString);
  }

  @Test
  void manyInputsAreTheProcessOfTheirRows() throws IOException {
    ok("fit @t.csv --target y --time 60 --model @m.lvl");
    assertTrue(out.toString().contains("holds       the rows themselves"), out::toString);
    for (String rival : List.of("matern12 ", "matern32 ", "matern52 ", "rbf ", "additive "))
      assertTrue(
          out.toString().lines().anyMatch(l -> l.contains("NLPD") && l.contains(rival)),
          out::toString);
    ok("predict @m.lvl @t.csv --out @p.csv");
    assertEquals(81, Files.readAllLines(folder.resolve("p.csv")).size());
    ok("sample @m.lvl @t.csv --draws 2 --out @s.csv");
    ok("inspect @m.lvl --json");
    assertTrue(out.toString().contains("\"holds_training_rows\": true"), out::toString);
  }

  @Test
  void neighboursAreAsManyAsAskedFor() {
    ok("fit @t.csv --target y --kernel matern32 --neighbours 21 --columns as-is --model @m.lvl");
    assertTrue(out.toString().contains("the 21 nearest rows"), out::toString);
    ok("inspect @m.lvl --json");
    assertTrue(out.toString().contains("\"chosen\": \"neighbours\""), out::toString);
    assertTrue(out.toString().contains("\"engine\": \"neighbours\","), out::toString);
  }

  @Test
  void kernelThatIsGivenIsNotChosen() {
    ok("fit @t.csv --target y --kernel matern12 --transform none --time 60 --model @m.lvl");
    assertTrue(out.toString().contains("*matern12("), out::toString);
    assertFalse(out.toString().contains("matern32"), out::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --engine spectral | shape       additive, because the engine spectral works on grids
          --grid 20         | shape       additive, because grid points are given
          """)
  void whatAsksForGridsMakesASumAndSaysWhy(String option, String line) {
    ok(
        "fit @t.csv --target y --fix noise=0.01 --fix lengthscale=0.5 --fix outputscale=0.5 --fix"
            + " mean=0 --model @m.lvl "
            + option);
    assertTrue(out.toString().contains(line), out::toString);
  }

  @Test
  void projectionIsMadeWhenAskedFor() {
    ok("fit @t.csv --target y --projection --grid 20 --model @m.lvl");
    assertTrue(out.toString().contains("feature 1"), out::toString);
    ok("inspect @m.lvl --json");
    assertTrue(out.toString().contains("\"projection\""), out::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --neighbours 0                  | --neighbours must be 1 or more, got 0
          --neighbours 9 --engine exact   | --neighbours 9 needs --engine neighbours, and --engine is exact
          --neighbours 9 --grid 20        | --grid asks for a grid, and --neighbours makes none
          --engine neighbours --grid 20   | --grid asks for a grid, and --engine neighbours makes none
          --engine neighbours --projection | --projection needs a grid of features, and --engine neighbours makes no grid
          --engine neighbours --deep 4,2  | --deep needs a grid of features, and --engine neighbours makes no grid
          --additive --projection         | --additive and --projection are different models
          --projection --deep 4,2         | --projection and --deep are different models
          --columns tidy                  | --columns must be one of auto, as-is, got 'tidy'
          --set size=2                    | --set size=2: no parameter is called 'size'
          """)
  void optionsThatCannotBothBeFollowedAreRefused(String options, String message) {
    String said = new Trial(folder).refused("fit @t.csv --target y --model @m.lvl " + options);
    assertTrue(said.contains(message), said);
  }

  @Test
  void aPictureOfColumnsOfASumAsksForRowsAndNamesNoProjection() throws IOException {
    Trial trial = new Trial(folder);
    List<String> rows = Files.readAllLines(folder.resolve("t.csv"));
    StringBuilder words = new StringBuilder("fuel," + rows.getFirst() + "\n");
    for (int i = 1; i < rows.size(); i++)
      words.append(i % 3 == 0 ? "diesel," : "petrol,").append(rows.get(i)).append('\n');
    trial.write("words.csv", words.toString()); // words become features, as a projection does
    for (String table : List.of("@t.csv", "@words.csv")) {
      trial.ok(
          "fit %s --target y --additive --model @m.lvl --no-train --set lengthscale=1 --set outputscale=1 --set noise=0.1 --set mean=0"
              .formatted(table));
      String message = trial.refused("plot @m.lvl --what columns --out @c.svg");
      assertTrue(
          message.contains(
              "this picture needs rows, but the model keeps none; give a table of rows"),
          message);
      trial.ok("plot @m.lvl %s --what columns --out @c.svg".formatted(table));
    }
  }

  @Test
  void additiveAsAskedTakesValuesForEveryFunction() {
    ok(
        "fit @t.csv --target y --additive --no-train --kernel rbf --set lengthscale=0.5,0.6,0.7,0.8"
            + " --set outputscale=0.5 --set noise=0.01 --set mean=0 --grid 20 --model @m.lvl");
    assertTrue(out.toString().contains("4 grids of 80 points in all: a "), out::toString);
    assertTrue(out.toString().contains("rbf4.lengthscale         0.8"), out::toString);
  }
}
