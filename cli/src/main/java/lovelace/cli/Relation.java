package lovelace.cli;

import static lovelace.cli.Database.literal;
import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/// A table as DuckDB reads it.
///
/// @param name its name in messages
/// @param source SQL of its rows; the columns of a text file are text, so that numbers keep every
///   bit
/// @param typedSource SQL of its rows with the types that DuckDB gives columns
/// @param text whether it is a text file
/// @param file SQL of the Parquet files that hold it; empty for other tables
record Relation(String name, String source, String typedSource, boolean text, String file) {

  /// The texts that mean a missing value in a text file.
  static final String ABSENT =
      "['', 'NA', 'N/A', 'n/a', 'na', 'NaN', 'nan', 'null', 'NULL', 'None', '?']";

  /// A table of the database.
  static Relation table(String name, String table) {
    return new Relation(name, table, table, false, "");
  }

  /// A file, or a glob of files.
  static Relation file(Database database, String name, String location)
      throws IOException, SQLException {
    String format = format(location);
    String file = literal(FilePattern.of(location));
    if (!format.equals("csv")) {
      String source = "read_%s(%s)".formatted(format, file);
      return new Relation(name, source, source, false, format.equals("parquet") ? file : "");
    }
    String one = FilePattern.isGlob(location) ? first(database, location) : location;
    TextLimits.check(name, one);
    String first = literal(FilePattern.exactly(one));
    String dialect = dialect(database, first);
    refuseDecimalCommas(database, name, first);
    checkNames(database, name, first, dialect);
    return new Relation(
        name,
        "read_csv(%s, header=true, all_varchar=true, nullstr='', %s)".formatted(file, dialect),
        "read_csv(%s, header=true, nullstr=%s, %s)".formatted(file, ABSENT, dialect),
        true,
        "");
  }

  /// The same rows with one more column.
  ///
  /// @param expression SQL of its values
  Relation with(String column, String expression) {
    String rows = "(select t.*, %s as %s from %s t)";
    return new Relation(
        name,
        rows.formatted(expression, quoted(column), source),
        rows.formatted(expression, quoted(column), typedSource),
        text,
        "");
  }

  /// Whether the files store the ranges of their columns.
  boolean hasStatistics() {
    return !file.isEmpty();
  }

  private static String first(Database database, String glob) throws SQLException {
    String file =
        database
            .strings("select min(file) from glob(%s)".formatted(literal(FilePattern.of(glob))))
            .getFirst();
    if (file.isEmpty()) throw new IllegalArgumentException("no file matches '" + glob + "'");
    return file;
  }

  /// Reports what is wrong with a file before DuckDB does.
  static void check(Path file) throws IOException {
    FileFault.check(file);
    if (Files.isDirectory(file))
      throw new IllegalArgumentException(
          "'%s' is a folder; name a file in it, or all with '%s/*.csv'".formatted(file, file));
    if (!Files.isReadable(file))
      throw new IllegalArgumentException("no permission to read '" + file + "'");
    if (Files.isRegularFile(file) && Files.size(file) == 0)
      throw new IllegalArgumentException(
          "'" + file + "' is empty; it needs a line of column names and rows below it");
  }

  /// Fails if a table is a text file whose first bytes are not UTF-8.
  static void requireText(Path file) throws IOException {
    boolean csv = format(file.toString()).equals("csv") && Files.isRegularFile(file);
    if (!csv || file.toString().toLowerCase(Locale.ROOT).matches(".*\\.(gz|zst)")) return;
    byte[] start;
    try (InputStream in = Files.newInputStream(file)) {
      start = in.readNBytes(1 << 16);
    }
    var bytes = ByteBuffer.wrap(start);
    var decoder = StandardCharsets.UTF_8.newDecoder(); // reports bytes that it cannot read
    CharBuffer text = CharBuffer.allocate(start.length);
    boolean wrong = decoder.decode(bytes, text, false).isError();
    text.flip();
    int zero = text.toString().indexOf('\0');
    if (!wrong && zero < 0) return;
    int at = zero >= 0 ? zero : text.length();
    long line = 1 + text.chars().limit(at).filter(c -> c == '\n').count();
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "'%s', line %d: byte 0x%02x is not text in UTF-8; save the table as CSV in UTF-8, or end its name in .parquet or .json if it is such a file",
            file,
            line,
            zero >= 0 ? 0 : bytes.get(bytes.position()) & 0xff));
  }

  /// Whether a file of that name is read as CSV.
  static boolean isCsv(String location) {
    return format(location).equals("csv");
  }

  private static String format(String location) {
    String lower = location.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".parquet") || lower.endsWith(".pq")) return "parquet";
    return lower.matches(".*\\.(json|jsonl|ndjson)(\\.gz)?") ? "json" : "csv";
  }

  /// Separator and quotes, which DuckDB finds in the first rows. A file of one column needs none.
  private static String dialect(Database database, String file) throws SQLException {
    List<String> found =
        database.strings(
            "select Delimiter, Quote, Escape from sniff_csv(%s, header=true)".formatted(file));
    return "delim=%s, quote=%s, escape=%s"
        .formatted(literal(found.get(0)), character(found.get(1)), character(found.get(2)));
  }

  /// Refuses numbers like `8,51` between semicolons. They would be cut at their commas.
  private static void refuseDecimalCommas(Database database, String name, String file)
      throws SQLException {
    List<String> lines = lines(database, file, 2);
    if (lines.size() < 2 || lines.getFirst().contains(",")) return;
    for (String cell : lines.get(1).split("[;\t]", -1))
      if (lines.getFirst().matches(".*[;\t].*") && cell.strip().matches("[-+]?\\d+,\\d+"))
        throw new IllegalArgumentException(
            "'%s', row 1: '%s' has a decimal comma; write numbers with points, such as %s"
                .formatted(name, cell.strip(), cell.strip().replace(',', '.')));
  }

  /// A character that the sniffer found. It writes `(empty)` if none is used.
  private static String character(String found) {
    return literal(found.length() == 1 && found.charAt(0) != 0 ? found : "");
  }

  /// Refuses names that DuckDB would change: it silently renames the second of two equal names, and
  /// takes data for names.
  private static void checkNames(Database database, String name, String file, String dialect)
      throws SQLException {
    List<String> names =
        database.strings(
            "select * from read_csv(%s, header=false, all_varchar=true, nullstr='', %s) limit 1"
                .formatted(file, dialect));
    if (names.size() == 1) refuseRagged(database, name, file, names.getFirst());
    var seen = new HashSet<String>();
    for (String column : names)
      if (!column.isEmpty() && !seen.add(column))
        throw new IllegalArgumentException(
            "'%s' has two columns named '%s'; rename one".formatted(name, column));
    if (!names.isEmpty() && names.stream().allMatch(Relation::isNumber))
      throw new IllegalArgumentException(
          "'%s' begins with numbers, %s; its first line must name the columns"
              .formatted(name, String.join(", ", names)));
  }

  /// Refuses rows of different lengths, which look like one column to the sniffer.
  private static void refuseRagged(Database database, String name, String file, String first)
      throws SQLException {
    for (char separator : new char[] {',', ';', '\t', '|'}) {
      int columns = values(first, separator);
      if (columns == 1) continue;
      List<String> lines = lines(database, file, 1000);
      for (int i = 1; i < lines.size(); i++) {
        int found = values(lines.get(i), separator);
        if (found != columns && lines.get(i).indexOf('"') < 0)
          throw new IllegalArgumentException(
              "'%s', row %s has %s values, and the first line names %s columns; correct the row, or put a value that holds '%s' in quotes"
                  .formatted(name, i, found, columns, separator));
      }
    }
  }

  private static int values(String line, char separator) {
    return 1 + (int) line.chars().filter(c -> c == separator).count();
  }

  /// The first lines of a text file.
  private static List<String> lines(Database database, String file, int most) throws SQLException {
    return database.strings(
        "select list(line) from (select line from read_csv(%s, columns={'line': 'varchar'}, delim='\u0001', header=false, quote='', escape='', auto_detect=false, strict_mode=false, ignore_errors=true) limit %s)"
            .formatted(file, most),
        true);
  }

  static boolean isNumber(String text) {
    try {
      Double.parseDouble(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
