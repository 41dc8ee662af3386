package lovelace.bayesopt;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import lovelace.io.AtomicFile;
import lovelace.io.WriteLock;
import lovelace.io.WriteLock.HeldException;
import org.jspecify.annotations.Nullable;

/// Records every event on disk as a line before anyone acts on it. Each line is appended and forced
/// to disk. An unfinished last line was never acted on, so it is cut off when the file is opened
/// again. A damaged line is reported, and the file stays unchanged. Only one process may open it at
/// a time.
///
/// ```
/// lovelace-journal ⇥ 2 ⇥ space ⇥ tuning
/// sum ⇥ ask   ⇥ value…
/// sum ⇥ tell  ⇥ value… ⇥ objective ⇥ constraint…
/// sum ⇥ retry ⇥ value…
/// sum ⇥ learn ⇥ values ⇥ hyperparameters of the objective ⇥ of every constraint… ⇥ of failures
/// ```
///
/// An objective of NaN is a failure. A point of `retry` failed too, and is asked for again. A model
/// of failures exists only if there were some.
///
/// The sum is the CRC-32C of the text after its tab, as eight hexadecimal digits. Lines of version
/// 1 have no sum, and such files are continued without sums.
final class Journal implements AutoCloseable {

  private static final String MAGIC = "lovelace-journal\t";
  private static final int SUM = 9; // eight digits and the tab

  private final Path file;
  private final FileChannel channel;
  private final boolean summed;
  private @Nullable WriteLock lock; // of a journal opened by its name
  private boolean broken = false;

  Journal(Path file, FileChannel channel, boolean summed) {
    this.file = file;
    this.channel = channel;
    this.summed = summed;
  }

  /// Opens or creates the file. `lines` receives its content, each line split at tabs.
  static Journal open(Path file, String space, String tuning, List<String[]> lines) {
    try {
      WriteLock lock = lock(file);
      @Nullable FileChannel channel = null;
      try {
        boolean fresh = Files.notExists(file);
        channel =
            FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Journal journal = read(file, channel, "\t" + space + "\t" + tuning, lines);
        if (fresh) AtomicFile.syncName(file, FileChannel::open);
        journal.lock = lock;
        return journal;
      } catch (IOException | RuntimeException e) {
        if (channel != null) channel.close();
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot use the journal '" + file + "': " + e.getMessage(), e);
    }
  }

  private static Journal read(Path file, FileChannel channel, String search, List<String[]> lines)
      throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    String header = MAGIC + 2 + search;
    int at = end(bytes, 0);
    if (at < 0) { // empty, or the beginning of a header
      byte[] whole = header.getBytes(UTF_8);
      if (bytes.length > whole.length || !Arrays.equals(bytes, Arrays.copyOf(whole, bytes.length)))
        throw notAJournal(file);
      Journal journal = new Journal(file, channel, false);
      channel.truncate(0);
      journal.append(header);
      return new Journal(file, channel, true);
    }
    String found = new String(bytes, 0, at - 1, UTF_8);
    boolean summed = !found.equals(MAGIC + 1 + search);
    if (summed) check(file, found, header);
    int number = 2;
    for (int end = end(bytes, at); end > 0; end = end(bytes, at)) {
      if (summed && !isWhole(bytes, at, end - 1)) throw damaged(file, number);
      int from = summed ? at + SUM : at;
      lines.add(new String(bytes, from, end - 1 - from, UTF_8).split("\t", -1));
      at = end;
      number++;
    }
    // a whole line with one more byte: its end is damaged
    if (summed && isWhole(bytes, at, bytes.length - 1)) throw damaged(file, number);
    if (at < bytes.length) {
      channel.truncate(at);
      channel.force(true);
    }
    channel.position(at);
    return new Journal(file, channel, summed);
  }

  /// The start of the next line, or -1 if this one has no end.
  private static int end(byte[] bytes, int from) {
    for (int i = from; i < bytes.length; i++) if (bytes[i] == '\n') return i + 1;
    return -1;
  }

  private static boolean isWhole(byte[] bytes, int from, int to) {
    if (to - from < SUM || bytes[from + SUM - 1] != '\t') return false;
    String sum = new String(bytes, from, SUM - 1, UTF_8);
    return sum.equals(sum(bytes, from + SUM, to - from - SUM));
  }

  private static String sum(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }

  private static IllegalArgumentException damaged(Path file, int number) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "line %d of the journal '%s' is damaged; restore the file from a copy, or delete this one line; the search then repeats the step that it records",
            number,
            file));
  }

  private static IllegalArgumentException notAJournal(Path file) {
    return new IllegalArgumentException("'%s' is not a journal; name another file".formatted(file));
  }

  private static WriteLock lock(Path file) throws IOException {
    try {
      return WriteLock.lasting(file, Duration.ZERO);
    } catch (HeldException e) {
      throw new IllegalStateException(
          "the journal '%s' is in use by another run; wait for it, or name another file"
              .formatted(file),
          e);
    }
  }

  private static void check(Path file, String found, String expected) {
    if (found.equals(expected)) return;
    String[] a = found.split("\t", -1);
    String[] b = expected.split("\t", -1);
    if (!found.startsWith(MAGIC) || a.length != b.length) throw notAJournal(file);
    if (!a[1].equals("1") && !a[1].equals("2"))
      throw new IllegalArgumentException(
          "the journal '%s' has format version %s, not 1 or 2; name another file"
              .formatted(file, a[1]));
    int i = a[2].equals(b[2]) ? 3 : 2;
    throw new IllegalArgumentException(
        "the journal '%s' belongs to another search: its %s is %s, and yours is %s; name another file, or go back to the old settings"
            .formatted(file, i == 2 ? "space" : "tuning", a[i], b[i]));
  }

  /// Appends a line and forces it to disk. If that fails, the line is removed again. If it cannot
  /// be removed, nothing more is written.
  void append(String line) {
    if (broken)
      throw new IllegalStateException(
          "the journal '%s' could not be written before; open it again to go on".formatted(file));
    byte[] text = line.getBytes(UTF_8);
    String sum = summed ? sum(text, 0, text.length) + "\t" : "";
    ByteBuffer bytes = UTF_8.encode(sum + line + "\n");
    broken = true;
    boolean written = false;
    try {
      long start = channel.position();
      try {
        while (bytes.hasRemaining()) channel.write(bytes);
        written = true;
        channel.force(false);
        broken = false;
      } catch (IOException e) {
        channel.truncate(start);
        channel.force(true);
        channel.position(start);
        broken = written; // after a failed sync the content of the disk is unknown
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot write the journal '%s': %s".formatted(file, e.getMessage()), e);
    }
  }

  static String line(String kind, double[] values, List<Double> more) {
    List<String> parts = new ArrayList<>(List.of(kind));
    for (double v : values) parts.add(Double.toString(v));
    for (double v : more) parts.add(Double.toString(v));
    return String.join("\t", parts);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close the journal '" + file + "'", e);
    } finally {
      if (lock != null) lock.close();
    }
  }
}
