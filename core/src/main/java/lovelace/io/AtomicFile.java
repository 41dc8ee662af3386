package lovelace.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Writes files that are either complete or absent, whatever fails and even if other processes
/// write too. A new file is made in a hidden folder of its own beside the target, forced to disk
/// and renamed. Then the rename is forced to disk too. After [#write] returns, the file survives a
/// loss of power.
///
/// - An existing file keeps its permissions.
/// - A symbolic link stays, and the file it names is replaced.
/// - A pipe, a device, `/dev/stdout` and the like receive the finished bytes.
/// - Windows and some network file systems cannot force a folder, and so a rename, to disk. There
///   the renamed file is forced to disk once more, and the rest is left to the system
///   ([#syncName]).
public final class AtomicFile implements AutoCloseable {

  private static final int MOST_LINKS = 40;

  /// Writes the whole content to the given path. No file exists there yet.
  ///
  /// @param <E> an exception that it throws besides [IOException]
  @FunctionalInterface
  public interface Body<E extends Exception> {
    void write(Path file) throws IOException, E;
  }

  private final Path file;
  private final Path target;
  private final @Nullable Path folder; // of the target; null: the target is a stream
  private final OwnFolder own;
  private final Path temporary;

  private AtomicFile(Path file) throws IOException {
    this.file = file;
    target = resolved(file);
    if (Files.isDirectory(target)) throw new IOException("'" + file + "' is a folder; name a file");
    boolean stream = isStream(target);
    if (stream && Files.notExists(target))
      throw new FileSystemException(file.toString(), null, "No file can be made there");
    folder = stream ? null : target.getParent();
    if (folder != null && !Files.isDirectory(folder))
      throw new NoSuchFileException(folder.toString());
    own = makeFolder(file, folder);
    String name = stream ? "stream" : target.getFileName().toString();
    temporary = own.path().resolve(name.equals(OwnFolder.OWNER) ? "content" : name);
  }

  /// Begins a file that is written in many steps: write [#temporary], then call [#finish], then
  /// [#close]. Closing without finishing leaves everything as it was.
  public static AtomicFile begin(Path file) throws IOException {
    return new AtomicFile(file);
  }

  /// Replaces a file by these bytes.
  public static void write(Path file, byte[] bytes) throws IOException {
    write(file, temporary -> Files.write(temporary, bytes));
  }

  /// Replaces a file by the content that the body writes. If anything fails, the old file stays as
  /// it is.
  public static <E extends Exception> void write(Path file, Body<E> body) throws IOException, E {
    try (AtomicFile whole = begin(file)) {
      try {
        body.write(whole.temporary);
      } catch (IOException e) {
        throw whole.explained(e);
      }
      whole.finish();
    }
  }

  /// Opens files and folders.
  @FunctionalInterface
  public interface Opener {
    FileChannel open(Path file, OpenOption... options) throws IOException;
  }

  /// The path to which the new content must be written. No file exists there yet.
  public Path temporary() {
    return temporary;
  }

  /// Puts the new content in the file's place.
  public void finish() throws IOException {
    try {
      if (folder == null) copy(temporary, target);
      else replace(temporary, target);
    } catch (IOException e) {
      throw explained(e);
    }
    if (folder != null) syncName(target, FileChannel::open);
  }

  /// Turns a failure to write [#temporary] into one that names the target and its state.
  public IOException explained(IOException e) {
    if (e instanceof NoSuchFileException || e instanceof AccessDeniedException) return e;
    return new IOException(
        "'%s' cannot be written: %s%s"
            .formatted(
                file,
                e.getMessage(),
                folder == null
                    ? ""
                    : "; no part of it is left, and the file that was there before is unchanged"),
        e);
  }

  /// Deletes [#temporary] if it still exists.
  @Override
  public void close() {
    own.close();
  }

  /// Forces to disk that a folder holds a file, after the file was made or renamed. Windows cannot
  /// open a folder, and some network file systems cannot sync one. Then the file itself is synced:
  /// its content is on the disk, and its name is left to the system. If the disk fails, neither
  /// works.
  public static void syncName(Path file, Opener disk) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) return;
    try (FileChannel channel = disk.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      try (FileChannel channel = disk.open(file, StandardOpenOption.READ)) {
        channel.force(true);
      } catch (IOException again) {
        e.addSuppressed(again);
        throw e;
      }
    }
  }

  /// The file that is replaced when this one is written: the end of a chain of links. Null for a
  /// pipe, a device and the like.
  public static @Nullable Path target(Path file) throws IOException {
    Path target = resolved(file);
    return isStream(target) ? null : target;
  }

  /// The file at the end of a chain of links, which need not exist. Links to an open file of a
  /// process, such as `/dev/stdout`, are not followed: they name a stream.
  private static Path resolved(Path file) throws IOException {
    Path at = file.toAbsolutePath();
    for (int links = 0; Files.isSymbolicLink(at) && !isOpenFile(at); links++) {
      if (links == MOST_LINKS) throw new FileSystemLoopException(file.toString());
      at = at.resolveSibling(Files.readSymbolicLink(at));
    }
    return at;
  }

  private static boolean isOpenFile(Path file) throws IOException {
    Path folder = file.getParent();
    if (folder == null || !Files.isDirectory(folder)) return false;
    Path real = folder.toRealPath();
    return real.startsWith("/proc") || real.startsWith("/dev/fd");
  }

  private static boolean isStream(Path target) throws IOException {
    return isOpenFile(target) || (Files.exists(target) && !Files.isRegularFile(target));
  }

  /// Makes a folder that only this user can read, beside the target, or among temporary files if
  /// there is none.
  private static OwnFolder makeFolder(Path file, @Nullable Path folder) throws IOException {
    if (folder == null)
      return OwnFolder.make(Path.of(System.getProperty("java.io.tmpdir", "/tmp")));
    try {
      return OwnFolder.make(folder);
    } catch (AccessDeniedException e) {
      throw new AccessDeniedException(file.toString(), null, "no permission to write in " + folder);
    }
  }

  private static void replace(Path temporary, Path target) throws IOException {
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    keepPermissions(target, temporary);
    Files.move(
        temporary, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void keepPermissions(Path from, Path to) throws IOException {
    var view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
    if (view == null || Files.notExists(from)) return;
    Set<PosixFilePermission> kept = Files.getPosixFilePermissions(from);
    if (!kept.equals(view.readAttributes().permissions())) view.setPermissions(kept);
  }

  private static void copy(Path temporary, Path stream) throws IOException {
    try (OutputStream out =
        Files.newOutputStream(stream, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      Files.copy(temporary, out);
    }
  }
}
