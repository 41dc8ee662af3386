package lovelace.onnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A protobuf message that is written field by field, in the order they were added. Long arrays of
/// numbers are written straight from where they lie, so a message of gigabytes needs no copy.
final class Message {

  /// Bytes that are made only when they are written.
  interface Body {

    /// How many there are.
    long size();

    void write(OutputStream out) throws IOException;
  }

  private record Field(byte[] head, Body body) {}

  private final List<Field> fields = new ArrayList<>();

  /// Adds a whole number, of at least 0.
  Message number(int field, long value) {
    byte[] key = varint((long) field << 3);
    byte[] digits = varint(value);
    byte[] all = new byte[key.length + digits.length];
    System.arraycopy(key, 0, all, 0, key.length);
    System.arraycopy(digits, 0, all, key.length, digits.length);
    fields.add(new Field(all, of(new byte[0])));
    return this;
  }

  /// Adds a number of 32 bits.
  Message real(int field, float value) {
    byte[] key = varint(((long) field << 3) | 5);
    ByteBuffer bits = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(value);
    fields.add(new Field(key, of(bits.array())));
    return this;
  }

  /// Adds a text.
  Message text(int field, String value) {
    return bytes(field, of(value.getBytes(UTF_8)));
  }

  /// Adds bytes.
  Message bytes(int field, Body body) {
    byte[] key = varint(((long) field << 3) | 2);
    byte[] length = varint(body.size());
    byte[] head = new byte[key.length + length.length];
    System.arraycopy(key, 0, head, 0, key.length);
    System.arraycopy(length, 0, head, key.length, length.length);
    fields.add(new Field(head, body));
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
    long sum = 0;
    for (Field field : fields) sum += field.head.length + field.body.size();
    return sum;
  }

  void write(OutputStream out) throws IOException {
    for (Field field : fields) {
      out.write(field.head);
      field.body.write(out);
    }
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

  private static byte[] varint(long value) {
    byte[] out = new byte[10];
    int n = 0;
    long rest = value;
    do {
      int low = (int) (rest & 127);
      rest >>>= 7;
      out[n++] = (byte) (rest == 0 ? low : low | 128);
    } while (rest != 0);
    return Arrays.copyOf(out, n);
  }
}
