package lovelace.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// Finds faults of a text file that DuckDB cannot read, or reports only after minutes: a row that
/// is too long, too many columns, damaged compression. The search runs before DuckDB reads the
/// file.
final class TextLimits {

  /// The most bytes of a row.
  static final int ROW = 2_000_000;

  /// The most columns of a text file. A few thousand more need more memory than DuckDB has here.
  static final int COLUMNS = 5_000;

  /// The bytes at the beginning of a file that are checked. DuckDB finds the separator within
  /// these.
  private static final long BEGINNING = 1 << 24;

  private static final int BLOCK = 1 << 16;
  private static final int SHOWN = 40;

  private final String name;
  private final Path file;

  private TextLimits(String name, Path file) {
    this.name = name;
    this.file = file;
  }

  /// Fails if the beginning of a text file has a fault.
  static void check(String name, String file) throws IOException {
    Path path = Path.of(file);
    if (Files.isRegularFile(path)) new TextLimits(name, path).check(BEGINNING);
  }

  /// The fault anywhere in a file that DuckDB could not read; null if none is found.
  static @Nullable IllegalArgumentException fault(String name) {
    try {
      Path path = Path.of(name);
      if (Relation.isCsv(name) && Files.isRegularFile(path))
        new TextLimits(name, path).check(Long.MAX_VALUE);
      return null;
    } catch (IllegalArgumentException e) {
      return e instanceof InvalidPathException ? null : e;
    } catch (IOException e) {
      return null; // DuckDB's own message suffices
    }
  }

  private boolean isZipped() {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
  }

  private InputStream open() throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file), BLOCK);
    return isZipped() ? new GZIPInputStream(in, BLOCK) : in;
  }

  private void check(long most) throws IOException {
    if (file.toString().toLowerCase(Locale.ROOT).endsWith(".zst")) return;
    if (isZipped()) requireGzip();
    try {
      long start = longRow(most);
      if (start >= 0) throw tooLong(start);
      if (most == BEGINNING) requireFewColumns();
    } catch (EOFException e) {
      throw damaged("it ends early");
    } catch (ZipException e) {
      throw damaged("its compressed bytes are not what was written");
    }
  }

  private void requireGzip() throws IOException {
    byte[] start;
    try (InputStream in = Files.newInputStream(file)) {
      start = in.readNBytes(2);
    }
    if (start.length == 2 && (start[0] & 0xff) == 0x1f && (start[1] & 0xff) == 0x8b) return;
    throw new IllegalArgumentException(
        "'%s' is not compressed by gzip, although its name ends in .gz; give it the name of what it is, such as '%s'"
            .formatted(name, name.substring(0, name.length() - 3)));
  }

  private IllegalArgumentException damaged(String how) {
    return new IllegalArgumentException(
        "'%s' is damaged: %s; copy or compress the file again".formatted(name, how));
  }

  /// The start of the first row that is too long, within `most` bytes; -1 if there is none.
  private long longRow(long most) throws IOException {
    byte[] block = new byte[BLOCK];
    long start = 0; // of the last row that has begun
    try (InputStream in = open()) {
      long at = 0;
      for (int n = in.readNBytes(block, 0, BLOCK); n > 0; n = in.readNBytes(block, 0, BLOCK)) {
        int last = n - 1;
        while (last >= 0 && block[last] != '\n' && block[last] != '\r') last--;
        if (last >= 0) start = at + last + 1;
        at += n;
        if (at - start > ROW) return start;
        if (at >= most) return -1;
      }
      if (at == 0)
        throw new IllegalArgumentException(
            "'" + name + "' is empty; it needs a line of column names and rows below it");
    }
    return -1;
  }

  /// Says which value of which row is too long.
  private IllegalArgumentException tooLong(long start) throws IOException {
    long row = 0;
    List<String> names;
    char separator;
    try (InputStream in = open()) {
      byte[] line = line(in, ROW);
      separator = separator(line);
      names = values(line, separator);
    }
    try (InputStream in = open()) {
      for (long i = 0; i < start; i++) if (in.read() == '\n') row++;
      if (row == 0)
        return new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the first line of '%s' is longer than %,d bytes, and it must name the columns; end each row with a line break, or end the file's name in .parquet or .json if it is such a file",
                name,
                ROW));
      List<String> found = values(line(in, ROW), separator);
      int longest = 0;
      for (int c = 0; c < found.size(); c++)
        if (found.get(c).length() > found.get(longest).length()) longest = c;
      boolean one = found.get(longest).length() > ROW / 2 && longest < names.size();
      return new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "row %,d of '%s'%s: a row of a text file may have at most %,d bytes; shorten the value, leave the column out, or save the table as Parquet",
              row,
              name,
              one ? ", column '" + shown(names.get(longest)) + "'" : "",
              ROW));
    }
  }

  private void requireFewColumns() throws IOException {
    byte[] line;
    try (InputStream in = open()) {
      line = line(in, ROW);
    }
    int columns = values(line, separator(line)).size();
    if (columns > COLUMNS)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the first line of '%s' names %,d columns, and a text file may have at most %,d; leave out those that are not needed",
              name,
              columns,
              COLUMNS));
  }

  /// A line, or its first `most` bytes.
  private static byte[] line(InputStream in, int most) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b >= 0 && b != '\n' && line.size() < most; b = in.read()) line.write(b);
    return line.toByteArray();
  }

  /// The separator that occurs most often in the names of the columns.
  private static char separator(byte[] line) {
    char best = ',';
    long most = 0;
    for (char candidate : new char[] {',', ';', '\t', '|'}) {
      long count = 0;
      for (byte b : line) if (b == candidate) count++;
      if (count > most) best = candidate;
      most = Math.max(most, count);
    }
    return best;
  }

  private static List<String> values(byte[] line, char separator) {
    List<String> all = new ArrayList<>();
    boolean quoted = false;
    int from = 0;
    for (int i = 0; i <= line.length; i++) {
      if (i < line.length && line[i] == '"') quoted = !quoted;
      if (i < line.length && (quoted || line[i] != separator)) continue;
      all.add(new String(line, from, i - from, StandardCharsets.UTF_8));
      from = i + 1;
    }
    return all;
  }

  private static String shown(String text) {
    String bare = text.strip().replace("\"", "");
    return bare.length() <= SHOWN ? bare : bare.substring(0, SHOWN) + "…";
  }
}
