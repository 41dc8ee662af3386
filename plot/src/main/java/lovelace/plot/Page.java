package lovelace.plot;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import java.awt.Color;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.StringWriter;
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
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/// One HTML file that draws panels with ECharts. It contains everything, so it works from a disk
/// without a network. Panels are maps that `page.js` reads: `kind` is `head` (a title), `plot`
/// (layers over one input), `heat` (values on a grid) or `ranking` (a number for each of some
/// names).
final class Page {

  private static final JsonFactory JSON = new JsonFactory().setCharacterEscapes(new Escapes());

  private Page() {}

  /// Escapes that prevent text from ending the script around it.
  private static final class Escapes extends CharacterEscapes {

    private static final long serialVersionUID = 1;
    private static final Map<Integer, SerializedString> LINES =
        Map.of(0x2028, new SerializedString("\\u2028"), 0x2029, new SerializedString("\\u2029"));

    @Override
    public int[] getEscapeCodesForAscii() {
      int[] codes = standardAsciiEscapesForJSON();
      codes['<'] = ESCAPE_STANDARD;
      return codes;
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int c) {
      return LINES.get(c);
    }
  }

  static String of(String title, List<Map<String, Object>> panels) {
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
        + resource(library())
        + "\n</script>\n</head>\n<body>\n<main id=\"panels\"></main>\n<script>\nconst panels = "
        + json(panels)
        + ";\n"
        + script("page-parts.js", "page.js")
        + "</script>\n</body>\n</html>\n";
  }

  /// A page with other scripts: its style, the content of its body, and scripts that find `data` by
  /// a name.
  static String of(
      String title,
      String style,
      String body,
      String name,
      Map<String, Object> data,
      String... scripts) {
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
        const %s =
        """
            .formatted(html(title), resource(style), resource(body), name)
        + json(data)
        + ";\n"
        + script(scripts)
        + "</script>\n</body>\n</html>\n";
  }

  /// The resource of ECharts. Its folder is named after the version, which its WebJar tells.
  private static String library() {
    Properties about = new Properties();
    try {
      about.load(new StringReader(resource("/META-INF/maven/org.webjars/echarts/pom.properties")));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // from memory
    }
    return "/META-INF/resources/webjars/echarts/%s/echarts.min.js"
        .formatted(about.getProperty("version"));
  }

  /// Joins modules into one script, because a file opened from a disk cannot import others. Names
  /// must differ.
  private static String script(String... modules) {
    var all = new StringBuilder();
    for (String name : modules)
      all.append(resource(name).replaceAll("(?ms)^import .*?;\n|^export (?!default)", ""));
    return all.toString();
  }

  private static String resource(String name) {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      if (in == null)
        throw new IllegalStateException(
            "%s is missing; put the WebJar org.webjars:echarts on the class path".formatted(name));
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

  /// Numbers with nine digits, or whole. A number that is not finite is null.
  private static String number(double value) {
    if (!Double.isFinite(value)) return "null";
    if (value == Math.rint(value) && Math.abs(value) < 1e15) return Long.toString((long) value);
    return Double.toString(new BigDecimal(value).round(new MathContext(9)).doubleValue());
  }

  private static String json(Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = JSON.createGenerator(text)) {
      put(value, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // to memory
    }
    return text.toString();
  }

  private static void put(Object value, JsonGenerator out) throws IOException {
    switch (value) {
      case Double d -> out.writeRawValue(number(d));
      case Number number -> out.writeRawValue(number.toString());
      case Boolean b -> out.writeBoolean(b);
      case double[] a -> {
        out.writeStartArray();
        for (double one : a) out.writeRawValue(number(one));
        out.writeEndArray();
      }
      case List<?> list -> {
        out.writeStartArray();
        for (Object one : list) put(one, out);
        out.writeEndArray();
      }
      case Map<?, ?> map -> {
        out.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          out.writeFieldName(String.valueOf(entry.getKey()));
          put(entry.getValue(), out);
        }
        out.writeEndObject();
      }
      default -> out.writeString(value.toString());
    }
  }
}
