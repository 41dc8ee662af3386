package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tables as people have them: text, booleans, dates, missing values and a column of names.
class WordsCommandTest {

  private static final List<String> COLOURS = List.of("blue", "green", "red");
  private static final String FIT =
      "fit @t.csv --target y --kernel matern32 --engine exact --transform none --columns as-is"
          + " --missing mean --model @m.lvl";

  @TempDir private Path folder;

  private Trial trial;
  private final List<double[]> rows = new ArrayList<>();
  private final List<String> texts = new ArrayList<>();

  /// 60 rows; every 10th size and every 15th colour is missing.
  @BeforeEach
  void writeTable() throws IOException {
    trial = new Trial(folder);
    var random = new SplittableRandom(11);
    StringBuilder csv = new StringBuilder("id,colour,member,day,size,y\n");
    for (int i = 0; i < 60; i++) {
      int colour = random.nextInt(3);
      boolean member = random.nextInt(2) == 0;
      int day = random.nextInt(300);
      double size = random.nextDouble(5);
      double y = new double[] {1, 2, -1}[colour] * Math.sin(size) + (member ? 1 : 0) + 0.01 * day;
      boolean noColour = i % 15 == 4;
      boolean noSize = i % 10 == 3;
      String text =
          "%s,%s,%s,%s"
              .formatted(
                  noColour ? "NA" : " " + COLOURS.get(colour),
                  member ? "true" : "False",
                  LocalDate.of(2020, 1, 1).plusDays(day),
                  noSize ? "" : Double.toString(size));
      csv.append("row%s,%s,%s%n".formatted(i, text, y));
      texts.add(text);
      rows.add(
          new double[] {noColour ? 3 : colour, member ? 1 : 0, day, noSize ? Double.NaN : size, y});
    }
    trial.write("t.csv", csv.toString());
  }

  private double mean() {
    return rows.stream().mapToDouble(r -> r[3]).filter(Double::isFinite).average().orElseThrow();
  }

  /// The same rows as numbers.
  private Dataset data() {
    double[] x = new double[rows.size() * 4];
    double[] y = new double[rows.size()];
    long first = rows.stream().mapToLong(r -> (long) r[2]).min().orElseThrow();
    for (int i = 0; i < y.length; i++) {
      double[] row = rows.get(i);
      x[4 * i] = row[0];
      x[4 * i + 1] = row[1];
      x[4 * i + 2] = row[2] - first;
      x[4 * i + 3] = Double.isFinite(row[3]) ? row[3] : mean();
      y[i] = row[4];
    }
    List<Column> columns =
        List.of(
            Column.of("colour", List.of("blue", "green", "red", "(missing)")),
            Column.of("member"),
            Column.of("day"),
            Column.of("size"));
    return Dataset.of(x, columns, y, Column.of("y"));
  }

  /// Mean and variance of every row of a file that `predict` wrote.
  private double[][] predicted(String file) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve(file));
    List<String> names = List.of(lines.getFirst().split(",", -1));
    return lines.stream()
        .skip(1)
        .map(
            line -> {
              String[] fields = line.split(",", -1);
              return new double[] {
                Double.parseDouble(fields[names.indexOf("mean")]),
                Double.parseDouble(fields[names.indexOf("variance")])
              };
            })
        .toArray(double[][]::new);
  }

  @Test
  void textBooleansDatesAndGapsGiveTheModelOfTheirCodes() throws IOException {
    String said = trial.ok(FIT);
    assertTrue(said.contains("inputs      colour, member, day"), said);
    assertTrue(said.contains("left out    id, text with more than 50 different values"), said);
    assertTrue(said.contains("column 'size': 6 missing values are read as"), said);
    assertTrue(said.contains("column 'colour': 4 missing values are read as '(missing)'"), said);
    Model expected =
        Fit.DEFAULT
            .withKernel("matern32")
            .withEngine(Engine.EXACT)
            .withTransform(TargetTransform.NONE)
            .withColumnMaps(false)
            .to(data());
    trial.ok("predict @m.lvl @t.csv --out @p.csv");
    assertTrue(trial.err().contains("column 'size': 6 missing values are read as"), trial.err());
    double[][] found = predicted("p.csv");
    Prediction codes = expected.predict(data().inputs());
    for (int i = 0; i < found.length; i++) {
      assertEquals(codes.mean(i), found[i][0], 1e-9, "mean of row " + i);
      assertEquals(codes.variance(i), found[i][1], 1e-9, "variance of row " + i);
    }
    for (String format : List.of("parquet", "json"))
      trial.ok("predict @m.lvl @t.csv --out @p." + format);
    trial.ok(
        "predict @m.lvl '@p.json' --sql 'select id, colour, member, day, size from input' --out @q.csv");
    double[][] typed = predicted("q.csv");
    for (int i = 0; i < found.length; i++) assertEquals(found[i][0], typed[i][0], 1e-12);
  }

  @Test
  void wordsThatWereNotSeenAreDecidedByTheOtherColumns() throws IOException {
    trial.ok(FIT);
    trial.write(
        "new.csv",
        "colour,member,day,size\nred,true,2020-03-01,1\nmauve,true,2020-03-01,1\nteal,true,2020-03-01,1\nmauve,true,2020-03-01,1\n,true,2020-03-01,\n");
    trial.ok("predict @m.lvl @new.csv --out @p.csv");
    assertTrue(
        trial
            .err()
            .contains(
                "column 'colour': 3 rows have words that the model has not seen (mauve, teal)"),
        trial.err());
    assertTrue(
        trial.err().contains("column 'colour': 1 missing value is read as '(missing)'"),
        trial.err());
    double[][] found = predicted("p.csv");
    Model model = Model.load(folder.resolve("m.lvl"));
    double day = model.columns().get(2).time().orElseThrow().parse("2020-03-01");
    Prediction codes = model.predict(new double[] {2, 1, day, 1, -1, 1, day, 1, 3, 1, day, mean()});
    assertEquals(codes.mean(0), found[0][0], 1e-12);
    assertEquals(codes.mean(1), found[1][0], 1e-12, "differs from all words");
    assertEquals(codes.mean(1), found[2][0], 1e-12, "all unseen words are alike");
    assertEquals(codes.mean(2), found[4][0], 1e-9, "a missing word has a word of its own");
    assertTrue(found[1][1] > found[0][1], "less is known of a word that was not seen");
    String refused = trial.refused("predict @m.lvl @new.csv --unseen error --out @none.csv");
    assertTrue(
        refused.contains(
            "row 2 of '@new.csv': column 'colour' is 'mauve', a word that the model has not seen; it knows blue, green, red, (missing); correct the row, or pass --unseen mean"),
        refused);
    assertFalse(Files.exists(folder.resolve("none.csv")), "nothing is written");
    trial.ok("predict @m.lvl @new.csv --missing skip --out @p.csv");
    assertTrue(Files.readAllLines(folder.resolve("p.csv")).get(5).endsWith(",,,,"));
    String strict = trial.refused("predict @m.lvl @new.csv --missing error --out @none.csv");
    assertTrue(strict.contains("row 5 of '@new.csv': column 'colour' has no value"), strict);
  }

  @Test
  void inspectSaysWhatIsDoneToEveryColumn() {
    trial.ok(FIT);
    String said = trial.ok("inspect @m.lvl");
    for (String line :
        List.of(
            "  name +holds +if missing +lengthscale",
            "  colour +4 words: blue, green, red, \\(missing\\) +'\\(missing\\)' +[\\d.e+]+ ± .*",
            "  member +numbers +mean 0.416667 +[\\d.e+]+ ± .*",
            "  day \\(days\\) +dates +mean 2020-06-02 +[\\d.e+]+ ± .*",
            "  size +numbers +mean 2.88778 +[\\d.e+]+ ± .*"))
      assertTrue(said.lines().anyMatch(l -> l.matches(line)), line + "\n" + said);
    assertFalse(said.contains("matern32.lengthscale"), said);
    String json = trial.ok("inspect @m.lvl --json").replaceAll("\\s+", "");
    assertTrue(
        json.contains(
            "{\"name\":\"colour\",\"unit\":\"\",\"holds\":\"words\",\"words\":[\"blue\",\"green\",\"red\",\"(missing)\"],\"change\":\"none\",\"missing\":\"(missing)\",\"lengthscale\":"),
        json);
    assertTrue(json.contains("\"holds\":\"dates\",\"change\":\"none\",\"missing\":\"2020-"), json);
  }

  @Test
  void everyCommandReadsTheColumnsOfTheModel() throws IOException {
    trial.ok(FIT);
    trial.write(
        "more.csv",
        "colour,member,day,size,y\nred,true,2020-03-01,1,0.2\nmauve,true,2020-03-01,,1\n,false,2020-03-01,2,\n");
    String missing = trial.refused("evaluate @m.lvl @more.csv");
    assertTrue(missing.contains("row 3 of '@more.csv': column 'y' has no value"), missing);
    String json = trial.ok("evaluate @m.lvl @more.csv --missing mean --json");
    assertTrue(json.contains("\"rows\": 2"), json);
    assertTrue(json.contains("\"rows_missing\": 1"), json);
    assertTrue(json.replaceAll("\\s+", "").contains("\"words_unseen\":{\"colour\":1}"), json);
    String said = trial.ok("evaluate @m.lvl @more.csv --missing mean");
    assertTrue(said.contains("note        column 'size': 1 missing value is read as"), said);
    trial.ok("update @m.lvl @more.csv --missing mean --model @u.lvl");
    assertTrue(trial.out().contains("62 rows, 60 before"), trial.out());
    trial.ok("update @u.lvl @more.csv --missing mean --forget --model @back.lvl");
    trial.ok("predict @m.lvl @t.csv --out @p.csv");
    double[][] before = predicted("p.csv");
    trial.ok("predict @back.lvl @t.csv --out @p.csv");
    double[][] after = predicted("p.csv");
    for (int i = 0; i < before.length; i++) assertEquals(before[i][0], after[i][0], 1e-8);
    trial.ok("sample @m.lvl @more.csv --draws 2 --out @s.csv");
    assertEquals(4, Files.readAllLines(folder.resolve("s.csv")).size());
    assertTrue(trial.err().contains("has not seen (mauve)"), trial.err());
    trial.ok("plot @m.lvl @t.csv --what calibration --out @c.svg");
    trial.ok(
        "compare @t.csv --target y --kernels matern32 --folds 2 --engine exact --transform none"
            + " --missing mean");
    assertTrue(trial.out().contains("left out: id, text with more than 50"), trial.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --inputs id,size                  | column 'id' of '@t.csv' holds text with more than 50 different values (row0, row1, row10, …); leave it out of --inputs, or replace rare words by one common word
          --inputs member,size              | row 4 of '@t.csv': column 'size' has no value; correct or drop the row, or pass --missing skip
          --inputs colour                   | row 5 of '@t.csv': column 'colour' has no value; correct or drop the row, or pass --missing skip
          --missing median                  | --missing must be one of error, skip, mean, got 'median'
          --inputs colour,member --target id | column 'id' of '@t.csv' holds text (row 1: 'row0'), the target must be a column of numbers
          """)
  void mistakesAreNamed(String options, String message) {
    String target = options.contains("--target") ? "" : " --target y";
    String said = trial.refused("fit @t.csv --model @m.lvl " + options + target);
    assertTrue(said.contains(message), said);
    assertFalse(Files.exists(folder.resolve("m.lvl")));
  }

  @Test
  void columnOfTextIsLearnedFromWhenItsWordsRepeat() throws IOException {
    StringBuilder csv = new StringBuilder("few,many,unique,nearly,y\n");
    for (int i = 0; i < 110; i++)
      csv.append(
          "%s,%s,%s,%s,%s%n"
              .formatted(
                  "w" + i % 50, "v" + i % 51, i < 20 ? "u" + i : "", i == 70 ? "oops" : i, i));
    trial.write("t.csv", csv.toString());
    try (Table table = Table.open(folder.resolve("t.csv").toString(), System.in)) {
      LearningColumns some = LearningColumns.all(table, "y", null, Reading.Missing.ERROR);
      assertEquals(List.of("few", "nearly"), some.inputs().stream().map(Column::name).toList());
      assertEquals(50, some.inputs().getFirst().values().size());
      assertFalse(some.inputs().getLast().isText(), "numbers with a slip");
      assertTrue(some.leftOut().get(0).startsWith("many, text with more than 50"));
      assertTrue(some.leftOut().get(1).startsWith("unique, text whose 20 values hardly repeat"));
    }
    String said = trial.refused("fit @t.csv --target y --model @m.lvl");
    assertTrue(said.contains("row 71 of '@t.csv': column 'nearly' is 'oops', not a number"), said);
  }

  @Test
  void modelWithoutMeansSaysSo() {
    trial.ok(
        "fit @t.csv --target y --inputs member,day --kernel matern32 --engine exact --model @m.lvl");
    String said = trial.refused("predict @m.lvl @t.csv --missing mean");
    assertTrue(
        said.contains(
            "--missing mean: the model has no mean of member, day; fit it with --missing mean"),
        said);
  }
}
