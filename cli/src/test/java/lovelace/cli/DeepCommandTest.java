package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `fit --deep` and the commands on what it writes.
class DeepCommandTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String line) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] args = line.replace("@", folder + "/").split(" ", -1);
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  private void ok(String line) {
    assertEquals(0, run(line), err::toString);
  }

  private void table(String name, int rows, long seed) throws IOException {
    var random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder("a,b,c,d,y\n");
    for (int i = 0; i < rows; i++) {
      double[] x = random.doubles(4, -1, 1).toArray();
      double y = Math.sin(3 * x[0] * x[1]) - x[2] + 0.05 * random.nextGaussian();
      text.append("%s,%s,%s,%s,%s%n".formatted(x[0], x[1], x[2], x[3], y));
    }
    Files.writeString(folder.resolve(name), text);
  }

  @Test
  void aNetworkIsLearnedPredictedDrawnInspectedAndUpdated() throws IOException {
    table("t.csv", 600, 6);
    table("more.csv", 30, 7);
    ok(
        "fit @t.csv --target y --deep 24,12,2 --deep-steps 600,8 --grid 24x24 --checkpoint @state --model @m.lvl");
    assertFalse(Files.exists(folder.resolve("state")));
    assertTrue(out.toString().contains("a network 24-12-2"), out::toString);
    assertTrue(out.toString().contains("kernel, noise and mean learned on 60 rows"), out::toString);
    assertFalse(out.toString().contains("nothing learned"), out::toString);
    assertTrue(out.toString().contains("rows held out: NLPD"), out::toString);
    ok("predict @m.lvl @more.csv --out @p.csv");
    assertEquals(31, Files.readAllLines(folder.resolve("p.csv")).size());
    ok("plot @m.lvl --out @features.png");
    ok("plot @m.lvl @t.csv --what features --out @features.svg");
    assertTrue(Files.readString(folder.resolve("features.svg")).contains("feature 1"));
    ok("inspect @m.lvl --json");
    assertTrue(out.toString().contains("\"djl\""), out::toString);
    assertTrue(out.toString().contains("kernel, noise and mean learned on 60 rows"), out::toString);
    assertFalse(out.toString().contains("nothing learned"), out::toString);
    ok("update @m.lvl @more.csv --outside skip --model @m2.lvl");
    assertTrue(out.toString().contains("600 before"), out::toString);
    ok("predict @m2.lvl @more.csv --out @p2.csv");
  }

  @Test
  void optionsOfNetworksNeedOne() throws IOException {
    table("t.csv", 60, 8);
    assertEquals(2, run("fit @t.csv --target y --dropout 0.1 --model @m.lvl"));
    assertTrue(err.toString().contains("pass --deep"), err::toString);
    assertEquals(2, run("fit @t.csv --target y --deep 8,2 --deep-steps 50 --model @m.lvl"));
    assertTrue(err.toString().contains("--deep-steps needs two"), err::toString);
    run("fit @t.csv --target y --deep 8,2 --checkpoint @ --model @m.lvl");
    assertTrue(err.toString().contains("is a folder"), err::toString);
    assertEquals(2, run("fit @t.csv --target y --deep 8,2 --starts 3 --model @m.lvl"));
    assertTrue(err.toString().contains("leave out --starts"), err::toString);
    assertEquals(2, run("fit @t.csv --target y --deep 8,2 --checkpoint @no/c --model @m.lvl"));
    assertTrue(err.toString().contains("no folder"), err::toString);
    assertEquals(2, run("fit @t.csv --target y --deep 8,0 --model @m.lvl"));
    assertTrue(err.toString().contains("size must be >= 1, got 0"), err::toString);
  }
}
