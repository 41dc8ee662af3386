package lovelace.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import lovelace.io.AtomicFile;

/// Finds why the system cannot reach a file, in the system's own words: no permission, a name that
/// is too long, links in a circle.
final class FileFault {

  private FileFault() {}

  /// Fails if a file is missing or cannot be reached.
  static void check(Path file) throws IOException {
    try {
      Files.readAttributes(file, BasicFileAttributes.class);
    } catch (FileSystemException e) {
      throw new IllegalArgumentException(text(e), e);
    }
  }

  /// Fails if a file cannot be written. Called before the work that makes its content.
  static void checkWritable(Path file) throws IOException {
    try {
      Files.readAttributes(file, BasicFileAttributes.class); // checks the name itself
    } catch (NoSuchFileException e) {
      // the file is new
    } catch (FileSystemException e) {
      throw new IllegalArgumentException(text(e), e);
    }
    try {
      AtomicFile.begin(file).close();
    } catch (AccessDeniedException e) {
      throw new IllegalArgumentException(
          "no permission to write in '" + file.toAbsolutePath().getParent() + "'", e);
    } catch (FileSystemException e) {
      throw new IllegalArgumentException(
          "'%s' cannot be written: %s".formatted(file, reason(e)), e);
    }
  }

  /// The message for a user.
  static String text(FileSystemException e) {
    return switch (e) {
      case NoSuchFileException none -> "there is no file '" + none.getFile() + "'";
      case AccessDeniedException denied -> "no permission for '" + denied.getFile() + "'";
      case FileSystemLoopException loop ->
          "'" + loop.getFile() + "' is a link that leads back to itself; name a file";
      default -> "'%s' cannot be used: %s".formatted(e.getFile(), reason(e));
    };
  }

  private static String reason(FileSystemException e) {
    String reason = e.getReason();
    if (reason == null || reason.isEmpty()) return "the system does not allow it";
    return reason.substring(0, 1).toLowerCase(Locale.ROOT) + reason.substring(1);
  }
}
