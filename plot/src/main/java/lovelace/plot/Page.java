package lovelace.plot;

import java.awt.Color;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// One HTML file that draws panels with ECharts, all of it inside: it works from a disk without a
/// network. Panels are maps that `page.js` reads: `kind` is `head` (a title), `plot` (layers over
/// one input), `heat` (values on a grid) or `ranking` (a number for each of some names).
final class Page {

  private static final String LIBRARY = "/META-INF/resources/webjars/echarts/5.5.0/echarts.min.js";

  private final StringBuilder out = new StringBuilder();

  private Page() {}

  static String of(String title, List<Map<String, Object>> panels) {
    var page = new Page();
    page.put(panels);
    return """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>%s</title>
        <style>
        %s</style>
        <script>
        """
            .formatted(html(title), resource("page.css"))
        + resource(LIBRARY)
        + "\n</script>\n</head>\n<body>\n<main id=\"panels\"></main>\n<script>\nconst panels = "
        + page.out
        + ";\n"
        + resource("page.js")
        + "</script>\n</body>\n</html>\n";
  }

  /// A page of other scripts: its style, what its body holds, and a script that finds `map`.
  static String of(
      String title, String style, String body, Map<String, Object> data, String script) {
    var page = new Page();
    page.put(data);
    return """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>%s</title>
        <style>
        %s</style>
        </head>
        <body>
        %s<script>
        const map =
        """
            .formatted(html(title), resource(style), resource(body))
        + page.out
        + ";\n"
        + resource(script)
        + "</script>\n</body>\n</html>\n";
  }

  private static String resource(String name) {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      if (in == null)
        throw new IllegalStateException(
            name + " is missing; put the WebJar of echarts on the class path");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be read", e);
    }
  }

  /// A map of keys and values in their order.
  static Map<String, Object> ordered(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) map.put((String) pairs[i], pairs[i + 1]);
    return map;
  }

  static String color(Color c) {
    return String.format(
        Locale.ROOT,
        "rgba(%d,%d,%d,%s)",
        c.getRed(),
        c.getGreen(),
        c.getBlue(),
        number(c.getAlpha() / 255.0));
  }

  static double milliseconds(LocalDateTime time) {
    return time.toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  private static String html(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /// Numbers with nine digits, or whole; what is not finite is null.
  private static String number(double value) {
    if (!Double.isFinite(value)) return "null";
    if (value == Math.rint(value) && Math.abs(value) < 1e15) return Long.toString((long) value);
    return Double.toString(new BigDecimal(value).round(new MathContext(9)).doubleValue());
  }

  private void put(Object value) {
    switch (value) {
      case Double d -> out.append(number(d));
      case Number n -> out.append(n);
      case Boolean b -> out.append(b);
      case double[] a -> {
        out.append('[');
        for (int i = 0; i < a.length; i++) out.append(i == 0 ? "" : ",").append(number(a[i]));
        out.append(']');
      }
      case List<?> list -> {
        out.append('[');
        for (int i = 0; i < list.size(); i++) {
          if (i > 0) out.append(",\n");
          put(list.get(i));
        }
        out.append(']');
      }
      case Map<?, ?> map -> {
        String between = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          out.append(between);
          put(String.valueOf(entry.getKey()));
          out.append(':');
          put(entry.getValue());
          between = ",";
        }
        out.append(map.isEmpty() ? "{}" : "}");
      }
      default -> text(value.toString());
    }
  }

  /// Text as a string of JavaScript that cannot end the script it stands in.
  private void text(String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < 0x20 || c == '<' || c == '\u2028' || c == '\u2029')
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      else out.append(c);
    }
    out.append('"');
  }
}
