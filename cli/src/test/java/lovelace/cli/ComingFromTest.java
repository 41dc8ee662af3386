package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import lovelace.testing.Needs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Our commands print the figures that the pages for users of other libraries show.
class ComingFromTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"gpytorch", "scikit-learn", "smile"})
  void ourCommandsPrintWhatThePageShows(String library) throws Exception {
    assertTrue(new PageRun(folder, "coming-from-" + library + ".md").run() >= 1);
  }

  @Test
  @Needs("Rscript")
  void gstatAndOurCommandsPrintWhatThePageShows() throws Exception {
    assertEquals(2, new PageRun(folder, "coming-from-gstat.md").run());
  }
}
