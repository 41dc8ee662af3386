package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Core speaks of what its callers have, an API, and not of a command line around it.
class WordsTest {

  /// An option such as `--grid`, or a command such as `lovelace fit`, in a text.
  private static final Pattern COMMAND_LINE =
      Pattern.compile("\"[^\"]*(--[a-z]|\\blovelace [a-z]+ )[^\"]*\"");

  /// Options of the JVM itself, which every program on it has.
  private static final Pattern OF_THE_JVM = Pattern.compile("--(enable-native-access|add-modules)");

  private static List<String> found(Stream<String> lines) {
    List<String> found = new ArrayList<>();
    lines
        .filter(line -> !line.strip().startsWith("//"))
        .map(line -> OF_THE_JVM.matcher(line).replaceAll(""))
        .filter(line -> COMMAND_LINE.matcher(line).find())
        .forEach(line -> found.add(line.strip()));
    return found;
  }

  @Test
  void noTextOfTheCommandLineIsInCore() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of("src/main/java"))) {
      files = all.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
    assertTrue(files.size() > 100, "the sources were found");
    List<String> all = new ArrayList<>();
    for (Path file : files)
      try (Stream<String> lines = Files.lines(file)) {
        found(lines).forEach(line -> all.add(file.getFileName() + ": " + line));
      }
    assertEquals(List.of(), all);
  }

  @Test
  void optionsAndCommandsAreSeen() {
    var lines =
        Stream.of(
            "throw new X(\"use --grid\");", "\"make one with 'lovelace fit … --model FILE'\"");
    assertEquals(2, found(lines).size());
    assertEquals(0, found(Stream.of("while (--left > 0) f(\"a -- b\");")).size());
  }
}
