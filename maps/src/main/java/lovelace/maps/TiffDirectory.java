package lovelace.maps;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One directory of a TIFF or BigTIFF file: the values of each tag.
///
/// ```
///              TIFF                          BigTIFF
/// header       II 42, 4 bytes offset         II 43, 8, 0, 8 bytes offset
/// directory    2 bytes count                 8 bytes count
///              count × (tag 2, type 2,       count × (tag 2, type 2,
///                count 4, value 4)             count 8, value 8)
///              4 bytes next directory        8 bytes next directory
/// ```
///
/// A value that is too long for its field is stored elsewhere, and the field holds its offset.
final class TiffDirectory {

  static final int SUBFILE = 254;
  static final int WIDTH = 256;
  static final int HEIGHT = 257;
  static final int BITS = 258;
  static final int COMPRESSION = 259;
  static final int PHOTOMETRIC = 262;
  static final int STRIP_OFFSETS = 273;
  static final int SAMPLES = 277;
  static final int STRIP_ROWS = 278;
  static final int STRIP_SIZES = 279;
  static final int PLANAR = 284;
  static final int SOFTWARE = 305;
  static final int PREDICTOR = 317;
  static final int TILE_WIDTH = 322;
  static final int TILE_HEIGHT = 323;
  static final int TILE_OFFSETS = 324;
  static final int TILE_SIZES = 325;
  static final int EXTRA_SAMPLES = 338;
  static final int SAMPLE_FORMAT = 339;
  static final int PIXEL_SCALE = 33550;
  static final int TIE_POINT = 33922;
  static final int TRANSFORMATION = 34264;
  static final int GEO_KEYS = 34735;
  static final int GEO_DOUBLES = 34736;
  static final int GEO_TEXT = 34737;
  static final int GDAL_METADATA = 42112;
  static final int GDAL_NODATA = 42113;

  static final int HEADER = 16; // bytes, of a BigTIFF; those of a TIFF are 8

  private static final int ASCII = 2;
  private static final int SHORT = 3;
  private static final int LONG = 4;
  private static final int DOUBLE = 12;
  private static final int LONG8 = 16;
  private static final int[] SIZES = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
  private static final int MOST_BYTES = 1 << 28; // of one value

  private record Value(int type, ByteBuffer bytes) {
    int count() {
      return bytes.limit() / SIZES[type];
    }
  }

  private final Map<Integer, Value> values = new TreeMap<>();
  private ByteOrder order = ByteOrder.LITTLE_ENDIAN;

  /// The order of bytes in the file that was read.
  ByteOrder order() {
    return order;
  }

  TiffDirectory shorts(int tag, int... numbers) {
    ByteBuffer bytes = buffer(2 * numbers.length);
    for (int number : numbers) bytes.putShort((short) number);
    return put(tag, SHORT, bytes);
  }

  TiffDirectory longs(int tag, long... numbers) {
    ByteBuffer bytes = buffer(4 * numbers.length);
    for (long number : numbers) bytes.putInt((int) number);
    return put(tag, LONG, bytes);
  }

  /// Adds offsets in the file, which have 8 bytes in a BigTIFF.
  TiffDirectory offsets(int tag, boolean big, long... numbers) {
    if (!big) return longs(tag, numbers);
    ByteBuffer bytes = buffer(8 * numbers.length);
    for (long number : numbers) bytes.putLong(number);
    return put(tag, LONG8, bytes);
  }

  TiffDirectory doubles(int tag, double... numbers) {
    ByteBuffer bytes = buffer(8 * numbers.length);
    for (double number : numbers) bytes.putDouble(number);
    return put(tag, DOUBLE, bytes);
  }

  TiffDirectory text(int tag, String text) {
    return put(tag, ASCII, ByteBuffer.wrap((text + "\0").getBytes(UTF_8)));
  }

  /// Copies a tag from another directory if it is there.
  void copy(int tag, TiffDirectory from) {
    Value value = from.values.get(tag);
    if (value == null) return;
    switch (value.type) {
      case SHORT -> {
        long[] numbers = from.numbers(tag);
        int[] shorts = new int[numbers.length];
        for (int i = 0; i < shorts.length; i++) shorts[i] = (int) numbers[i];
        shorts(tag, shorts);
      }
      case DOUBLE -> doubles(tag, from.reals(tag));
      case ASCII -> put(tag, ASCII, value.bytes.duplicate());
      default -> throw new IllegalStateException("type " + value.type);
    }
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private TiffDirectory put(int tag, int type, ByteBuffer bytes) {
    values.put(tag, new Value(type, bytes.rewind()));
    return this;
  }

  boolean has(int tag) {
    return values.containsKey(tag);
  }

  /// The only or first number of a tag.
  long number(int tag, long otherwise) {
    long[] numbers = numbers(tag);
    return numbers.length == 0 ? otherwise : numbers[0];
  }

  /// The whole numbers of a tag; empty if it is missing.
  long[] numbers(int tag) {
    Value value = values.get(tag);
    if (value == null) return new long[0];
    long[] numbers = new long[value.count()];
    ByteBuffer b = value.bytes;
    for (int i = 0; i < numbers.length; i++)
      numbers[i] =
          switch (value.type) {
            case 1, 7 -> b.get(i) & 0xffL;
            case 6 -> b.get(i);
            case SHORT -> b.getShort(2 * i) & 0xffffL;
            case 8 -> b.getShort(2 * i);
            case LONG, 13 -> b.getInt(4 * i) & 0xffff_ffffL;
            case 9 -> b.getInt(4 * i);
            case LONG8, 17, 18 -> b.getLong(8 * i);
            default ->
                throw new IllegalArgumentException(
                    "tag %s must hold whole numbers; the file is damaged, fetch it again"
                        .formatted(tag));
          };
    return numbers;
  }

  /// The real numbers of a tag; empty if it is missing.
  double[] reals(int tag) {
    Value value = values.get(tag);
    if (value == null) return new double[0];
    double[] numbers = new double[value.count()];
    for (int i = 0; i < numbers.length; i++)
      numbers[i] =
          switch (value.type) {
            case 11 -> value.bytes.getFloat(4 * i);
            case DOUBLE -> value.bytes.getDouble(8 * i);
            default ->
                throw new IllegalArgumentException(
                    "tag %s must hold real numbers; the file is damaged, fetch it again"
                        .formatted(tag));
          };
    return numbers;
  }

  /// The text of a tag; null if it is missing.
  @Nullable String text(int tag) {
    Value value = values.get(tag);
    if (value == null) return null;
    String text = UTF_8.decode(value.bytes.duplicate()).toString();
    int end = text.indexOf('\0');
    return end < 0 ? text : text.substring(0, end);
  }

  /// The header of a file whose first directory begins at `first`.
  static byte[] header(long first, boolean big) {
    byte[] bytes = new byte[HEADER];
    ByteBuffer b =
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).put((byte) 'I').put((byte) 'I');
    if (big) b.putShort((short) 43).putShort((short) 8).putShort((short) 0).putLong(first);
    else b.putShort((short) 42).putInt((int) first);
    return bytes;
  }

  /// The bytes of this directory and its values.
  ///
  /// @param at their position in the file, an even offset
  /// @param last whether no directory follows; otherwise the next one follows immediately
  byte[] encode(long at, boolean big, boolean last) {
    int place = big ? 8 : 4;
    int entry = big ? 20 : 12;
    int head = (big ? 8 : 2) + values.size() * entry + place;
    int size = head;
    for (Value value : values.values())
      if (value.bytes.limit() > place) size += (value.bytes.limit() + 7) / 8 * 8;
    size = (size + 7) / 8 * 8;
    byte[] bytes = new byte[size];
    ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (big) b.putLong(values.size());
    else b.putShort((short) values.size());
    int elsewhere = head;
    for (var tagged : values.entrySet()) {
      Value value = tagged.getValue();
      b.putShort(tagged.getKey().shortValue()).putShort((short) value.type);
      if (big) b.putLong(value.count());
      else b.putInt(value.count());
      int here = b.position();
      if (value.bytes.limit() <= place) b.put(value.bytes.duplicate());
      else {
        if (big) b.putLong(at + elsewhere);
        else b.putInt((int) (at + elsewhere));
        b.put(elsewhere, value.bytes, 0, value.bytes.limit());
        elsewhere += (value.bytes.limit() + 7) / 8 * 8;
      }
      b.position(here + place);
    }
    long next = last ? 0 : at + size;
    if (big) b.putLong(next);
    else b.putInt((int) next);
    return bytes;
  }

  /// The first directory of a file.
  ///
  /// @throws IllegalArgumentException if the file is not a TIFF or ends too early
  static TiffDirectory read(FileChannel channel) throws IOException {
    ByteBuffer header = bytes(channel, 0, 8, ByteOrder.LITTLE_ENDIAN);
    short mark = header.getShort();
    var directory = new TiffDirectory();
    if (mark == 0x4d4d) directory.order = ByteOrder.BIG_ENDIAN;
    header.order(directory.order);
    int version = header.getShort();
    if ((mark != 0x4949 && mark != 0x4d4d) || (version != 42 && version != 43))
      throw new IllegalArgumentException(
          "it is not a TIFF; give a GeoTIFF, or an ESRI ASCII grid whose name ends in .asc");
    boolean big = version == 43;
    long at =
        big ? bytes(channel, 8, 8, directory.order).getLong() : header.getInt() & 0xffff_ffffL;
    int countSize = big ? 8 : 2;
    ByteBuffer head = bytes(channel, at, countSize, directory.order);
    long count = big ? head.getLong() : head.getShort() & 0xffffL;
    if (count < 1 || count > 65_535)
      throw new IllegalArgumentException(
          "its directory has %s entries, not 1 to 65,535; the file is damaged, fetch it again"
              .formatted(count));
    int entry = big ? 20 : 12;
    ByteBuffer b = bytes(channel, at + countSize, count * entry, directory.order);
    for (int i = 0; i < count; i++) directory.readEntry(channel, b.slice(i * entry, entry), big);
    return directory;
  }

  private void readEntry(FileChannel channel, ByteBuffer b, boolean big) throws IOException {
    b.order(order);
    int tag = b.getShort() & 0xffff;
    int type = b.getShort() & 0xffff;
    long count = big ? b.getLong() : b.getInt() & 0xffff_ffffL;
    if (type >= SIZES.length || SIZES[type] == 0) return; // a type that TIFF does not have
    if (count < 0 || count > MOST_BYTES / SIZES[type])
      throw new IllegalArgumentException(
          "tag %s has %s values, not 0 to %s; the file is damaged, fetch it again"
              .formatted(tag, count, MOST_BYTES / SIZES[type]));
    int size = (int) count * SIZES[type];
    int place = big ? 8 : 4;
    ByteBuffer value =
        size <= place
            ? b.slice(b.position(), size).order(order)
            : bytes(channel, big ? b.getLong() : b.getInt() & 0xffff_ffffL, size, order);
    values.put(tag, new Value(type, value));
  }

  /// Reads `size` bytes from `at` on.
  static ByteBuffer bytes(FileChannel channel, long at, long size, ByteOrder order)
      throws IOException {
    if (at < 0 || size < 0 || size > MOST_BYTES || at > channel.size() - size)
      throw new IllegalArgumentException(
          "it is cut short: %s bytes from byte %s on are missing from its %s bytes; fetch it again"
              .formatted(size, at, channel.size()));
    ByteBuffer b = ByteBuffer.allocate((int) size).order(order);
    while (b.hasRemaining())
      if (channel.read(b, at + b.position()) < 0)
        throw new IllegalArgumentException("it is cut short at byte %s".formatted(at));
    return b.flip();
  }
}
