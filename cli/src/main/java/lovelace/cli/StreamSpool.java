package lovelace.cli;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import lovelace.io.OwnFolder;

/// A copy of input that can be read only once (standard input or a pipe), so that it can be read
/// again. It lies in the folder of temporary files, and is removed when it is closed or the process
/// ends. If the process is killed, a later one removes it.
final class StreamSpool implements AutoCloseable {

  private static final int BLOCK = 1 << 16;

  /// The space that is left free on the disk for others.
  private static final long RESERVE = 1 << 28;

  private final OwnFolder folder;
  private final Path file;

  private StreamSpool(OwnFolder folder, Path file) {
    this.folder = folder;
    this.file = file;
  }

  /// Whether a file can be read only once.
  static boolean isStream(Path file) {
    return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
  }

  /// Copies standard input.
  static StreamSpool input(InputStream in, PrintWriter err) throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    return of("standard input", in, temporary, room(temporary), err);
  }

  /// Copies a pipe or a device.
  static StreamSpool input(Path stream, PrintWriter err) throws IOException {
    if (!Files.isReadable(stream))
      throw new IllegalArgumentException("no permission to read '" + stream + "'");
    Path temporary = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    try (ProgressLine progress = new ProgressLine(err)) {
      progress.begin("waiting for rows from '" + stream + "'");
      try (InputStream in = Files.newInputStream(stream)) {
        progress.wipe();
        return of("'" + stream + "'", in, temporary, room(temporary), err);
      }
    }
  }

  private static long room(Path folder) throws IOException {
    return Math.max(0, Files.getFileStore(folder).getUsableSpace() - RESERVE);
  }

  /// Copies a stream.
  ///
  /// @param name the name in messages
  /// @param temporary the folder of the copy
  /// @param most the most bytes to copy
  static StreamSpool of(String name, InputStream in, Path temporary, long most, PrintWriter err)
      throws IOException {
    OwnFolder folder = OwnFolder.make(temporary);
    boolean done = false;
    try {
      Path file = folder.path().resolve("table.csv");
      copy(name, in, file, temporary, most, err);
      if (Files.size(file) == 0)
        throw new IllegalArgumentException(
            name + " is empty; it needs a line of column names and rows below it");
      StreamSpool spool =
          new StreamSpool(
              folder, Files.move(file, folder.path().resolve("table.csv" + suffix(file))));
      done = true;
      return spool;
    } finally {
      if (!done) folder.close();
    }
  }

  private static void copy(
      String name, InputStream in, Path file, Path temporary, long most, PrintWriter err)
      throws IOException {
    byte[] block = new byte[BLOCK];
    try (OutputStream out = Files.newOutputStream(file);
        ProgressLine progress = new ProgressLine(err)) {
      progress.begin("reading " + name);
      long copied = 0;
      for (int n = in.read(block); n >= 0; n = in.read(block)) {
        copied += n;
        if (copied > most)
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "%s gave more than %,d bytes, for which there is no room in '%s'; save the table as a file and name that, or point LOVELACE_JAVA_OPTS=-Djava.io.tmpdir=FOLDER to a larger disk",
                  name,
                  most,
                  temporary));
        out.write(block, 0, n);
        long so = copied;
        progress.say(
            () -> String.format(Locale.ROOT, "reading %s: %,.1f MB so far", name, so / 1e6));
      }
    }
  }

  /// The copy. Its extension tells its format.
  Path file() {
    return file;
  }

  @Override
  public void close() {
    folder.close();
  }

  private static String suffix(Path file) throws IOException {
    try (var in = new BufferedInputStream(Files.newInputStream(file))) {
      byte[] start = peek(in);
      if (start[0] == 0x1f && start[1] == (byte) 0x8b)
        return isJson(peek(new BufferedInputStream(new GZIPInputStream(in)))) ? ".json.gz" : ".gz";
      if (new String(start, StandardCharsets.ISO_8859_1).equals("PAR1")) return ".parquet";
      return isJson(start) ? ".json" : "";
    }
  }

  private static byte[] peek(InputStream in) throws IOException {
    in.mark(4);
    byte[] start = Arrays.copyOf(in.readNBytes(4), 4);
    in.reset();
    return start;
  }

  private static boolean isJson(byte[] start) {
    return start[0] == '{' || start[0] == '[';
  }
}
