package lovelace.server;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/// Keeps things for the studio's pages in memory, for a limited time. It limits their number and
/// their bytes in total. Each has a name that cannot be guessed. If there is no room, the one that
/// was not used for longest is dropped.
final class StudioShelf<T> {

  private static final SecureRandom RANDOM = new SecureRandom();

  private record Kept<T>(T value, long bytes, long touched) {}

  private final String what;
  private final int most;
  private final long room;
  private final long life;
  private final LongSupplier clock;
  private final LinkedHashMap<String, Kept<T>> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long used = 0;

  /// @param most things
  /// @param room the most bytes in total
  /// @param life nanoseconds to keep a thing after its last use
  StudioShelf(String what, int most, long room, long life, LongSupplier clock) {
    this.what = what;
    this.most = most;
    this.room = room;
    this.life = life;
    this.clock = clock;
  }

  /// Keeps a thing that has `bytes` bytes, and returns its name.
  synchronized String put(T value, long bytes) {
    byte[] name = new byte[16];
    RANDOM.nextBytes(name);
    String id = HexFormat.of().formatHex(name);
    put(id, value, bytes);
    return id;
  }

  private void put(String id, T value, long bytes) {
    if (bytes > room)
      throw new Refusal(
          413,
          String.format(
              Locale.ROOT,
              "the %s needs %,d MB of memory, but the server has %,d MB for all of them; use fewer rows or columns",
              what,
              (bytes >> 20) + 1,
              room >> 20));
    expire();
    Iterator<Map.Entry<String, Kept<T>>> oldest = kept.entrySet().iterator();
    while (oldest.hasNext() && (kept.size() >= most || used + bytes > room)) {
      used -= oldest.next().getValue().bytes;
      oldest.remove();
    }
    kept.put(id, new Kept<>(value, bytes, clock.getAsLong()));
    used += bytes;
  }

  private void expire() {
    long now = clock.getAsLong();
    kept.values()
        .removeIf(
            thing -> {
              boolean gone = now - thing.touched > life;
              if (gone) used -= thing.bytes;
              return gone;
            });
  }

  /// The thing with a name. Refuses with 404 if it is gone.
  synchronized T require(String id) {
    expire();
    Kept<T> thing = kept.get(id);
    if (thing == null)
      throw new Refusal(
          404,
          "this %s is not here any more: the server keeps it for half an hour after its last use; reload the page"
              .formatted(what));
    kept.put(id, new Kept<>(thing.value, thing.bytes, clock.getAsLong()));
    return thing.value;
  }

  /// Sets a new size for a thing.
  synchronized void resize(String id, long bytes) {
    Kept<T> thing = kept.get(id);
    if (thing == null || thing.bytes == bytes) return;
    kept.remove(id);
    used -= thing.bytes;
    put(id, thing.value, bytes);
  }

  synchronized void remove(String id) {
    Kept<T> thing = kept.remove(id);
    if (thing != null) used -= thing.bytes;
  }

  synchronized int size() {
    return kept.size();
  }

  synchronized long bytes() {
    return used;
  }
}
