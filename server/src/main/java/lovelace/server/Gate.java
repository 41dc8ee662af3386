package lovelace.server;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Limits the number of requests at a time and the bytes that they reserve together. It refuses all
/// others at once: an overloaded server answers some requests well and refuses the rest. When
/// closed, it admits none and waits for those inside.
final class Gate {

  private final int most;
  private final long memory;
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean closed = false;

  Gate(int most, long memory) {
    this.most = most;
    this.memory = memory;
  }

  /// A request that was admitted, with the bytes reserved so far.
  final class Pass implements AutoCloseable {
    private long reserved = 0;
    private boolean left = false;

    private Pass() {}

    /// Reserves bytes until the pass is closed.
    synchronized void reserve(long more) {
      if (left) throw new Refusal(504, "the request was cancelled; send it again");
      requirePossible(more);
      long now = bytes.addAndGet(more);
      reserved += more;
      if (now > memory) throw Refusal.busy("all memory for requests is in use; try again later");
    }

    /// Refuses a reservation that would be too large even without other requests.
    synchronized void requirePossible(long more) {
      if (reserved + more > memory)
        throw new Refusal(
            413,
            String.format(
                Locale.ROOT,
                "the request needs %,d bytes of memory, but the server has %,d; send fewer rows",
                reserved + more,
                memory));
    }

    /// Returns some of the reserved bytes.
    synchronized void release(long fewer) {
      if (left) return;
      bytes.addAndGet(-fewer);
      reserved -= fewer;
    }

    @Override
    public synchronized void close() {
      if (left) return;
      left = true;
      bytes.addAndGet(-reserved);
      reserved = 0;
      inside.decrementAndGet();
    }
  }

  /// Admits a request. Refuses with 429 if there are too many, or with 503 once closed.
  Pass enter() {
    if (inside.incrementAndGet() > most) {
      inside.decrementAndGet();
      throw Refusal.busy(
          String.format(
              Locale.ROOT,
              "the server is working on %,d requests, which is its limit; try again later",
              most));
    }
    if (closed) {
      inside.decrementAndGet();
      throw new Refusal(503, "the server is shutting down");
    }
    return new Pass();
  }

  int inside() {
    return inside.get();
  }

  long reserved() {
    return bytes.get();
  }

  boolean closed() {
    return closed;
  }

  /// Admits no further request and waits until all are done. Returns false if some are not after
  /// this time.
  boolean drain(long milliseconds) throws InterruptedException {
    closed = true;
    long end = System.nanoTime() + milliseconds * 1_000_000;
    while (inside.get() > 0 && System.nanoTime() < end) Thread.sleep(2);
    return inside.get() == 0;
  }
}
