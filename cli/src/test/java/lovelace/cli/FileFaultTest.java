package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files that the system cannot reach: the message gives the system's reason, before any work.
@EnabledOnOs(OS.LINUX)
class FileFaultTest {

  @TempDir static Path folder;

  private static final String LONG = "a".repeat(300);

  @BeforeAll
  static void writeFiles() throws IOException {
    Trial trial = new Trial(folder);
    trial.write("t.csv", Trial.wave(0, 40));
    Files.createSymbolicLink(folder.resolve("loop.csv"), Path.of("pool.csv"));
    Files.createSymbolicLink(folder.resolve("pool.csv"), Path.of("loop.csv"));
    trial.ok(fit("@m.lvl"));
  }

  private static String fit(String model) {
    return "fit @t.csv --target y --no-train --set lengthscale=1 --set outputscale=1"
        + " --set noise=0.1 --set mean=0 --model "
        + model;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          fit @loop.csv --target y --model @n.lvl  | '@loop.csv' cannot be used: too many levels of symbolic links
          fit @LONG.csv --target y --model @n.lvl  | LONG.csv' cannot be used: file name too long
          FIT @LONG.lvl                            | LONG.lvl' cannot be used: file name too long
          FIT @loop.csv                            | '@loop.csv' cannot be used: too many levels of symbolic links
          FIT /proc/x                              | --model: '/proc/x' cannot be written: no file can be made there
          inspect @loop.csv                        | '@loop.csv' is a link that leads back to itself; name a file
          inspect @LONG.lvl                        | LONG.lvl' cannot be used: file name too long
          predict @m.lvl @loop.csv                 | '@loop.csv' cannot be used: too many levels of symbolic links
          predict @m.lvl @t.csv --out @LONG.csv    | LONG.csv' cannot be used: file name too long
          predict @m.lvl @t.csv --out @loop.csv    | '@loop.csv' cannot be used: too many levels of symbolic links
          """)
  void messageGivesTheReasonOfTheSystem(String line, String message) {
    Trial trial = new Trial(folder);
    String asked = line.startsWith("FIT ") ? fit(line.substring(4)) : line;
    String said = trial.refused(asked.replace("LONG", LONG)).replace(LONG, "LONG");
    assertTrue(said.contains(message), said);
    assertFalse(said.contains("permission"), said);
    assertEquals(1, said.lines().count(), said);
  }
}
