package lovelace.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Lets a command that is interrupted write the results that are finished.
///
/// The command changes its results within [#change] only. When the process is interrupted, another
/// thread waits for the end of a change, writes the results, and the process ends. Between changes
/// the command is not waited for.
final class Interruption implements AutoCloseable {

  /// Writes what is finished, and says so.
  @FunctionalInterface
  interface Saver {
    String save() throws IOException;
  }

  /// A change of results.
  @FunctionalInterface
  interface Change {
    void run() throws IOException;
  }

  private static final AtomicReference<@Nullable Interruption> CURRENT = new AtomicReference<>();

  private final Saver saver;
  private final ReentrantLock changing = new ReentrantLock();

  private Interruption(Saver saver) {
    this.saver = saver;
  }

  /// From now on an interruption saves what is finished.
  static Interruption begin(Saver saver) {
    Interruption next = new Interruption(saver);
    CURRENT.set(next);
    return next;
  }

  /// Changes results. Does not come back if the process was interrupted.
  void change(Change change) throws IOException {
    changing.lock();
    try {
      change.run();
    } finally {
      changing.unlock();
    }
  }

  /// Saves what the command has finished, if it can be saved, and returns a message. Nothing
  /// changes the results afterwards.
  static String message() {
    Interruption current = CURRENT.get();
    if (current == null) return "interrupted; no partial file is left";
    current.changing.lock(); // for good
    try {
      return "interrupted; " + current.saver.save();
    } catch (IOException | UncheckedIOException e) {
      return "interrupted; what is finished cannot be written: " + e.getMessage();
    }
  }

  /// An interruption saves nothing any more.
  @Override
  public void close() {
    changing.lock();
    try {
      CURRENT.compareAndSet(this, null);
    } finally {
      changing.unlock();
    }
  }
}
