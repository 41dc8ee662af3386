package lovelace.site;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.commonmark.node.BulletList;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;

/// The navigation at the left of every page: the sections and links of docs/README.md. A link to
/// another folder's README also adds the links in the lists of that page.
record Navigation(List<Group> groups) {

  /// A section.
  record Group(String title, List<Entry> entries) {}

  /// A page, with the pages below it.
  record Entry(String title, String page, List<Entry> below) {}

  static Navigation of(Map<String, Page> pages) {
    Page index = Site.require(pages.get("docs/README.md"), "docs/README.md");
    List<Group> groups = new ArrayList<>();
    for (Node node = index.tree().getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading heading && heading.getLevel() == 2)
        groups.add(new Group(Page.text(heading), new ArrayList<>()));
      else if (node instanceof BulletList list && !groups.isEmpty())
        groups.getLast().entries().addAll(entries(index, list, pages));
    }
    return new Navigation(groups);
  }

  private static List<Entry> entries(Page from, BulletList list, Map<String, Page> pages) {
    List<Entry> entries = new ArrayList<>();
    for (Node item = list.getFirstChild(); item != null; item = item.getNext()) {
      Node first = item instanceof ListItem ? item.getFirstChild() : null;
      if (first == null || !(first.getFirstChild() instanceof Link link)) continue;
      Page page = pages.get(Site.target(pages, from.name(), link.getDestination()));
      if (page == null) continue;
      List<Entry> below = new ArrayList<>();
      if (page.name().endsWith("/README.md") && !page.name().equals(from.name()))
        for (Node node = page.tree().getFirstChild(); node != null; node = node.getNext())
          if (node instanceof BulletList deeper) below.addAll(entries(page, deeper, pages));
      entries.add(new Entry(Page.text(link), page.name(), below));
    }
    return entries;
  }

  /// All pages in the order in which they are read.
  List<Entry> inOrder() {
    List<Entry> all = new ArrayList<>();
    for (Group group : groups)
      for (Entry entry : group.entries()) {
        all.add(entry);
        all.addAll(entry.below());
      }
    return all;
  }
}
