package lovelace.cli;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes maps, lists, texts, numbers and truth values as JSON; a number that is not finite is
/// `null`.
final class Json {

  private final StringBuilder out = new StringBuilder();

  private Json() {}

  static String of(@Nullable Object value) {
    Json json = new Json();
    json.put(value, "\n");
    return json.out.toString();
  }

  private void put(@Nullable Object value, String line) {
    switch (value) {
      case null -> out.append("null");
      case Double d -> out.append(Double.isFinite(d) ? d.toString() : "null");
      case Number n -> out.append(n);
      case Boolean b -> out.append(b);
      case double[] a -> {
        out.append('[');
        for (int i = 0; i < a.length; i++) {
          if (i > 0) out.append(", ");
          put(a[i], line);
        }
        out.append(']');
      }
      case List<?> list -> {
        out.append('[');
        for (Iterator<?> i = list.iterator(); i.hasNext(); ) {
          out.append(line).append("  ");
          put(i.next(), line + "  ");
          if (i.hasNext()) out.append(',');
        }
        out.append(list.isEmpty() ? "]" : line + "]");
      }
      case Map<?, ?> map -> {
        out.append('{');
        for (Iterator<? extends Map.Entry<?, ?>> i = map.entrySet().iterator(); i.hasNext(); ) {
          Map.Entry<?, ?> entry = i.next();
          out.append(line).append("  ");
          text(String.valueOf(entry.getKey()));
          out.append(": ");
          put(entry.getValue(), line + "  ");
          if (i.hasNext()) out.append(',');
        }
        out.append(map.isEmpty() ? "}" : line + "}");
      }
      default -> text(value.toString());
    }
  }

  private void text(String value) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\t' -> out.append("\\t");
        case '\r' -> out.append("\\r");
        default -> {
          if (c < 0x20) out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          else out.append(c);
        }
      }
    }
    out.append('"');
  }
}
