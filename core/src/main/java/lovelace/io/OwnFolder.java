package lovelace.io;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A hidden folder for unfinished files that only this user can read. It is removed when it is
/// closed or the process ends.
///
/// A killed process leaves its folder behind. So each folder holds a file that its owner has
/// locked. The system frees the lock when the owner ends, for whatever reason and on whichever
/// machine it runs. The first folder that a process makes in a place removes those there that
/// belong to the same user and whose lock is free. Where files cannot be locked, such folders stay.
public final class OwnFolder implements AutoCloseable {

  private static final String PREFIX = ".lovelace-";

  /// The file that the owner has locked. It gets this name after it is locked.
  static final String OWNER = ".owner";

  private static final String COMING = ".owner-coming";

  /// Places in which this process has already removed folders of ended processes.
  private static final Set<Path> SWEPT = ConcurrentHashMap.newKeySet();

  /// The folders of this process by their random names. This process must not open another's lock
  /// file: closing it frees the lock.
  private static final Set<String> LIVE = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final @Nullable FileChannel lock;
  private final Thread tidy;

  private OwnFolder(Path path) {
    this.path = path;
    LIVE.add(path.getFileName().toString());
    lock = lock(path);
    tidy = new Thread(this::remove);
    remember(tidy); // interrupted: leave nothing behind
  }

  /// Makes a folder within another one.
  public static OwnFolder make(Path parent) throws IOException {
    OwnFolder own = new OwnFolder(Files.createTempDirectory(parent, PREFIX));
    if (SWEPT.add(parent.toAbsolutePath())) own.sweep(parent);
    return own;
  }

  /// The folder.
  public Path path() {
    return path;
  }

  /// Removes the folder with the files in it.
  @Override
  public void close() {
    remove();
    forget(tidy);
  }

  private void remove() {
    release(lock);
    delete(path);
    LIVE.remove(path.getFileName().toString());
  }

  /// Locks a file before others can take it for the owner's. Returns null if that is not possible.
  private static @Nullable FileChannel lock(Path folder) {
    FileChannel channel = null;
    try {
      Path coming = folder.resolve(COMING);
      channel = FileChannel.open(coming, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock != null) {
        Files.move(coming, folder.resolve(OWNER), StandardCopyOption.ATOMIC_MOVE);
        return channel;
      }
    } catch (IOException | OverlappingFileLockException e) {
      // this file system has no locks
    }
    release(channel);
    return null;
  }

  private static void release(@Nullable FileChannel channel) {
    if (channel == null) return;
    try {
      channel.close();
    } catch (IOException e) {
      // the system closes it
    }
  }

  /// Removes folders of this user whose owners have ended.
  void sweep(Path parent) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path other : all)
        if (!LIVE.contains(other.getFileName().toString()) && isDead(other)) delete(other);
    } catch (IOException | DirectoryIteratorException e) {
      // a folder that cannot be listed stays
    }
  }

  private boolean isDead(Path other) {
    try {
      if (!Files.isDirectory(other, LinkOption.NOFOLLOW_LINKS)) return false;
      if (!Files.getOwner(other, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(path)))
        return false;
      Path owner = other.resolve(OWNER);
      try (FileChannel channel = FileChannel.open(owner, StandardOpenOption.WRITE);
          FileLock free = channel.tryLock()) {
        return free != null;
      }
    } catch (IOException | OverlappingFileLockException | UnsupportedOperationException e) {
      return false; // there is no owner to check
    }
  }

  /// Deletes a folder and its content, as far as possible. It may hold folders of the same kind.
  private static void delete(Path folder) {
    try {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
        for (Path file : files) {
          if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) delete(file);
          else Files.deleteIfExists(file);
        }
      }
      Files.deleteIfExists(folder);
    } catch (IOException | DirectoryIteratorException e) {
      // it is deleted already, or it stays; the result is not affected
    }
  }

  private static void remember(Thread hook) {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the machine is shutting down, and waits for those who save
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the machine is shutting down, and the hook runs
    }
  }
}
