package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A release with a Java runtime of its own, on a machine that has neither Java nor Maven.
class RuntimeIT {

  @TempDir private Path folder;

  private String run(String... command) throws Exception {
    Path out = folder.resolve("out");
    var builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", "/nowhere");
    builder.environment().put("HOME", folder.toString());
    Process process = builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertEquals(0, process.waitFor(), Files.readString(out));
    return Files.readString(out);
  }

  @Test
  void runsWithoutJavaOrMaven() throws Exception {
    Path launcher = Files.copy(Path.of("../lovelace"), folder.resolve("lovelace"));
    assertTrue(launcher.toFile().setExecutable(true));
    Path lib = Files.createDirectory(folder.resolve("lib"));
    Path target = Path.of("target").toAbsolutePath();
    try (var own = Files.newDirectoryStream(target, "lovelace-cli-*.jar");
        var others = Files.newDirectoryStream(target.resolve("lib"), "*.jar")) {
      for (var jars : List.of(own, others))
        for (Path jar : jars) Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar);
    }
    run(
        Path.of(System.getProperty("java.home"), "bin", "jlink").toString(),
        "--add-modules",
        modules(),
        "--output",
        folder.resolve("runtime").toString());
    assertTrue(run(launcher.toString(), "--version").startsWith("lovelace 0."));
    Files.writeString(folder.resolve("t.csv"), "x,y\n0,1\n1,3\n2,4\n3,3\n4,1\n");
    run(launcher.toString(), "fit", "t.csv", "--target", "y", "--model", "m.lvl");
    assertTrue(run(launcher.toString(), "predict", "m.lvl", "t.csv").startsWith("x,y,mean,"));
    assertTrue(run(launcher.toString(), "doctor").contains("Nothing is wrong"));
  }

  /// The modules of the JDK that a release packs.
  private static String modules() throws IOException {
    return Files.readAllLines(Path.of("../release")).stream()
        .map(String::strip)
        .filter(line -> line.startsWith("modules="))
        .map(line -> line.substring("modules=".length()))
        .findFirst()
        .orElseThrow();
  }
}
