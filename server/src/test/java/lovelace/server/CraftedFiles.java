package lovelace.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/// Model files with numbers that no fit writes, under checksums that are right.
final class CraftedFiles {

  private static final double[] ABSURD = {
    Double.NaN, Double.POSITIVE_INFINITY, -1e308, 1e308, -1, 0, 1e-320, 1e150, -1e150, 1e16, -1e16
  };

  private static final int PREAMBLE = 32;
  private static final int ENTRY = 40;

  private CraftedFiles() {}

  /// Some numbers of one section changed, or bytes of its text, under a right checksum.
  static byte[] of(SplittableRandom random, byte[] model) {
    byte[] bytes = model.clone();
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int sections = file.getInt(12);
    int entry = PREAMBLE + ENTRY * random.nextInt(sections);
    int start = (int) file.getLong(entry + 16);
    int length = (int) file.getLong(entry + 24);
    String name = new String(bytes, entry, 16, US_ASCII).trim();
    if (length > 0) change(random, file, name, start, length);
    for (int k = 0; k < sections; k++) sign(bytes, file, k, sections);
    CRC32C head = new CRC32C();
    head.update(bytes, 0, 24);
    int first = (int) file.getLong(PREAMBLE + 16);
    head.update(bytes, 32, first - 32);
    file.putLong(24, head.getValue());
    return bytes;
  }

  private static void change(
      SplittableRandom random, ByteBuffer file, String name, int start, int length) {
    if (List.of("about", "map").contains(name)) {
      int at = start + random.nextInt(length);
      byte[] signs = "0123456789-.eE\t\nNa".getBytes(US_ASCII);
      for (int k = random.nextInt(4); k >= 0; k--)
        file.put(
            Math.min(start + length - 1, at + random.nextInt(8)),
            signs[random.nextInt(signs.length)]);
      return;
    }
    int count = length / 8;
    boolean all = random.nextInt(4) == 0;
    double value = ABSURD[random.nextInt(ABSURD.length)];
    for (int k = 0; k < count; k++)
      if (all || random.nextInt(count) < 3) file.putDouble(start + 8 * k, value);
  }

  private static void sign(byte[] bytes, ByteBuffer file, int section, int sections) {
    int entry = PREAMBLE + ENTRY * section;
    int start = (int) file.getLong(entry + 16);
    int end = section + 1 < sections ? (int) file.getLong(entry + ENTRY + 16) : bytes.length;
    CRC32C sum = new CRC32C();
    sum.update(Arrays.copyOfRange(bytes, start, end));
    file.putLong(entry + 32, sum.getValue());
  }
}
