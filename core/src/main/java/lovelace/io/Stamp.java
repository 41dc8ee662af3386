package lovelace.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/// Tells whether the content of a file has changed, without reading it.
public record Stamp(FileTime modified, long size, @Nullable Object key) {

  /// The stamp of the file that a name, or a chain of links, leads to now.
  public static Stamp of(Path file) throws IOException {
    BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
    return new Stamp(a.lastModifiedTime(), a.size(), a.fileKey());
  }
}
