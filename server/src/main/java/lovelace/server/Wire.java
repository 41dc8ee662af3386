package lovelace.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The input of a connection, in the form that the web server may read: heads complete and checked
/// ([RequestHead]), bodies of the announced length, chunks no longer than the bytes that have
/// arrived. All of it must come in time. Otherwise the client is told and the connection ends.
///
/// One thread reads a connection, and waits without a limit, because the sockets of the web server
/// have none. So [Deadlines] checks whether it waits too long.
final class Wire implements Supplier<byte[]> {

  /// Ends a connection whose client was too slow. The client was told.
  static final class Late extends CloseConnectionException {
    private static final long serialVersionUID = 1;
    private final int status;

    private Late(int status) {
      super("the client is too slow");
      this.status = status;
    }

    /// The status of the answer.
    int status() {
      return status;
    }
  }

  /// A wait for bytes.
  ///
  /// @param refusal the answer if they do not come in time; null for none
  private record Wait(long until, Thread reader, @Nullable Refusal refusal) {}

  private static final int MOST_LINE = 4096;
  private static final int MOST_HEAD = 16384;

  /// The most empty lines that are skipped before a request.
  private static final int MOST_EMPTY = 8;

  /// Before a request there is no limit, because the web server closes idle connections.
  private static final long IDLE = Long.MAX_VALUE / 2;

  private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(US_ASCII);

  private enum Next {
    HEAD,
    BODY,
    CHUNK,
    /// The end of the line after the bytes of a chunk.
    CHUNK_END,
    /// Nothing can be read any more, because earlier input was wrong.
    NOTHING
  }

  /// The result of waiting for bytes.
  private enum Arrival {
    MORE,
    END
  }

  private final DataReader in;
  private final Consumer<byte[]> out;
  private final Consumer<Refusal> unread;
  private final Duration patience;
  private final Refusal lateHead;
  private final Refusal lateBody;
  private final long most;
  private byte[] raw = new byte[0];
  private int at = 0;
  private Next next = Next.HEAD;
  private long left = 0; // of the body, or of its chunk
  private long body = 0; // bytes of the chunks so far
  private long end = 0; // when the body must be here
  private @Nullable Refusal otherwise; // the answer if it is not
  private boolean old = false;
  private final AtomicReference<@Nullable Wait> waiting = new AtomicReference<>();

  /// Reads requests whose bodies have at most `most` bytes. A head must arrive within `patience`
  /// after its first byte, and so must a body.
  ///
  /// @param out writes to the client
  /// @param unread receives refusals of heads that were too slow, which would otherwise go
  ///   unnoticed
  Wire(
      DataReader in, Consumer<byte[]> out, Consumer<Refusal> unread, Duration patience, long most) {
    this.in = in;
    this.out = out;
    this.unread = unread;
    this.patience = patience;
    this.most = most;
    double seconds = patience.toMillis() / 1e3;
    lateHead = new Refusal(408, "the head did not arrive within " + seconds + " s");
    lateBody = new Refusal(408, "the body did not arrive within " + seconds + " s");
  }

  /// Whether the client of the last request speaks HTTP/1.0, which knows no chunks.
  boolean old() {
    return old;
  }

  /// The number of bytes of the body, or of its chunk, that were announced and have not arrived
  /// yet.
  long announced() {
    return left;
  }

  /// From now on the rest of a body is not needed. If it has not arrived at a time of
  /// [System#nanoTime], the client gets the refusal `instead`.
  void hurry(long time, @Nullable Refusal instead) {
    if (time - end < 0) end = time;
    otherwise = instead;
  }

  /// Ends a wait that has passed its limit at this time, of [System#nanoTime].
  void look(long now) {
    Wait wait = waiting.get();
    if (wait == null || now - wait.until < 0 || !waiting.compareAndSet(wait, null)) return;
    Thread.startVirtualThread(
        () -> {
          tell(wait.refusal);
          wait.reader.interrupt(); // closes the connection
        });
  }

  private void tell(@Nullable Refusal refusal) {
    if (refusal == null) return;
    try {
      out.accept(Answers.whole(refusal));
    } catch (RuntimeException e) {
      // the client does not read either
    }
  }

  @Override
  public byte[] get() {
    return switch (next) {
      case HEAD -> head();
      case BODY -> body();
      case CHUNK, CHUNK_END -> chunk();
      case NOTHING -> throw broken(400, "the request was not understood before its end");
    };
  }

  /// Drops all input until the client has closed its side, or until a time.
  void discard(long until) {
    at = raw.length;
    while (System.nanoTime() - until < 0 && arrival(until, null) == Arrival.MORE)
      in.skip(in.available());
  }

  // ---- heads ----

  private byte[] head() {
    byte[] text = new byte[512];
    int size = 0;
    int line = 0; // its start
    int empty = 0;
    long until = System.nanoTime() + (at < raw.length ? patience.toNanos() : IDLE);
    while (true) {
      if (at == raw.length) {
        Refusal slow = size + empty == 0 ? null : lateHead;
        if (await(until, slow) == Arrival.END) {
          if (size == 0) throw new CloseConnectionException("the client has closed");
          throw refuse(400, "the request ends in its head; send all of it");
        }
        if (slow == null) until = System.nanoTime() + patience.toNanos();
      }
      byte b = raw[at++];
      if ((b >= 0 && b < ' ' && b != '\r' && b != '\n' && b != '\t') || b == 127)
        throw refuse(400, "the head has a control character; send HTTP/1.1");
      if (line == 0 && size == MOST_LINE)
        throw refuse(414, text("the first line is longer than %,d bytes", MOST_LINE));
      if (size == MOST_LINE + MOST_HEAD)
        throw refuse(431, text("the head is longer than %,d bytes", MOST_HEAD));
      if (size == text.length) text = Arrays.copyOf(text, 2 * size);
      text[size++] = b;
      if (size > line + 1 && text[size - 2] == '\r' && b != '\n')
        throw refuse(400, "a line of the head must end with CR LF, and have no other CR");
      if (b != '\n') continue;
      if (size == line + 1 || text[size - 2] != '\r')
        throw refuse(400, "a line of the head must end with CR LF, not with LF");
      if (size > line + 2) {
        line = size;
      } else if (line > 0) {
        return checked(text, size);
      } else {
        size = 0;
        if (++empty > MOST_EMPTY) throw refuse(400, "empty lines are no request");
      }
    }
  }

  private byte[] checked(byte[] text, int size) {
    next = Next.NOTHING; // until the head proves right
    RequestHead.Checked head = RequestHead.check(text, size);
    old = head.old();
    end = System.nanoTime() + patience.toNanos();
    otherwise = lateBody;
    left = Math.max(0, head.length());
    body = 0;
    next = head.length() == RequestHead.CHUNKED ? Next.CHUNK : left > 0 ? Next.BODY : Next.HEAD;
    return head.bytes();
  }

  private RuntimeException refuse(int status, String message) {
    next = Next.NOTHING;
    return RequestHead.refusal(status, message);
  }

  // ---- bodies ----

  private byte[] body() {
    require();
    byte[] some = take();
    if (left == 0) next = Next.HEAD;
    return some;
  }

  /// The bytes of the body or chunk that have arrived.
  private byte[] take() {
    int count = (int) Math.min(left, raw.length - at);
    byte[] some =
        count == raw.length ? raw : Arrays.copyOfRange(raw, at, at + count); // only these bytes
    at += count;
    left -= count;
    return some;
  }

  /// The next bytes as a chunk, or the last one (RFC 9112, section 7.1).
  private byte[] chunk() {
    if (next == Next.CHUNK_END) {
      if (consume() != '\r' || consume() != '\n')
        throw broken(400, "a chunk is not followed by CR LF; send as many bytes as its size says");
      next = Next.CHUNK;
    }
    if (left == 0) {
      left = size();
      body += left;
      if (body > most) {
        next = Next.NOTHING;
        throw Body.tooLarge(most).hangUp();
      }
      if (left == 0) {
        trailers();
        next = Next.HEAD;
        return LAST_CHUNK;
      }
    }
    require();
    byte[] some = take();
    if (left == 0) next = Next.CHUNK_END;
    byte[] size = (Integer.toHexString(some.length) + "\r\n").getBytes(US_ASCII);
    byte[] chunk = Arrays.copyOf(size, size.length + some.length + 2);
    System.arraycopy(some, 0, chunk, size.length, some.length);
    chunk[chunk.length - 2] = '\r';
    chunk[chunk.length - 1] = '\n';
    return chunk;
  }

  /// Reads the size of the next chunk and skips extensions.
  private long size() {
    long size = 0;
    int digits = 0;
    int count = 0;
    boolean extension = false;
    boolean space = false;
    while (true) {
      byte b = consume();
      if (b == '\r') break;
      if (++count > MOST_LINE)
        throw broken(400, text("the line of a chunk is longer than %,d bytes", MOST_LINE));
      int digit = Character.digit(b, 16);
      if (extension) {
        if ((b >= 0 && b < ' ' && b != '\t') || b == 127)
          throw broken(400, "the extension of a chunk has a control character; leave it out");
      } else if (digits > 0 && b == ';') {
        extension = true;
      } else if (digits > 0 && (b == ' ' || b == '\t')) {
        space = true;
      } else if (digit >= 0 && !space) {
        size = Math.min(16 * size + digit, 1L << 56); // far beyond any allowed size
        digits++;
      } else {
        throw notASize();
      }
    }
    if (digits == 0) throw notASize();
    if (consume() != '\n') throw broken(400, "the size of a chunk must end with CR LF");
    return size;
  }

  private RuntimeException notASize() {
    return broken(400, "the size of a chunk must be a hexadecimal number, such as 1f");
  }

  /// Skips the fields after the last chunk, which have no meaning here.
  private void trailers() {
    int count = 0;
    int width = 0; // of the line
    boolean named = false;
    while (true) {
      byte b = consume();
      if (b == '\r') {
        if (consume() != '\n') throw broken(400, "a line after the last chunk must end with CR LF");
        if (width == 0) return;
        if (!named) throw broken(400, "a line after the last chunk must be NAME: VALUE, or empty");
        width = 0;
        named = false;
        continue;
      }
      if ((b >= 0 && b < ' ' && b != '\t') || b == 127)
        throw broken(400, "a line after the last chunk has a control character");
      named |= b == ':' && width > 0;
      width++;
      if (++count > MOST_HEAD)
        throw broken(
            400, text("the fields after the last chunk are longer than %,d bytes", MOST_HEAD));
    }
  }

  private byte consume() {
    byte b = require();
    at++;
    return b;
  }

  /// The next byte of the body. Its absence is an error.
  private byte require() {
    if (at < raw.length) return raw[at];
    if (await(end, otherwise) == Arrival.MORE) return raw[at];
    throw broken(400, "the body ends before its length; send all of it");
  }

  private RuntimeException broken(int status, String message) {
    next = Next.NOTHING;
    return new Refusal(status, message).hangUp();
  }

  // ---- bytes ----

  /// Waits for bytes until a time, and takes them. All earlier bytes must have been used.
  private Arrival await(long until, @Nullable Refusal refusal) {
    Arrival arrival = arrival(until, refusal);
    if (arrival == Arrival.MORE) {
      raw = in.readBytes(in.available());
      at = 0;
    }
    return arrival;
  }

  /// Waits for bytes until a time. If they are late, the client is told.
  private Arrival arrival(long until, @Nullable Refusal refusal) {
    Wait wait = new Wait(until, Thread.currentThread(), refusal);
    waiting.set(wait);
    boolean ended = false;
    try {
      in.ensureAvailable();
    } catch (DataReader.InsufficientDataAvailableException e) {
      ended = true;
    } catch (ServerConnectionException e) {
      if (waiting.compareAndSet(wait, null)) throw e;
      throw ended(refusal);
    }
    if (!waiting.compareAndSet(wait, null)) throw ended(refusal);
    if (ended) return Arrival.END;
    if (System.nanoTime() - until > 0) {
      tell(refusal);
      throw ended(refusal);
    }
    return Arrival.MORE;
  }

  private Late ended(@Nullable Refusal refusal) {
    boolean head = next == Next.HEAD;
    next = Next.NOTHING;
    if (head && refusal != null) unread.accept(refusal);
    return new Late(refusal == null ? 408 : refusal.status());
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be one more dependency
  private static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
