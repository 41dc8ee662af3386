package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleCommandTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String line) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(
        new PrintWriter(out, true),
        new PrintWriter(err, true),
        line.replace("@", folder + "/").split(" ", -1));
  }

  private List<String> lines(String line) {
    assertEquals(0, run(line), () -> line + "\n" + err);
    return out.toString().lines().toList();
  }

  @BeforeEach
  void fit() throws IOException {
    var random = new SplittableRandom(4);
    var train = new StringBuilder("x,y\n");
    for (int i = 0; i < 80; i++) {
      double x = 2 * random.nextDouble() - 1;
      train.append("%s,%s%n".formatted(x, Math.sin(4 * x) + 0.1 * random.nextGaussian()));
    }
    Files.writeString(folder.resolve("train.csv"), train);
    Files.writeString(folder.resolve("test.csv"), "id,x\na,0.25\nb,\nc,-0.5\nd,0.26\n");
    lines(
        "fit @train.csv --target y --kernel rbf --grid 60 --bounds x=-1:1 --model @m.lvl"
            + " --no-train --set lengthscale=0.5 --set outputscale=1 --set noise=0.01 --set mean=0");
  }

  private static double value(String line, int column) {
    return Double.parseDouble(line.split(Pattern.quote(","), -1)[column]);
  }

  @Test
  void drawsAreJointAndFollowFromTheSeed() {
    String command = "sample @m.lvl @test.csv --draws 40 --missing skip";
    List<String> first = lines(command);
    assertTrue(first.getFirst().startsWith("id,x,draw1,draw2,"), first.getFirst());
    assertTrue(first.getFirst().endsWith(",draw40"), first.getFirst());
    assertEquals(5, first.size());
    assertTrue(first.get(2).startsWith("b,,,"), first.get(2));
    for (int s = 0; s < 40; s++)
      assertEquals(value(first.get(1), 2 + s), value(first.get(4), 2 + s), 0.1); // neighbours
    double mean = 0;
    for (int s = 0; s < 40; s++) mean += value(first.get(1), 2 + s) / 40;
    assertEquals(Math.sin(1), mean, 0.1);
    assertEquals(first, lines(command));
    assertEquals(first, lines(command + " --threads 1"));
    assertNotEquals(first, lines(command + " --seed 2"));
  }

  @Test
  void everyMethodDraws() {
    double[] spread = new double[4];
    String[] methods = {"auto", "love", "pathwise", "spectral"};
    for (int k = 0; k < 4; k++) {
      List<String> lines =
          lines("sample @m.lvl @test.csv --draws 200 --missing skip --method " + methods[k]);
      double sum = 0;
      double squares = 0;
      for (int s = 0; s < 200; s++) {
        double v = value(lines.get(3), 2 + s);
        sum += v / 200;
        squares += v * v / 200;
      }
      spread[k] = Math.sqrt(squares - sum * sum);
    }
    // a standard deviation of 200 draws is off by five per cent
    for (int k = 1; k < 4; k++) assertEquals(spread[0], spread[k], 0.4 * spread[0], methods[k]);
  }

  @Test
  void noiseIsAddedToEveryRow() {
    List<String> lines =
        lines("sample @m.lvl @test.csv --draws 200 --missing skip --of observation");
    double sum = 0;
    for (int s = 0; s < 200; s++) {
      double step = value(lines.get(1), 2 + s) - value(lines.get(4), 2 + s);
      sum += step * step / 200;
    }
    assertEquals(0.02, sum, 0.012); // twice the noise: f hardly moves between the two rows
  }

  /// The covariance of 60,000 rows is larger than an array, and than any test's memory.
  @Test
  void anExactModelRefusesMoreRowsThanItsMemoryHolds() throws IOException {
    lines(
        "fit @train.csv --target y --kernel rbf --engine exact --model @exact.lvl --no-train"
            + " --set lengthscale=0.5 --set outputscale=1 --set noise=0.01 --set mean=0");
    Files.writeString(folder.resolve("many.csv"), "x\n" + "0.5\n".repeat(60_000));
    assertEquals(2, run("sample @exact.lvl @many.csv --draws 2 --out @draws.csv"), err.toString());
    for (String word :
        List.of("60,000 rows of a model that holds its rows", "MB", "fit the model on a grid"))
      assertTrue(err.toString().contains(word), err.toString());
    assertTrue(Files.notExists(folder.resolve("draws.csv")));
    assertEquals(0, run("sample @exact.lvl @test.csv --draws 2 --missing skip"), err.toString());
  }

  @Test
  void wrongUseIsToldApart() {
    assertEquals(2, run("sample @m.lvl @test.csv --draws 0"));
    assertTrue(err.toString().contains("--draws must lie between 1 and 100,000"), err.toString());
    assertEquals(2, run("sample @m.lvl @test.csv --draws 3 --missing skip --method markov"));
    assertTrue(err.toString().contains("Matérn"), err.toString());
  }
}
