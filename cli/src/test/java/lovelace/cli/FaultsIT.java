package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The files after a real process was interrupted, or the disk was full.
@EnabledOnOs(OS.LINUX)
class FaultsIT {

  @TempDir private Path folder;

  private Process start(List<String> prefix, String... args) throws IOException {
    Path target = Path.of("target").toAbsolutePath();
    List<String> command = new ArrayList<>(prefix);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*",
            "lovelace.cli.Main"));
    command.addAll(List.of(args));
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectOutput(folder.resolve("out").toFile())
        .redirectError(folder.resolve("err").toFile())
        .start();
  }

  private void writeTable(int rows) throws IOException {
    var random = new SplittableRandom(2);
    StringBuilder table = new StringBuilder("a,b,y\n");
    for (int i = 0; i < rows; i++) {
      double a = random.nextDouble();
      double b = random.nextDouble();
      table.append("%s,%s,%s%n".formatted(a, b, Math.sin(9 * a * b) + 0.1 * random.nextGaussian()));
    }
    Files.writeString(folder.resolve("t.csv"), table);
  }

  private String err() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  private List<String> files() throws IOException {
    try (var list = Files.list(folder)) {
      return list.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  /// Waits until the fit has written its model for the pipe, which nobody reads.
  private void awaitModel(Process fit) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (fit.isAlive() && !modelIsWritten()) {
      assertTrue(System.nanoTime() < end, this::errors);
      Thread.sleep(5);
    }
    assertTrue(fit.isAlive(), this::errors);
  }

  private boolean modelIsWritten() throws IOException {
    try (var files = Files.walk(folder.resolve("tmp"))) {
      return files.anyMatch(file -> file.endsWith("stream"));
    }
  }

  @Test
  void interruptedFitLeavesNoFileAndSaysSo() throws Exception {
    writeTable(200);
    Files.createDirectory(folder.resolve("tmp"));
    assertEquals(
        0, new ProcessBuilder("mkfifo", folder.resolve("m.lvl").toString()).start().waitFor());
    Process fit =
        start(
            List.of("env", "--default-signal=INT", "JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=tmp"),
            ("fit t.csv --target y --no-train --set lengthscale=0.5 --set outputscale=1"
                    + " --set noise=0.1 --set mean=0 --model m.lvl")
                .split(" ", -1));
    awaitModel(fit);
    assertEquals(0, new ProcessBuilder("kill", "-INT", "" + fit.pid()).start().waitFor());
    assertTrue(fit.waitFor(60, TimeUnit.SECONDS));
    assertEquals(130, fit.exitValue(), this::errors);
    assertTrue(err().contains("lovelace: interrupted; no partial file is left"), err());
    assertFalse(modelIsWritten(), "a temporary file is left");
    assertEquals(List.of("err", "m.lvl", "out", "t.csv", "tmp"), files());
  }

  @Test
  void interruptedMapLeavesWhatWasThere() throws Exception {
    writeTable(200);
    String given = " --set lengthscale=0.5 --set outputscale=1 --set noise=0.1 --set mean=0";
    Trial trial = new Trial(folder);
    trial.ok("fit @t.csv --target y --no-train --grid 30x30 --model @m.lvl" + given);
    Files.writeString(folder.resolve("m.tif"), "before");
    Process map =
        start(
            List.of("env", "--default-signal=INT"),
            "map m.lvl --extent 0,0,1,1 --resolution 2e-5 --out m.tif --out m.png"
                .split(" ", -1)); // minutes
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (map.isAlive() && !hasBegun()) {
      assertTrue(System.nanoTime() < end, this::errors);
      Thread.sleep(20);
    }
    assertTrue(map.isAlive(), this::errors);
    assertEquals(0, new ProcessBuilder("kill", "-INT", "" + map.pid()).start().waitFor());
    assertTrue(map.waitFor(60, TimeUnit.SECONDS));
    assertEquals(130, map.exitValue(), this::errors);
    assertTrue(err().contains("lovelace: interrupted; no partial file is left"), err());
    assertEquals("before", Files.readString(folder.resolve("m.tif")));
    assertEquals(List.of("err", "m.lvl", "m.tif", "out", "t.csv"), files());
  }

  /// Whether pixels of a map are in a file beside its own.
  private boolean hasBegun() throws IOException {
    try (var files = Files.walk(folder)) {
      return files.anyMatch(
          file -> file.endsWith("m.tif") && !file.equals(folder.resolve("m.tif")) && some(file));
    }
  }

  private static boolean some(Path file) {
    try {
      return Files.size(file) > 100_000;
    } catch (IOException e) {
      return false; // gone again
    }
  }

  @Test
  void fullDiskLeavesNoFileAndSaysSo() throws Exception {
    writeTable(200);
    Files.writeString(folder.resolve("m.lvl"), "before");
    // a limit on the size of files fails a write as a full disk does; the model has 120 MB
    Process fit =
        start(
            List.of("prlimit", "--fsize=100000000"),
            ("fit t.csv --target y --kernel matern52 --no-train --grid 600x400 --engine krylov"
                    + " --set lengthscale=0.5 --set outputscale=1 --set noise=0.1 --set mean=0"
                    + " --tolerance 0.5 --model m.lvl")
                .split(" ", -1));
    assertTrue(fit.waitFor(400, TimeUnit.SECONDS));
    assertEquals(1, fit.exitValue(), this::errors);
    assertTrue(err().contains("'m.lvl' cannot be written: "), err());
    assertTrue(err().contains("the file that was there before is unchanged"), err());
    assertFalse(err().contains("Exception"), err());
    assertEquals("before", Files.readString(folder.resolve("m.lvl")));
    assertEquals(List.of("err", "m.lvl", "out", "t.csv"), files());
  }

  private String errors() {
    try {
      return err();
    } catch (IOException e) {
      return e.toString();
    }
  }
}
