package lovelace.csv;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvReader.CsvReaderBuilder;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import de.siegmar.fastcsv.reader.FieldModifiers;
import de.siegmar.fastcsv.reader.StringArrayHandler;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/// Reads the rows of a CSV text one after the other. Values may be quoted. Spaces around them and
/// blank lines are dropped. Every row must have the same number of values as the first.
///
/// Wrong input is refused with an [IllegalArgumentException] that names the row. Rows are counted
/// from 1, without the header and blank lines.
public final class CsvRows implements AutoCloseable {

  private static final Set<String> MISSING = Set.of("", "na", "n/a", "nan", "null", "none", "?");
  private static final int BUFFER = 1 << 16;

  private final String source; // the file's name; empty if there is none
  private final CsvReader<String[]> reader;
  private final Iterator<String[]> records;
  private List<String> names = List.of();
  private String[] last = {};
  private int columns = -1;
  private int row = 0;

  private CsvRows(String source, CsvReader<String[]> reader) {
    this.source = source;
    this.reader = reader;
    records = reader.iterator();
  }

  private static CsvReaderBuilder builder(char separator) {
    return CsvReader.builder()
        .fieldSeparator(separator)
        .detectBomHeader(true)
        .allowUnclosedQuote(false)
        .extraFieldStrategy(FieldMismatchStrategy.IGNORE) // checked here, with a better message
        .missingFieldStrategy(FieldMismatchStrategy.IGNORE);
  }

  private static StringArrayHandler values() {
    return StringArrayHandler.of(
        handler -> handler.maxFields(1 << 24).fieldModifier(FieldModifiers.STRIP));
  }

  /// Reads a text that is in memory.
  public static CsvRows of(String text, char separator) {
    String plain = text.startsWith("\uFEFF") ? text.substring(1) : text;
    return new CsvRows("", builder(separator).build(values(), plain));
  }

  /// Reads a file compressed by gzip, with commas between the values.
  public static CsvRows ofGzip(Path file) throws IOException {
    InputStream bytes = Files.newInputStream(file);
    try {
      return new CsvRows(
          file.toString(),
          builder(',').build(values(), new GZIPInputStream(bytes, BUFFER), StandardCharsets.UTF_8));
    } catch (IOException e) {
      bytes.close();
      throw broken(file.toString(), e);
    } catch (UncheckedIOException e) {
      bytes.close();
      throw broken(file.toString(), cause(e));
    }
  }

  private static IOException cause(UncheckedIOException e) {
    return Objects.requireNonNull(e.getCause());
  }

  /// Throws an error that tells how to repair a file that gzip cannot read. Other failures are
  /// thrown unchanged.
  private static IllegalArgumentException broken(String source, IOException e) throws IOException {
    if (!(e instanceof ZipException || e instanceof EOFException)) throw e;
    return new IllegalArgumentException(
        "%s is not compressed by gzip, or is cut off (%s); run gzip on the CSV file"
            .formatted(source, e.getMessage()),
        e);
  }

  /// Takes the first row as the names of the columns.
  ///
  /// @throws IllegalArgumentException if the text is empty
  public List<String> header() throws IOException {
    if (next() == null)
      throw new IllegalArgumentException(place() + "the table is empty; begin it with a header");
    return takeAsHeader();
  }

  /// Takes the row that [#next] returned last as the names of the columns.
  public List<String> takeAsHeader() {
    names = List.of(last);
    row = 0;
    return names;
  }

  /// The values of the next row; null after the last.
  public String @Nullable [] next() throws IOException {
    try {
      while (records.hasNext()) {
        String[] values = records.next();
        if (values.length == 1 && values[0].isEmpty()) continue;
        last = values;
        row++;
        if (columns < 0) columns = values.length;
        if (values.length == columns) return values;
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%srow %,d has %,d values, the first row has %,d; check its separators and quotes",
                place(),
                row,
                values.length,
                columns));
      }
      return null;
    } catch (CsvParseException e) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%srow %,d: a quote is not closed, or text follows a closing quote; write a quote inside a value twice",
              place(),
              row + 1),
          e);
    } catch (UncheckedIOException e) {
      throw broken(source, cause(e));
    }
  }

  /// The beginning of a message: the place of the error.
  private String place() {
    return source.isEmpty() ? "" : source + ", ";
  }

  /// The number of the row that [#next] returned last.
  public int row() {
    return row;
  }

  /// An error about a value of the row that [#next] returned last.
  ///
  /// @param rule what the value breaks, such as `not a number`
  /// @param remedy what to do about it
  public IllegalArgumentException wrong(int column, String value, String rule, String remedy) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%srow %,d: column %s is '%s', %s; %s",
            place(),
            row,
            names.isEmpty() ? Integer.toString(column + 1) : "'" + names.get(column) + "'",
            value,
            rule,
            remedy));
  }

  /// Whether a value means a missing one: it is empty, `NA`, `N/A`, `NaN`, `null`, `none` or `?`.
  public static boolean isMissing(String value) {
    return value.length() <= 4 && MISSING.contains(value.toLowerCase(Locale.ROOT));
  }

  /// Reads a finite decimal number; NaN if the value is not one.
  public static double number(String value) {
    if (value.isEmpty()) return Double.NaN;
    char first = value.charAt(0);
    char last = value.charAt(value.length() - 1);
    boolean decimal =
        (first == '-' || first == '+' || first == '.' || isDigit(first))
            && (last == '.' || isDigit(last)); // not 1d, 0x1p3d or Infinity
    if (!decimal || value.indexOf('x') >= 0 || value.indexOf('X') >= 0) return Double.NaN;
    try {
      double number = Double.parseDouble(value);
      return Double.isFinite(number) ? number : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
