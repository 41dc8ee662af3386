package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Comments put the subject first. "What is made of rows" is a riddle; "Runs code on rows" is not.
class PlainCommentsTest {

  /// Texts and comments. Texts are matched so that a `//` in one is not taken for a comment.
  private static final Pattern TOKEN =
      Pattern.compile(
          String.join(
              "|",
              "(?s:\"\"\".*?\"\"\")",
              "\"(?:\\\\.|[^\"\\\\\n])*\"",
              "'(?:\\\\.|[^'\\\\\n])*'",
              "//[^\n]*",
              "(?s:/\\*.*?\\*/)"));

  private static final Pattern RIDDLE = Pattern.compile("^What\\b|(?i)\\bso many\\b");

  @Test
  void commentsOfAllModulesPutTheSubjectFirst() throws IOException {
    List<String> riddles = new ArrayList<>();
    int files = 0;
    for (Path sources : sources())
      try (Stream<Path> all = Files.walk(sources)) {
        for (Path file : all.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
          files++;
          for (String comment : comments(Files.readString(file)))
            if (RIDDLE.matcher(comment).find())
              riddles.add(
                  file.getFileName() + ": " + comment.substring(0, Math.min(90, comment.length())));
        }
      }
    assertTrue(files > 1200, "the sources were found, " + files);
    assertEquals(List.of(), riddles, "say in each comment what the thing is or does");
  }

  @Test
  void commentsAreFoundBesideTexts() {
    String source =
        """
        /// Runs code on rows
        /// in memory.
        String a = "// What is no comment"; // at most so
        // many rows
        char quote = '"'; /* What a block begins with. */
        """;
    assertEquals(
        List.of(
            "Runs code on rows in memory.", "at most so", "many rows", "What a block begins with."),
        comments(source));
  }

  @Test
  void riddlesAreFound() {
    for (String riddle : List.of("What is made of rows.", "So many rows.", "At most so many rows."))
      assertTrue(RIDDLE.matcher(riddle).find(), riddle);
    for (String plain :
        List.of("Says what failed.", "Whatever fails, the file stays.", "Many rows."))
      assertTrue(!RIDDLE.matcher(plain).find(), plain);
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      return modules
          .flatMap(
              module ->
                  Stream.of("main", "test").map(of -> module.resolve(Path.of("src", of, "java"))))
          .filter(Files::isDirectory)
          .sorted()
          .toList();
    }
  }

  /// The comments of a source without their slashes. Lines that follow each other are one comment,
  /// unless the first of them stands behind code.
  private static List<String> comments(String source) {
    List<String> comments = new ArrayList<>();
    String kind = "";
    int end = 0;
    for (Matcher token = TOKEN.matcher(source); token.find(); ) {
      if (!token.group().startsWith("/")) continue;
      String slashes = token.group().replaceFirst("(?s)^(///?|/\\*+).*", "$1");
      String words = token.group().substring(slashes.length()).replaceFirst("\\*/$", "").strip();
      boolean goesOn =
          slashes.equals(kind) && source.substring(end, token.start()).matches("\\n[ \\t]*");
      if (goesOn) comments.add((comments.removeLast() + " " + words).strip());
      else comments.add(words);
      int line = source.lastIndexOf('\n', token.start()) + 1;
      kind = source.substring(line, token.start()).isBlank() ? slashes : "";
      end = token.end();
    }
    return comments;
  }
}
