package lovelace.site;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Javadoc of the packages that core exports.
final class Api {

  private static final Pattern EXPORTS = Pattern.compile("(?m)^\\s*exports ([\\w.]+);");

  private Api() {}

  /// The exported packages of core, from its `module-info`.
  static List<String> packages(Path root) throws IOException {
    String module = Files.readString(root.resolve("core/src/main/java/module-info.java"));
    return EXPORTS.matcher(module).results().map(found -> found.group(1)).toList();
  }

  /// The pages of javadoc by the simple names of types. A name shared by two types has no entry.
  static Map<String, String> types(Path root) throws IOException {
    Map<String, Optional<String>> found = new HashMap<>();
    for (String name : packages(root)) {
      Path folder = root.resolve("core/src/main/java").resolve(name.replace('.', '/'));
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          String type = file.getFileName().toString().replace(".java", "");
          if (!isPublic(file, type)) continue;
          String page = "api/lovelace.core/%s/%s.html".formatted(name.replace('.', '/'), type);
          found.merge(type, Optional.of(page), (one, other) -> Optional.empty());
        }
      }
    }
    return found.entrySet().stream()
        .filter(each -> each.getValue().isPresent())
        .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().orElseThrow()));
  }

  private static boolean isPublic(Path file, String type) {
    try {
      return Pattern.compile(
              "(?m)^public [\\w ]*(class|interface|record|enum|@interface) " + type + "\\b")
          .matcher(Files.readString(file))
          .find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Writes javadoc into `out`. An error in a comment makes it fail; a missing comment does not.
  static void write(Path root, Path out) throws IOException {
    Path sources = root.resolve("core/src/main/java");
    String libraries =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(
                each ->
                    each.matches(".*(JTransforms|JLargeArrays|jspecify|commons-math3)[^/]*\\.jar"))
            .collect(Collectors.joining(File.pathSeparator));
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    int code =
        ToolProvider.findFirst("javadoc")
            .orElseThrow()
            .run(
                writer,
                writer,
                "-d",
                out.toString(),
                "-quiet",
                "-notimestamp",
                "-encoding",
                "UTF-8",
                "-Xdoclint:all,-missing",
                "-windowtitle",
                "Lovelace",
                "-doctitle",
                "Lovelace",
                "-bottom",
                "<a href=\"{@docRoot}/../index.html\">Documentation of Lovelace</a>",
                "--show-module-contents",
                "api",
                "--show-packages",
                "exported",
                "--module-path",
                libraries,
                "--module-source-path",
                "lovelace.core=" + sources,
                "--module",
                "lovelace.core");
    if (code != 0) throw new IllegalStateException("javadoc failed:\n" + said);
  }
}
