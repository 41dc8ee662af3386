package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The output that docs/tutorial.md shows.
class TutorialTest {

  @TempDir private Path folder;

  @Test
  void everyFigureIsWhatTheCommandsPrint() throws Exception {
    int expected = Boolean.getBoolean("lovelace.long") ? 11 : 10;
    assertEquals(expected, new PageRun(folder, "tutorial.md").run());
  }
}
