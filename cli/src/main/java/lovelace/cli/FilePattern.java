package lovelace.cli;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// Converts names of files for DuckDB, which reads every name as a pattern with `*`, `?` and `[…]`
/// and allows the name of a protocol or `~` at the start. An existing file is always meant by its
/// own name.
final class FilePattern {

  private FilePattern() {}

  /// Whether a location is a pattern, not a file.
  static boolean isGlob(String location) {
    return hasWildcard(location) && !exists(location);
  }

  /// The text to pass to DuckDB. For an existing file it matches exactly that file. Otherwise it is
  /// a pattern, and its first folders are taken literally if they exist.
  static String of(String location) {
    if (!isGlob(location)) return exactly(location);
    int end = 0;
    for (int at = location.indexOf('/'); at >= 0; at = location.indexOf('/', at + 1)) {
      if (at > 0 && !exists(location.substring(0, at))) break;
      end = at;
    }
    return exactly(location.substring(0, end)) + location.substring(end);
  }

  /// The pattern that matches only this name.
  static String exactly(String name) {
    String plain = File.separatorChar == '\\' ? name.replace('\\', '/') : name;
    if (plain.matches("(?s)(~|[A-Za-z][A-Za-z0-9+.-]+:).*")) plain = "./" + plain;
    if (!hasWildcard(plain)) return plain;
    if (plain.indexOf('\\') >= 0)
      throw new IllegalArgumentException(
          "'%s' has both a backslash and one of *, ? and [ in its name, and cannot be read; rename it"
              .formatted(name));
    return plain.replaceAll("[*?\\[]", "[$0]");
  }

  private static boolean hasWildcard(String name) {
    return name.matches("(?s).*[*?\\[].*");
  }

  private static boolean exists(String name) {
    try {
      return Files.exists(Path.of(name));
    } catch (InvalidPathException e) {
      return false; // Windows allows no wildcards in names
    }
  }
}
