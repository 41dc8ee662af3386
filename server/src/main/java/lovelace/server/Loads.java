package lovelace.server;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import lovelace.budget.Budget;
import lovelace.io.Stamp;
import org.jspecify.annotations.Nullable;

/// Reads model files at the same time, so that a slow one does not delay the others. Used by one
/// thread at a time.
final class Loads {

  /// The most files that are read at the same time, since each may need much memory.
  private static final int MOST = 4;

  private static final Duration FOR_EVER = Duration.ofDays(10_000);

  private record Load(Stamp stamp, CompletableFuture<Content> content, AtomicBoolean useless) {}

  private final KeptContent.Reader reader;
  private final Map<Path, Load> loads = new HashMap<>();
  private final Semaphore places = new Semaphore(MOST);

  Loads(KeptContent.Reader reader) {
    this.reader = reader;
  }

  /// The content of a file with this stamp, if it is read before a time of [System#nanoTime]. Null
  /// if it is still being read; a later call gets it.
  @Nullable Content content(Path file, Stamp stamp, long until) throws IOException {
    Load load = loads.get(file);
    if (load == null || !load.stamp.equals(stamp)) {
      if (load != null) load.useless.set(true);
      load = begin(file, stamp);
      loads.put(file, load);
    }
    try {
      Content content =
          load.content.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
      loads.remove(file);
      return content;
    } catch (TimeoutException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    } catch (ExecutionException e) {
      loads.remove(file);
      switch (e.getCause()) {
        case IOException failure -> throw failure;
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw new IOException(e.getCause());
      }
    }
  }

  /// Stops reading all files except these.
  void keep(Set<Path> files) {
    loads
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = !files.contains(entry.getKey());
              if (gone) entry.getValue().useless.set(true);
              return gone;
            });
  }

  private Load begin(Path file, Stamp stamp) {
    CompletableFuture<Content> content = new CompletableFuture<>();
    AtomicBoolean useless = new AtomicBoolean();
    // its clock stands still until the content is not needed any more
    Budget budget =
        Budget.of(FOR_EVER, Budget.UNLIMITED.memory(), () -> useless.get() ? Long.MAX_VALUE : 0);
    Thread.ofVirtual()
        .name("load " + file.getFileName())
        .start(
            () -> {
              try {
                places.acquire();
                try {
                  content.complete(budget.call(() -> reader.read(file)));
                } finally {
                  places.release();
                }
              } catch (Throwable e) {
                content.completeExceptionally(e);
              }
            });
    return new Load(stamp, content, useless);
  }
}
