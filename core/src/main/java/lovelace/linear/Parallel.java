package lovelace.linear;

import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import lovelace.budget.Budget;
import org.jspecify.annotations.Nullable;

/// Parallel loops whose results do not depend on the number of threads. The problem alone fixes the
/// pieces, one thread computes each piece, and sums are added in the order of the pieces.
///
/// Loops run in the [java.util.concurrent.ForkJoinPool] of the calling thread, or in the common
/// pool if it has none. To limit the threads, call from a pool of that size. The caller gets the
/// exception that a piece throws. A loop keeps to the [Budget] of its caller.
public final class Parallel {

  private Parallel() {}

  /// One piece `[from, to)` of a range, the `index`-th from the left.
  @FunctionalInterface
  public interface Chunk {
    void run(int index, int from, int to);
  }

  /// The sum over one piece `[from, to)` of a range.
  @FunctionalInterface
  public interface ChunkSum {
    double over(int from, int to);
  }

  /// Runs `body` for 0, …, count − 1, in any order and possibly at the same time.
  public static void forEach(int count, IntConsumer body) {
    Budget.check();
    Budget budget = Budget.current();
    IntConsumer own = budget == Budget.UNLIMITED ? body : i -> budget.run(() -> piece(body, i));
    if (count > 1 && !alone()) fork(count, own);
    else for (int i = 0; i < count; i++) piece(body, i);
  }

  private static void piece(IntConsumer body, int i) {
    Budget.check();
    body.accept(i);
  }

  /// Throws the exception of a piece itself. A pool would throw a copy, whose message begins with
  /// the name of a class.
  private static void fork(int count, IntConsumer body) {
    AtomicReference<@Nullable Throwable> first = new AtomicReference<>();
    IntConsumer kept =
        i -> {
          try {
            body.accept(i);
          } catch (RuntimeException | Error e) {
            first.compareAndSet(null, e);
            throw e;
          }
        };
    try {
      new Range(0, count, kept).invoke();
    } catch (RuntimeException | Error e) {
      switch (first.get()) {
        case RuntimeException own -> throw own;
        case Error own -> throw own;
        case null, default -> throw e;
      }
    }
  }

  /// Cuts `[0, length)` into pieces of `chunk` (the last may be shorter) and runs `body` on each.
  public static void chunks(int length, int chunk, Chunk body) {
    forEach(
        pieces(length, chunk),
        i -> body.run(i, i * chunk, (int) Math.min(length, (i + 1L) * chunk)));
  }

  /// Sums `body` over pieces of `chunk`. Adds the sums of the pieces from left to right.
  public static double sum(int length, int chunk, ChunkSum body) {
    double[] parts = new double[pieces(length, chunk)];
    chunks(length, chunk, (i, from, to) -> parts[i] = body.over(from, to));
    double sum = 0;
    for (double part : parts) sum += part;
    return sum;
  }

  /// The number of pieces that [#chunks] makes.
  public static int pieces(int length, int chunk) {
    if (length < 0) throw new IllegalArgumentException("length must be ≥ 0, got " + length);
    if (chunk < 1) throw new IllegalArgumentException("chunk must be ≥ 1, got " + chunk);
    return (int) ((length + (long) chunk - 1) / chunk);
  }

  /// Whether the calling thread is the only one its pool has. (An outside caller works along with
  /// the common pool, so it is never alone.)
  private static boolean alone() {
    var pool = ForkJoinTask.getPool();
    return pool != null && pool.getParallelism() == 1;
  }

  private static final class Range extends RecursiveAction {
    private final int from;
    private final int to;
    private final transient IntConsumer body;

    Range(int from, int to, IntConsumer body) {
      this.from = from;
      this.to = to;
      this.body = body;
    }

    @Override
    protected void compute() {
      if (to - from == 1) {
        body.accept(from);
      } else {
        int middle = (from + to) >>> 1;
        invokeAll(new Range(from, middle, body), new Range(middle, to, body));
      }
    }
  }
}
