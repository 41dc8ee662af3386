package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import lovelace.testing.Needs;
import lovelace.testing.NpmPackages;
import lovelace.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The Dockerfile, by a linter and by our own rules. `testing/docker` builds and runs it where
/// there is a daemon.
class DockerfileTest {

  private static final Path FILE = Path.of("..", "Dockerfile").toAbsolutePath().normalize();

  @TempDir private Path folder;

  private String lint(Path file) throws Exception {
    Path linter =
        NpmPackages.INSTALLED
            .require("dockerfile")
            .resolve("node_modules/dockerfile-utils/bin/dockerfile-utils");
    Process process =
        new ProcessBuilder(
                Programs.require("node").toString(),
                linter.toAbsolutePath().toString(),
                "lint",
                file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return said.strip();
  }

  @Test
  @Needs(packages = "dockerfile")
  void theLinterFindsNothing() throws Exception {
    assertEquals("", lint(FILE));
    Path wrong = Files.writeString(folder.resolve("Dockerfile"), "FROM debian:13\nCPY a b\n");
    assertTrue(lint(wrong).contains("CPY"), () -> "a fault is not found in " + wrong);
  }

  @Test
  void itDoesNotRunAsRootAndSaysHowItIs() throws Exception {
    List<String> lines = Files.readAllLines(FILE);
    assertTrue(lines.stream().anyMatch(line -> line.matches("USER [1-9]\\d*")), lines::toString);
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("HEALTHCHECK ")), lines::toString);
    for (String line : lines)
      if (line.startsWith("FROM ")) assertTrue(line.matches("FROM \\S+:\\d\\S*( AS \\w+)?"), line);
  }
}
