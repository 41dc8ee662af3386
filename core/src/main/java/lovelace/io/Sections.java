package lovelace.io;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The frame of a model file: named arrays with a checksum each; [ModelFile] describes it. Every
/// length is compared with that of the file before anything is allocated.
final class Sections {

  /// The newest format, for models whose mean has a drift.
  static final int VERSION = 3;

  /// The format of models whose observations are more than a function plus noise of one variance.
  static final int OBSERVED = 2;

  /// The format of all other models.
  static final int FIRST = 1;

  private static final byte[] MAGIC = "LOVELACE".getBytes(StandardCharsets.US_ASCII);
  private static final int PREAMBLE = 32;
  private static final int ENTRY = 40;
  private static final int NAME = 16;
  private static final int ALIGNMENT = 64;
  private static final int MOST = 64;
  private static final int BUFFER = 1 << 20;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path file;
  private final Map<String, MemorySegment> parts;

  private Sections(Path file, Map<String, MemorySegment> parts) {
    this.file = file;
    this.parts = parts;
  }

  // ---- reading ----

  /// Maps a file and checks all of it.
  static Sections open(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long length = channel.size();
      if (length < PREAMBLE) throw notOne(file);
      MemorySegment all = channel.map(FileChannel.MapMode.READ_ONLY, 0, length, Arena.ofAuto());
      return new Sections(file, check(file, all));
    }
  }

  private static ModelFormatException notOne(Path file) {
    return new ModelFormatException(file, "is not a Lovelace model; fit one and save it");
  }

  private static ModelFormatException damaged(Path file, String how) {
    return new ModelFormatException(
        file, "is damaged: " + how + "; copy the file again or fit the model again");
  }

  private static Map<String, MemorySegment> check(Path file, MemorySegment all) {
    for (int i = 0; i < MAGIC.length; i++)
      if (all.get(ValueLayout.JAVA_BYTE, i) != MAGIC[i]) throw notOne(file);
    int version = all.get(INT, 8);
    if (version < 1) throw damaged(file, "its format version is " + version);
    if (version > VERSION)
      throw new ModelFormatException(
          file,
          String.format(
              Locale.ROOT,
              "has format version %d, this program reads up to %d; use a newer Lovelace",
              version,
              VERSION));
    int count = all.get(INT, 12);
    long declared = all.get(LONG, 16);
    if (declared > all.byteSize())
      throw damaged(
          file,
          String.format(
              Locale.ROOT,
              "it ends after %,d of %,d bytes",
              all.byteSize(),
              Math.max(declared, 0)));
    if (declared != all.byteSize())
      throw damaged(
          file,
          String.format(
              Locale.ROOT, "it has %,d bytes, not %,d", all.byteSize(), Math.max(declared, 0)));
    if (count < 1 || count > MOST || PREAMBLE + (long) ENTRY * count > declared)
      throw damaged(file, "it names " + count + " sections");
    long table = PREAMBLE + (long) ENTRY * count;
    if (all.get(LONG, 24) != headChecksum(all, table))
      throw damaged(file, "the checksum of its head is wrong");
    Map<String, MemorySegment> parts = new LinkedHashMap<>();
    long at = aligned(table);
    for (int k = 0; k < count; k++) {
      long entry = PREAMBLE + (long) ENTRY * k;
      String name = name(all, entry);
      long offset = all.get(LONG, entry + NAME);
      long length = all.get(LONG, entry + NAME + 8);
      long checksum = all.get(LONG, entry + NAME + 16);
      if (offset != at || length < 0 || length > declared - at)
        throw damaged(file, "section '" + name + "' lies outside it");
      long end = aligned(at + length);
      if (end > declared) throw damaged(file, "section '" + name + "' lies outside it");
      if (checksum(all.asSlice(at, end - at)) != checksum)
        throw damaged(file, "the checksum of section '" + name + "' is wrong");
      if (parts.put(name, all.asSlice(at, length)) != null)
        throw damaged(file, "it has two sections '" + name + "'");
      at = end;
    }
    if (at != declared) throw damaged(file, "its sections end at byte " + at);
    return parts;
  }

  private static String name(MemorySegment all, long at) {
    byte[] bytes = all.asSlice(at, NAME).toArray(ValueLayout.JAVA_BYTE);
    return new String(bytes, StandardCharsets.US_ASCII).trim();
  }

  private static long aligned(long offset) {
    return Math.addExact(offset, ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /// The checksum of everything before the first section, except the checksum itself.
  private static long headChecksum(MemorySegment all, long table) {
    CRC32C crc = new CRC32C();
    crc.update(all.asSlice(0, 24).asByteBuffer());
    crc.update(
        all.asSlice(PREAMBLE, Math.min(aligned(table), all.byteSize()) - PREAMBLE).asByteBuffer());
    return crc.getValue();
  }

  private static long checksum(MemorySegment part) {
    CRC32C crc = new CRC32C();
    long piece = 1L << 30;
    for (long at = 0; at < part.byteSize(); at += piece)
      crc.update(part.asSlice(at, Math.min(piece, part.byteSize() - at)).asByteBuffer());
    return crc.getValue();
  }

  /// The sections whose names start with `prefix`, by the rest of their names.
  Sections under(String prefix) {
    Map<String, MemorySegment> some = new LinkedHashMap<>();
    parts.forEach(
        (name, part) -> {
          if (name.startsWith(prefix)) some.put(name.substring(prefix.length()), part);
        });
    return new Sections(file, some);
  }

  boolean has(String name) {
    return parts.containsKey(name);
  }

  private MemorySegment part(String name, int unit) {
    MemorySegment part = parts.get(name);
    if (part == null) throw damaged(file, "section '" + name + "' is missing");
    if (part.byteSize() % unit != 0 || part.byteSize() / unit > Integer.MAX_VALUE - 8)
      throw damaged(
          file, String.format(Locale.ROOT, "section '%s' has %,d bytes", name, part.byteSize()));
    return part;
  }

  /// The number of values of `unit` bytes that a section holds.
  int size(String name, int unit) {
    return (int) (part(name, unit).byteSize() / unit);
  }

  /// Throws unless a section holds `count` values of `unit` bytes.
  void require(String name, int unit, long count) {
    if (size(name, unit) != count)
      throw damaged(
          file,
          String.format(
              Locale.ROOT, "section '%s' has %,d values, not %,d", name, size(name, unit), count));
  }

  double[] doubles(String name, long count) {
    require(name, 8, count);
    return doubles(name);
  }

  long[] longs(String name, long count) {
    require(name, 8, count);
    return longs(name);
  }

  byte[] bytes(String name) {
    return part(name, 1).toArray(ValueLayout.JAVA_BYTE);
  }

  double[] doubles(String name) {
    return part(name, 8).toArray(DOUBLE);
  }

  long[] longs(String name) {
    return part(name, 8).toArray(LONG);
  }

  int[] ints(String name) {
    return part(name, 4).toArray(INT);
  }

  // ---- writing ----

  /// The content of a section: arrays that follow one another.
  record Part(String name, List<Object> arrays) {
    Part {
      if (name.length() > NAME) throw new IllegalArgumentException("section name " + name);
    }

    static Part of(String name, Object... arrays) {
      return new Part(name, List.of(arrays));
    }

    /// The same section under a longer name.
    Part under(String prefix) {
      return new Part(prefix + name, arrays);
    }
  }

  /// Writes a file whole or not at all. Returns the number of bytes.
  static long write(Path file, int version, List<Part> parts) throws IOException {
    long[] length = new long[1];
    AtomicFile.write(
        file,
        temporary -> {
          try (FileChannel channel =
              FileChannel.open(
                  temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            length[0] = new Writer(channel, version).write(parts);
          }
        });
    return length[0];
  }

  /// Writes to a channel through one buffer, and computes the checksum on the way.
  private static final class Writer {

    private final FileChannel channel;
    private final int version;
    private final ByteBuffer buffer =
        ByteBuffer.allocateDirect(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
    private @Nullable CRC32C crc;
    private long written;

    Writer(FileChannel channel, int version) {
      this.channel = channel;
      this.version = version;
    }

    long write(List<Part> parts) throws IOException {
      int table = PREAMBLE + ENTRY * parts.size();
      int head = (int) aligned(table);
      pad(head);
      flush();
      List<long[]> places = new ArrayList<>();
      for (Part part : parts) {
        long from = written;
        CRC32C own = new CRC32C();
        crc = own;
        for (Object array : part.arrays()) put(array);
        long length = written - from;
        pad((int) (aligned(written) - written));
        flush();
        places.add(new long[] {from, length, own.getValue()});
      }
      crc = null;
      writeHead(parts, places, head);
      return written;
    }

    private void writeHead(List<Part> parts, List<long[]> places, int head) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(head).order(ByteOrder.LITTLE_ENDIAN);
      bytes.put(MAGIC).putInt(version).putInt(parts.size()).putLong(written);
      for (int k = 0; k < parts.size(); k++) {
        int at = PREAMBLE + ENTRY * k;
        bytes.put(at, parts.get(k).name().getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < 3; i++) bytes.putLong(at + NAME + 8 * i, places.get(k)[i]);
      }
      MemorySegment segment = MemorySegment.ofArray(bytes.array());
      bytes.putLong(24, headChecksum(segment, PREAMBLE + (long) ENTRY * parts.size()));
      bytes.rewind();
      long at = 0;
      while (bytes.hasRemaining()) at += channel.write(bytes, at);
    }

    private void put(Object array) throws IOException {
      switch (array) {
        case byte[] a -> {
          for (int i = 0; i < a.length; ) {
            int n = room(1, a.length - i);
            buffer.put(a, i, n);
            i += n;
          }
          written += a.length;
        }
        case int[] a -> {
          for (int i = 0; i < a.length; ) {
            int n = room(4, a.length - i);
            buffer.asIntBuffer().put(a, i, n);
            buffer.position(buffer.position() + 4 * n);
            i += n;
          }
          written += 4L * a.length;
        }
        case long[] a -> {
          for (int i = 0; i < a.length; ) {
            int n = room(8, a.length - i);
            buffer.asLongBuffer().put(a, i, n);
            buffer.position(buffer.position() + 8 * n);
            i += n;
          }
          written += 8L * a.length;
        }
        case double[] a -> {
          for (int i = 0; i < a.length; ) {
            int n = room(8, a.length - i);
            buffer.asDoubleBuffer().put(a, i, n);
            buffer.position(buffer.position() + 8 * n);
            i += n;
          }
          written += 8L * a.length;
        }
        default -> throw new IllegalArgumentException("cannot write " + array.getClass());
      }
    }

    /// The number of values that fit into the buffer, at least one.
    private int room(int unit, int wanted) throws IOException {
      if (buffer.remaining() < unit) flush();
      return Math.min(wanted, buffer.remaining() / unit);
    }

    private void pad(int count) throws IOException {
      put(new byte[count]);
    }

    private void flush() throws IOException {
      buffer.flip();
      if (crc != null) crc.update(buffer.duplicate());
      while (buffer.hasRemaining()) channel.write(buffer);
      buffer.clear();
    }
  }
}
