package lovelace.onnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A protobuf message. Its fields are written in the order they were added. Long arrays of numbers
/// are written directly from their source, so a message of gigabytes needs no copy.
final class Message {

  /// Bytes that are made only when they are written.
  interface Body {

    /// Their number.
    long size();

    void write(OutputStream out) throws IOException;
  }

  private final List<Body> parts = new ArrayList<>();

  /// Adds a whole number.
  Message number(int field, long value) {
    parts.add(varint((long) field << 3));
    parts.add(varint(value));
    return this;
  }

  /// Adds a number of 32 bits.
  Message real(int field, float value) {
    parts.add(varint(((long) field << 3) | 5));
    parts.add(of(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(value).array()));
    return this;
  }

  /// Adds a text.
  Message text(int field, String value) {
    return bytes(field, of(value.getBytes(UTF_8)));
  }

  /// Adds bytes.
  Message bytes(int field, Body body) {
    parts.add(varint(((long) field << 3) | 2));
    parts.add(varint(body.size()));
    parts.add(body);
    return this;
  }

  /// Adds a message, which must be complete.
  Message message(int field, Message value) {
    long size = value.size();
    return bytes(
        field,
        new Body() {
          @Override
          public long size() {
            return size;
          }

          @Override
          public void write(OutputStream out) throws IOException {
            value.write(out);
          }
        });
  }

  /// The length in bytes.
  long size() {
    return parts.stream().mapToLong(Body::size).sum();
  }

  void write(OutputStream out) throws IOException {
    for (Body part : parts) part.write(out);
  }

  private static Body of(byte[] bytes) {
    return new Body() {
      @Override
      public long size() {
        return bytes.length;
      }

      @Override
      public void write(OutputStream out) throws IOException {
        out.write(bytes);
      }
    };
  }

  private static Body varint(long value) {
    byte[] out = new byte[10];
    int n = 0;
    long rest = value;
    do {
      int low = (int) (rest & 127);
      rest >>>= 7;
      out[n++] = (byte) (rest == 0 ? low : low | 128);
    } while (rest != 0);
    return of(Arrays.copyOf(out, n));
  }
}
