package lovelace.onnx;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongUnaryOperator;

/// A constant of a graph: numbers by their position, which are computed when the file is written.
/// Immutable.
final class Tensor implements Message.Body {

  /// The number at a position, counted row-major.
  @FunctionalInterface
  interface Numbers {
    double at(long place);
  }

  private static final int PIECE = 1 << 13;

  private final Type type;
  private final long[] shape;
  private final Numbers numbers;
  private final LongUnaryOperator wholes;

  private Tensor(Type type, long[] shape, Numbers numbers, LongUnaryOperator wholes) {
    this.type = type;
    this.shape = shape.clone();
    this.numbers = numbers;
    this.wholes = wholes;
  }

  /// Numbers of a numeric type.
  static Tensor of(Type type, Numbers numbers, long... shape) {
    return new Tensor(type, shape, numbers, place -> (long) numbers.at(place));
  }

  /// Whole numbers.
  static Tensor wholes(LongUnaryOperator wholes, long... shape) {
    return new Tensor(Type.INT64, shape, place -> wholes.applyAsLong(place), wholes);
  }

  Type type() {
    return type;
  }

  long[] shape() {
    return shape.clone();
  }

  /// The count of numbers.
  long count() {
    long count = 1;
    for (long n : shape) count *= n;
    return count;
  }

  /// The number at a position, rounded to the type.
  double at(long place) {
    double value = numbers.at(place);
    return type == Type.FLOAT ? (float) value : value;
  }

  @Override
  public long size() {
    return count() * type.bytes();
  }

  @Override
  public void write(OutputStream out) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(8 * PIECE).order(ByteOrder.LITTLE_ENDIAN);
    long count = count();
    for (long from = 0; from < count; from += PIECE) {
      buffer.clear();
      for (long i = from; i < Math.min(count, from + PIECE); i++)
        switch (type) {
          case DOUBLE -> buffer.putDouble(numbers.at(i));
          case FLOAT -> buffer.putFloat((float) numbers.at(i));
          case INT64 -> buffer.putLong(wholes.applyAsLong(i));
          case BOOL, STRING -> throw new IllegalStateException("no constants of " + type);
        }
      out.write(buffer.array(), 0, buffer.position());
    }
  }

  /// The message of a constant with this name.
  Message message(String name) {
    Message all = new Message();
    for (long n : shape) all.number(1, n);
    return all.number(2, type.code()).text(8, name).bytes(9, this);
  }
}
