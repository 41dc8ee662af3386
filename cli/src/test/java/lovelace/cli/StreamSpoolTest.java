package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Tables from pipes and devices.
@EnabledOnOs(OS.LINUX)
class StreamSpoolTest {

  private static final String FIT =
      " --target y --no-train --set lengthscale=1 --set outputscale=1 --set noise=0.1"
          + " --set mean=0 --model ";

  @TempDir private Path folder;

  @Test
  void namedPipeGivesTheSameModelAsItsFile() throws Exception {
    Trial trial = new Trial(folder);
    trial.write("t.csv", Trial.wave(0, 40));
    trial.ok("fit @t.csv" + FIT + "@file.lvl");
    assertEquals(0, new ProcessBuilder("mkfifo", trial.file("p").toString()).start().waitFor());
    Process writer =
        new ProcessBuilder("sh", "-c", "cat t.csv > p").directory(folder.toFile()).start();
    trial.ok("fit @p" + FIT + "@pipe.lvl");
    assertEquals(0, writer.waitFor());
    trial.ok("predict @file.lvl @t.csv --out @file.csv");
    trial.ok("predict @pipe.lvl @t.csv --out @pipe.csv");
    assertEquals(-1, Files.mismatch(trial.file("file.csv"), trial.file("pipe.csv")));
  }

  @Test
  void deviceWithoutRowsIsRefused() {
    String said = new Trial(folder).refused("fit /dev/null" + FIT + "@m.lvl");
    assertTrue(said.contains("'/dev/null' is empty; it needs a line of column names"), said);
  }

  @Test
  void copyIsBoundedAndRemoved() throws IOException {
    byte[] table = "x,y\n1,2\n".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    PrintWriter none = new PrintWriter(Writer.nullWriter());
    try (StreamSpool spool =
        StreamSpool.of("standard input", new ByteArrayInputStream(table), folder, 8, none)) {
      assertEquals(8, Files.size(spool.file()));
      assertTrue(spool.file().startsWith(folder));
    }
    assertEquals(List.of(), files());
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> StreamSpool.of("'p'", new ByteArrayInputStream(table), folder, 7, none).close());
    assertTrue(
        String.valueOf(e.getMessage()).startsWith("'p' gave more than 7 bytes"), e::toString);
    assertEquals(List.of(), files());
    assertFalse(StreamSpool.isStream(folder));
    assertTrue(StreamSpool.isStream(Path.of("/dev/null")));
  }

  private List<String> files() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(Path::toString).toList();
    }
  }
}
