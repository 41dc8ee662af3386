package lovelace.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import lovelace.io.AtomicFile;
import lovelace.io.Stamp;
import lovelace.io.WriteLock;
import lovelace.io.WriteLock.HeldException;
import lovelace.options.Options;
import org.jspecify.annotations.Nullable;

/// Takes observations for one file. It computes its content with them, writes them to the journal,
/// and only then acknowledges them and shows them to requests. Requests that wait at the same time
/// share one computation and one write. When the journal has enough rows, the model file is written
/// and the journal starts again. If that keeps failing, the journal takes up to twice that number
/// of rows.
///
/// The content is always that of the file plus all rows of the journal, added in one step, or in
/// parts where that makes no difference. So a restart gives the same bits.
final class Updates implements AutoCloseable {

  private static final int QUEUE = 256;
  private static final int TOGETHER = 10_000;
  private static final long PAUSE = 1_000_000_000;

  /// Writes a model file. The repository does it, so that it recognises its own writing.
  interface Writer {
    void write(Served served, Content content) throws IOException;
  }

  /// The model file is not the one that was read.
  static final class ReplacedException extends IOException {
    private static final long serialVersionUID = 1;

    ReplacedException(Path file) {
      super("'" + file + "' was replaced while it was read");
    }
  }

  private record Task(List<byte[]> rows, CompletableFuture<Content> done) {}

  private final Served served;
  private final int most;
  private final Options.Maker maker;
  private final Writer writer;
  private final Log log;
  private final Path file;
  private final Journal.Disk disk;
  private final WriteLock lock;
  private final Journal journal;
  private final List<byte[]> pending = new ArrayList<>();
  private final BlockingQueue<Task> queue = new ArrayBlockingQueue<>(QUEUE);
  private final Thread worker;
  private Content base;
  private long due = System.nanoTime(); // when the model file may be written next
  private long pause = PAUSE;
  private volatile @Nullable String trouble; // why the last attempt to write it failed
  private volatile boolean stopped = false;
  private volatile boolean closed = false;

  /// Opens the journal of a newly loaded model, and replays it.
  ///
  /// @param patience how long to wait for a command that is writing the model file
  Updates(
      Served served,
      int most,
      Options.Maker maker,
      Writer writer,
      Log log,
      Journal.Disk disk,
      Duration patience)
      throws IOException {
    this.served = served;
    this.most = most;
    this.maker = maker;
    this.writer = writer;
    this.log = log;
    this.disk = disk;
    Path target = AtomicFile.target(served.file());
    file = target == null ? served.file().toAbsolutePath() : target;
    base = served.content();
    lock = lock(file, served.stamp(), patience);
    try {
      journal = open(Journal.of(served.file()));
    } catch (IOException | RuntimeException | Error e) {
      lock.close();
      throw e;
    }
    worker = Thread.ofPlatform().daemon().name("updates of " + served.name()).start(this::work);
  }

  private Journal open(Path path) throws IOException {
    if (Files.notExists(path)) return Journal.create(path, base, disk);
    Replay replay = new Replay(Files.readAllBytes(path), base);
    pending.addAll(replay.rows);
    Content now = replay.onto(maker, path);
    int replayed = pending.size();
    Journal journal = open(path, replay, now);
    served.swap(now); // from here on nothing can fail
    if (replayed > 0) log.info("journal replayed", "model", served.name(), "rows", replayed);
    return journal;
  }

  /// Opens a journal that was read. `now` is the content with all its readable entries.
  private Journal open(Path path, Replay replay, Content now) throws IOException {
    long rest = Files.size(path) - replay.end();
    switch (replay.state()) {
      case WHOLE -> {}
      case TORN ->
          log.warn(
              "journal cut",
              "journal",
              path,
              "bytes",
              rest,
              "why",
              "its last entry is incomplete; it was never acknowledged");
      case FOREIGN -> {
        Path wanted = path.resolveSibling(path.getFileName() + "." + System.currentTimeMillis());
        Path other = Journal.aside(path, wanted, disk);
        log.error(
            "journal set aside",
            "journal",
            other,
            "why",
            "it belongs to another model",
            "remedy",
            "its observations are not in the model; observe them again, or delete it");
        return Journal.create(path, base, disk);
      }
      case DAMAGED -> {
        int replayed = pending.size();
        if (replayed > 0) write(now); // first rescue whole entries from the damaged file
        Path other = Journal.aside(path, Journal.damaged(file), disk);
        log.error(
            "journal damaged",
            "journal",
            other,
            "why",
            replay.why(),
            "replayed",
            replayed,
            "whole after",
            replay.wholeAfter(),
            "bytes not replayed",
            rest,
            "remedy",
            "observations are refused until the file is moved away; what was not replayed must be observed again");
        return Journal.create(path, base, disk);
      }
    }
    return Journal.resume(path, replay, disk);
  }

  /// Locks the model file while observations are taken, and checks that it has not changed since it
  /// was read.
  private static WriteLock lock(Path file, Stamp read, Duration patience) throws IOException {
    WriteLock lock;
    try {
      lock = WriteLock.lasting(file, patience);
    } catch (HeldException e) {
      throw new IllegalArgumentException(
          "another server takes observations for '" + file + "'; stop it or serve without updates",
          e);
    }
    if (Stamp.of(file).equals(read)) return lock;
    lock.close();
    throw new ReplacedException(file);
  }

  /// Takes rows in the form of the content. The future completes when they are on disk and every
  /// new request sees them.
  CompletableFuture<Content> add(List<byte[]> rows) {
    Task task = new Task(rows, new CompletableFuture<>());
    if (closed) throw new Refusal(503, "the server is shutting down");
    String refusal = refusal();
    if (refusal != null) throw new Refusal(507, refusal);
    if (!queue.offer(task))
      throw Refusal.busy(
          String.format(
              Locale.ROOT, "%d updates are waiting, which is the limit; try again later", QUEUE));
    if (closed && queue.remove(task)) throw new Refusal(503, "the server is shutting down");
    return task.done;
  }

  /// Why no observations are taken; null if they are.
  @Nullable String refusal() {
    Path damaged = Journal.damaged(file);
    if (Files.exists(damaged))
      return "the journal of model '%s' was damaged; look at '%s', then move that file away; observations are accepted again after that"
          .formatted(served.name(), damaged.getFileName());
    return stopped
        ? "the observations cannot be kept: the model file must be written first, and that fails: "
            + trouble
        : null;
  }

  private void work() {
    while (!(closed && queue.isEmpty())) {
      try {
        Task first = queue.poll(50, TimeUnit.MILLISECONDS);
        if (first != null) take(first);
        if ((pending.size() >= most || journal.broken()) && System.nanoTime() - due >= 0) compact();
        stopped = pending.size() >= 2L * most || journal.broken();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /// Takes a task together with those that wait behind it.
  private void take(Task first) {
    List<Task> tasks = new ArrayList<>(List.of(first));
    int rows = first.rows.size();
    for (Task more = queue.peek();
        more != null && rows + more.rows.size() <= TOGETHER;
        more = queue.peek()) {
      if (!queue.remove(more)) continue; // given up meanwhile
      tasks.add(more);
      rows += more.rows.size();
    }
    take(tasks);
  }

  private void take(List<Task> tasks) {
    List<byte[]> rows = new ArrayList<>();
    tasks.forEach(task -> rows.addAll(task.rows));
    Content next;
    try {
      if (stopped) throw new Refusal(507, String.valueOf(refusal()));
      next = with(rows);
      journal.append(rows, next);
    } catch (IllegalArgumentException | ArithmeticException e) {
      if (tasks.size() > 1) tasks.forEach(task -> take(List.of(task))); // finds the bad one
      else fail(tasks, new Refusal(400, String.valueOf(e.getMessage())));
      return;
    } catch (IOException e) {
      log.error("journal not written", "model", served.name(), "error", Log.message(e));
      fail(tasks, new Refusal(507, "the observations cannot be kept: " + Log.message(e)));
      return;
    } catch (Refusal e) {
      fail(tasks, e);
      return;
    } catch (RuntimeException | Error e) {
      log.error("update failed", "model", served.name(), "error", e);
      fail(tasks, new Refusal(500, "the update failed; the server's log says why"));
      return;
    }
    pending.addAll(rows);
    served.swap(next);
    tasks.forEach(task -> task.done.complete(next));
  }

  private static void fail(List<Task> tasks, Refusal refusal) {
    tasks.forEach(task -> task.done.completeExceptionally(refusal));
  }

  /// The content of the file with all pending rows and more.
  private Content with(List<byte[]> more) throws IOException {
    if (base.addsInParts()) return served.content().with(more, maker);
    List<byte[]> all = new ArrayList<>(pending);
    all.addAll(more);
    return base.with(all, maker);
  }

  /// Writes the model file, then starts the journal again. If that fails, the journal keeps all
  /// rows. The next attempt follows after a pause that grows from a second to a minute.
  private void compact() {
    try {
      Content content = served.content();
      write(content);
      journal.restart(content);
      log.info("model written", "model", served.name(), "rows", content.count(), "file", file);
      trouble = null;
      pause = PAUSE;
      due = System.nanoTime();
    } catch (IOException | RuntimeException | Error e) {
      trouble = Log.message(e);
      due = System.nanoTime() + pause;
      pause = Math.min(2 * pause, 60 * PAUSE);
      log.error("model not written", "model", served.name(), "error", trouble);
    }
  }

  /// Writes the model file, which then contains the entries of the journal.
  private void write(Content content) throws IOException {
    writer.write(served, content);
    AtomicFile.syncName(file, disk::open);
    base = content;
    pending.clear();
  }

  /// Completes all tasks, writes the journal into the model file, and ends.
  @Override
  public void close() {
    end(true);
  }

  /// Ends without changing the model file, which another process has replaced.
  void abandon() {
    end(false);
  }

  private void end(boolean write) {
    closed = true;
    try {
      worker.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    @Nullable Task late = queue.poll();
    while (late != null) {
      fail(List.of(late), new Refusal(503, "the model was replaced; try again"));
      late = queue.poll();
    }
    if (write && (!pending.isEmpty() || journal.broken())) compact();
    try (lock) {
      journal.close();
    } catch (IOException e) {
      log.error("journal not closed", "model", served.name(), "error", e.getMessage());
    }
  }
}
