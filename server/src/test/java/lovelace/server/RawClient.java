package lovelace.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Sends bytes that may be no HTTP on a socket of its own, and reads what is answered by the rules
/// of HTTP.
final class RawClient {

  /// One answer: its status, its head in lower case, its body.
  record Answer(int status, String head, String body) {}

  /// Milliseconds after which no more answers are awaited from a connection that stays open.
  private static final int QUIET = 500;

  private RawClient() {}

  /// Sends bytes, closes its side unless it is to stay open, and reads all answers until the server
  /// closes.
  static List<Answer> send(int port, byte[] bytes, boolean close) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(30_000);
      socket.setTcpNoDelay(true);
      try {
        socket.getOutputStream().write(bytes);
        if (close) socket.shutdownOutput();
      } catch (IOException e) {
        // the server had enough; what it said is read
      }
      List<Answer> all = new ArrayList<>();
      InputStream in = new BufferedInputStream(socket.getInputStream());
      try {
        for (Answer next = answer(in); next != null; next = answer(in)) {
          if (next.status < 200) continue;
          all.add(next);
          // as a client would: an answer that says so is the last
          if (next.head.contains("connection: close")) break;
          if (!close) socket.setSoTimeout(QUIET);
        }
      } catch (SocketTimeoutException e) {
        if (all.isEmpty()) throw e;
      }
      return all;
    }
  }

  private static @Nullable Answer answer(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int c = in.read();
      if (c < 0 && head.isEmpty()) return null;
      if (c < 0) throw new EOFException("the answer ends in its head: " + head);
      head.append((char) c);
    }
    String text = head.toString().toLowerCase(Locale.ROOT);
    if (!text.matches("(?s)http/1\\.1 \\d{3} .*")) throw new IOException("no answer: " + head);
    int status = Integer.parseInt(text.substring(9, 12));
    if (status < 200 || status == 204 || status == 304) return new Answer(status, text, "");
    int at = text.indexOf("\r\ncontent-length:");
    if (at >= 0) {
      String length = text.substring(at + 17, text.indexOf('\r', at + 2)).trim();
      return new Answer(status, text, new String(in.readNBytes(Integer.parseInt(length)), UTF_8));
    }
    if (text.contains("\r\ntransfer-encoding: chunked"))
      return new Answer(status, text, new String(chunks(in), UTF_8));
    throw new IOException("an answer of no length: " + head);
  }

  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    while (true) {
      int size = Integer.parseInt(line(in), 16);
      all.write(in.readNBytes(size));
      if (!line(in).isEmpty()) throw new IOException("a chunk is longer than it says");
      if (size == 0) return all.toByteArray();
    }
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) throw new EOFException("the answer ends in a chunk");
      if (c != '\r') line.write(c);
    }
    return line.toString(ISO_8859_1);
  }
}
