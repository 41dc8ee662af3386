package lovelace.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// One input of an inference request: numbers from nested or flat JSON, or from bytes after the
/// JSON.
final class Tensor {

  /// The numeric element types, with their width in bytes.
  enum Type {
    FP64(8),
    FP32(4),
    FP16(2),
    INT64(8),
    INT32(4),
    INT16(2),
    INT8(1),
    UINT64(8),
    UINT32(4),
    UINT16(2),
    UINT8(1);

    final int bytes;

    Type(int bytes) {
      this.bytes = bytes;
    }

    boolean whole() {
      return !name().startsWith("FP");
    }

    private double low() {
      return switch (this) {
        case INT64 -> -0x1p63;
        case INT32 -> Integer.MIN_VALUE;
        case INT16 -> Short.MIN_VALUE;
        case INT8 -> Byte.MIN_VALUE;
        default -> 0;
      };
    }

    private double high() {
      return whole() ? Math.scalb(1.0, 8 * bytes - (name().startsWith("U") ? 0 : 1)) - 1 : 0;
    }

    static Type of(String name, String tensor) {
      for (Type type : values()) if (type.name().equals(name)) return type;
      throw Refusal.wrong(
          "input '%s' has datatype '%s'; it must be FP64, FP32, FP16, INT8 to INT64, UINT8 to"
              + " UINT64, or BYTES for dates and words",
          tensor, name);
    }
  }

  static final List<String> FIELDS = List.of("name", "shape", "datatype", "data", "parameters");

  String name = "";
  @Nullable String datatype;
  long @Nullable [] shape;
  long binary = -1; // bytes after the JSON, or -1 if the data is in it
  private final Elements elements = new Elements();
  private boolean data = false;

  /// The number of elements.
  int size() {
    return elements.size();
  }

  /// The elements in row-major order; the array may be longer.
  double[] values() {
    return elements.values();
  }

  /// Reads `data`. The parser is at its first token.
  void read(JsonInput in) throws IOException {
    if (in.json.currentToken() != JsonToken.START_ARRAY)
      throw Refusal.wrong("'data' of input '%s' must be an array", name);
    data = true;
    elements.read(in, name);
  }

  /// Whether any element is null.
  boolean hasAbsent() {
    return elements.hasAbsent();
  }

  /// Whether an element is null, which means that its value is missing.
  boolean isAbsent(int element) {
    return elements.isAbsent(element);
  }

  /// The elements of datatype BYTES: dates or words in the usual notation. Empty for numbers.
  List<String> texts() {
    return elements.texts();
  }

  private int firstPresent() {
    int first = 0;
    while (first < texts().size() - 1 && isAbsent(first)) first++;
    return first;
  }

  /// Completes the tensor with its bytes, which start at `at` in the body. Returns their end.
  int complete(byte[] body, int at, Room room) {
    if (name.isEmpty()) throw Refusal.wrong("an input has no 'name'");
    if (datatype == null) throw Refusal.wrong("input '%s' has no 'datatype'", name);
    long[] shape = this.shape;
    if (shape == null) throw Refusal.wrong("input '%s' has no 'shape'", name);
    double count = 1;
    for (long length : shape) count *= length;
    elements.complete(datatype.equals("BYTES"), room);
    if (datatype.equals("BYTES")) {
      int next = binary >= 0 && !data ? texts(body, at, room) : at;
      requireTexts(shape, count);
      return next;
    }
    Type type = Type.of(datatype, name);
    if (!texts().isEmpty())
      throw Refusal.wrong(
          "'data' of input '%s' holds '%s'; datatype %s must hold numbers",
          name, texts().get(hasAbsent() ? firstPresent() : 0), type);
    if (count > Integer.MAX_VALUE)
      throw Refusal.wrong("input '%s' has shape %s, too many elements", name, text(shape));
    if (binary >= 0) {
      if (data)
        throw Refusal.wrong("input '%s' has both 'data' and 'binary_data_size'; give one", name);
      if (binary != count * type.bytes)
        throw Refusal.wrong(
            "input '%s' of shape %s and datatype %s takes %,d bytes, binary_data_size is %,d",
            name, text(shape), type, (long) (count * type.bytes), binary);
      if (binary > body.length - at)
        throw Refusal.wrong(
            "the body ends before the %,d bytes of input '%s' are complete", binary, name);
      read(type, ByteBuffer.wrap(body, at, (int) binary).order(ByteOrder.LITTLE_ENDIAN), room);
      at += (int) binary;
    } else {
      if (!data) throw Refusal.wrong("input '%s' has no 'data'", name);
      requireShape(shape, (long) count);
    }
    check(type);
    return at;
  }

  /// Reads texts from bytes. The length of each precedes it, in four bytes.
  private int texts(byte[] body, int at, Room room) {
    if (binary > body.length - at)
      throw Refusal.wrong(
          "the body ends before the %,d bytes of input '%s' are complete", binary, name);
    ByteBuffer in = ByteBuffer.wrap(body, at, (int) binary).order(ByteOrder.LITTLE_ENDIAN);
    while (in.hasRemaining()) {
      int length = in.remaining() < 4 ? -1 : in.getInt();
      if (length < 0 || length > in.remaining())
        throw Refusal.wrong(
            "the bytes of input '%s' end inside text %,d; write the length of each text, 4 bytes, before it",
            name, texts().size());
      room.requireElement(name, texts().size());
      room.take(Elements.TEXT + 2L * length);
      elements.add(new String(body, in.position(), length, UTF_8));
      in.position(in.position() + length);
    }
    return in.position();
  }

  private void requireTexts(long[] shape, double count) {
    boolean once = data != binary >= 0;
    if (!once || size() > 0 || elements.depth() > 1 || count != texts().size())
      throw Refusal.wrong(
          "input '%s' of datatype BYTES and shape %s must hold one text for each element of its"
              + " shape; send a flat array in 'data', or the bytes",
          name, text(shape));
  }

  private void requireShape(long[] shape, long count) {
    boolean same = size() == count;
    int depth = elements.depth();
    int[] lengths = elements.lengths();
    if (depth > 1) {
      same &= depth == shape.length;
      for (int k = 0; same && k < depth; k++) same = lengths[k] == shape[k];
    }
    if (!same)
      throw Refusal.wrong(
          "input '%s' has shape %s, but its data have %s; make them agree",
          name,
          text(shape),
          depth > 1
              ? "shape " + Arrays.toString(Arrays.copyOf(lengths, depth))
              : size() + " elements");
  }

  private void read(Type type, ByteBuffer in, Room room) {
    int size = in.remaining() / type.bytes;
    room.requireElement(name, size - 1L);
    double[] values = elements.make(size, room);
    switch (type) {
      case FP64 -> in.asDoubleBuffer().get(values);
      case FP32 -> {
        for (int i = 0; i < size; i++) values[i] = in.getFloat();
      }
      case FP16 -> {
        for (int i = 0; i < size; i++) values[i] = Float.float16ToFloat(in.getShort());
      }
      case INT64 -> {
        for (int i = 0; i < size; i++) values[i] = in.getLong();
      }
      case UINT64 -> {
        for (int i = 0; i < size; i++) values[i] = unsigned(in.getLong());
      }
      case INT32 -> {
        for (int i = 0; i < size; i++) values[i] = in.getInt();
      }
      case UINT32 -> {
        for (int i = 0; i < size; i++) values[i] = Integer.toUnsignedLong(in.getInt());
      }
      case INT16 -> {
        for (int i = 0; i < size; i++) values[i] = in.getShort();
      }
      case UINT16 -> {
        for (int i = 0; i < size; i++) values[i] = Short.toUnsignedInt(in.getShort());
      }
      case INT8 -> {
        for (int i = 0; i < size; i++) values[i] = in.get();
      }
      case UINT8 -> {
        for (int i = 0; i < size; i++) values[i] = Byte.toUnsignedInt(in.get());
      }
    }
  }

  private static double unsigned(long bits) {
    double half = (double) (bits >>> 1);
    return bits >= 0 ? (double) bits : 2 * half;
  }

  /// Checks that every element is finite and of its type.
  private void check(Type type) {
    double[] values = values();
    for (int i = 0; i < size(); i++) {
      double value = values[i];
      if (!Double.isFinite(value))
        throw Refusal.wrong(
            "input '%s' holds %s at element %,d; it must be finite", name, value, i);
      if (binary >= 0 || type == Type.FP64) continue;
      if (!type.whole()) {
        values[i] = type == Type.FP32 ? (float) value : half(value);
        if (!Double.isFinite(values[i]))
          throw Refusal.wrong(
              "input '%s' holds %s at element %,d, beyond %s", name, value, i, type);
      } else if (value != Math.rint(value) || value < type.low() || value > type.high()) {
        throw Refusal.wrong(
            "input '%s' holds %s at element %,d, which is not %s", name, value, i, type);
      }
    }
  }

  private static double half(double value) {
    return Float.float16ToFloat(Float.floatToFloat16((float) value));
  }

  static String text(long[] shape) {
    return Arrays.toString(shape).toLowerCase(Locale.ROOT);
  }
}
