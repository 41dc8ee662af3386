package lovelace.io;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The right to write a file, which only one holder has at a time. It is a lock of the operating
/// system on a hidden file `.NAME.lock` beside the file, or beside the target of a symbolic link.
/// The lock ends with the process that holds it, however that ends. So a lock file that a crash
/// left behind locks nothing.
///
/// ```
/// byte    what
/// 0       locked by whoever holds the lock
/// 1       locked too by a holder that stays, such as a server, so that nobody waits for it
/// 2       16 random bytes of the holder
/// ```
///
/// Where the system can delete open files, the holder deletes the lock file when it is done. So
/// whoever gets a lock checks by the random bytes that the locked file still has its name, and
/// starts over if not.
///
/// On POSIX systems all locks of a process on a file end when the process closes any channel of
/// that file. So a table in this process records who holds which lock, and nobody else opens the
/// file.
public final class WriteLock implements AutoCloseable {

  private static final int TOKEN = 16;
  private static final int TOKEN_AT = 2;
  private static final int TRIES = 3; // where locking fails, not where the lock is held
  private static final long POLL = 20;
  private static final Duration NOTICE = Duration.ofSeconds(1);
  private static final SecureRandom RANDOM = new SecureRandom();

  private enum Use {
    BRIEF(1),
    LASTING(2);

    private final int bytes;

    Use(int bytes) {
      this.bytes = bytes;
    }
  }

  /// @param folder its file key, or its path if files have no keys
  private record Key(Object folder, String name) {}

  private static final Map<Key, Use> HELD = new HashMap<>();

  private final @Nullable Key key;
  private final @Nullable Path path;
  private final FileChannel @Nullable [] channels; // all of them are closed together

  private WriteLock(@Nullable Key key, @Nullable Path path, FileChannel @Nullable [] channels) {
    this.key = key;
    this.path = path;
    this.channels = channels;
  }

  /// Waits until nobody else writes a file, which need not exist. Calls `waiting` once if that
  /// takes more than a second.
  ///
  /// @throws HeldException if somebody holds a lasting lock
  public static WriteLock brief(Path file, Runnable waiting) throws IOException {
    return take(file, Use.BRIEF, waiting, Long.MAX_VALUE);
  }

  /// Locks a file for a long time, such as while a server runs. Waits at most `patience` for a
  /// brief lock.
  ///
  /// @throws HeldException if somebody else holds a lasting lock
  /// @throws IOException also if the file system has no locks
  public static WriteLock lasting(Path file, Duration patience) throws IOException {
    return take(file, Use.LASTING, () -> {}, patience.toMillis());
  }

  /// Throws if somebody holds a lasting lock.
  public static void requireNotHeld(Path file) throws IOException {
    Path target = AtomicFile.target(file);
    if (target == null) return;
    Path path = beside(target);
    Key key = key(path);
    synchronized (HELD) {
      Use here = HELD.get(key);
      if (here == Use.LASTING) throw new HeldException(file);
      if (here != null || Files.notExists(path)) return;
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
        if (isLasting(channel)) throw new HeldException(file);
      } catch (IOException e) {
        // the writer will find out
      }
    }
  }

  /// Whether the file system has no locks, so that other processes can write too.
  public boolean isMissing() {
    return key != null && channels == null;
  }

  /// Lets others write.
  @Override
  public void close() {
    if (channels != null && path != null) {
      if (deletesOpenFiles(path)) delete(path);
      close(channels);
    }
    if (key != null) forget(key);
  }

  private static WriteLock take(Path file, Use use, Runnable waiting, long patience)
      throws IOException {
    Path target = AtomicFile.target(file);
    if (target == null) return new WriteLock(null, null, null);
    Path path = beside(target);
    Key key = key(path);
    Wait wait = new Wait(file, waiting, patience);
    remember(key, use, wait);
    boolean taken = false;
    try {
      FileChannel[] channels = lock(path, use, wait);
      taken = true;
      return new WriteLock(key, path, channels);
    } finally {
      if (!taken) forget(key);
    }
  }

  private static Path beside(Path target) {
    return target.resolveSibling("." + target.getFileName() + ".lock");
  }

  private static Key key(Path path) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder))
      throw new NoSuchFileException(String.valueOf(folder));
    Object of = Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
    return new Key(of == null ? folder.toRealPath() : of, path.getFileName().toString());
  }

  private static void remember(Key key, Use use, Wait wait) throws IOException {
    while (true) {
      Use here;
      synchronized (HELD) {
        here = HELD.putIfAbsent(key, use);
      }
      if (here == null) return;
      wait.on(here == Use.LASTING);
    }
  }

  private static void forget(Key key) {
    synchronized (HELD) {
      HELD.remove(key);
    }
  }

  /// The channels that stay open while the lock is held. Null if the file system has no locks.
  private static FileChannel @Nullable [] lock(Path path, Use use, Wait wait) throws IOException {
    for (int failures = 0; failures < TRIES; ) {
      try (Attempt attempt = new Attempt(path)) {
        FileLock lock;
        boolean lasting;
        try {
          lock = attempt.channel.tryLock(0, use.bytes, false);
          lasting = lock == null && isLasting(attempt.channel);
        } catch (IOException e) { // no locks, or the file was deleted on another machine
          if (use == Use.LASTING && failures == TRIES - 1)
            throw new IOException(
                "'%s' cannot be locked: %s; keep it on a file system that has locks"
                    .formatted(path, e.getMessage()),
                e);
          failures++;
          continue;
        }
        if (lock == null) wait.on(lasting);
        else if (attempt.isNamed()) return attempt.kept();
      }
    }
    return null;
  }

  /// Whether another process holds a lasting lock.
  private static boolean isLasting(FileChannel channel) throws IOException {
    FileLock free = channel.tryLock(1, 1, true);
    if (free == null) return true;
    free.release();
    return false;
  }

  private static boolean deletesOpenFiles(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // the file stays, and locks nothing
    }
  }

  private static void close(FileChannel... channels) {
    for (FileChannel channel : channels) {
      try {
        channel.close();
      } catch (IOException e) {
        // nothing that was written is needed
      }
    }
  }

  /// A lock file that was opened. Its name may stand for another file by now.
  private static final class Attempt implements AutoCloseable {
    private final Path path;
    private final FileChannel channel;
    private @Nullable FileChannel named;
    private boolean kept = false;

    Attempt(Path path) throws IOException {
      this.path = path;
      try {
        channel =
            FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      } catch (AccessDeniedException e) {
        throw Files.exists(path)
            ? e
            : new AccessDeniedException(
                path.toString(), null, "no permission to write in " + path.getParent());
      }
    }

    /// Whether the name still leads to the locked file.
    boolean isNamed() throws IOException {
      byte[] own = new byte[TOKEN];
      RANDOM.nextBytes(own);
      channel.write(ByteBuffer.wrap(own), TOKEN_AT);
      ByteBuffer found = ByteBuffer.allocate(TOKEN);
      try {
        named = FileChannel.open(path, StandardOpenOption.READ);
      } catch (NoSuchFileException e) {
        return false;
      }
      while (found.hasRemaining() && named.read(found, TOKEN_AT + found.position()) > 0) {}
      return ByteBuffer.wrap(own).equals(found.flip());
    }

    FileChannel[] kept() {
      kept = true;
      return named == null ? new FileChannel[] {channel} : new FileChannel[] {channel, named};
    }

    @Override
    public void close() {
      if (!kept) WriteLock.close(kept());
    }
  }

  /// How long and for what a thread waits.
  private static final class Wait {
    private final Path file;
    private final Runnable waiting;
    private final long patience;
    private final long start = System.nanoTime();
    private boolean told = false;

    Wait(Path file, Runnable waiting, long patience) {
      this.file = file;
      this.waiting = waiting;
      this.patience = patience;
    }

    /// Waits a moment for the holder of a lock.
    void on(boolean lasting) throws IOException {
      if (lasting) throw new HeldException(file);
      long waited = (System.nanoTime() - start) / 1_000_000;
      if (waited > patience)
        throw new IOException("another command has been writing '" + file + "' for too long");
      if (!told && waited > NOTICE.toMillis()) {
        told = true;
        waiting.run();
      }
      try {
        Thread.sleep(POLL);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting to write '" + file + "'");
      }
    }
  }

  /// Thrown if the holder of the lock will keep it for long.
  public static final class HeldException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    HeldException(Path file) {
      super("'" + file + "' is in use by a program that goes on writing it; stop that first");
    }
  }
}
