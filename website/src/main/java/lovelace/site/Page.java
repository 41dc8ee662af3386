package lovelace.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/// A page in Markdown: its tree, its headings with the anchors that GitHub gives them, and its
/// fenced blocks.
final class Page {

  private static final Parser PARSER =
      Parser.builder()
          .extensions(List.of(TablesExtension.create()))
          .includeSourceSpans(IncludeSourceSpans.BLOCKS)
          .build();

  /// A heading of the page, with the anchor that links to it.
  record Section(int level, String title, String anchor) {}

  /// A block of code: the words after its fence, its lines, and its first line's number. A block
  /// without a fence has no words.
  record Block(String info, String text, int line) {

    /// The first word after the fence; `text` if there is none.
    String language() {
      return info.isBlank() ? "text" : info.split(" ", 2)[0];
    }

    /// Whether a word follows the language.
    boolean is(String word) {
      return List.of(info.split(" +", -1)).contains(word);
    }
  }

  private final String name;
  private final Node tree;
  private final Map<Node, Section> sections = new LinkedHashMap<>();
  private final List<Block> blocks = new ArrayList<>();

  private Page(String name, Node tree) {
    this.name = name;
    this.tree = tree;
  }

  /// Makes a page from its text. `name` is its path in the repository, such as `docs/java.md`.
  static Page of(String name, String markdown) {
    Page page = new Page(name, PARSER.parse(markdown));
    Map<String, Integer> seen = new HashMap<>();
    page.tree.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Heading heading) {
            String title = text(heading);
            String slug = slug(title);
            int before = seen.merge(slug, 1, Integer::sum) - 1;
            String anchor = before == 0 ? slug : slug + "-" + before;
            page.sections.put(heading, new Section(heading.getLevel(), title, anchor));
          }

          @Override
          public void visit(FencedCodeBlock block) {
            int line = block.getSourceSpans().getFirst().getLineIndex() + 1;
            String info = block.getInfo() == null ? "" : block.getInfo().strip();
            page.blocks.add(new Block(info, block.getLiteral(), line));
          }

          @Override
          public void visit(IndentedCodeBlock block) {
            int line = block.getSourceSpans().getFirst().getLineIndex() + 1;
            page.blocks.add(new Block("", block.getLiteral(), line));
          }
        });
    return page;
  }

  static Page read(Path root, String name) throws IOException {
    return of(name, Files.readString(root.resolve(name)));
  }

  /// Its path in the repository.
  String name() {
    return name;
  }

  Node tree() {
    return tree;
  }

  /// Its headings in order.
  List<Section> sections() {
    return List.copyOf(sections.values());
  }

  /// The section that a heading begins.
  Section section(Heading heading) {
    return Site.require(sections.get(heading), "heading");
  }

  List<Block> blocks() {
    return blocks;
  }

  /// Its first heading.
  String title() {
    return sections.isEmpty() ? name : sections().getFirst().title();
  }

  /// The path on the site. A folder's README becomes its index.
  String file() {
    String base = name.replaceFirst("\\.md$", "");
    return (base.equals("README") || base.endsWith("/README")
            ? base.replaceFirst("README$", "index")
            : base)
        + ".html";
  }

  /// The words of a node without their markup.
  static String text(Node node) {
    StringBuilder all = new StringBuilder();
    node.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text text) {
            all.append(text.getLiteral());
          }

          @Override
          public void visit(Code code) {
            all.append(code.getLiteral());
          }

          @Override
          public void visit(SoftLineBreak line) {
            all.append(' ');
          }

          @Override
          public void visit(HardLineBreak line) {
            all.append(' ');
          }

          @Override
          public void visit(ListItem item) {
            visitChildren(item);
            all.append(' ');
          }

          @Override
          public void visit(Paragraph paragraph) {
            visitChildren(paragraph);
            all.append(' ');
          }

          @Override
          public void visit(CustomNode node) {
            visitChildren(node);
            if (node instanceof TableCell) all.append(' ');
          }
        });
    return all.toString().strip();
  }

  /// The anchor that GitHub gives a heading.
  static String slug(String title) {
    return title
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}\\p{M} _-]", "")
        .replace(' ', '-');
  }
}
