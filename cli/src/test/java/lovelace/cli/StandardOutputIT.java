package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Runs real processes whose output nobody reads, or cannot be written.
@EnabledOnOs(OS.LINUX)
class StandardOutputIT {

  @TempDir private Path folder;

  /// Runs a line of bash in which `lovelace` is the command, and returns its exit code.
  private int bash(String line) throws Exception {
    Path target = Path.of("target").toAbsolutePath();
    String command =
        "'%s' -Xmx1g --enable-native-access=ALL-UNNAMED -cp '%s' lovelace.cli.Main"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*");
    Process process =
        new ProcessBuilder("bash", "-c", "lovelace() { " + command + " \"$@\"; }; " + line)
            .directory(folder.toFile())
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile())
            .start();
    if (!process.waitFor(120, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new AssertionError(line + " does not end");
    }
    return process.exitValue();
  }

  private String read(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  private void fit() throws Exception {
    Files.writeString(folder.resolve("t.csv"), Trial.wave(0, 40));
    assertEquals(
        0,
        bash(
            "lovelace fit t.csv --target y --no-train --kernel rbf --set lengthscale=1"
                + " --set outputscale=1 --set noise=0.1 --set mean=0 --model m.lvl"),
        () -> folder.toString());
  }

  /// More rows than pipes hold: a command that did not notice that its reader has gone would end
  /// with 0.
  @Test
  void rowsStreamAndAReaderThatGoesEndsTheCommandQuietly() throws Exception {
    fit();
    int code =
        bash(
            "{ echo x; seq 1 3000000; } > many.csv; lovelace predict m.lvl many.csv | head -n 2;"
                + " exit ${PIPESTATUS[0]}");
    assertEquals(StandardOutput.READER_GONE, code, read("err"));
    assertEquals("", read("err"));
    List<String> lines = Files.readAllLines(folder.resolve("out"));
    assertEquals("x,mean,variance,lower,upper,outside", lines.get(0));
    assertEquals(2, lines.size());
  }

  @Test
  void outputThatCannotBeWrittenIsAFailureWithAMessage() throws Exception {
    fit();
    for (String line :
        List.of(
            "lovelace predict m.lvl t.csv > /dev/full",
            "lovelace inspect m.lvl --json > /dev/full",
            "lovelace completion > /dev/full",
            "lovelace inspect m.lvl >&-")) {
      assertEquals(Errors.FAILURE, bash(line), line);
      assertTrue(read("err").contains("standard output cannot be written"), line + read("err"));
    }
  }
}
