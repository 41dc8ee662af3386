package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(Path target) {
    return Main.run(
        new PrintWriter(out, true), new PrintWriter(err, true), "demo", "--out", target.toString());
  }

  @Test
  void forecastIsCalibratedAndTheSameEachTime() throws Exception {
    Path first = folder.resolve("a/b");
    assertEquals(0, run(first), err::toString);
    assertEquals("", err.toString());
    String said = out.toString();
    assertTrue(said.contains(first.resolve("airline.png").toString()), said);
    assertTrue(said.contains("lovelace fit TABLE"), said);
    assertEquals(97, Files.readAllLines(first.resolve("airline.csv")).size());
    assertEquals("1957-01,315", Files.readAllLines(first.resolve("later.csv")).get(1));
    String total =
        said.lines().filter(line -> line.startsWith("all years")).findFirst().orElseThrow();
    List<String> cells = List.of(total.strip().split("\\s+", -1));
    assertTrue(Double.parseDouble(cells.get(2)) < 25, "RMSE in thousands: " + total);
    assertTrue(Double.parseDouble(cells.get(3)) < 5, "NLPD in nats: " + total);
    assertTrue(Integer.parseInt(cells.get(4)) >= 43, "0.95 · 48 less two deviations: " + total);

    Path second = folder.resolve("second");
    assertEquals(0, run(second));
    for (String name : List.of("airline.png", "airline.svg"))
      assertArrayEquals(
          Files.readAllBytes(first.resolve(name)), Files.readAllBytes(second.resolve(name)), name);
    try (var files = Files.list(first)) {
      assertEquals(4, files.count(), "two pictures and two tables");
    }
  }

  @Test
  void folderThatCannotBeIsNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("taken"), "");
    assertEquals(Errors.WRONG_USE, run(file));
    assertTrue(
        err.toString().contains("--out '" + file + "' is a file; name a folder"), err::toString);
    Path below = file.resolve("below");
    assertEquals(Errors.WRONG_USE, run(below));
    assertTrue(err.toString().contains("--out '" + below + "' is not a folder"), err::toString);
    assertEquals("", out.toString());
  }
}
