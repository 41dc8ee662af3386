package lovelace.site;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;

/// The index for the search of the site: the words of every section of every page.
final class SearchIndex {

  private static final ObjectMapper JSON = new ObjectMapper();

  private SearchIndex() {}

  /// A script that passes the index to the page.
  static String of(Collection<Page> pages, Navigation navigation) {
    List<Map<String, String>> all = new ArrayList<>();
    List<String> order = navigation.inOrder().stream().map(Navigation.Entry::page).toList();
    for (Page page : pages) {
      if (!order.contains(page.name()) && !page.name().equals("docs/README.md")) continue;
      StringBuilder text = new StringBuilder();
      String heading = page.title();
      String anchor = "";
      for (Node node = page.tree().getFirstChild(); node != null; node = node.getNext()) {
        if (node instanceof Heading found && found.getLevel() <= 3) {
          add(all, page, heading, anchor, text);
          heading = Page.text(found);
          Page.Section section = page.section(found);
          anchor = section.level() == 1 ? "" : "#" + section.anchor();
        } else if (node instanceof FencedCodeBlock code) text.append(code.getLiteral()).append(' ');
        else text.append(Page.text(node)).append(' ');
      }
      add(all, page, heading, anchor, text);
    }
    try {
      return "window.searchIndex = " + JSON.writeValueAsString(all) + ";\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void add(
      List<Map<String, String>> all, Page page, String heading, String anchor, StringBuilder text) {
    if (!text.isEmpty())
      all.add(
          Map.of(
              "page",
              page.title(),
              "heading",
              heading,
              "link",
              page.file() + anchor,
              "text",
              text.toString().replaceAll("\\s+", " ").strip()));
    text.setLength(0);
  }
}
