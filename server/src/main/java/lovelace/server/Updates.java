package lovelace.server;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import lovelace.Fit;
import lovelace.Model;
import lovelace.Source;
import lovelace.grid.Outside;
import org.jspecify.annotations.Nullable;

/// Takes observations for one model: computes the model with them, writes them to the journal, and
/// only then lets requests see it and acknowledges them. Whatever waits at the same time shares one
/// computation and one write. After so many rows the model file is written and the journal starts
/// anew.
///
/// The model is always that of the file plus all rows of the journal in one step, so a restart
/// arrives at the same bits.
final class Updates implements AutoCloseable {

  private static final int QUEUE = 256;
  private static final int TOGETHER = 10_000;

  /// Writes a model file; the repository does it so that it knows its own writing.
  interface Writer {
    void write(Served served, Model model) throws IOException;
  }

  private record Task(List<double[]> rows, CompletableFuture<Model> done) {}

  private final Served served;
  private final int most;
  private final Fit.Maker maker;
  private final Writer writer;
  private final Log log;
  private final Path file;
  private final FileChannel lock;
  private final Journal journal;
  private final List<double[]> pending = new ArrayList<>();
  private final BlockingQueue<Task> queue = new ArrayBlockingQueue<>(QUEUE);
  private final Thread worker;
  private Model base;
  private volatile boolean closed = false;

  /// Opens the journal of a model just loaded, and replays it.
  Updates(Served served, int most, Fit.Maker maker, Writer writer, Log log) throws IOException {
    this.served = served;
    this.most = most;
    this.maker = maker;
    this.writer = writer;
    this.log = log;
    file = served.file().toAbsolutePath();
    base = served.model();
    lock = lock(file);
    try {
      journal = Journal.open(Journal.beside(file), base, pending, log);
      if (!pending.isEmpty()) {
        served.swap(with(List.of()));
        log.info("journal replayed", "model", served.name(), "rows", pending.size());
      }
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
    worker = Thread.ofPlatform().daemon().name("updates of " + served.name()).start(this::work);
  }

  private static FileChannel lock(Path file) throws IOException {
    Path path = file.resolveSibling("." + file.getFileName() + ".lock");
    FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock != null) return channel;
    channel.close();
    throw new IllegalArgumentException(
        "another server takes observations for '" + file + "'; stop it or serve without updates");
  }

  /// Takes rows of `d + 2` numbers: inputs, target, weight. The future ends when they are durable
  /// and every new request sees them.
  CompletableFuture<Model> add(List<double[]> rows) {
    Task task = new Task(rows, new CompletableFuture<>());
    if (closed) throw new Refusal(503, "the server is shutting down");
    if (!queue.offer(task))
      throw Refusal.busy("%d updates wait already; try again later".formatted(QUEUE));
    return task.done;
  }

  private void work() {
    while (!(closed && queue.isEmpty())) {
      try {
        Task first = queue.poll(50, TimeUnit.MILLISECONDS);
        if (first == null) continue;
        List<Task> tasks = new ArrayList<>(List.of(first));
        int rows = first.rows.size();
        for (Task more = queue.peek();
            more != null && rows + more.rows.size() <= TOGETHER;
            more = queue.peek()) {
          queue.remove(more);
          tasks.add(more);
          rows += more.rows.size();
        }
        take(tasks);
        if (pending.size() >= most) compact();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void take(List<Task> tasks) {
    List<double[]> rows = new ArrayList<>();
    tasks.forEach(task -> rows.addAll(task.rows));
    Model next;
    try {
      next = with(rows);
      journal.append(rows, next);
    } catch (IllegalArgumentException | ArithmeticException e) {
      if (tasks.size() > 1) tasks.forEach(task -> take(List.of(task))); // who is to blame?
      else fail(tasks, new Refusal(400, String.valueOf(e.getMessage())));
      return;
    } catch (IOException e) {
      log.error("journal not written", "model", served.name(), "error", e.getMessage());
      fail(tasks, new Refusal(507, "the observations cannot be kept: " + e.getMessage()));
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

  /// The model of the file with all that is pending and more.
  private Model with(List<double[]> more) throws IOException {
    List<double[]> all = new ArrayList<>(pending);
    all.addAll(more);
    int d = base.columns().size();
    return base.with(Source.of(new Journal.Rows(d, all).dataset(base)), Outside.ERROR, maker);
  }

  /// Writes the model file, then starts the journal anew. Where that fails, the journal keeps all.
  private void compact() {
    Model model = served.model();
    try {
      writer.write(served, model);
      Journal.syncFolder(file);
      journal.restart(model);
      log.info("model written", "model", served.name(), "rows", model.count(), "file", file);
      base = model;
      pending.clear();
    } catch (IOException | RuntimeException e) {
      log.error("model not written", "model", served.name(), "error", e.getMessage());
    }
  }

  /// Ends when all that was taken is done, with the journal in the model file.
  @Override
  public void close() {
    end(true);
  }

  /// Ends without touching the model file, which somebody else has replaced.
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
    if (write && !pending.isEmpty()) compact();
    try {
      journal.close();
      lock.close();
    } catch (IOException e) {
      log.error("journal not closed", "model", served.name(), "error", e.getMessage());
    }
  }
}
