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
import lovelace.options.Options;

/// Reads the bytes of a [Journal] for the content of its file. If the file ends within the last
/// entry, that entry is torn: it was never acknowledged. Any other fault is damage. This includes a
/// whole entry that does not increase the number of rows, because then it is there twice.
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

  /// Rows that the file does not hold yet.
  final List<byte[]> rows = new ArrayList<>();

  private final byte[] bytes;
  private final ByteBuffer in;
  private final Content content;
  private final int version;
  private State state = State.WHOLE;
  private String why = "";
  private int end = 0; // of the whole entries
  private int last = 16; // position of fingerprint and number of the last rows

  Replay(byte[] bytes, Content content) {
    this.bytes = bytes;
    in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    this.content = content;
    version = bytes.length < Journal.HEAD ? 0 : in.getInt(8);
    if (bytes.length < Journal.HEAD
        || !Arrays.equals(bytes, 0, 8, Journal.MAGIC, 0, 8)
        || in.getInt(32) != checksum(bytes, 0, 32)) damaged("its head is damaged");
    else if (version < 1 || version > Journal.VERSION)
      damaged(
          String.format(
              Locale.ROOT, "its format version is %d, not 1 to %d", version, Journal.VERSION));
    else if (in.getInt(12) != content.form()) state = State.FOREIGN;
    else entries();
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

  /// The content with the rows that the file does not hold yet, added in one step. Fails if the
  /// result does not match the last entry.
  ///
  /// @param journal the file that messages name
  Content onto(Options.Maker maker, Path journal) throws IOException {
    if (rows.isEmpty()) return content;
    Content all = content.with(rows, maker);
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

  private void damaged(String what) {
    state = State.DAMAGED;
    why = what;
  }

  private void entries() {
    boolean found = matches(content, 16);
    end = Journal.HEAD;
    boolean follows = true;
    for (int next = next(end); next > 0; next = next(end)) {
      int body = end + prefix();
      long more = in.getLong(body + 8) - in.getLong(last + 8);
      follows = next - body > 16 ? more > 0 : more == 0;
      if (!follows) break;
      if (found) rows.addAll(content.rows(in, body + 16, next));
      else found = matches(content, body);
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

  private boolean matches(Content other, int at) {
    return other.fingerprint() == in.getLong(at) && other.count() == in.getLong(at + 8);
  }

  /// The number of bytes of an entry before its fingerprint.
  private int prefix() {
    return version == 1 ? 8 : 12;
  }

  private boolean isLength(int length) {
    return length >= 16 && content.fits(length - 16);
  }

  /// The end of the entry that starts at a byte; 0 if there is no whole one.
  private int next(int at) {
    if (bytes.length - at < prefix()) return 0;
    int length = in.getInt(at);
    if (!isLength(length) || length > bytes.length - at - prefix()) return 0;
    if (version > 1 && in.getInt(at + 8) != checksum(bytes, at, 8)) return 0;
    int body = at + prefix();
    if (in.getInt(at + 4) != checksum(bytes, body, length)) return 0;
    return content.areRows(in, body + 16, body + length) ? body + length : 0;
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
    out.put(Journal.head(content.form(), in.getLong(16), in.getLong(24)));
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
