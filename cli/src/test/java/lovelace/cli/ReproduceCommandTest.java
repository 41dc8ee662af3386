package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import lovelace.experiments.reproduce.Reproduction.Outcome;
import org.junit.jupiter.api.Test;

class ReproduceCommandTest {

  private static final Path PAGE = Path.of("report.html");

  private final StringWriter err = new StringWriter();

  private int exitCode(List<String> empty, List<String> red, boolean failOnRed) {
    return ReproduceCommand.exitCode(
        new Outcome(PAGE, empty, red), failOnRed, new PrintWriter(err, true));
  }

  @Test
  void redFiguresFailWhereThatIsAskedFor() {
    List<String> red = List.of("Table 2: variances, Airfoil, from scratch: LOVE: 1.2×");
    assertEquals(0, exitCode(List.of(), red, false));
    assertEquals("", err.toString());
    assertEquals(1, exitCode(List.of(), red, true));
    assertTrue(err.toString().contains("red: " + red.getFirst()), err::toString);
    assertEquals(0, exitCode(List.of(), List.of(), true));
  }

  @Test
  void aMissingNumberAlwaysFails() {
    List<String> empty = List.of("Figure 1: airline passengers, LOVE, SMAE");
    assertEquals(1, exitCode(empty, List.of(), false));
    assertTrue(err.toString().contains(empty.getFirst()), err::toString);
  }
}
