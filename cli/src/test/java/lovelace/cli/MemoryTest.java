package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `--memory` holds for the whole process: Java's heap, DuckDB, and the rest.
class MemoryTest {

  @TempDir private Path folder;

  /// The launcher's options for Java's heap; empty if there are none. This Java prints its options.
  private String heap(String... arguments) throws Exception {
    Path jdk = Files.createDirectories(folder.resolve("jdk/bin"));
    Path java = Files.writeString(jdk.resolve("java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    assertTrue(java.toFile().setExecutable(true));
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
    Files.createDirectories(folder.resolve("lib"));
    Path launcher = folder.resolve("lovelace");
    if (Files.notExists(launcher)) Files.copy(Path.of("../lovelace"), launcher);
    List<String> command = new ArrayList<>(List.of("sh", launcher.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("LOVELACE_"));
    builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), said);
    Matcher option = Pattern.compile("(?m)^-Xmx.*$").matcher(said);
    String found = option.find() ? option.group() : "";
    assertFalse(option.find(), said);
    return found;
  }

  /// The spellings that the option takes, and how many bytes each is.
  @ParameterizedTest
  @CsvSource({
    "4g, 4294967296",
    "4G, 4294967296",
    "4gb, 4294967296",
    "4GB, 4294967296",
    "1.5g, 1610612736",
    "1.25T, 1374389534720",
    "08g, 8589934592",
    "0.5g, 536870912",
    "800m, 838860800",
    "800mb, 838860800",
    "2.75Mb, 2883584",
    "2097152k, 2147483648",
    "1073741824, 1073741824",
    "3000000000b, 3000000000",
    "100g, 107374182400"
  })
  void everySpellingLimitsTheHeap(String size, long bytes) throws Exception {
    assertEquals(Memory.option(bytes), heap("fit", "a.csv", "--memory", size), size);
    assertEquals(
        "-Xmx" + Math.max(1, Memory.seriesHeap(bytes) >> 20) + "m",
        heap("forecast", "a.csv", "--memory", size),
        size);
    assertEquals(Memory.option(bytes), heap("--quiet", "fit", "--memory=" + size, "a.csv"), size);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4q", "x", "g", ".5g", "1.g", "1.5.2g", "-1g", "1e3m", "4 g"})
  void whatIsNoSizeIsLeftToTheCommand(String size) throws Exception {
    assertEquals("", heap("fit", "a.csv", "--memory", size));
    assertEquals("", heap("fit", "a.csv", "--memory=" + size));
  }

  @Test
  void withoutALimitTheHeapIsThatOfTheFlags() throws Exception {
    assertEquals("", heap("fit", "4g", "--model", "800m"));
    assertEquals("", heap("fit", "--memory"));
  }

  @Test
  void sharesAddUpToLessThanTheWhole() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1000; i++) {
      long bytes = (long) Math.pow(2, 29 + 12 * random.nextDouble()); // from 512 MB
      long rest = bytes - Memory.heap(bytes) - Memory.database(bytes);
      assertTrue(rest >= (160 << 20) + bytes / 20 - 1, "seed 1, " + bytes + " bytes");
      assertTrue(Memory.heap(bytes) >= bytes / 2);
    }
    assertEquals(1L << 30, Memory.database(Long.MAX_VALUE));
  }

  private static String limit() throws Exception {
    try (Database database = Database.open()) {
      return database.strings("select current_setting('memory_limit')").getFirst();
    }
  }

  @Test
  void tablesAreReadWithinTheirShare() throws Exception {
    Trial trial = new Trial(folder);
    Files.writeString(folder.resolve("a.csv"), "x,y\n1,2\n2,3\n3,5\n4,4\n5,3\n");
    try {
      trial.ok("fit @a.csv --target y --model @m.lvl --memory 1.5g");
      assertEquals("96.0 MiB", limit());
      trial.ok("fit @a.csv --target y --model @m.lvl");
      assertEquals("1.0 GiB", limit());
    } finally {
      Database.keepWithin(Long.MAX_VALUE);
    }
  }

  /// The most memory that a process has had is what Linux says of it until it ends.
  @Test
  @EnabledOnOs(OS.LINUX)
  void aProcessKeepsWithinItsMemory() throws Exception {
    SplittableRandom random = new SplittableRandom(3);
    StringBuilder rows = new StringBuilder("a,b,y\n");
    for (int i = 0; i < 200_000; i++)
      rows.append(
          String.format(
              Locale.ROOT, "%.5f,%.5f,%.3f%n", random.nextDouble(), random.nextDouble(), i % 7.0));
    Files.writeString(folder.resolve("big.csv"), rows);
    long memory = 500L << 20;
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseParallelGC",
                "-XX:TieredStopAtLevel=1",
                Memory.option(memory),
                "-cp",
                System.getProperty("java.class.path"),
                "lovelace.cli.Main"));
    command.addAll(
        List.of("fit", "big.csv", "--target", "y", "--kernel", "1*rbf(lengthscale=0.2)"));
    command.addAll(List.of("--grid", "60x60", "--model", "m.lvl", "--memory", "500m"));
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile())
            .start();
    long most = 0;
    while (process.isAlive()) {
      most = Math.max(most, peak(process.pid()));
      Thread.sleep(20);
    }
    assertEquals(0, process.exitValue(), Files.readString(folder.resolve("said")));
    assertTrue(most > 100L << 20, "peak " + most);
    assertTrue(most <= memory, "peak " + most);
  }

  private static long peak(long pid) throws IOException {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status")))
        if (line.startsWith("VmHWM:")) return Long.parseLong(line.replaceAll("\\D", "")) << 10;
    } catch (NoSuchFileException e) {
      return 0; // ended
    }
    return 0;
  }
}
