package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The output that docs/tables.md shows.
class TablesPageTest {

  @TempDir private Path folder;

  private static String page() throws IOException {
    return Files.readString(Path.of("../docs/tables.md"));
  }

  /// The blocks that are typed into a shell.
  private static List<String> blocks() throws IOException {
    return Stream.of(page().split("```sh\n", -1))
        .skip(1)
        .map(part -> part.substring(0, part.indexOf("```")))
        .toList();
  }

  @Test
  void theExampleOfThePageWorksAndComparesWhatItShows() throws Exception {
    String block = blocks().getFirst();
    int first = block.indexOf("lovelace fit");
    Process script =
        new ProcessBuilder("sh", "-c", block.substring(0, first))
            .directory(folder.toFile())
            .inheritIO()
            .start();
    assertEquals(0, script.waitFor());
    Trial trial = new Trial(folder);
    List<String> lines = block.substring(first).lines().toList();
    assertEquals(3, lines.size());
    String fitted =
        trial.ok(lines.getFirst().replaceFirst("^lovelace ", "").replaceAll(" (homes)", " @$1"));
    List<String> shown = compared(page());
    List<String> found = compared(fitted);
    assertEquals(shown.getFirst(), found.getFirst(), "the best");
    assertEquals(shown.stream().sorted().toList(), found.stream().sorted().toList());
    for (String line : lines.subList(1, 3))
      trial.ok(line.replaceFirst("^lovelace ", "").replaceAll(" (homes|later|priced)", " @$1"));
    assertEquals(61, Files.readAllLines(folder.resolve("priced.csv")).size());
  }

  /// The compared models, the best first, without scores.
  private static List<String> compared(String text) {
    String line =
        text.lines().filter(each -> each.startsWith("compared ")).findFirst().orElseThrow();
    String all = line.substring(line.indexOf(": ") + 2, line.indexOf(';'));
    return Stream.of(all.split(", ", -1)).map(each -> each.replaceFirst(" \\S+$", "")).toList();
  }

  @Test
  void theBenchmarksOfThePageHaveTheOptionsItNames() throws IOException {
    List<String> lines = blocks().getLast().lines().toList();
    assertEquals(3, lines.size());
    for (String line : lines) {
      String[] words = line.replaceFirst("^lovelace ", "").split(" +", -1);
      var parsed = Main.all().parseArgs(words);
      assertTrue(parsed.subcommand().subcommand().errors().isEmpty(), line);
    }
  }
}
