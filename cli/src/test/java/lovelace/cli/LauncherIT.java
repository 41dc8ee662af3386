package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The real launcher in a real process, laid out as a release: the script with its jars in `lib`,
/// in a folder with a space in its name.
class LauncherIT {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir static Path temporary;
  private static Path folder = temporary;
  private static Path launcher = temporary;

  private record Result(int exit, String out, String err) {}

  @BeforeAll
  static void layOut() throws IOException {
    folder = Files.createDirectories(temporary.resolve("a folder"));
    launcher = Files.copy(ROOT.resolve("lovelace"), folder.resolve("lovelace"));
    assertTrue(launcher.toFile().setExecutable(true));
    Path lib = Files.createDirectory(folder.resolve("lib"));
    Path target = Path.of("target").toAbsolutePath();
    try (var own = Files.newDirectoryStream(target, "lovelace-cli-*.jar");
        var others = Files.newDirectoryStream(target.resolve("lib"), "*.jar")) {
      for (var jars : List.of(own, others)) {
        for (Path jar : jars) {
          Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar);
        }
      }
    }
  }

  private static Result run(Map<String, String> environment, Path script, String... args)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>(List.of(script.toString()));
    command.addAll(List.of(args));
    Path out = Files.createTempFile(temporary, "out", "");
    Path err = Files.createTempFile(temporary, "err", "");
    var builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().keySet().removeIf(name -> name.startsWith("LOVELACE_"));
    builder.environment().putAll(environment);
    var process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    int exit = process.waitFor();
    return new Result(exit, Files.readString(out, UTF_8), Files.readString(err, UTF_8));
  }

  private static Result run(String... args) throws IOException, InterruptedException {
    return run(Map.of(), launcher, args);
  }

  @Test
  void versionIsThatOfTheBuildAndNothingElseIsSaid() throws Exception {
    var result = run("--version");
    assertEquals(0, result.exit, result::toString);
    assertTrue(result.out.startsWith("lovelace 0."), result::toString);
    assertEquals("", result.err);
  }

  @Test
  void helpGoesToStandardOutput() throws Exception {
    var result = run("--help");
    assertEquals(0, result.exit, result::toString);
    assertTrue(result.out.startsWith("Usage: lovelace"), result::toString);
    assertEquals("", result.err);
  }

  @Test
  void argumentsArriveWholeAndWrongUseIsTwo() throws Exception {
    var result = run("two words *", "$HOME", "größe.csv");
    assertEquals(2, result.exit, result::toString);
    assertEquals("", result.out);
    assertTrue(result.err.contains("'two words *'"), result::toString);
  }

  @Test
  void letterOfAnyAlphabetSurvivesWithoutALocale() throws Exception {
    var result = run(Map.of("LC_ALL", "C"), launcher, "größe");
    assertEquals(2, result.exit, result::toString);
    assertTrue(result.err.contains("'größe'"), result::toString);
  }

  @Test
  void worksThroughSymbolicLinksFromAnywhere() throws Exception {
    Path bin = Files.createDirectories(temporary.resolve("bin"));
    Path relative = bin.resolve("ll");
    Files.createSymbolicLink(relative, Path.of("../a folder/lovelace"));
    Path twice = bin.resolve("lll");
    Files.createSymbolicLink(twice, relative);
    assertEquals(0, run(Map.of(), twice, "--version").exit);
  }

  @Test
  void oldJavaHomeIsPassedOverAndJvmOptionsAreTaken() throws Exception {
    Path old = temporary.resolve("jdk 17");
    Path bin = Files.createDirectories(old.resolve("bin"));
    Path java = Files.writeString(bin.resolve("java"), "#!/bin/sh\nexit 99\n");
    assertTrue(java.toFile().setExecutable(true));
    Files.writeString(old.resolve("release"), "JAVA_VERSION=\"17.0.15\"\n");
    var environment =
        Map.of(
            "JAVA_HOME",
            old.toString(),
            "PATH",
            System.getProperty("java.home") + "/bin:/usr/bin:/bin",
            "LOVELACE_JAVA_OPTS",
            "-Xmx64m -Xlog:startuptime");
    assertEquals(0, run(environment, launcher, "--version").exit);
  }

  /// Whatever memory the machine has, a map takes little of it, and a heap that is smaller still is
  /// no reason to complain.
  @Test
  void mapsCollectTheirTilesSoon() throws Exception {
    assertEquals("201326592", young("--threads 2 map --help"));
    assertNotEquals("201326592", young("bench map --help"));
    var result = run("map", "--help", "--memory", "90m");
    assertEquals("", result.err);
    assertTrue(result.out.startsWith("Usage: lovelace map"), result::toString);
  }

  private static String young(String line) throws Exception {
    var result =
        run(Map.of("LOVELACE_JAVA_OPTS", "-XX:+PrintFlagsFinal"), launcher, line.split(" ", -1));
    Matcher found = Pattern.compile("MaxNewSize += +(\\d+)").matcher(result.out);
    assertTrue(found.find(), result.out);
    return found.group(1);
  }

  /// Java cannot tell whether somebody watches standard error while standard output is a file; the
  /// launcher can. A Java that prints its arguments shows what it is told.
  @Test
  @EnabledOnOs(OS.LINUX)
  void launcherTellsWhichStreamsAreTerminals() throws Exception {
    Map<String, String> environment = Map.of("JAVA_HOME", talking("talking jdk").toString());
    var result = run(environment, launcher, "inspect");
    assertTrue(result.out.contains("-Dlovelace.terminals=\n"), result::toString);
    Path script = Path.of("/usr/bin/script"); // runs a command on a terminal of its own
    Path file = temporary.resolve("arguments");
    String line = "'%s' inspect > '%s'".formatted(launcher, file);
    assertEquals(0, run(environment, script, "-qec", line, "/dev/null").exit);
    String told = Files.readString(file, UTF_8);
    assertTrue(told.contains("-Dlovelace.terminals=2\n"), told);
    assertTrue(told.contains("-Dlovelace.launcher=" + launcher + "\n"), told);
    line = "'%s' inspect".formatted(launcher);
    result = run(environment, script, "-qec", line, "/dev/null");
    assertTrue(result.out.contains("-Dlovelace.terminals=12"), result::toString);
  }

  /// A JDK whose java prints its arguments, and writes the cache that they ask for.
  private static Path talking(String name) throws IOException {
    Path jdk = temporary.resolve(name);
    Path bin = Files.createDirectories(jdk.resolve("bin"));
    String script =
        """
        #!/bin/sh
        printf '%s\\n' "$@"
        for word; do case $word in -XX:AOTCacheOutput=*) : >"${word#*=}" ;; esac; done
        """;
    Path java = Files.writeString(bin.resolve("java"), script);
    assertTrue(java.toFile().setExecutable(true));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25\"\n");
    return jdk;
  }

  @Test
  void flightRecorderIsOffExceptInAServerAndWhereItIsAskedFor() throws Exception {
    String jdk = talking("recording jdk").toString();
    String off = "-Djfr.unsupported.vm=true\n";
    Map<String, String> plain = Map.of("JAVA_HOME", jdk);
    assertTrue(run(plain, launcher, "predict", "serve").out.contains(off));
    assertFalse(run(plain, launcher, "serve", "m.lvl").out.contains(off));
    for (String name : List.of("LOVELACE_JAVA_OPTS", "JDK_JAVA_OPTIONS")) {
      Map<String, String> asked = Map.of("JAVA_HOME", jdk, name, "-XX:StartFlightRecording");
      assertFalse(run(asked, launcher, "predict").out.contains(off), name);
    }
  }

  @Test
  void archiveIsPreparedForFasterStartsOnOneJdk() throws Exception {
    Path archive = temporary.resolve("an archive");
    Files.createDirectories(archive.resolve("lib"));
    Path script = Files.copy(launcher, archive.resolve("lovelace"));
    Map<String, String> first = Map.of("JAVA_HOME", talking("first jdk").toString());
    Map<String, String> other = Map.of("JAVA_HOME", talking("other jdk").toString());
    assertFalse(run(first, script, "inspect").out.contains("-XX:AOTCache="));
    var build = new HashMap<>(first);
    build.put("LOVELACE_TASK", "build");
    var result = run(build, script);
    assertEquals(0, result.exit, result::toString);
    assertTrue(result.err.contains("lovelace.aot"), result::toString);
    assertTrue(run(first, script, "inspect").out.contains("-XX:AOTCache="));
    assertFalse(run(other, script, "inspect").out.contains("-XX:AOTCache="));
  }

  @Test
  void withoutAnyJdkItSaysWhatToInstall() throws Exception {
    // Folders such as /usr/lib/jvm cannot be taken away from it, so no JDK is new enough instead.
    Path future = folder.resolve("future");
    String text = Files.readString(launcher, UTF_8).replace("least=25", "least=9925");
    Files.writeString(future, text);
    assertTrue(future.toFile().setExecutable(true));
    var result = run(Map.of(), future, "--version");
    assertEquals(3, result.exit, result::toString);
    assertTrue(result.err.contains("needs a JDK 9925"), result::toString);
    assertTrue(result.err.contains("brew install"), result::toString);
    assertFalse(result.err.contains("not found"), result::toString);
  }
}
