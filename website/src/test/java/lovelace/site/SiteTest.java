package lovelace.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteTest {

  @TempDir private Path out;

  /// Every link on every page, in Markdown and as HTML, into javadoc too. Javadoc itself must be
  /// without errors.
  @Test
  void everyLinkAndAnchorOfTheSiteLeadsSomewhere() throws IOException {
    Api.write(Repository.ROOT, out.resolve("api"));
    Site.of(Repository.ROOT).write(out);
    assertEquals(List.of(), new LinkCheck(out).problems());
    String page = Files.readString(out.resolve("docs/java.html"));
    assertTrue(page.contains("href=\"../api/lovelace.core/lovelace/Fit.html\""), "link to javadoc");
    assertTrue(
        Files.readString(out.resolve("docs/reference/fit.html"))
            .contains("<div class=\"table options\""),
        "a table that scrolls");
    assertTrue(Files.size(out.resolve("assets/index.js")) > 100_000, "the index of the search");
  }

  @Test
  void everyPageIsInTheNavigation() throws IOException {
    Map<String, Page> pages = Site.of(Repository.ROOT).pages();
    var missing = new TreeSet<>(pages.keySet());
    missing.remove("docs/README.md");
    Navigation.of(pages).inOrder().forEach(each -> missing.remove(each.page()));
    assertEquals(List.of(), List.copyOf(missing), "docs/README.md has no link to these pages");
    assertEquals(
        List.of("Start", "How-to", "Reference", "Explanation", "Project"),
        Navigation.of(pages).groups().stream().map(Navigation.Group::title).toList());
  }

  private Map<String, Page> two(String text) {
    Map<String, Page> pages = new TreeMap<>();
    pages.put("docs/README.md", Page.of("docs/README.md", "# D\n\n## Start\n\n- [a](a.md)\n"));
    pages.put("docs/a.md", Page.of("docs/a.md", text));
    return pages;
  }

  private List<String> problems(String text) throws IOException {
    Map<String, Page> pages = two(text);
    var renderer = new Renderer(out, pages, Navigation.of(pages), Map.of());
    Files.createDirectories(out.resolve("docs"));
    Files.createDirectories(out.resolve("assets"));
    for (String name : List.of("index.html", "assets/style.css", "assets/script.js"))
      Files.writeString(out.resolve(name), "");
    for (Page page : pages.values())
      Files.writeString(out.resolve(page.file()), renderer.html(page));
    return new LinkCheck(out).problems();
  }

  @Test
  void brokenLinksAreFound() throws IOException {
    assertEquals(List.of(), problems("# A\n\n[here](#a), [up](README.md#start)\n"));
    assertEquals(
        List.of("docs/a.html: #b: the page has no heading with this anchor"),
        problems("# A\n\n[here](#b)\n"));
    assertEquals(
        List.of("docs/a.html: ../docs/none.md: there is no such file"),
        problems("# A\n\n[none](none.md)\n"));
    assertEquals(
        List.of("docs/a.html: ../docs/none.png: there is no such file"),
        problems("# A\n\n![none](none.png)\n"));
    assertEquals(
        List.of("docs/a.html: https://host: the address names no host"),
        problems("# A\n\n[host](https://host)\n"));
  }

  @Test
  void anchorsAreThoseOfGitHub() {
    Page page =
        Page.of("x.md", "# What `fit` does: rows, columns\n\n## A_b – c?\n\n## Same\n\n## Same\n");
    assertEquals(
        List.of("what-fit-does-rows-columns", "a_b--c", "same", "same-1"),
        page.sections().stream().map(Page.Section::anchor).toList());
  }

  @Test
  void codeKeepsItsTextUnderItsColours() {
    String code = "lovelace fit a.csv --target 'y < 2' # \"why\" & how\n";
    String html = Highlighter.html("sh", code);
    assertTrue(html.contains("<span class=\"option\">--target</span>"), html);
    assertTrue(html.contains("<span class=\"string\">'y &lt; 2'</span>"), html);
    assertTrue(html.contains("<span class=\"comment\"># &quot;why&quot; &amp; how</span>"), html);
    String plain =
        html.replaceAll("<[^>]*>", "")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&amp;", "&");
    assertEquals(code, plain);
  }
}
