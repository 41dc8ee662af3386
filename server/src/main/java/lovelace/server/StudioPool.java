package lovelace.server;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import lovelace.budget.Budget;

/// Threads for work that a page waits for. Work that takes longer than a request may is ended.
final class StudioPool {

  private final ForkJoinPool pool;
  private final Server server;
  private final Duration timeout;

  StudioPool(int threads, Server server) {
    pool = new ForkJoinPool(threads);
    this.server = server;
    timeout = server.options().limits().timeout();
  }

  /// Computes in the studio's own threads, so that those of the protocol stay free, within the time
  /// of a request. The library's messages about wrong input go to the page.
  <T> T compute(Supplier<T> task) {
    if (ForkJoinTask.inForkJoinPool()) return task.get(); // part of a task, and of its time
    Budget budget = Budget.of(timeout, Budget.UNLIMITED.memory(), System::nanoTime);
    ForkJoinTask<Outcome<T>> submitted =
        pool.submit(() -> Outcome.of(() -> budget.call(task::get)));
    try {
      return switch (submitted.get(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        case Outcome.Value<T> done -> done.value();
        case Outcome.Failure<T> failed -> throw refused(failed.why());
      };
    } catch (TimeoutException e) {
      submitted.cancel(false); // if it has not begun; otherwise it ends when it checks its budget
      throw tooLong();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(503, "the server is shutting down");
    } catch (ExecutionException e) {
      throw refused(e);
    }
  }

  private RuntimeException refused(Throwable failure) {
    Throwable cause = Failure.root(failure);
    if (cause instanceof Refusal refusal) return refusal;
    if (cause instanceof Budget.TimeUpException) return tooLong();
    if (cause instanceof IllegalArgumentException || cause instanceof ArithmeticException)
      return Refusal.wrong("%s", words(cause));
    return new IllegalStateException(cause);
  }

  private Refusal tooLong() {
    return new Refusal(
        504,
        String.format(
            Locale.ROOT,
            "the answer takes longer than %s s; try again later, or serve with a longer --timeout",
            timeout.toMillis() / 1e3));
  }

  /// The text of a failure for the page. If it is a fault of the server, it is also logged.
  String words(Throwable failure) {
    Throwable root = Failure.root(failure);
    if (root instanceof Refusal
        || root instanceof IllegalArgumentException
        || root instanceof ArithmeticException) return String.valueOf(root.getMessage());
    if (root instanceof OutOfMemoryError)
      return "the server does not have enough memory; use fewer rows or a coarser grid";
    server.log().error("studio failed", "error", root);
    return "the server failed; its log says why";
  }
}
