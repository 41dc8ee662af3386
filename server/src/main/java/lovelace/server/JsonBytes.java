package lovelace.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Locale;

/// Writes JSON as bytes, from left to right. The caller writes commas and brackets.
final class JsonBytes {

  /// The length of the longest possible array.
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);

  private byte[] bytes;
  private int size = 0;

  JsonBytes(int room) {
    bytes = new byte[room];
  }

  int size() {
    return size;
  }

  /// The bytes written, followed by `more` zeros.
  byte[] toArray(long more) {
    return Arrays.copyOf(bytes, length(more));
  }

  private void ensure(long more) {
    if (bytes.length - size < more)
      bytes =
          Arrays.copyOf(bytes, (int) Math.min(LONGEST, 2L * bytes.length + length(more) - size));
  }

  /// The number of bytes plus `more`. Refused if no array is that long.
  private int length(long more) {
    if (size + more > LONGEST)
      throw new Refusal(
          413,
          String.format(
              Locale.ROOT,
              "the answer takes more than %,d bytes; ask for fewer rows, draws or outputs",
              LONGEST));
    return (int) (size + more);
  }

  /// Writes ASCII characters as they are.
  JsonBytes raw(String text) {
    int length = text.length();
    ensure(length);
    for (int i = 0; i < length; i++) bytes[size + i] = (byte) text.charAt(i);
    size += length;
    return this;
  }

  JsonBytes raw(char c) {
    ensure(1);
    bytes[size++] = (byte) c;
    return this;
  }

  /// Writes a text in quotation marks.
  JsonBytes text(String text) {
    byte[] utf = text.getBytes(UTF_8);
    ensure(6L * utf.length + 2);
    bytes[size++] = '"';
    for (byte b : utf) {
      if (b == '"' || b == '\\') {
        bytes[size++] = '\\';
        bytes[size++] = b;
      } else if (b >= 0 && b < ' ') {
        raw("\\u00");
        bytes[size++] = HEX[b >> 4];
        bytes[size++] = HEX[b & 15];
      } else {
        bytes[size++] = b;
      }
    }
    bytes[size++] = '"';
    return this;
  }

  JsonBytes number(long value) {
    return raw(Long.toString(value));
  }

  /// Writes a number that reads back as the same double. If JSON has no form for it, it becomes a
  /// text.
  JsonBytes number(double value) {
    String text = Double.toString(value);
    return Double.isFinite(value) ? raw(text) : raw('"').raw(text).raw('"');
  }
}
