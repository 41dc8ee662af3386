package lovelace.experiments.reproduce;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import lovelace.plot.Picture;
import org.jspecify.annotations.Nullable;

/// Headings, words, tables and pictures. They are written as one self-contained HTML page and as
/// Markdown.
final class Report {

  /// How a value compares with the paper's.
  enum Tone {
    NONE,
    GOOD,
    BAD
  }

  /// A cell of a table.
  record Entry(String text, Tone tone) {
    static Entry of(String text) {
      return new Entry(text, text.isBlank() ? Tone.BAD : Tone.NONE);
    }

    boolean empty() {
      return text.isBlank();
    }
  }

  private sealed interface Block {}

  private record Heading(int level, String text) implements Block {}

  private record Words(String text, boolean list) implements Block {}

  private record Table(String name, int labels, List<String> head, List<List<Entry>> rows)
      implements Block {}

  private record Figure(String name, String caption, String svg) implements Block {}

  private final List<Block> blocks = new ArrayList<>();

  Report heading(String text) {
    blocks.add(new Heading(2, text));
    return this;
  }

  Report title(String text) {
    blocks.add(new Heading(1, text));
    return this;
  }

  Report words(String text) {
    blocks.add(new Words(text, false));
    return this;
  }

  /// Adds an item to a list.
  Report point(String text) {
    blocks.add(new Words(text, true));
    return this;
  }

  /// Adds a table. Its rows are as long as its head, and the first cell names the row.
  Report table(List<String> head, List<List<Entry>> rows) {
    return table("", 1, head, rows);
  }

  /// Adds a table that is called `name` in lists of cells. Its first `labels` cells name a row.
  Report table(String name, int labels, List<String> head, List<List<Entry>> rows) {
    for (List<Entry> row : rows)
      if (row.size() != head.size())
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "a row of %d cells under a head of %d: %s",
                row.size(),
                head.size(),
                row));
    blocks.add(new Table(name, labels, List.copyOf(head), List.copyOf(rows)));
    return this;
  }

  /// Adds a picture. Its file in Markdown is called `name`.
  Report figure(String name, String caption, Picture picture) {
    blocks.add(new Figure(name, caption, picture.svg()));
    return this;
  }

  /// The empty cells of tables: heading, table, row and column.
  List<String> empty() {
    return cells(Entry::empty);
  }

  /// The cells that are worse than the paper's figure, with their text.
  List<String> red() {
    return cells(entry -> entry.tone == Tone.BAD && !entry.empty());
  }

  private List<String> cells(Predicate<Entry> wanted) {
    List<String> found = new ArrayList<>();
    String heading = "";
    for (Block block : blocks) {
      if (block instanceof Heading h) heading = h.text;
      if (!(block instanceof Table table)) continue;
      for (List<Entry> row : table.rows)
        for (int c = 0; c < row.size(); c++)
          if (wanted.test(row.get(c))) {
            List<String> place = new ArrayList<>(List.of(heading));
            if (!table.name.isEmpty()) place.add(table.name);
            row.stream().limit(table.labels).forEach(label -> place.add(label.text));
            place.add(table.head.get(c));
            String where = String.join(", ", place);
            found.add(row.get(c).empty() ? where : where + ": " + row.get(c).text);
          }
    }
    return found;
  }

  /// The pictures by file name.
  Map<String, String> pictures() {
    Map<String, String> all = new LinkedHashMap<>();
    for (Block block : blocks) if (block instanceof Figure f) all.put(f.name + ".svg", f.svg);
    return all;
  }

  String markdown() {
    StringBuilder out = new StringBuilder();
    @Nullable Block before = null;
    for (Block block : blocks) {
      boolean list = block instanceof Words w && w.list;
      if (list && before instanceof Words w && w.list) out.setLength(out.length() - 1);
      switch (block) {
        case Heading h -> out.append("#".repeat(h.level)).append(' ').append(h.text).append("\n\n");
        case Words w -> out.append(w.list ? "- " : "").append(w.text).append("\n\n");
        case Table t -> {
          out.append("| ").append(String.join(" | ", t.head)).append(" |\n|");
          out.append("---|".repeat(t.head.size())).append('\n');
          for (List<Entry> row : t.rows) {
            out.append('|');
            for (Entry e : row)
              out.append(' ')
                  .append(e.tone == Tone.BAD && !e.empty() ? "**" + e.text + "**" : e.text)
                  .append(" |");
            out.append('\n');
          }
          out.append('\n');
        }
        case Figure f -> out.append("![%s](pictures/%s.svg)%n%n".formatted(f.caption, f.name));
      }
      before = block;
    }
    return out.toString();
  }

  String html(String title) {
    StringBuilder out = new StringBuilder();
    out.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>")
        .append(escape(title))
        .append("</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n<style>")
        .append(STYLE)
        .append("</style></head><body>\n");
    boolean open = false;
    for (Block block : blocks) {
      boolean list = block instanceof Words w && w.list;
      if (list != open) out.append(list ? "<ul>\n" : "</ul>\n");
      open = list;
      switch (block) {
        case Heading h ->
            out.append(
                String.format(Locale.ROOT, "<h%1$d>%2$s</h%1$d>%n", h.level, escape(h.text)));
        case Words w -> {
          String tag = w.list ? "li" : "p";
          out.append("<%1$s>%2$s</%1$s>%n".formatted(tag, inline(w.text)));
        }
        case Table t -> table(out, t);
        case Figure f -> {
          byte[] svg = f.svg.getBytes(StandardCharsets.UTF_8);
          out.append(
                  "<figure><img alt=\"%s\" src=\"data:image/svg+xml;base64,"
                      .formatted(escape(f.caption)))
              .append(Base64.getEncoder().encodeToString(svg))
              .append("\"><figcaption>%s</figcaption></figure>%n".formatted(inline(f.caption)));
        }
      }
    }
    if (open) out.append("</ul>\n");
    return out.append("</body></html>\n").toString();
  }

  private static void table(StringBuilder out, Table t) {
    out.append("<div class=\"wide\"><table><thead><tr>");
    for (String head : t.head) out.append("<th>").append(inline(head)).append("</th>");
    out.append("</tr></thead><tbody>\n");
    for (List<Entry> row : t.rows) {
      out.append("<tr>");
      for (Entry e : row)
        out.append(
            "<td%s>%s</td>"
                .formatted(
                    e.tone == Tone.NONE
                        ? ""
                        : " class=\"" + e.tone.name().toLowerCase(Locale.ROOT) + "\"",
                    inline(e.text)));
      out.append("</tr>\n");
    }
    out.append("</tbody></table></div>\n");
  }

  /// Text with `code` between backquotes.
  private static String inline(String text) {
    StringBuilder out = new StringBuilder();
    String[] parts = text.split("`", -1);
    for (int i = 0; i < parts.length; i++)
      out.append(i % 2 == 1 ? "<code>" + escape(parts[i]) + "</code>" : escape(parts[i]));
    return out.toString();
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static final String STYLE =
      """
      body{font:16px/1.5 system-ui,sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;color:#222}
      h1{font-size:1.8em}h2{margin-top:2.2em;border-bottom:1px solid #ddd;padding-bottom:.2em}
      .wide{overflow-x:auto}table{border-collapse:collapse;font-size:.86em;margin:1em 0}
      th,td{padding:.3em .6em;border-bottom:1px solid #e4e4e4;text-align:right;vertical-align:top}
      th{border-bottom:2px solid #999;font-weight:600}
      th:first-child,td:first-child{text-align:left;white-space:nowrap}
      td{white-space:nowrap}td.good{background:#e6f4ea}td.bad{background:#fce8e6}
      figure{margin:1.5em 0}img{max-width:100%;height:auto}figcaption{color:#555;font-size:.9em}
      code{background:#f3f3f3;padding:.1em .3em;border-radius:3px}
      """;
}
