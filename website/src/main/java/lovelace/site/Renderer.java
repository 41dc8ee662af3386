package lovelace.site;

import static lovelace.site.Highlighter.escape;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.html.HtmlWriter;

/// Renders a page in Markdown as a page of the site.
final class Renderer {

  private static final Pattern SOURCE = Pattern.compile("(href|src|srcset)=\"([^\"]*)\"");

  private final Path root;
  private final Map<String, Page> pages;
  private final Navigation navigation;
  private final Map<String, String> types;
  private final Set<String> assets = new TreeSet<>();

  /// @param types the pages of javadoc by the simple names of types
  Renderer(Path root, Map<String, Page> pages, Navigation navigation, Map<String, String> types) {
    this.root = root;
    this.pages = pages;
    this.navigation = navigation;
    this.types = types;
  }

  /// The files that the rendered pages refer to, by their paths in the repository.
  Set<String> assets() {
    return assets;
  }

  String html(Page page) {
    HtmlRenderer html =
        HtmlRenderer.builder()
            .nodeRendererFactory(context -> new Blocks(page, context)) // before that of tables
            .extensions(List.of(TablesExtension.create()))
            .attributeProviderFactory(
                context ->
                    (node, tag, attributes) -> {
                      if (node instanceof Heading heading)
                        attributes.put("id", page.section(heading).anchor());
                      else if (tag.equals("a"))
                        attributes.computeIfPresent("href", (key, link) -> rewrite(page, link));
                      else if (tag.equals("img")) {
                        attributes.computeIfPresent("src", (key, link) -> rewrite(page, link));
                        attributes.put("loading", "lazy");
                      }
                    })
            .build();
    String body = html.render(page.tree());
    String up = up(page);
    String title =
        page.name().equals("README.md") ? "Lovelace" : escape(page.title()) + " · Lovelace";
    return Site.resource("page.html")
        .replace("{{title}}", title)
        .replace("{{up}}", up)
        .replace("{{navigation}}", navigation(page))
        .replace("{{contents}}", contents(page))
        .replace("{{neighbours}}", neighbours(page))
        .replace("{{body}}", body);
  }

  /// The way from a page up to the root of the site.
  private static String up(Page page) {
    return "../".repeat((int) page.name().chars().filter(c -> c == '/').count());
  }

  /// Turns a link of a page into one of the site. A link to nothing stays, and the check of links
  /// finds it.
  private String rewrite(Page page, String link) {
    if (link.startsWith("#") || link.matches("(?i)[a-z][a-z0-9+.-]*:.*")) return link;
    String target = Site.target(pages, page.name(), link);
    int hash = link.indexOf('#');
    Page other = pages.get(target);
    if (other != null) return up(page) + other.file() + (hash < 0 ? "" : link.substring(hash));
    String type =
        target.replaceFirst("^core/src/main/java/(.*)\\.java$", "api/lovelace.core/$1.html");
    if (types.containsValue(type)) return up(page) + type; // javadoc tells more than the source
    if (Files.isRegularFile(root.resolve(target))) assets.add(target);
    return up(page) + target;
  }

  private String navigation(Page page) {
    StringBuilder html = new StringBuilder();
    for (Navigation.Group group : navigation.groups()) {
      html.append("<h2>%s</h2>\n<ul>\n".formatted(escape(group.title())));
      for (Navigation.Entry entry : group.entries()) {
        boolean open =
            !entry.below().isEmpty()
                && (entry.page().equals(page.name())
                    || entry.below().stream().anyMatch(each -> each.page().equals(page.name())));
        html.append("<li>").append(entry(page, entry));
        if (open) {
          html.append("\n<ul>\n");
          for (Navigation.Entry below : entry.below())
            html.append("<li>").append(entry(page, below)).append("</li>\n");
          html.append("</ul>\n");
        }
        html.append("</li>\n");
      }
      if (group.title().equals("Reference"))
        html.append("<li><a href=\"%sapi/index.html\">Java API</a></li>\n".formatted(up(page)));
      html.append("</ul>\n");
    }
    return html.toString();
  }

  private String entry(Page page, Navigation.Entry entry) {
    String here = entry.page().equals(page.name()) ? " aria-current=\"page\"" : "";
    return "<a href=\"%s%s\"%s>%s</a>"
        .formatted(
            up(page),
            Site.require(pages.get(entry.page()), entry.page()).file(),
            here,
            escape(entry.title()));
  }

  private static String contents(Page page) {
    List<Page.Section> shown =
        page.sections().stream().filter(each -> each.level() == 2 || each.level() == 3).toList();
    if (shown.size() < 2) return "";
    StringBuilder html = new StringBuilder("<h2>On this page</h2>\n<ul>\n");
    for (Page.Section section : shown)
      html.append(
          "<li class=\"level%s\"><a href=\"#%s\">%s</a></li>\n"
              .formatted(section.level(), section.anchor(), escape(section.title())));
    return html.append("</ul>\n").toString();
  }

  private String neighbours(Page page) {
    List<Navigation.Entry> order = new ArrayList<>(navigation.inOrder());
    int at = -1;
    for (int i = 0; i < order.size(); i++) if (order.get(i).page().equals(page.name())) at = i;
    if (at < 0) return "";
    StringBuilder html = new StringBuilder();
    if (at > 0) html.append(neighbour(page, order.get(at - 1), "previous", "Previous"));
    if (at + 1 < order.size()) html.append(neighbour(page, order.get(at + 1), "next", "Next"));
    return html.toString();
  }

  private String neighbour(Page page, Navigation.Entry entry, String kind, String label) {
    return "<a class=\"%s\" rel=\"%s\" href=\"%s%s\"><span>%s</span>%s</a>\n"
        .formatted(
            kind,
            kind.equals("next") ? "next" : "prev",
            up(page),
            Site.require(pages.get(entry.page()), entry.page()).file(),
            label,
            escape(entry.title()));
  }

  /// Code with colours and links to javadoc, tables that scroll, headings that can be linked to.
  private final class Blocks implements NodeRenderer {

    private final Page page;
    private final HtmlNodeRendererContext context;
    private final HtmlWriter writer;

    Blocks(Page page, HtmlNodeRendererContext context) {
      this.page = page;
      this.context = context;
      this.writer = context.getWriter();
    }

    @Override
    public Set<Class<? extends Node>> getNodeTypes() {
      return Set.of(
          FencedCodeBlock.class,
          Code.class,
          Heading.class,
          HtmlBlock.class,
          HtmlInline.class,
          TableBlock.class);
    }

    @Override
    public void render(Node node) {
      switch (node) {
        case FencedCodeBlock block -> block(block);
        case Code code -> code(code.getLiteral(), node.getParent() instanceof Link);
        case Heading heading -> heading(heading);
        case HtmlBlock html -> writer.raw(own(html.getLiteral()) + "\n");
        case HtmlInline html -> writer.raw(own(html.getLiteral()));
        case TableBlock table -> table(table);
        default -> throw new IllegalArgumentException("no rendering of " + node);
      }
    }

    private void block(FencedCodeBlock block) {
      String info = block.getInfo() == null ? "" : block.getInfo();
      String language = info.isBlank() ? "text" : info.strip().split(" ", 2)[0];
      writer.line();
      writer.raw(
          "<div class=\"code\"><pre tabindex=\"0\"><code class=\"%s\">%s</code></pre></div>"
              .formatted(escape(language), Highlighter.html(language, block.getLiteral())));
      writer.line();
    }

    private void code(String text, boolean linked) {
      String type = linked ? null : types.get(text);
      boolean whole = text.length() <= 24; // not broken into lines
      String html =
          (whole ? "<code class=\"whole\">" : "<code>")
              + escape(text).replace("|", "|<wbr>")
              + "</code>";
      writer.raw(
          type == null
              ? html
              : "<a class=\"type\" href=\"%s%s\">%s</a>".formatted(up(page), type, html));
    }

    private void heading(Heading heading) {
      Page.Section section = page.section(heading);
      writer.line();
      writer.raw("<h%s id=\"%s\">".formatted(heading.getLevel(), escape(section.anchor())));
      for (Node child = heading.getFirstChild(); child != null; child = child.getNext())
        context.render(child);
      if (heading.getLevel() > 1)
        writer.raw(
            "<a class=\"anchor\" href=\"#%s\" aria-label=\"Link to this section\">#</a>"
                .formatted(escape(section.anchor())));
      writer.raw("</h%s>".formatted(heading.getLevel()));
      writer.line();
    }

    private void table(TableBlock table) {
      writer.line();
      String html = tableHtml(table);
      String kind = html.contains("<th>option</th>") ? "table options" : "table";
      writer.raw("<div class=\"%s\" tabindex=\"0\">".formatted(kind));
      writer.raw(html);
      writer.raw("</div>");
      writer.line();
    }

    /// The table from the extension's own renderer, with our code and links in its cells.
    private String tableHtml(TableBlock table) {
      return HtmlRenderer.builder()
          .extensions(List.of(TablesExtension.create()))
          .nodeRendererFactory(inner -> new Cells(page, inner))
          .attributeProviderFactory(
              inner ->
                  (node, tag, attributes) -> {
                    if (tag.equals("a"))
                      attributes.computeIfPresent("href", (key, link) -> rewrite(page, link));
                    else if (tag.equals("img"))
                      attributes.computeIfPresent("src", (key, link) -> rewrite(page, link));
                  })
          .build()
          .render(table);
    }

    private String own(String html) {
      return SOURCE
          .matcher(html)
          .replaceAll(
              found ->
                  java.util.regex.Matcher.quoteReplacement(
                      found.group(1) + "=\"" + rewrite(page, found.group(2)) + "\""));
    }
  }

  /// Code and HTML inside the cells of a table.
  private final class Cells implements NodeRenderer {

    private final Blocks blocks;

    Cells(Page page, HtmlNodeRendererContext context) {
      this.blocks = new Blocks(page, context);
    }

    @Override
    public Set<Class<? extends Node>> getNodeTypes() {
      return Set.of(Code.class, HtmlInline.class);
    }

    @Override
    public void render(Node node) {
      blocks.render(node);
    }
  }
}
