package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// An interrupted benchmark leaves none of its processes and files behind.
@EnabledOnOs(OS.LINUX)
class BenchMapIT {

  @TempDir private Path folder;

  @Test
  void interruptEndsTheProcessesThatItStarted() throws Exception {
    BenchMapTest.writeMap(folder.resolve("map"), 40, 30); // seconds of learning
    Path target = Path.of("target").toAbsolutePath();
    Path err = folder.resolve("err");
    Process bench =
        new ProcessBuilder(
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*",
                "lovelace.cli.Main",
                "bench",
                "map",
                "map",
                "--engine=exact",
                "--out=pictures",
                "--out=r.json")
            .directory(folder.toFile())
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(err.toFile())
            .start();
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
    while (!Files.readString(err).contains("matern12: plan:")) {
      assertTrue(bench.isAlive() && System.nanoTime() < end, Files.readString(err));
      Thread.sleep(20);
    }
    List<ProcessHandle> children = bench.descendants().toList();
    assertEquals(1, children.size(), Files.readString(err));
    assertEquals(0, new ProcessBuilder("kill", "-INT", "" + bench.pid()).start().waitFor());
    assertTrue(bench.waitFor(60, TimeUnit.SECONDS));
    assertEquals(130, bench.exitValue(), Files.readString(err));
    children.getFirst().onExit().get(60, TimeUnit.SECONDS);
    assertFalse(children.getFirst().isAlive());
    assertEquals(1, Files.readString(err).split("lovelace: interrupted", -1).length - 1);
    assertFalse(Files.exists(folder.resolve("r.json")));
    try (var pictures = Files.list(folder.resolve("pictures"))) {
      assertEquals(List.of(), pictures.toList());
    }
  }
}
