package lovelace.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The scripts and styles of every module: Prettier formats them, ESLint lints them, TypeScript's
/// compiler checks their types, and Node runs their unit tests. The commands are those of
/// `package.json` in the folder above.
@Needs(packages = "scripts")
final class ScriptsTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /// A line of TAP, the format of Node's test runner. Node 18 wraps the tests of a file in one that
  /// has the file's name.
  private static final Pattern CLAIM = Pattern.compile("(?m)^ *(not )?ok \\d+ - (.*?)( # .*)?$");

  private record Outcome(int status, String said) {}

  private static Outcome run(List<String> command) throws IOException, InterruptedException {
    NpmPackages.INSTALLED.require("scripts");
    Process process =
        new ProcessBuilder(command).directory(ROOT.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Outcome(process.waitFor(), said);
  }

  private static Outcome task(String name) throws IOException, InterruptedException {
    return run(List.of(Programs.require("npm").toString(), "run", "--silent", name));
  }

  private static void requireSilence(Outcome outcome, String remedy) {
    assertEquals(0, outcome.status(), () -> outcome.said() + "\n" + remedy);
  }

  @Test
  void allFilesAreFormatted() throws Exception {
    requireSilence(task("formatted"), "'npm run format' formats these files.");
  }

  @Test
  void noScriptBreaksARule() throws Exception {
    requireSilence(task("lint"), "The rules are in eslint.config.js.");
  }

  @Test
  void typesFit() throws Exception {
    requireSilence(task("types"), "Types are written as JSDoc comments.");
  }

  /// Scripts of the documentation. Other tests run them.
  @ParameterizedTest
  @ValueSource(strings = {"js", "html"})
  void documentedScriptsAreFormattedAndBreakNoRule(String language) throws Exception {
    String page = Files.readString(ROOT.resolve("docs/export.md"));
    Matcher block = Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$").matcher(page);
    assertTrue(block.find(), "docs/export.md has no block of " + language);
    Path folder = Files.createDirectories(Path.of("target", "documented"));
    Path file = Files.writeString(folder.resolve("export." + language), block.group(1));
    Path tools = NpmPackages.INSTALLED.require("scripts").resolve("node_modules/.bin");
    String name = file.toAbsolutePath().toString();
    String ignoreNothing = "--ignore-path=" + folder.resolve("none").toAbsolutePath();
    String prettier = tools.resolve("prettier").toString();
    requireSilence(
        run(List.of(prettier, "--check", "--log-level=warn", ignoreNothing, name)),
        "Format the block in docs/export.md.");
    if (language.equals("js"))
      requireSilence(
          run(List.of(tools.resolve("eslint").toString(), "--no-ignore", name)),
          "Correct the block in docs/export.md.");
  }

  @TestFactory
  List<DynamicTest> unitTestsPass() throws Exception {
    Outcome outcome = task("unit");
    List<DynamicTest> claims = new ArrayList<>();
    Matcher line = CLAIM.matcher(outcome.said());
    while (line.find()) {
      String claim = line.group(2);
      if (claim.endsWith(".test.js")) continue; // a file, not a claim
      boolean holds = line.group(1) == null;
      int end = outcome.said().indexOf("\n# Subtest", line.end());
      String said = outcome.said().substring(line.start(), Math.max(end, line.end()));
      claims.add(dynamicTest(claim, () -> assertTrue(holds, said)));
    }
    claims.add(
        dynamicTest("no file fails", () -> assertEquals(0, outcome.status(), outcome.said())));
    assertTrue(claims.size() > 1, outcome.said());
    return claims;
  }
}
