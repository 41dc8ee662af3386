package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The claims of docs/compatibility.md and CITATION.cff about the code.
class PolicyTest {

  private static String read(String file) throws IOException {
    return Files.readString(Path.of("..", file));
  }

  private static List<String> found(String pattern, String text) {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  @Test
  void thePolicyNamesThePackagesThatAreExported() throws IOException {
    String page = read("docs/compatibility.md");
    String api =
        page.substring(page.indexOf("## The Java API"), page.indexOf("Their public types"));
    assertEquals(
        found("^  exports ([\\w.]+);", read("core/src/main/java/module-info.java")),
        found("`(lovelace(?:\\.(?!core)\\w+)*)`", api));
  }

  @Test
  void thePolicyNamesEveryFormatOfAModelFile() throws IOException {
    List<String> newest =
        found("int VERSION = (\\d+);", read("core/src/main/java/lovelace/io/Sections.java"));
    List<String> formats = found("^\\| (\\d+) \\|", read("docs/compatibility.md"));
    assertEquals(newest.getFirst(), formats.getLast());
    assertEquals(Integer.parseInt(newest.getFirst()), formats.size());
  }

  @Test
  void theCitationIsOfThisVersion() throws IOException {
    String citation = read("CITATION.cff");
    assertTrue(citation.startsWith("cff-version: 1.2.0\n"), citation);
    String version = found("^  <version>([^<]+)</version>", read("pom.xml")).getFirst();
    assertEquals(
        List.of(version.replace("-SNAPSHOT", "")), found("^version: (\\S+)$", citation), "version");
  }
}
