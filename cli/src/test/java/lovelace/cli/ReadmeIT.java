package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// README's five minutes, typed literally into a shell.
class ReadmeIT {

  @TempDir private Path folder;

  @Test
  void everyCommandOfTheFiveMinutesWorks() throws Exception {
    String page = Files.readString(Path.of("../README.md"));
    String part = page.substring(page.indexOf("## Five minutes"), page.indexOf("## Documentation"));
    List<String> lines =
        part.replace("\\\n", " ") // a line goes on after a backslash
            .lines()
            .map(String::strip)
            .filter(line -> line.startsWith("./lovelace "))
            .toList();
    assertTrue(lines.size() >= 6, lines::toString);
    launcher();
    type("./lovelace demo");
    for (String line : lines) type(line);
    assertEquals(49, Files.readAllLines(folder.resolve("forecast.csv")).size());
    assertTrue(Files.size(folder.resolve("air.html")) > 1_000_000);
    type("./lovelace inspect air.lvl --json");
    assertTrue(Files.readString(folder.resolve("out")).contains("\"rows\": 144"));
  }

  private void launcher() throws Exception {
    Path target = Path.of("target").toAbsolutePath();
    Path script =
        Files.writeString(
            folder.resolve("lovelace"),
            "#!/bin/sh\nexec '%s' --enable-native-access=ALL-UNNAMED -cp '%s' lovelace.cli.Main \"$@\"\n"
                .formatted(
                    Path.of(System.getProperty("java.home"), "bin", "java"),
                    target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*"));
    assertTrue(script.toFile().setExecutable(true));
  }

  private void type(String line) throws Exception {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder("sh", "-c", line)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertEquals(0, process.waitFor(), () -> line + "\n" + read(out));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
