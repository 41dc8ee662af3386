package lovelace.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import lovelace.Model;
import lovelace.data.Outside;
import lovelace.options.Options;
import lovelace.source.Source;

/// Reads the bytes of a [Journal] for a model. If the file ends within the last entry, that entry
/// is torn: it was never acknowledged. Any other fault is damage. This includes a whole entry that
/// does not increase the number of rows, because then it is there twice.
final class Replay {

  /// How much of a journal can be used.
  enum State {
    /// Every entry.
    WHOLE,
    /// Every entry but the last, of which only the beginning was written.
    TORN,
    /// No entry, because it starts from another model.
    FOREIGN,
    /// The entries before the damage.
    DAMAGED
  }

  /// Rows that the model does not hold yet.
  final List<double[]> rows = new ArrayList<>();

  private final byte[] bytes;
  private final ByteBuffer in;
  private final int dimensions;
  private final int version;
  private State state = State.WHOLE;
  private String why = "";
  private int end = 0; // of the whole entries
  private int last = 16; // position of fingerprint and number of the last rows

  Replay(byte[] bytes, Model model) {
    this.bytes = bytes;
    in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    dimensions = model.columns().size();
    version = bytes.length < Journal.HEAD ? 0 : in.getInt(8);
    if (bytes.length < Journal.HEAD
        || !Arrays.equals(bytes, 0, 8, Journal.MAGIC, 0, 8)
        || in.getInt(32) != checksum(bytes, 0, 32)) damaged("its head is damaged");
    else if (version < 1 || version > Journal.VERSION)
      damaged(
          String.format(
              Locale.ROOT, "its format version is %d, not 1 to %d", version, Journal.VERSION));
    else if (in.getInt(12) != dimensions) state = State.FOREIGN;
    else entries(model);
  }

  State state() {
    return state;
  }

  /// Describes the damage.
  String why() {
    return why;
  }

  /// The number of bytes from the start that are whole.
  int end() {
    return end;
  }

  int version() {
    return version;
  }

  /// The model with the rows that it does not hold yet, added in one step. Fails if the result does
  /// not match the last entry.
  ///
  /// @param journal the file that messages name
  Model onto(Model model, Options.Maker maker, Path journal) throws IOException {
    if (rows.isEmpty()) return model;
    Model all = with(model, rows, maker);
    if (!matches(all, last))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "with the journal '%s' the model has %,d rows, and the last entry says %,d: entries are missing or were changed; restore the journal from a copy, or move it away and observe its rows again",
              journal,
              all.count(),
              in.getLong(last + 8)));
    return all;
  }

  /// A model with more rows.
  static Model with(Model model, List<double[]> rows, Options.Maker maker) throws IOException {
    Source source = Source.of(new Journal.Rows(model.columns().size(), rows).dataset(model));
    return model.with(source, Outside.ERROR, maker);
  }

  private void damaged(String what) {
    state = State.DAMAGED;
    why = what;
  }

  private void entries(Model model) {
    boolean found = matches(model, 16);
    end = Journal.HEAD;
    boolean follows = true;
    for (int next = next(end); next > 0; next = next(end)) {
      int body = end + prefix();
      long more = in.getLong(body + 8) - in.getLong(last + 8);
      follows = next - body > 16 ? more > 0 : more == 0;
      if (!follows) break;
      if (found) rows(body + 16, next);
      else found = matches(model, body);
      end = next;
      last = body;
    }
    if (!follows)
      damaged(
          String.format(Locale.ROOT, "the entry at byte %,d repeats what stands before it", end));
    else if (end == bytes.length) state = State.WHOLE;
    else if (torn()) state = State.TORN;
    else damaged(String.format(Locale.ROOT, "the entry at byte %,d is damaged", end));
    if (!found && state != State.DAMAGED) state = State.FOREIGN;
  }

  private boolean matches(Model model, int at) {
    return model.provenance().fingerprint() == in.getLong(at)
        && model.count() == in.getLong(at + 8);
  }

  private void rows(int from, int to) {
    for (int at = from; at < to; at += 8 * (dimensions + 2)) {
      double[] row = new double[dimensions + 2];
      for (int j = 0; j < row.length; j++) row[j] = in.getDouble(at + 8 * j);
      rows.add(row);
    }
  }

  /// The number of bytes of an entry before its fingerprint.
  private int prefix() {
    return version == 1 ? 8 : 12;
  }

  private boolean isLength(int length) {
    return length >= 16 && (length - 16) % (8 * (dimensions + 2)) == 0;
  }

  /// The end of the entry that starts at a byte; 0 if there is no whole one.
  private int next(int at) {
    if (bytes.length - at < prefix()) return 0;
    int length = in.getInt(at);
    if (!isLength(length) || length > bytes.length - at - prefix()) return 0;
    if (version > 1 && in.getInt(at + 8) != checksum(bytes, at, 8)) return 0;
    if (in.getInt(at + 4) != checksum(bytes, at + prefix(), length)) return 0;
    return at + prefix() + length;
  }

  /// Whether the file ends within its last entry. In version 1 a length has no checksum of its own:
  /// it is trusted unless whole entries follow.
  private boolean torn() {
    if (bytes.length - end < prefix()) return true;
    int length = in.getInt(end);
    boolean sure = version == 1 ? isLength(length) && wholeAfter() == 0 : headed();
    return sure && length > bytes.length - end - prefix();
  }

  private boolean headed() {
    return in.getInt(end + 8) == checksum(bytes, end, 8);
  }

  /// Counts the whole entries after the damage.
  int wholeAfter() {
    if (end == 0) return 0;
    int count = 0;
    int at = end + 1;
    while (at < bytes.length) {
      int next = next(at);
      if (next > 0) count++;
      at = next > 0 ? next : at + 1;
    }
    return count;
  }

  /// The whole part, in the newest format.
  byte[] upgraded() {
    ByteBuffer out = ByteBuffer.allocate(2 * end).order(ByteOrder.LITTLE_ENDIAN);
    out.put(Journal.head(dimensions, in.getLong(16), in.getLong(24)));
    for (int at = Journal.HEAD; at < end; at = next(at))
      out.put(Journal.entry(Arrays.copyOfRange(bytes, at + prefix(), next(at))));
    return Arrays.copyOf(out.array(), out.position());
  }

  static int checksum(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }
}
