package lovelace.server;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads a request's body within limits of size and memory. [Wire] limits its time.
final class Body {

  private static final int FIRST = 1 << 14;

  /// The most bytes of a refused request that are still read, and the time for it.
  private static final int SHORT = 1 << 20;

  private static final long PATIENCE = 2_000_000_000L;

  private Body() {}

  /// Reads the whole body. If the request is refused, the rest of a short body is still read, so
  /// that the connection can be used again.
  static byte[] read(ServerRequest request, Gate.Pass pass, long most) {
    long declared = request.headers().contentLength().orElse(-1);
    if (declared > most) throw tooLarge(most);
    if (request.headers().contains(HeaderNames.CONTENT_ENCODING)
        && !request.headers().get(HeaderNames.CONTENT_ENCODING).get().equals("identity"))
      throw new Refusal(415, "compressed bodies are not supported; send the body uncompressed");
    if (!request.content().hasEntity()) return new byte[0];
    InputStream in = request.content().inputStream(); // not closed, since that would read on
    try {
      return readAll(in, declared, pass, most);
    } catch (Refusal e) {
      if (!e.hangingUp() && (declared < 0 || !skip(in, e))) e.hangUp();
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // so that callers need not catch it
    }
  }

  private static byte[] readAll(InputStream in, long declared, Gate.Pass pass, long most)
      throws IOException {
    // Memory is reserved as bytes arrive, so a slow sender of a large body holds little.
    byte[] body = new byte[(int) (declared >= 0 ? Math.min(declared, 1 << 20) : FIRST)];
    pass.reserve(body.length);
    int size = 0;
    while (true) {
      if (size == body.length) {
        int next = in.read(); // also at the end, which ends the request
        if (next < 0) break;
        long room = Math.min(declared >= 0 ? declared : most, Math.max(2L * size, FIRST));
        if (room <= size) throw tooLarge(most);
        pass.reserve(room - size);
        body = Arrays.copyOf(body, (int) room);
        body[size++] = (byte) next;
      } else {
        int count = in.read(body, size, body.length - size);
        if (count < 0) break;
        size += count;
      }
      pass.requirePossible(Linger.received().announced());
    }
    return size == body.length ? body : Arrays.copyOf(body, size);
  }

  /// Returns whether the connection is free of an unread body. A body that is announced as short is
  /// read and dropped. If it does not come in time, the client receives the refusal, or nothing if
  /// that is null, and the connection ends.
  static boolean skip(ServerRequest request, @Nullable Refusal refusal) {
    if (!request.content().hasEntity() || request.content().consumed()) return true;
    long declared = request.headers().contentLength().orElse(-1);
    if (declared < 0 || declared > SHORT || !request.continueSent()) return false;
    return skip(request.content().inputStream(), refusal);
  }

  private static boolean skip(InputStream in, @Nullable Refusal refusal) {
    byte[] room = new byte[1 << 13];
    Linger.received().hurry(System.nanoTime() + PATIENCE, refusal);
    try {
      for (long size = 0; size <= SHORT; ) {
        int count = in.read(room);
        if (count < 0) return true;
        size += count;
      }
    } catch (IOException | Refusal e) {
      // the connection cannot be used any more
    }
    return false;
  }

  static Refusal tooLarge(long most) {
    return new Refusal(
        413,
        String.format(
            Locale.ROOT, "a body may have at most %,d bytes; send fewer rows at once", most));
  }
}
