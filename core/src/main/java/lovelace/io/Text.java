package lovelace.io;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Readable lines of a key and fields, separated by tabs. Inside a field, `\t`, `\n`, `\r` and `\\`
/// are escapes. Numbers are written so that every bit can be read back.
final class Text {

  private final List<List<String>> lines = new ArrayList<>();

  /// Adds a line.
  Text put(String key, Object... fields) {
    List<String> line = new ArrayList<>();
    line.add(key);
    for (Object field : fields) line.add(field.toString());
    lines.add(line);
    return this;
  }

  /// Adds a line of numbers.
  Text numbers(String key, double... values) {
    return put(key, Arrays.stream(values).boxed().toArray());
  }

  byte[] bytes() {
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      for (int i = 0; i < line.size(); i++)
        text.append(i == 0 ? "" : "\t").append(escaped(line.get(i)));
      text.append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String escaped(String field) {
    return field
        .replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }

  static Text of(byte[] bytes) {
    Text text = new Text();
    String all;
    try {
      all = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("its text is not UTF-8", e);
    }
    for (String line : all.split("\n", -1)) {
      if (line.isEmpty()) continue;
      List<String> fields = new ArrayList<>();
      for (String field : line.split("\t", -1)) fields.add(unescaped(field));
      text.lines.add(fields);
    }
    return text;
  }

  private static String unescaped(String field) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c != '\\' || i + 1 == field.length()) text.append(c);
      else
        text.append(
            switch (field.charAt(++i)) {
              case 't' -> '\t';
              case 'n' -> '\n';
              case 'r' -> '\r';
              default -> field.charAt(i);
            });
    }
    return text.toString();
  }

  /// The fields of every line with the key.
  List<List<String>> all(String key) {
    return lines.stream()
        .filter(line -> line.getFirst().equals(key))
        .map(line -> line.subList(1, line.size()))
        .toList();
  }

  /// The fields of the only line with the key. There are at least `least`.
  List<String> fields(String key, int least) {
    List<List<String>> found = all(key);
    if (found.size() != 1 || found.getFirst().size() < least)
      throw new IllegalArgumentException(
          "it has %s '%s'".formatted(found.isEmpty() ? "no" : "a wrong", key));
    return found.getFirst();
  }

  String text(String key) {
    return fields(key, 1).getFirst();
  }

  double number(String key) {
    return toNumber(text(key));
  }

  long integer(String key) {
    return toInteger(text(key));
  }

  static double toNumber(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a number", e);
    }
  }

  static long toInteger(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a whole number", e);
    }
  }

  static double[] toNumbers(List<String> fields) {
    return fields.stream().mapToDouble(Text::toNumber).toArray();
  }
}
