package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `lovelace diagnose`.
class DiagnoseCommandTest {

  private static final String SET =
      " --no-train --set lengthscale=2 --set outputscale=1 --set noise=0.04 --set mean=1 --model ";

  @TempDir private static Path folder;

  private static String rows(long seed, int count) {
    var random = new SplittableRandom(seed);
    StringBuilder csv = new StringBuilder("x,y,height,flat,v\n");
    for (int i = 0; i < count; i++) {
      double x = 10 * random.nextDouble();
      double y = 10 * random.nextDouble();
      double height = random.nextDouble();
      double v =
          Math.exp(0.3 * (1 + Math.sin(x) + Math.cos(y) + height) + 0.1 * random.nextGaussian());
      csv.append(String.format(Locale.ROOT, "%s,%s,%s,7,%s%n", x, y, height, v));
    }
    return csv.toString();
  }

  @BeforeAll
  static void models() throws IOException {
    Trial trial = new Trial(folder);
    trial.write("t.csv", rows(1, 300));
    trial.write("test.csv", rows(2, 120));
    trial.write("other.csv", rows(3, 300));
    trial.ok(
        "fit @t.csv --target v --inputs x,y,flat --engine spectral --grid 30x30"
            + SET
            + "@grid.lvl");
    trial.ok(
        "fit @t.csv --target v --inputs x,y --transform log --engine exact" + SET + "@log.lvl");
    drift().save(folder.resolve("drift.lvl"));
    trial.write("few.csv", rows(4, 20));
    trial.ok("fit @few.csv --target v --inputs x --likelihood gamma --model @gamma.lvl");
  }

  private static Model drift() {
    List<String> lines = rows(1, 300).lines().skip(1).toList();
    double[] x = new double[900];
    double[] v = new double[300];
    for (int i = 0; i < 300; i++) {
      double[] row =
          Arrays.stream(lines.get(i).split(",", -1)).mapToDouble(Double::parseDouble).toArray();
      System.arraycopy(row, 0, x, 3 * i, 3);
      v[i] = row[4];
    }
    List<Column> columns = List.of(Column.of("x"), Column.of("y"), Column.of("height"));
    return Fit.DEFAULT
        .withDrift(List.of("height"))
        .withGrid(GridChoice.DEFAULT.withPoints(30, 30))
        .withEngine(Engine.SPECTRAL)
        .withTraining(false)
        .set("lengthscale", 2)
        .set("outputscale", 1)
        .set("noise", 0.04)
        .to(Dataset.of(x, columns, v, Column.of("v")));
  }

  private static double[] column(String file, String name) throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve(file));
    int at = Arrays.asList(lines.getFirst().split(",", -1)).indexOf(name);
    return lines.stream()
        .skip(1)
        .mapToDouble(l -> Double.parseDouble(l.split(",", -1)[at]))
        .toArray();
  }

  /// A row's prediction is that of the model without the row; scores are those of the table.
  @ParameterizedTest
  @CsvSource({"grid", "log", "drift"})
  void everyRowIsPredictedFromAllOthers(String name) throws IOException {
    Trial trial = new Trial(folder);
    String text = trial.ok("diagnose @" + name + ".lvl @t.csv --out @" + name);
    assertTrue(text.contains("300, each predicted from all others"), text);
    trial.write("one.csv", rows(1, 1));
    trial.ok("update @" + name + ".lvl @one.csv --forget --model @without.lvl");
    Model without = Model.load(folder.resolve("without.lvl"));
    String[] first = rows(1, 1).lines().toList().get(1).split(",", -1);
    double[] point = new double[name.equals("drift") ? 3 : 2];
    for (int j = 0; j < point.length; j++) point[j] = Double.parseDouble(first[j]);
    String loo = name + "/loo.csv";
    var expected = without.predictObservation(point);
    assertEquals(expected.mean(0), column(loo, "loo_mean")[0], 1e-8);
    assertEquals(expected.deviation(0), column(loo, "loo_deviation")[0], 1e-8);
    double[] residual = column(loo, "residual");
    double square = Arrays.stream(residual).map(r -> r * r).average().orElse(0);
    String json = trial.ok("diagnose @" + name + ".lvl @t.csv --json --out @" + name);
    assertTrue(
        json.contains("\"rmse\": " + Double.toString(Math.sqrt(square)).substring(0, 8)), json);
  }

  @Test
  void classesOfDistancesHaveRowsAndPairs() throws IOException {
    Trial trial = new Trial(folder);
    trial.ok("diagnose @grid.lvl @t.csv --test @test.csv --classes 12 --out @checks");
    assertEquals(12, column("checks/variogram.csv", "pairs").length);
    double[] rows = column("checks/coverage.csv", "rows");
    assertEquals(420, Arrays.stream(rows).sum());
    double[] inside = column("checks/coverage.csv", "inside_95");
    for (double part : inside) assertTrue(part >= 0.6 && part <= 1, () -> "inside " + part);
    // the nearest other row, found by looking at all
    double[] x = column("checks/loo.csv", "x");
    double[] y = column("checks/loo.csv", "y");
    double[] nearest = column("checks/loo.csv", "nearest");
    for (int i = 0; i < 20; i++) {
      double least = Double.POSITIVE_INFINITY;
      for (int j = 0; j < x.length; j++)
        if (j != i) least = Math.min(least, Math.hypot(x[i] - x[j], y[i] - y[j]));
      assertEquals(least, nearest[i], 1e-12);
    }
    for (String picture : List.of("variogram", "residuals", "coverage"))
      for (String end : List.of(".png", ".svg"))
        assertTrue(Files.size(folder.resolve("checks/" + picture + end)) > 5000, picture + end);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "@grid.lvl @test.csv | '@test.csv' is not the table from which the model has learned: it has 120 rows, and the model 300",
        "@grid.lvl @other.csv | is not the table from which the model has learned: it has the same number of rows, but other values",
        "@gamma.lvl @t.csv | diagnose needs Gaussian noise, and the model has likelihood gamma",
        "@grid.lvl @t.csv --test @absent.csv | --test: there is no",
        "@grid.lvl @t.csv --classes 2 | --classes must lie between 3 and 100, got 2"
      })
  void wrongInputIsRefusedInWords(String line, String message) {
    String said = new Trial(folder).refused("diagnose " + line + " --out @refused");
    assertTrue(said.contains(message), said);
  }
}
