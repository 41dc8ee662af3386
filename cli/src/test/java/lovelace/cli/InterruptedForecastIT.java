package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A forecast of many series is ended by a signal, and leaves those that are finished.
class InterruptedForecastIT {

  private static final int SERIES = 60_000;
  private static final int HORIZON = 3;

  @TempDir private Path folder;

  @Test
  void whatIsFinishedIsWritten() throws Exception {
    Path table = folder.resolve("t.csv");
    var random = new SplittableRandom(1);
    try (BufferedWriter out = Files.newBufferedWriter(table)) {
      out.write("unique_id,ds,y\n");
      for (int s = 0; s < SERIES; s++)
        for (int t = 0; t < 14; t++)
          out.write(
              String.format(
                  Locale.ROOT, "%05d,%d,%d%n", s, 2000 + t, 100 + random.nextInt(50)));
    }
    Path result = folder.resolve("f.csv");
    Path report = folder.resolve("r.json");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx700m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "forecast",
                table.toString(),
                "--horizon",
                Integer.toString(HORIZON),
                "--out",
                result.toString(),
                "--report",
                report.toString())
            .start();
    StringBuilder said = new StringBuilder();
    try (BufferedReader err = process.errorReader(UTF_8)) {
      for (String line = err.readLine(); line != null; line = err.readLine()) {
        said.append(line).append('\n');
        if (line.contains(" series, ") && line.contains(" s left")) break;
      }
      process.toHandle().destroy(); // leaves the streams open
      for (String line = err.readLine(); line != null; line = err.readLine())
        said.append(line).append('\n');
    }
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), said::toString);
    assertTrue(process.exitValue() > 128, () -> process.exitValue() + "\n" + said);
    assertTrue(said.toString().contains("lovelace: interrupted; "), said::toString);
    assertTrue(said.toString().contains("of 60,000 series that were finished"), said::toString);
    List<String> lines = Files.readAllLines(result);
    int rows = lines.size() - 1;
    assertTrue(rows > 0 && rows < SERIES * HORIZON, () -> rows + " rows\n" + said);
    assertEquals(0, rows % HORIZON, "whole series");
    int columns = lines.getFirst().split(",", -1).length;
    for (String line : lines) assertEquals(columns, line.split(",", -1).length, line);
    assertEquals(
        rows / HORIZON,
        new ObjectMapper().readTree(report.toFile()).get("series_finished").asInt(),
        said::toString);
  }
}
