package lovelace.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// docs/reference is what the command generates.
class ReferenceTest {

  private static final String REMEDY = "; ./site --reference writes docs/reference";
  private static final Path FOLDER = Repository.ROOT.resolve("docs/reference");

  @Test
  void pagesAreThoseOfTheCommand() throws IOException {
    Map<String, String> pages = Reference.pages();
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertEquals(
          new TreeSet<>(pages.keySet()),
          files
              .map(each -> each.getFileName().toString())
              .collect(Collectors.toCollection(TreeSet::new)),
          REMEDY);
    }
    for (Map.Entry<String, String> page : pages.entrySet())
      assertEquals(
          page.getValue(),
          Files.readString(FOLDER.resolve(page.getKey())),
          page.getKey() + " differs from the command" + REMEDY);
  }

  @Test
  void aPageHasSynopsisParametersOptionsWithDefaultsAndExamples() {
    String page = Site.require(Reference.pages().get("predict.md"), "page");
    assertTrue(page.contains("\nlovelace predict MODEL [TABLE] [OPTIONS]\n"), page);
    assertTrue(page.contains("\n| `MODEL` |  | "), page);
    assertTrue(page.contains("\n| `--interval "), page);
    assertTrue(page.contains(" | 0.95 | "), page);
    assertTrue(page.contains("## Examples\n\n```sh\nlovelace predict "), page);
    String index = Site.require(Reference.pages().get("README.md"), "index");
    assertTrue(index.contains("- [bench map](bench-map.md): "), index);
    assertTrue(index.contains("\n| 130 | interrupted |\n"), index);
  }
}
