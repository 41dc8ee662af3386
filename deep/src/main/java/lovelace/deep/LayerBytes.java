package lovelace.deep;

import ai.djl.nn.Block;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Locale;

/// Checks the parameters of layers in the form that DJL writes. DJL allocates memory for a length
/// before it reads. Here every length is first compared with the bytes that are left.
///
/// ```
/// layer       version byte, then
///   sequence  (3) shapes, 1 byte, its layers
///   linear    (4) 2 int64, shape, its parameters
///   other     (2) shapes
/// shapes      int32 n, n × shape
/// shape       int32 n, n × int64, int32 n, n × char
/// parameter   char P, byte 1, name, NDAR, int32 3, byte 0 or 1 and a name, format, FLOAT32, shape,
///             byte order, int32 n, n bytes; names as modified UTF-8
/// ```
final class LayerBytes {

  private LayerBytes() {}

  /// Throws unless the stream continues with the parameters of the block. Then returns to the same
  /// position, which the stream must support.
  static void check(Block block, DataInputStream in) throws IOException {
    in.mark(0);
    walk(block, in);
    in.reset();
  }

  private static void walk(Block block, DataInputStream in) throws IOException {
    switch (block) {
      case SequentialBlock sequence -> {
        require(in.readByte() == 3, "a sequence of an unknown version");
        shapes(in);
        require(!in.readBoolean(), "a sequence with more than one result");
        for (Block child : sequence.getChildren().values()) walk(child, in);
      }
      case Linear linear -> {
        require(in.readByte() == 4, "a linear layer of an unknown version");
        skip(in, 16);
        shape(in);
        for (int i = 0; i < linear.getDirectParameters().size(); i++) parameter(in);
      }
      default -> {
        require(in.readByte() == 2, "a layer of an unknown version");
        shapes(in);
      }
    }
  }

  private static void shapes(DataInputStream in) throws IOException {
    int count = in.readInt();
    require(count >= 0 && count <= in.available() / 8, count + " shapes");
    for (int i = 0; i < count; i++) shape(in);
  }

  /// The number of values of a shape; 0 for an unknown one.
  private static long shape(DataInputStream in) throws IOException {
    int axes = in.readInt();
    require(axes >= 0 && axes <= in.available() / 8, "a shape of " + axes + " axes");
    long size = 1;
    for (int i = 0; i < axes; i++) {
      long length = Math.max(0, in.readLong());
      require(
          Math.multiplyHigh(size, length) == 0 && size * length >= 0, "a shape that is too large");
      size *= length;
    }
    int letters = in.readInt();
    require(letters == axes, "a shape of " + axes + " axes and " + letters + " letters");
    skip(in, 2L * letters);
    return size;
  }

  private static void parameter(DataInputStream in) throws IOException {
    require(in.readChar() == 'P' && in.readByte() == 1, "a parameter without values");
    in.readUTF();
    require(in.readUTF().equals("NDAR") && in.readInt() == 3, "a parameter that is not an array");
    if (in.readByte() == 1) in.readUTF();
    in.readUTF();
    String type = in.readUTF();
    require(type.equals("FLOAT32"), "a parameter of type " + type);
    long size = shape(in);
    in.readByte();
    int bytes = in.readInt();
    require(
        size > 0 && size <= bytes / 4 && bytes == 4 * size,
        String.format(Locale.ROOT, "%d values in %d bytes", size, bytes));
    skip(in, bytes);
  }

  private static void skip(DataInputStream in, long bytes) throws IOException {
    require(bytes <= in.available(), String.format(Locale.ROOT, "%,d bytes after its end", bytes));
    in.skipNBytes(bytes);
  }

  private static void require(boolean right, String what) {
    if (!right)
      throw new IllegalArgumentException(
          "its network is damaged or from another version: it has " + what);
  }
}
