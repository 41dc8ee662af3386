package lovelace.bayesopt;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import lovelace.io.AtomicFile;

/// What happened, line by line, on disk before anyone acts on it: every line is appended and forced
/// out. A last line without its end was never acted on and is cut off when the file is opened
/// again. One process at a time.
///
/// ```
/// lovelace-journal ⇥ 1 ⇥ space ⇥ tuning
/// ask   ⇥ number ⇥ value…
/// tell  ⇥ value… ⇥ objective ⇥ constraint…
/// learn ⇥ observations ⇥ hyperparameters of the objective ⇥ of every constraint…
/// ```
final class Journal implements AutoCloseable {

  private static final String MAGIC = "lovelace-journal\t1\t";

  private final Path file;
  private final FileChannel channel;

  private Journal(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /// Opens or creates the file. `lines` receives what it holds, each line split at tabs.
  static Journal open(Path file, String space, String tuning, List<String[]> lines) {
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        lock(file, channel);
        String text = Files.readString(file, UTF_8);
        int end = text.lastIndexOf('\n') + 1;
        String header = MAGIC + space + "\t" + tuning;
        List<String> whole = text.substring(0, end).lines().toList();
        if (!whole.isEmpty()) check(file, whole.getFirst(), header);
        channel.truncate(text.substring(0, end).getBytes(UTF_8).length);
        channel.position(channel.size());
        for (String line : whole.subList(Math.min(1, whole.size()), whole.size()))
          lines.add(line.split("\t", -1));
        Journal journal = new Journal(file, channel);
        if (whole.isEmpty()) {
          journal.append(header);
          Path folder = file.toAbsolutePath().getParent();
          if (folder != null) AtomicFile.syncFolder(folder);
        }
        return journal;
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot use the journal '" + file + "': " + e.getMessage(), e);
    }
  }

  private static void lock(Path file, FileChannel channel) throws IOException {
    try {
      if (channel.tryLock() != null) return;
    } catch (OverlappingFileLockException ours) {
      // the same answer
    }
    throw new IllegalStateException(
        "the journal '%s' is in use by another run; wait for it, or name another file"
            .formatted(file));
  }

  private static void check(Path file, String found, String expected) {
    if (found.equals(expected)) return;
    if (!found.startsWith(MAGIC))
      throw new IllegalArgumentException(
          "'%s' is not a journal; name another file".formatted(file));
    String[] a = found.split("\t", -1);
    String[] b = expected.split("\t", -1);
    int i = 2;
    while (i < 3 && a[i].equals(b[i])) i++;
    throw new IllegalArgumentException(
        "the journal '%s' belongs to another search: its %s is %s, yours %s; name another file, or go on as before"
            .formatted(file, i == 2 ? "space" : "tuning", a[i], b[i]));
  }

  /// Appends a line and forces it to disk.
  void append(String line) {
    try {
      ByteBuffer bytes = UTF_8.encode(line + "\n");
      while (bytes.hasRemaining()) channel.write(bytes);
      channel.force(false);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the journal '" + file + "'", e);
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
    }
  }
}
