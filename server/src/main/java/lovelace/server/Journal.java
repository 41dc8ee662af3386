package lovelace.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import lovelace.io.AtomicFile;

/// A file beside a model file that holds the observations since the model file was written.
///
/// ```
/// byte   bytes   what (all numbers little-endian)
/// 0      8       LOVEJRNL
/// 8      4       format version, 2
/// 12     4       the form of the rows: d, the number of input columns, or −1 for forecasts
/// 16     8       fingerprint of the rows of the file it starts from
/// 24     8       their number
/// 32     4       CRC-32C of bytes 0 to 32
/// then one entry an update:
///        4       length of the part after the checksums
///        4       CRC-32C of the part after the checksums
///        4       CRC-32C of the eight bytes before; version 1 has none
///        8       fingerprint of all rows after the update
///        8       their number
///        …       rows: inputs, target and weight as d + 2 numbers, or see [ForecastContent]
/// ```
///
/// An entry is on the disk before [#append] returns. Fingerprint and number tell which entries a
/// model file already holds, so no row is counted twice after a crash between writing the file and
/// starting the next journal. The second checksum distinguishes a torn last entry from a damaged
/// one: see [Replay].
final class Journal implements AutoCloseable {

  static final byte[] MAGIC = "LOVEJRNL".getBytes(StandardCharsets.US_ASCII);
  static final int VERSION = 2;
  static final int HEAD = 36;

  /// Opens files. A test replaces it to cause faults.
  interface Disk {
    Disk REAL = FileChannel::open;

    FileChannel open(Path file, OpenOption... options) throws IOException;
  }

  private final Path file;
  private final Disk disk;
  private FileChannel channel;
  private boolean broken = false;

  private Journal(Path file, Disk disk, FileChannel channel) {
    this.file = file;
    this.disk = disk;
    this.channel = channel;
  }

  /// The path of the journal of a model file. For a link, it is beside the file that the link
  /// names.
  static Path of(Path file) throws IOException {
    Path named = file.toAbsolutePath();
    Path target = AtomicFile.target(file);
    Path journal = beside(target == null ? named : target);
    Path other = beside(named);
    if (!other.equals(journal) && Files.exists(other))
      throw new IllegalArgumentException(
          "the journal '%s' lies beside a link; move it to '%s', beside the model file that the link names"
              .formatted(other, journal));
    return journal;
  }

  /// The path of the journal of a model file that is not a link.
  static Path beside(Path model) {
    return model.resolveSibling(model.getFileName() + ".journal");
  }

  /// The path to which a damaged journal is moved. While it exists, no observations are taken.
  static Path damaged(Path model) {
    return model.resolveSibling(model.getFileName() + ".journal.damaged");
  }

  /// Creates a journal that starts from the content of its file, in place of any other journal.
  static Journal create(Path file, Content content, Disk disk) throws IOException {
    return create(file, head(content), disk);
  }

  private static Journal create(Path file, byte[] bytes, Disk disk) throws IOException {
    Journal journal = new Journal(file, disk, prepare(file, bytes, disk));
    try {
      move(file);
      AtomicFile.syncName(file, disk::open);
      return journal;
    } catch (IOException | RuntimeException e) {
      journal.close();
      throw e;
    }
  }

  /// Continues a journal that was read and is complete, except perhaps for a torn last entry.
  static Journal resume(Path file, Replay replay, Disk disk) throws IOException {
    if (replay.version() != VERSION) return create(file, replay.upgraded(), disk);
    FileChannel channel = disk.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (channel.size() > replay.end()) {
        channel.truncate(replay.end());
        channel.force(true);
      }
      channel.position(replay.end());
      return new Journal(file, disk, channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /// Renames a journal to a name that is not in use yet.
  static Path aside(Path file, Path wanted, Disk disk) throws IOException {
    Path other = wanted;
    for (int i = 2; Files.exists(other, LinkOption.NOFOLLOW_LINKS); i++)
      other = wanted.resolveSibling(wanted.getFileName() + "." + i);
    Files.move(file, other, StandardCopyOption.ATOMIC_MOVE);
    AtomicFile.syncName(other, disk::open);
    return other;
  }

  private static byte[] head(Content content) {
    return head(content.form(), content.fingerprint(), content.count());
  }

  static byte[] head(int form, long fingerprint, long count) {
    ByteBuffer head = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
    head.put(MAGIC).putInt(VERSION).putInt(form).putLong(fingerprint).putLong(count);
    head.putInt(Replay.checksum(head.array(), 0, 32));
    return head.array();
  }

  /// Makes an entry from the part after its checksums.
  static byte[] entry(byte[] body) {
    ByteBuffer entry = ByteBuffer.allocate(12 + body.length).order(ByteOrder.LITTLE_ENDIAN);
    entry.putInt(body.length).putInt(Replay.checksum(body, 0, body.length));
    entry.putInt(Replay.checksum(entry.array(), 0, 8)).put(body);
    return entry.array();
  }

  private static Path next(Path file) {
    return file.resolveSibling("." + file.getFileName() + ".next");
  }

  /// Writes the beginning of a journal to a file with a hidden name.
  private static FileChannel prepare(Path file, byte[] bytes, Disk disk) throws IOException {
    FileChannel channel =
        disk.open(
            next(file),
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    try {
      write(channel, ByteBuffer.wrap(bytes));
      channel.force(true);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      Files.deleteIfExists(next(file));
      throw e;
    }
  }

  private static void move(Path file) throws IOException {
    Files.move(
        next(file), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /// Writes rows that lead to the content `after`. If writing fails, they are removed again. If
  /// that fails too, or syncing does, the journal is broken.
  void append(List<byte[]> rows, Content after) throws IOException {
    if (broken) throw new IOException("the journal '" + file + "' is broken");
    int size = 16;
    for (byte[] row : rows) size = Math.addExact(size, row.length);
    ByteBuffer body = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    body.putLong(after.fingerprint()).putLong(after.count());
    for (byte[] row : rows) body.put(row);
    ByteBuffer entry = ByteBuffer.wrap(entry(body.array()));
    long start = channel.position();
    broken = true;
    boolean written = false;
    try {
      write(channel, entry);
      written = true;
      channel.force(false);
      broken = false;
    } catch (IOException | RuntimeException | Error e) {
      try {
        channel.truncate(start);
        channel.force(true);
        channel.position(start);
        broken = written; // after a failed sync the content of the disk is unknown
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  /// Whether nothing more can be appended before the next [#restart].
  boolean broken() {
    return broken;
  }

  /// Starts again from content that is in its file. The old journal is unchanged until the new one
  /// is in place.
  void restart(Content content) throws IOException {
    FileChannel next = prepare(file, head(content), disk);
    try {
      move(file);
    } catch (IOException | RuntimeException e) {
      next.close();
      throw e;
    }
    FileChannel old = channel;
    channel = next;
    broken = true; // until the new name is durable
    AtomicFile.syncName(file, disk::open);
    broken = false;
    old.close();
  }

  private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) channel.write(bytes);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
