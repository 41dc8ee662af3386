package lovelace.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The files that a page takes for granted: those that its setup has made before its first block.
/// None may be a file that the page shows or makes, since a reader has only what the page says.
final class Fixture {

  /// A file that a command makes: behind `>` or an option for results.
  private static final Pattern MADE =
      Pattern.compile(
          "(?:>>?\\s*|--(?:out|model|journal)[ =]|\\btee (?:-a )?)[\"']?([\\w./-]*\\w)[\"']?");

  /// A name of a file, as the sentence before a block gives it.
  private static final Pattern NAMED = Pattern.compile("`([\\w-]+\\.[a-z]+)`");

  private static final Set<String> DATA = Set.of("json", "xml", "csv", "yaml", "properties");

  private final Path folder;
  private final Map<String, Stamp> files;

  /// Which file it is, and how it stands.
  private record Stamp(Object node, FileTime written, long size) {

    /// Whether it is another file now, or has other content; what only grows, as the journal of a
    /// server does, is still the same.
    boolean isReplacedBy(Stamp now) {
      return !node.equals(now.node) || (!written.equals(now.written) && now.size <= size);
    }
  }

  private Fixture(Path folder, Map<String, Stamp> files) {
    this.folder = folder;
    this.files = files;
  }

  /// The files that lie in the folder now.
  static Fixture in(Path folder) throws IOException {
    return new Fixture(folder, stamps(folder));
  }

  /// When each file was written, and what it is.
  private static Map<String, Stamp> stamps(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .collect(
              Collectors.toMap(
                  file -> folder.relativize(file).toString(),
                  Fixture::stamp,
                  (a, b) -> a,
                  TreeMap::new));
    }
  }

  private static Stamp stamp(Path file) {
    try {
      return new Stamp(
          Files.getAttribute(file, "unix:ino"), Files.getLastModifiedTime(file), Files.size(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The file that a block shows, named behind its language: `json space.json`. Empty if it shows
  /// none.
  static String shown(Page.Block block) {
    String[] words = block.info().split(" +", -1);
    return DATA.contains(block.language()) && words.length > 1 ? words[1] : "";
  }

  /// The fault of a block of data before which a sentence names a file, and whose fence does not:
  /// the test would not write that file. Empty if there is none.
  static String unnamed(Page.Block block, String markdown) {
    if (!DATA.contains(block.language()) || block.is("peer") || !shown(block).isEmpty()) return "";
    String before =
        markdown
            .lines()
            .limit(block.line() - 1L)
            .filter(line -> !line.isBlank())
            .reduce("", (a, b) -> b);
    Matcher name = NAMED.matcher(before);
    if (!name.find() || !before.strip().endsWith(":")) return "";
    return "the sentence before it says that this is %s; fence it ```%s %s, and the file is made"
        .formatted(name.group(1), block.language(), name.group(1));
  }

  /// Files of the fixture that a block shows or makes.
  Set<String> replaced(Page.Block block) {
    Set<String> found = new TreeSet<>();
    if (files.containsKey(shown(block))) found.add(shown(block));
    if (block.language().equals("sh")) {
      Matcher made = MADE.matcher(block.text());
      while (made.find()) if (files.containsKey(made.group(1))) found.add(made.group(1));
    }
    return found;
  }

  /// Files of the fixture that have been written anew since.
  Set<String> rewritten() throws IOException {
    Map<String, Stamp> now = stamps(folder);
    Set<String> found = new TreeSet<>();
    files.forEach(
        (file, stamp) -> {
          Stamp later = now.get(file);
          if (later != null && stamp.isReplacedBy(later)) found.add(file);
        });
    return found;
  }
}
