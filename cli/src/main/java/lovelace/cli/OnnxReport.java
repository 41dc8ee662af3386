package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import lovelace.onnx.OnnxFile;

/// Describes the model in an ONNX file written by Lovelace.
record OnnxReport(Path file, OnnxFile content) {

  /// Whether a file is read as ONNX, judged by its name.
  static boolean isOnnx(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".onnx");
  }

  static OnnxReport of(Path file, OnnxFile content) {
    return new OnnxReport(file, content);
  }

  static OnnxReport read(Path file) throws IOException {
    if (Files.notExists(file))
      throw new IllegalArgumentException(
          "there is no file '" + file + "'; make one with 'lovelace export MODEL --out FILE'");
    return new OnnxReport(file, OnnxFile.read(file));
  }

  /// Prints a line after the file has been written.
  void printShort(PrintWriter out) {
    Map<String, Object> facts = content.facts();
    out.printf(
        Locale.ROOT,
        "%s: %s, %s, of the %s%n",
        file,
        ModelReport.size(content.bytes()),
        facts.get("numbers"),
        facts.get("of"));
    if (facts.containsKey("error")) out.println(facts.get("error"));
  }

  /// All facts, with numbers in full.
  Map<String, Object> json() {
    Map<String, Object> all = new LinkedHashMap<>(content.facts());
    all.put("bytes", content.bytes());
    return all;
  }

  /// Prints all facts for people.
  void print(PrintWriter out) {
    content
        .facts()
        .forEach(
            (name, value) -> ModelReport.line(out, name.replace('_', ' '), "%s", words(value)));
    ModelReport.line(
        out, "file", "ONNX, %s, without training rows", ModelReport.size(content.bytes()));
  }

  private static String words(Object value) {
    return switch (value) {
      case List<?> list -> list.stream().map(OnnxReport::words).collect(Collectors.joining(", "));
      case Map<?, ?> column -> {
        StringBuilder text = new StringBuilder(String.valueOf(column.get("name")));
        if (column.get("time") instanceof Map<?, ?> time)
          text.append(" (").append(time.get("number")).append(')');
        else if (column.containsKey("unit"))
          text.append(" (").append(column.get("unit")).append(')');
        if (column.get("words") instanceof List<?> words)
          text.append(" (").append(words(words)).append(')');
        yield text.toString();
      }
      default -> value.toString();
    };
  }
}
