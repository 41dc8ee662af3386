package lovelace.server;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.http.ServerResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import lovelace.budget.Budget;
import lovelace.optimize.Optimizer.Progress;

/// Long work that reports each step as a line of JSON. The last line is the result, or an error in
/// words. It ends early when it is cancelled, when nobody listens any more, and when the server
/// stops.
final class StudioJob {

  /// The work to do.
  interface Work {
    Map<String, Object> run(Progress progress) throws IOException;
  }

  private static final int BEAT = 500; // milliseconds after which a blank line tests who listens

  private static final Duration FOR_EVER = Duration.ofDays(10_000);

  private final BooleanSupplier stopping;
  private final Function<Throwable, String> words;
  private final ConcurrentLinkedQueue<Map<String, Object>> lines = new ConcurrentLinkedQueue<>();
  private volatile boolean cancelled = false;

  /// @param words the text for a failure
  StudioJob(BooleanSupplier stopping, Function<Throwable, String> words) {
    this.stopping = stopping;
    this.words = words;
  }

  void cancel() {
    cancelled = true;
  }

  private boolean step(int iteration, double value, double gradientNorm, double[] x) {
    if (Double.isFinite(value))
      lines.add(
          Answers.map("iteration", iteration, "likelihood", -value, "gradient", gradientNorm));
    return !cancelled && !stopping.getAsBoolean();
  }

  /// Runs the work in a pool and answers with its steps.
  void answer(ServerResponse response, String id, ForkJoinPool pool, Work work) {
    response.header(HeaderNames.CONTENT_TYPE, "application/x-ndjson");
    response.header(HeaderNames.CACHE_CONTROL, "no-store");
    long start = System.nanoTime();
    // its clock stands still until the work is not needed any more
    Budget budget =
        Budget.of(
            FOR_EVER,
            Budget.UNLIMITED.memory(),
            () -> cancelled || stopping.getAsBoolean() ? Long.MAX_VALUE : 0);
    ForkJoinTask<Outcome<Map<String, Object>>> task =
        pool.submit(() -> Outcome.of(() -> budget.call(() -> work.run(this::step))));
    boolean whole = Linger.received().old(); // HTTP/1.0 has no chunks
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    try (OutputStream out = whole ? kept : response.outputStream()) {
      write(out, Map.of("job", id));
      long told = System.nanoTime();
      while (true) {
        boolean done = task.isDone();
        Map<String, Object> line = lines.poll();
        if (line != null) {
          write(out, line);
          told = System.nanoTime();
        } else if (done) {
          break;
        } else {
          if (System.nanoTime() - told > BEAT * 1_000_000L) {
            write(out, Map.of());
            told = System.nanoTime();
          }
          Thread.sleep(5);
        }
      }
      Map<String, Object> last = result(task);
      last.put("milliseconds", (System.nanoTime() - start) / 1000 / 1e3);
      write(out, last);
      if (whole) response.send(kept.toByteArray());
    } catch (IOException | UncheckedIOException | ServerConnectionException e) {
      cancel(); // nobody listens
    } catch (InterruptedException e) {
      cancel();
      Thread.currentThread().interrupt();
    } finally {
      cancel();
      task.quietlyJoin();
    }
  }

  private Map<String, Object> result(ForkJoinTask<Outcome<Map<String, Object>>> task) {
    if (cancelled) return Answers.map("cancelled", true);
    if (stopping.getAsBoolean()) return Answers.map("error", "the server is shutting down");
    Throwable failure = task.getException(); // the failure that the pool kept
    if (failure != null) return Answers.map("error", words.apply(failure));
    return switch (task.join()) {
      case Outcome.Value<Map<String, Object>> done -> done.value();
      case Outcome.Failure<Map<String, Object>> failed ->
          Answers.map("error", words.apply(failed.why()));
    };
  }

  private static void write(OutputStream out, Map<String, Object> line) throws IOException {
    out.write(Answers.bytes(line));
    out.write('\n');
    out.flush();
  }
}
