package lovelace.server;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Checks regularly whether connections wait too long for their clients. It checks sixteen times
/// within the time that a client has, so that none gets much more than that.
final class Deadlines implements AutoCloseable {

  private static final long LEAST = 2;
  private static final long MOST = 500;

  private final Set<Wire> wires = ConcurrentHashMap.newKeySet();
  private final long pause;
  private final Thread thread;

  Deadlines(Duration timeout) {
    pause = Math.clamp(timeout.toMillis() / 16, LEAST, MOST);
    thread = Thread.ofVirtual().name("deadlines").unstarted(this::watch);
  }

  void start() {
    thread.start();
  }

  void add(Wire wire) {
    wires.add(wire);
  }

  void remove(Wire wire) {
    wires.remove(wire);
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(pause);
        long now = System.nanoTime();
        for (Wire wire : wires) wire.look(now);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the server is closed
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
