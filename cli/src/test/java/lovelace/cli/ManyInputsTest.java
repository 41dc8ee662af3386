package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `fit` with more inputs than one grid takes.
class ManyInputsTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeTable() throws IOException {
    var random = new SplittableRandom(6);
    StringBuilder rows = new StringBuilder("a,b,c,d,y\n");
    for (int i = 0; i < 150; i++) {
      double[] x = random.doubles(4, -1, 1).toArray();
      double y = Math.sin(3 * x[0]) + x[1] * x[1] - x[2] + 0.05 * random.nextGaussian();
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
  void shapeIsChosenAndSaid() throws IOException {
    ok("fit @t.csv --target y --model @m.lvl");
    assertTrue(
        out.toString().contains("shape       additive, a function of each column, NLPD"),
        out::toString);
    assertTrue(out.toString().contains("a projection on two features"), out::toString);
    ok("predict @m.lvl @t.csv --out @p.csv");
    assertEquals(151, Files.readAllLines(folder.resolve("p.csv")).size());
    ok("sample @m.lvl @t.csv --draws 2 --out @s.csv");
    ok("inspect @m.lvl --json");
    assertTrue(out.toString().contains("\"components\""), out::toString);
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
