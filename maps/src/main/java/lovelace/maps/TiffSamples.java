package lovelace.maps;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// The packing of the numbers in a TIFF's blocks.
///
/// @param bits of a number
/// @param format 1 for numbers ≥ 0, 2 for whole numbers, 3 for real ones
/// @param width pixels of a row of a block
/// @param height rows of a block
/// @param each numbers of a pixel
record TiffSamples(
    int bits,
    int format,
    int compression,
    int predictor,
    ByteOrder order,
    int width,
    int height,
    int each) {

  private static final int NONE = 1;
  private static final int LZW = 5;
  private static final int DEFLATE = 8;
  private static final int OLD_DEFLATE = 32_946;
  private static final int PACK_BITS = 32_773;
  private static final int CLEAR = 256;
  private static final int END = 257;

  static TiffSamples of(TiffDirectory directory, int width, int height, int each) {
    int bits = (int) directory.number(TiffDirectory.BITS, 1);
    int format = (int) directory.number(TiffDirectory.SAMPLE_FORMAT, 1);
    int compression = (int) directory.number(TiffDirectory.COMPRESSION, NONE);
    int predictor = (int) directory.number(TiffDirectory.PREDICTOR, 1);
    for (long other : directory.numbers(TiffDirectory.BITS))
      if (other != bits)
        throw new IllegalArgumentException(
            "its bands have numbers of %s and %s bits; write them to files of their own (gdal_translate -b)"
                .formatted(bits, other));
    boolean known =
        format == 3
            ? bits == 16 || bits == 32 || bits == 64
            : (format == 1 || format == 2) && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
    if (!known)
      throw new IllegalArgumentException(
          "its numbers have %s bits and format %s; convert it to real numbers (gdal_translate -ot Float32)"
              .formatted(bits, format));
    switch (compression) {
      case NONE, LZW, DEFLATE, OLD_DEFLATE, PACK_BITS -> {}
      default ->
          throw new IllegalArgumentException(
              "it is compressed by method %s, which is not supported; compress it by deflate (gdal_translate -co COMPRESS=DEFLATE)"
                  .formatted(compression));
    }
    if (predictor < 1 || predictor > 3 || (predictor == 3 && format != 3))
      throw new IllegalArgumentException(
          "its predictor %s is not supported; write it without one (gdal_translate -co COMPRESS=DEFLATE)"
              .formatted(predictor));
    return new TiffSamples(
        bits, format, compression, predictor, directory.order(), width, height, each);
  }

  /// A number after it was stored in a block and read again.
  double rounded(double value) {
    return format == 3 && bits == 32 ? (float) value : value;
  }

  /// Writes one band of a packed block to `values`.
  ///
  /// @param rows of the block
  /// @param band the index of the number in a pixel
  void unpack(byte[] packed, int rows, int band, double[] values) {
    int size = bits / 8;
    byte[] bytes = inflated(packed, rows * width * each * size);
    ByteBuffer b = ByteBuffer.wrap(bytes).order(order);
    int perRow = width * each;
    for (int row = 0; row < rows; row++) {
      if (predictor == 2) sumRow(b, row * perRow * size, perRow);
      else if (predictor == 3) b = sumPlanes(bytes, b, row * perRow * size, perRow);
    }
    if (predictor == 3) b.order(ByteOrder.BIG_ENDIAN);
    for (int i = 0; i < rows * width; i++) values[i] = number(b, (i * each + band) * size);
  }

  private double number(ByteBuffer b, int at) {
    return switch (format * 100 + bits) {
      case 108 -> b.get(at) & 0xff;
      case 116 -> b.getShort(at) & 0xffff;
      case 132 -> b.getInt(at) & 0xffff_ffffL;
      case 164 -> {
        long value = b.getLong(at);
        yield value >= 0 ? value : (value >>> 1) * 2.0;
      }
      case 208 -> b.get(at);
      case 216 -> b.getShort(at);
      case 232 -> b.getInt(at);
      case 264 -> b.getLong(at);
      case 316 -> Float.float16ToFloat(b.getShort(at));
      case 332 -> b.getFloat(at);
      default -> b.getDouble(at);
    };
  }

  /// Undoes predictor 2: each number is the difference from the previous one in its band.
  private void sumRow(ByteBuffer b, int at, int count) {
    int size = bits / 8;
    for (int i = each; i < count; i++) {
      int here = at + i * size;
      int before = here - each * size;
      switch (size) {
        case 1 -> b.put(here, (byte) (b.get(here) + b.get(before)));
        case 2 -> b.putShort(here, (short) (b.getShort(here) + b.getShort(before)));
        case 4 -> b.putInt(here, b.getInt(here) + b.getInt(before));
        default -> b.putLong(here, b.getLong(here) + b.getLong(before));
      }
    }
  }

  /// Undoes predictor 3: the bytes of a row are sorted by their significance, then differences of
  /// bytes are taken.
  private ByteBuffer sumPlanes(byte[] bytes, ByteBuffer b, int at, int count) {
    int size = bits / 8;
    for (int i = at + each; i < at + count * size; i++) bytes[i] += bytes[i - each];
    byte[] planes = Arrays.copyOfRange(bytes, at, at + count * size);
    for (int i = 0; i < count; i++)
      for (int k = 0; k < size; k++) bytes[at + i * size + k] = planes[k * count + i];
    return b;
  }

  private byte[] inflated(byte[] packed, int size) {
    byte[] bytes = new byte[size];
    int got =
        switch (compression) {
          case NONE -> {
            int n = Math.min(size, packed.length);
            System.arraycopy(packed, 0, bytes, 0, n);
            yield n;
          }
          case LZW -> lzw(packed, bytes);
          case PACK_BITS -> packBits(packed, bytes);
          default -> inflate(packed, bytes);
        };
    if (got < size)
      throw new IllegalArgumentException(
          "a block is cut short: %s of %s bytes are there; fetch the file again"
              .formatted(got, size));
    return bytes;
  }

  private static int inflate(byte[] packed, byte[] bytes) {
    try (var inflater = new Inflater()) {
      inflater.setInput(packed);
      int got = 0;
      while (got < bytes.length && !inflater.finished()) {
        int more = inflater.inflate(bytes, got, bytes.length - got);
        if (more == 0 && (inflater.needsInput() || inflater.needsDictionary())) break;
        got += more;
      }
      return got;
    } catch (DataFormatException e) {
      throw new IllegalArgumentException(
          "a block is damaged (%s); fetch the file again".formatted(e.getMessage()), e);
    }
  }

  private static int packBits(byte[] packed, byte[] bytes) {
    int at = 0;
    int got = 0;
    while (at < packed.length && got < bytes.length) {
      int n = packed[at++];
      if (n >= 0) {
        int take = Math.min(Math.min(n + 1, packed.length - at), bytes.length - got);
        System.arraycopy(packed, at, bytes, got, take);
        at += n + 1;
        got += take;
      } else if (n > -128 && at < packed.length) {
        int take = Math.min(1 - n, bytes.length - got);
        Arrays.fill(bytes, got, got + take, packed[at++]);
        got += take;
      }
    }
    return got;
  }

  /// Unpacks LZW (TIFF 6, section 13): codes of 9 to 12 bits, the highest bit first, which grow one
  /// code early. Entry `code` of the table is a part of the output so far.
  private static int lzw(byte[] packed, byte[] bytes) {
    int[] from = new int[4097];
    int[] length = new int[4097];
    int next = END + 1;
    int width = 9;
    int previous = -1;
    int got = 0;
    int at = 0;
    int held = 0; // bits that were read and not used yet
    int many = 0;
    while (got < bytes.length) {
      while (many < width && at < packed.length) {
        held = (held << 8) | (packed[at++] & 0xff);
        many += 8;
      }
      if (many < width) break;
      many -= width;
      int code = (held >>> many) & ((1 << width) - 1);
      if (code == END) break;
      if (code == CLEAR) {
        next = END + 1;
        width = 9;
        previous = -1;
        continue;
      }
      int start = got;
      if (previous >= 0 && next < 4096) { // the previous part and one byte of this one
        from[next] = start - (previous < CLEAR ? 1 : length[previous]);
        length[next] = previous < CLEAR ? 2 : length[previous] + 1;
        next++;
      }
      if (code < CLEAR) bytes[got++] = (byte) code;
      else if (code < next) {
        int n = Math.min(length[code], bytes.length - got);
        for (int i = 0; i < n; i++) bytes[got++] = bytes[from[code] + i];
      } else throw new IllegalArgumentException("a block is damaged; fetch the file again");
      previous = code;
      if (next >= (1 << width) - 1 && width < 12) width++;
    }
    return got;
  }
}
