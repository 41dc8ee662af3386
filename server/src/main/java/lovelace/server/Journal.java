package lovelace.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import lovelace.Model;
import lovelace.data.Dataset;

/// Observations that a model has taken since its file was written, beside that file.
///
/// ```
/// byte   bytes   what (all numbers little-endian)
/// 0      8       LOVEJRNL
/// 8      4       format version, 1
/// 12     4       d, the number of input columns
/// 16     8       fingerprint of the rows of the model file it starts from
/// 24     8       their number
/// 32     4       CRC-32C of bytes 0 to 32
/// then one entry an update:
///        4       length of what follows the checksum
///        4       CRC-32C of what follows
///        8       fingerprint of the model's rows after the update
///        8       their number
///        8r(d+2) r rows: inputs, target, weight
/// ```
///
/// An entry is on the disk before [#append] returns. Fingerprint and number say which entries a
/// model file already holds, so a crash between writing the file and starting the next journal
/// counts no row twice. An entry that ends with the file before it is whole was never acknowledged,
/// and is dropped.
final class Journal implements AutoCloseable {

  private static final byte[] MAGIC = "LOVEJRNL".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION = 1;
  private static final int HEAD = 36;

  /// Rows, row-major inputs with target and weight: `d + 2` numbers each.
  record Rows(int dimensions, List<double[]> rows) {

    /// The rows as a data set with a model's columns.
    Dataset dataset(Model model) {
      int n = rows.size();
      double[] x = new double[n * dimensions];
      double[] y = new double[n];
      double[] w = new double[n];
      boolean weighted = false;
      for (int i = 0; i < n; i++) {
        System.arraycopy(rows.get(i), 0, x, i * dimensions, dimensions);
        y[i] = rows.get(i)[dimensions];
        w[i] = rows.get(i)[dimensions + 1];
        weighted |= w[i] != 1;
      }
      return Dataset.batch(x, model.columns(), y, model.target(), weighted ? w : null);
    }
  }

  private final Path file;
  private final int dimensions;
  private FileChannel channel;

  private Journal(Path file, int dimensions, FileChannel channel) {
    this.file = file;
    this.dimensions = dimensions;
    this.channel = channel;
  }

  /// The journal of a model file.
  static Path beside(Path model) {
    return model.resolveSibling(model.getFileName() + ".journal");
  }

  /// Opens the journal of a model, and adds to `pending` the rows that the model does not hold yet.
  /// One that belongs to another model is set aside under another name.
  static Journal open(Path file, Model model, List<double[]> pending, Log log) throws IOException {
    int d = model.columns().size();
    if (Files.notExists(file)) return create(file, model);
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (!headed(bytes, in, d)) return aside(file, model, "its head is damaged", log);
    boolean found = matches(model, in.getLong(16), in.getLong(24));
    int end = HEAD;
    List<double[]> rest = new ArrayList<>();
    while (end + 8 <= bytes.length) {
      int length = in.getInt(end);
      if (length < 16 || length > bytes.length - end - 8) break; // torn
      if (in.getInt(end + 4) != checksum(bytes, end + 8, length)) break;
      if (found) rows(in, end + 24, end + 8 + length, d, rest);
      else found = matches(model, in.getLong(end + 8), in.getLong(end + 16));
      end += 8 + length;
    }
    if (!found) return aside(file, model, "it belongs to another model", log);
    if (end < bytes.length)
      log.warn(
          "journal cut",
          "journal",
          file,
          "bytes",
          bytes.length - end,
          "why",
          "its last entry is not whole");
    pending.addAll(rest);
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (end < bytes.length) channel.truncate(end).force(true);
    channel.position(end);
    return new Journal(file, d, channel);
  }

  private static boolean matches(Model model, long fingerprint, long count) {
    return model.provenance().fingerprint() == fingerprint && model.count() == count;
  }

  private static boolean headed(byte[] bytes, ByteBuffer in, int d) {
    if (in.capacity() < HEAD) return false;
    for (int i = 0; i < MAGIC.length; i++) if (in.get(i) != MAGIC[i]) return false;
    return in.getInt(8) == VERSION && in.getInt(12) == d && in.getInt(32) == checksum(bytes, 0, 32);
  }

  private static void rows(ByteBuffer in, int from, int to, int d, List<double[]> rows) {
    for (int at = from; at + 8 * (d + 2) <= to; at += 8 * (d + 2)) {
      double[] row = new double[d + 2];
      for (int j = 0; j < row.length; j++) row[j] = in.getDouble(at + 8 * j);
      rows.add(row);
    }
  }

  private static Journal aside(Path file, Model model, String why, Log log) throws IOException {
    Path other = file.resolveSibling(file.getFileName() + "." + System.currentTimeMillis());
    Files.move(file, other, StandardCopyOption.ATOMIC_MOVE);
    log.error(
        "journal set aside",
        "journal",
        other,
        "why",
        why,
        "remedy",
        "its observations are not in the model; observe them again, or delete it");
    return create(file, model);
  }

  /// An empty journal that starts from a model as its file has it, in place of any other.
  private static Journal create(Path file, Model model) throws IOException {
    int d = model.columns().size();
    ByteBuffer head = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
    head.put(MAGIC).putInt(VERSION).putInt(d);
    head.putLong(model.provenance().fingerprint()).putLong(model.count());
    head.putInt(checksum(head.array(), 0, 32)).flip();
    Path next = file.resolveSibling("." + file.getFileName() + ".next");
    FileChannel channel =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    write(channel, head);
    channel.force(true);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncFolder(file);
    return new Journal(file, d, channel);
  }

  /// Makes renames in a file's folder durable.
  static void syncFolder(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) return;
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /// Writes rows, after which the model holds what `after` holds. On failure nothing is left of it.
  void append(List<double[]> rows, Model after) throws IOException {
    int length = 16 + rows.size() * 8 * (dimensions + 2);
    ByteBuffer entry = ByteBuffer.allocate(8 + length).order(ByteOrder.LITTLE_ENDIAN);
    entry.putInt(length).putInt(0);
    entry.putLong(after.provenance().fingerprint()).putLong(after.count());
    for (double[] row : rows) for (double value : row) entry.putDouble(value);
    entry.putInt(4, checksum(entry.array(), 8, length)).flip();
    long start = channel.position();
    try {
      write(channel, entry);
      channel.force(false);
    } catch (IOException e) {
      channel.truncate(start);
      channel.position(start);
      throw e;
    }
  }

  /// Starts anew from a model that its file holds.
  void restart(Model model) throws IOException {
    FileChannel old = channel;
    channel = create(file, model).channel;
    old.close();
  }

  private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) channel.write(bytes);
  }

  private static int checksum(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
