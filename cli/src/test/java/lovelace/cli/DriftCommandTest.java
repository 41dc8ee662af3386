package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.Model;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A mean that is linear in columns, from a table to predictions.
class DriftCommandTest {

  private static final String FIT =
      "fit @stations.csv --target temperature --inputs x,y --drift elevation,distance_to_sea";

  @TempDir static Path folder;

  private final Trial trial = new Trial(folder);

  @BeforeAll
  static void writeFiles() throws IOException {
    Trial trial = new Trial(folder);
    trial.write("stations.csv", table(150, 3));
    trial.write("more.csv", table(30, 4));
    trial.write("places.csv", table(20, 5));
    trial.write("lacking.csv", "x,y,elevation\n1,1,200\n");
    trial.write("gap.csv", "x,y,elevation,distance_to_sea\n1,1,200,3\n1,2,,3\n");
    StringBuilder flat = new StringBuilder("x,y,flat,double,word,temperature\n");
    for (int i = 0; i < 20; i++)
      flat.append(
          String.format(Locale.ROOT, "%d,%d,7,%d,w%d,%d%n", i, i * i % 7, 2 * i, i % 2, i % 5));
    trial.write("flat.csv", flat.toString());
  }

  private static String table(int n, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder rows = new StringBuilder("elevation,x,temperature,y,distance_to_sea\n");
    for (int i = 0; i < n; i++) {
      double x = 10 * random.nextDouble();
      double y = 10 * random.nextDouble();
      double elevation = 1500 * random.nextDouble();
      double sea = x + 20 * random.nextDouble();
      double z =
          14
              - 0.0065 * elevation
              - 0.02 * sea
              + Math.sin(x) * Math.cos(y)
              + 0.1 * random.nextGaussian();
      rows.append(
          String.format(Locale.ROOT, "%.1f,%.4f,%.4f,%.4f,%.3f%n", elevation, x, z, y, sea));
    }
    return rows.toString();
  }

  private String json(String line) {
    return trial.ok(line + " --json").replaceAll("\\s", "");
  }

  @Test
  void driftGoesFromATableToPredictions() throws IOException {
    String out = trial.ok(FIT + " --model @t.lvl");
    assertTrue(out.contains("elevation                -0.006"), out);
    assertTrue(out.contains("restricted log likelihood of temperature"), out);
    assertTrue(trial.ok("inspect @t.lvl").contains("distance_to_sea          -0.0"), out);
    String inspected = json("inspect @t.lvl");
    assertTrue(inspected.contains("\"drift\":[{\"name\":\"intercept\",\"value\":1"), inspected);
    assertTrue(inspected.contains("\"likelihood_is\":\"restricted\""), inspected);

    Model model = Model.load(folder.resolve("t.lvl"));
    trial.ok("predict @t.lvl @places.csv --out @p.csv");
    List<String> lines = Files.readAllLines(folder.resolve("p.csv"));
    List<String> header = List.of(lines.getFirst().split(",", -1));
    for (String line : lines.subList(1, lines.size())) {
      List<String> fields = List.of(line.split(",", -1));
      double[] point = new double[4];
      for (int j = 0; j < 4; j++)
        point[j] = Double.parseDouble(fields.get(header.indexOf(model.columns().get(j).name())));
      Prediction p = model.predict(point);
      assertEquals(p.mean(0), Double.parseDouble(fields.get(header.indexOf("mean"))), 1e-9);
      assertEquals(p.variance(0), Double.parseDouble(fields.get(header.indexOf("variance"))), 1e-9);
    }
    String scores = trial.ok("evaluate @t.lvl @places.csv");
    assertTrue(scores.contains("RMSE"), scores);
    assertEquals(21, trial.ok("sample @t.lvl @places.csv --draws 2").lines().count());

    assertTrue(json("update @t.lvl @more.csv --model @u.lvl").contains("\"rows\":180"));
    assertTrue(json("update @u.lvl @more.csv --forget --model @v.lvl").contains("\"rows\":150"));
    trial.ok("plot @t.lvl --out @t.svg");
  }

  @Test
  void theCommandsOfThePageRun() throws IOException {
    String page = Files.readString(Path.of("../docs/drift.md")).split("```sh\n", -1)[1];
    List<String> lines = page.substring(0, page.indexOf("```")).lines().toList();
    assertEquals(3, lines.size());
    for (String line : lines)
      trial.ok(
          line.replaceAll(" *#.*", "")
              .replaceFirst("lovelace ", "")
              .replaceAll(" (\\w+\\.(csv|lvl))", " @$1"));
  }

  @Test
  void gridAndCompareTakeADrift() {
    String grid = json(FIT + " --engine spectral --grid 20x20 --extend x=0:12 --model @g.lvl");
    assertTrue(grid.contains("\"points\":[20,20]"), grid);
    assertTrue(grid.contains("\"name\":\"elevation\",\"value\":-0.006"), grid);
    trial.ok("plot @g.lvl --out @g.svg");
    String compared =
        trial.ok(
            "compare @stations.csv --target temperature --inputs x,y --drift elevation --kernels rbf,matern12 --folds 2");
    assertTrue(compared.contains("matern12"), compared);
  }

  @Test
  void oneIsOrdinaryKriging() throws IOException {
    trial.ok("fit @stations.csv --target temperature --inputs x,y --drift 1 --model @o.lvl");
    Model model = Model.load(folder.resolve("o.lvl"));
    assertEquals(
        List.of("intercept"), model.drift().stream().map(Model.Coefficient::name).toList());
    trial.ok(
        "fit @stations.csv --target temperature --inputs x,y --drift 1 --mean linear --model @o.lvl");
    assertEquals(3, Model.load(folder.resolve("o.lvl")).drift().size());
  }

  @Test
  void aColumnMayBeInputAndDrift() throws IOException {
    String given = " --no-train --set lengthscale=2 --set outputscale=1 --set noise=0.01";
    String fit = "fit @stations.csv --target temperature --inputs x,y" + given;
    trial.ok(fit + " --drift x,elevation,y --model @b.lvl");
    Model both = Model.load(folder.resolve("b.lvl"));
    trial.ok(fit + " --drift elevation --mean linear --model @l.lvl");
    Model linear = Model.load(folder.resolve("l.lvl"));
    assertEquals(linear.drift(), both.drift());
    assertEquals(linear.columns(), both.columns());
    trial.ok(fit + " --drift y --model @y.lvl");
    Model one = Model.load(folder.resolve("y.lvl"));
    assertEquals(
        List.of("intercept", "y"), one.drift().stream().map(Model.Coefficient::name).toList());
    assertEquals(2, one.columns().size());
    assertEquals(21, trial.ok("predict @y.lvl @places.csv").lines().count());
    trial.ok(fit + " --engine neighbours --drift y --model @n.lvl");
    Prediction p = one.predict(5, 5);
    Prediction q = Model.load(folder.resolve("n.lvl")).predict(5, 5);
    assertEquals(p.mean(0), q.mean(0), 1e-6);
    assertEquals(p.variance(0), q.variance(0), 1e-6);
  }

  @Test
  void aProjectionOfManyInputsHasADrift() throws IOException {
    SplittableRandom random = new SplittableRandom(8);
    StringBuilder rows = new StringBuilder("wet,a,b,c,d,y\n");
    for (int i = 0; i < 300; i++) {
      double[] x = random.doubles(4, 0, 2).toArray();
      double wet = random.nextGaussian();
      double y = 3 * wet + Math.sin(2 * (x[0] + x[1] - x[2])) + 0.1 * random.nextGaussian();
      rows.append(
          String.format(
              Locale.ROOT, "%.4f,%.4f,%.4f,%.4f,%.4f,%.4f%n", wet, x[0], x[1], x[2], x[3], y));
    }
    trial.write("wide.csv", rows.toString());
    String out = trial.ok("fit @wide.csv --target y --drift wet --projection --model @w.lvl");
    assertTrue(out.contains("feature 1"), out);
    assertTrue(out.contains("wet "), out);
    Model model = Model.load(folder.resolve("w.lvl"));
    assertEquals(5, model.columns().size());
    assertEquals(3, model.drift().get(1).value(), 0.05);
    assertTrue(trial.ok("inspect @w.lvl").contains("wet "));
    assertEquals(301, trial.ok("predict @w.lvl @wide.csv").lines().count());
    trial.ok("update @w.lvl @wide.csv --model @twice.lvl");
    assertEquals(600, Model.load(folder.resolve("twice.lvl")).count());
    trial.ok("plot @w.lvl @wide.csv --out @w.png");
    requireRefused(
        "plot @w.lvl --what features --out @f.png", "the mean of this model has a drift");
    requireRefused("plot @w.lvl --out @f.png", "give a table of rows");
    trial.ok("export @w.lvl --out @w.onnx");
    trial.ok("diagnose @w.lvl @wide.csv --out @checks");
    requireRefused("fit @wide.csv --target y --drift wet --model @n.lvl", "learn a projection");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          fit @flat.csv --target temperature --inputs x,y --drift flat | column 'flat' is constant (7.0 in all 20 rows)
          fit @flat.csv --target temperature --inputs y --drift x,double | column 'double' is a linear function of 'x'
          fit @flat.csv --target temperature --inputs x,y --drift word | column 'word' of '@flat.csv' holds text
          fit @flat.csv --target temperature --inputs x,y --drift hight | has no column 'hight'
          fit @flat.csv --target temperature --inputs x,y --drift temperature | --drift names the target
          fit @flat.csv --target temperature --inputs x --drift y,y | --drift names 'y' twice
          fit @flat.csv --target temperature --inputs x --drift y --mean zero | the mean is zero
          fit @flat.csv --target temperature --inputs x --drift y --additive | --additive is another model
          fit @flat.csv --target temperature --inputs x,y --drift x,x | --drift names 'x' twice
          fit @flat.csv --target temperature --inputs x,word --drift word | holds text
          fit @flat.csv --target temperature --inputs x --drift y --likelihood student-t | Gaussian noise
          """)
  void whatCannotBeIsRefused(String line, String message) {
    requireRefused(line + " --model @n.lvl", message);
  }

  private void requireRefused(String line, String message) {
    String said = trial.refused(line);
    assertTrue(said.contains(message), said);
  }

  @Test
  void missingCovariatesAreNamed() {
    trial.ok(
        FIT
            + " --no-train --set lengthscale=2 --set outputscale=1 --set noise=0.01 --model @m.lvl");
    requireRefused("predict @m.lvl @lacking.csv", "'distance_to_sea'");
    requireRefused("predict @m.lvl @gap.csv", "elevation");
  }
}
