package lovelace.server;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;

/// Reads a request's body within bounds of size, memory and time.
final class Body {

  private static final int FIRST = 1 << 14;

  private Body() {}

  static byte[] read(ServerRequest request, Gate.Pass pass, long most, Duration timeout) {
    try {
      return readAll(request, pass, most, timeout);
    } catch (Refusal e) {
      throw e.hangUp();
    }
  }

  private static byte[] readAll(
      ServerRequest request, Gate.Pass pass, long most, Duration timeout) {
    long declared = request.headers().contentLength().orElse(-1);
    if (declared > most) throw tooLarge(most);
    if (request.headers().contains(HeaderNames.CONTENT_ENCODING)
        && !request.headers().get(HeaderNames.CONTENT_ENCODING).get().equals("identity"))
      throw new Refusal(415, "bodies are taken without content encoding; send it uncompressed");
    if (!request.content().hasEntity()) return new byte[0];
    long end = System.nanoTime() + timeout.toNanos();
    // What arrives is what is reserved: a slow sender of much holds little.
    byte[] body = new byte[(int) (declared >= 0 ? Math.min(declared, 1 << 20) : FIRST)];
    pass.reserve(body.length);
    int size = 0;
    InputStream in = request.content().inputStream(); // closing it would read on
    try {
      while (true) {
        if (size == body.length) {
          if (size == declared) break;
          int next = in.read();
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
        if (System.nanoTime() > end) throw late(timeout);
      }
    } catch (SocketTimeoutException e) {
      throw late(timeout);
    } catch (IOException e) {
      throw new Refusal(400, "the body ends before its length: " + e.getMessage());
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof SocketTimeoutException) throw late(timeout);
      throw new Refusal(400, "the body ends before its length");
    }
    if (declared >= 0 && size < declared)
      throw Refusal.wrong("the body has %,d bytes, Content-Length says %,d", size, declared);
    return size == body.length ? body : Arrays.copyOf(body, size);
  }

  private static Refusal tooLarge(long most) {
    return new Refusal(413, "a body may have %,d bytes; send fewer rows at once".formatted(most));
  }

  private static Refusal late(Duration timeout) {
    return new Refusal(408, "the body did not arrive within %,d s".formatted(timeout.toSeconds()));
  }
}
