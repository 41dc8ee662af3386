package lovelace.cli;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import lovelace.data.TimeScale;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;

/// A table in a file, read through DuckDB a few thousand rows at a time.
///
/// CSV and TSV (a first line with the names; `.gz` too), Parquet, JSON lines, a glob of such files,
/// `-` for standard input, which is spooled to a temporary file because it may be read twice.
/// Nothing is ever installed from the network. Numbers keep every bit. Rows count from 1, the first
/// one after the names.
final class Table implements AutoCloseable {

  /// What a column holds.
  enum Kind {
    NUMBER,
    TIME,
    TEXT
  }

  /// A column: its name, what it holds, and the type DuckDB gives it.
  record Field(String name, Kind kind, String type) {}

  /// A column to read as numbers; a column of times needs the scale that makes them numbers.
  record Input(String name, @Nullable TimeScale time) {}

  /// A column that [#extend] adds: a number, or a flag where it is 0 or 1.
  record Added(String name, boolean flag) {}

  /// What to do with a row in which a wanted value is missing or not a finite number.
  enum Missing {
    ERROR,
    SKIP
  }

  /// Takes rows, column by column; the arrays are used again for the next rows.
  interface Rows {
    void accept(int count, double[][] columns);
  }

  /// Computes added columns from the input columns; both arrays are used again.
  interface Extension {
    void apply(int count, double[][] columns, double[][] added);
  }

  /// How many rows were read and how many left out.
  record Count(long read, long skipped) {}

  private static final int CHUNK = 2048;
  private static final String ABSENT =
      "['', 'NA', 'N/A', 'n/a', 'na', 'NaN', 'nan', 'null', 'NULL', 'None', '?']";

  private final String name;
  private final DuckDBConnection connection;
  private final String source;
  private final String typedSource;
  private final boolean text;
  private final List<Field> fields;
  private final @Nullable Path spool;

  private Table(String name, String location, @Nullable Path spool) throws SQLException {
    this.name = name;
    this.spool = spool;
    connection = connect();
    boolean opened = false;
    try {
      String format = format(location);
      text = format.equals("csv");
      String file = literal(location);
      if (text) {
        String first = isGlob(location) ? literal(first(location)) : file;
        String dialect = dialect(first);
        source =
            "read_csv(%s, header=true, all_varchar=true, nullstr='', %s)".formatted(file, dialect);
        typedSource = "read_csv(%s, header=true, nullstr=%s, %s)".formatted(file, ABSENT, dialect);
        checkNames(first, dialect);
      } else {
        source = "read_%s(%s)".formatted(format, file);
        typedSource = source;
      }
      fields = describe();
      opened = true;
    } finally {
      if (!opened) connection.close();
    }
  }

  /// Opens a file, a glob, or with `-` the standard input.
  static Table open(String location, InputStream in) throws IOException {
    boolean piped = location.equals("-");
    Path spool = piped ? Spool.of(in) : null;
    String name = piped ? "standard input" : location;
    boolean opened = false;
    try {
      if (spool == null && !isGlob(location)) check(Path.of(location));
      Table table = new Table(name, spool == null ? location : spool.toString(), spool);
      opened = true;
      return table;
    } catch (SQLException e) {
      throw unreadable(name, e);
    } finally {
      if (!opened && spool != null) Files.deleteIfExists(spool);
    }
  }

  private static boolean isGlob(String location) {
    return location.matches(".*[*?\\[].*") && !Files.exists(Path.of(location));
  }

  private String first(String glob) throws SQLException {
    String file = strings("select min(file) from glob(%s)".formatted(literal(glob))).getFirst();
    if (file.isEmpty()) throw new IllegalArgumentException("there are no files '" + glob + "'");
    return file;
  }

  private static void check(Path file) throws IOException {
    if (Files.notExists(file))
      throw new IllegalArgumentException("there is no file '" + file + "'");
    if (Files.isDirectory(file))
      throw new IllegalArgumentException(
          "'%s' is a folder; name a file in it, or all with '%s/*.csv'".formatted(file, file));
    if (!Files.isReadable(file))
      throw new IllegalArgumentException("no permission to read '" + file + "'");
    if (Files.isRegularFile(file) && Files.size(file) == 0)
      throw new IllegalArgumentException("'" + file + "' is empty");
  }

  private static DuckDBConnection connect() throws SQLException {
    var connection = DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class);
    try (var statement = connection.createStatement()) {
      statement.execute("set autoinstall_known_extensions = false");
      statement.execute(
          "set temp_directory = " + literal(System.getProperty("java.io.tmpdir", "/tmp")));
    }
    return connection;
  }

  private static String format(String location) {
    String lower = location.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".parquet") || lower.endsWith(".pq")) return "parquet";
    return lower.matches(".*\\.(json|jsonl|ndjson)(\\.gz)?") ? "json" : "csv";
  }

  /// Separator and quotes, found by DuckDB in the first rows; one column needs none.
  private String dialect(String file) throws SQLException {
    String query =
        "select Delimiter, Quote, Escape from sniff_csv(%s, header=true)".formatted(file);
    List<String> found = strings(query);
    return "delim=%s, quote=%s, escape=%s"
        .formatted(literal(found.get(0)), character(found.get(1)), character(found.get(2)));
  }

  /// The sniffer writes `(empty)` for a character that is not used.
  private static String character(String found) {
    return literal(found.length() == 1 && found.charAt(0) != 0 ? found : "");
  }

  /// DuckDB would quietly rename the second of two equal names, and take data for names.
  private void checkNames(String file, String dialect) throws SQLException {
    List<String> names =
        strings(
            "select * from read_csv(%s, header=false, all_varchar=true, nullstr='', %s) limit 1"
                .formatted(file, dialect));
    var seen = new HashSet<String>();
    for (String column : names)
      if (!column.isEmpty() && !seen.add(column))
        throw new IllegalArgumentException(
            "'%s' has two columns named '%s'; rename one".formatted(name, column));
    if (!names.isEmpty() && names.stream().allMatch(Table::isNumber))
      throw new IllegalArgumentException(
          "'%s' begins with numbers, %s; its first line must name the columns"
              .formatted(name, String.join(", ", names)));
  }

  private static boolean isNumber(String text) {
    try {
      Double.parseDouble(text);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private List<Field> describe() throws SQLException {
    var found = new ArrayList<Field>();
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("describe select * from " + typedSource)) {
      while (rows.next()) {
        String type = rows.getString(2);
        found.add(new Field(rows.getString(1), kind(type), type));
      }
    }
    for (int i = 0; i < found.size(); i++) {
      Field field = found.get(i);
      if (field.type.equals("VARCHAR") && holdsTimes(field.name))
        found.set(i, new Field(field.name, Kind.TIME, field.type));
    }
    return List.copyOf(found);
  }

  private static Kind kind(String type) {
    if (type.startsWith("DATE") || type.startsWith("TIMESTAMP")) return Kind.TIME;
    return type.matches("U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*|BOOLEAN")
        ? Kind.NUMBER
        : Kind.TEXT;
  }

  /// Months such as `1949-01` are text to DuckDB.
  private boolean holdsTimes(String column) throws SQLException {
    String c = quoted(column);
    List<String> some =
        strings(
            "select list(c) from (select %s::varchar c from %s where %s is not null limit 20)"
                .formatted(c, source, c),
            true);
    return !some.isEmpty() && some.stream().allMatch(TimeScale::recognizes);
  }

  private List<String> strings(String query) throws SQLException {
    return strings(query, false);
  }

  /// The first row's values, or the elements of its only list; null is the empty string.
  private List<String> strings(String query, boolean list) throws SQLException {
    var found = new ArrayList<String>();
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      if (!rows.next()) return found;
      if (list) {
        var array = rows.getArray(1);
        if (array != null)
          for (Object value : (Object[]) array.getArray()) found.add(String.valueOf(value));
        return found;
      }
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        String value = rows.getString(i);
        found.add(value == null ? "" : value);
      }
    }
    return found;
  }

  /// What the table is called in messages.
  String name() {
    return name;
  }

  /// The columns in their order.
  List<Field> fields() {
    return fields;
  }

  /// The column of that name; an unknown name is an error that lists what is there.
  Field field(String column) {
    for (Field field : fields) if (field.name.equals(column)) return field;
    List<String> names = fields.stream().map(Field::name).toList();
    String nearest = Nearest.of(column, names);
    throw new IllegalArgumentException(
        "'%s' has no column '%s'%s; it has %s"
            .formatted(
                name,
                column,
                nearest == null ? "" : ", did you mean '" + nearest + "'?",
                String.join(", ", names)));
  }

  /// The column as an input, with the scale that suits its times where it holds times.
  Input input(String column) throws IOException {
    Field field = field(column);
    if (field.kind != Kind.TIME) return new Input(column, null);
    String zone = "regexp_extract(c, '(Z|[+-]\\d\\d(:?\\d\\d)?)$')";
    String query =
        """
        select min(c), max(c), arg_min(c, %1$s), arg_max(c, %1$s),
          any_value(c) filter (where not regexp_matches(c, '^\\d{4}-\\d\\d(-01([T ]00:00(:00(\\.0+)?)?.*)?)?$')),
          any_value(c) filter (where regexp_matches(c, '\\d:\\d\\d:(0[1-9]|[1-5])')),
          any_value(c) filter (where regexp_matches(c, '\\.\\d*[1-9]')),
          any_value(c) filter (where length(c) > 7)
        from (select %2$s::varchar c from %3$s where %2$s is not null)
        """
            .formatted(zone, quoted(column), source);
    try {
      List<String> some = strings(query).stream().filter(s -> !s.isEmpty()).distinct().toList();
      if (some.isEmpty())
        throw new IllegalArgumentException(
            "column '%s' of '%s' has no values".formatted(column, name));
      return new Input(column, TimeScale.of(column, some));
    } catch (SQLException e) {
      throw unreadable(name, e);
    }
  }

  /// Reads columns as numbers in the table's order, in memory that does not grow with it.
  Count read(List<Input> inputs, Missing missing, Rows rows) throws IOException {
    return scan(
        inputs,
        missing,
        (count, columns, skipped) -> {
          int kept = 0;
          for (int i = 0; i < count; i++) {
            if (skipped[i]) continue;
            for (double[] column : columns) column[kept] = column[i];
            kept++;
          }
          if (kept > 0) rows.accept(kept, columns);
        });
  }

  /// Writes all columns and the added ones to a file, whose extension says how (`.csv`, `.tsv`,
  /// `.parquet`, `.json`, the text ones with `.gz` too), or as CSV to a stream where `out` is `-`.
  /// A row that is skipped has no added values.
  Count extend(
      List<Input> inputs,
      Missing missing,
      List<Added> added,
      Extension extension,
      String out,
      OutputStream stream)
      throws IOException {
    for (Added a : added)
      if (fields.stream().anyMatch(f -> f.name.equalsIgnoreCase(a.name)))
        throw new IllegalArgumentException(
            "'%s' has a column '%s' already, which the result adds; rename it first"
                .formatted(name, a.name));
    String options = Output.options(out);
    double[][] values = new double[added.size()][CHUNK];
    try (var statement = connection.createStatement()) {
      var definition = new ArrayList<String>();
      var selection = new ArrayList<String>();
      for (int j = 0; j < added.size(); j++) {
        definition.add("a" + j + " double");
        String target = added.get(j).flag ? "(e.a%d = 1)" : "e.a%d";
        selection.add(target.formatted(j) + " as " + quoted(added.get(j).name));
      }
      statement.execute(
          "create or replace table extra(%s)".formatted(String.join(", ", definition)));
      Count count;
      try (var second = connection.duplicate();
          var appender = second.createAppender("main", "extra")) {
        count =
            scan(
                inputs,
                missing,
                (size, columns, skipped) -> {
                  extension.apply(size, columns, values);
                  for (int i = 0; i < size; i++) {
                    appender.beginRow();
                    for (double[] column : values)
                      if (skipped[i]) appender.appendNull();
                      else appender.append(column[i]);
                    appender.endRow();
                  }
                });
      }
      String from = options.contains("csv") ? source : typedSource;
      String query =
          "select t.*, %s from %s t positional join extra e"
              .formatted(String.join(", ", selection), from);
      Output.write(
          out,
          stream,
          file ->
              statement.execute("copy (%s) to %s (%s)".formatted(query, literal(file), options)));
      statement.execute("drop table extra");
      return count;
    } catch (SQLException e) {
      throw unreadable(name, e);
    }
  }

  private interface Chunks {
    void accept(int count, double[][] columns, boolean[] skipped) throws SQLException;
  }

  private Count scan(List<Input> inputs, Missing missing, Chunks chunks) throws IOException {
    var selection = new ArrayList<String>();
    for (Input input : inputs) {
      Field field = field(input.name);
      String c = quoted(input.name);
      if (input.time == null && field.kind == Kind.TIME)
        throw new IllegalArgumentException(
            "column '%s' of '%s' holds times, a number is needed".formatted(input.name, name));
      if (input.time != null) selection.add("null::double, " + c + "::varchar");
      else if (text || field.kind == Kind.TEXT)
        selection.add(
            "try_cast(%1$s as double), case when try_cast(%1$s as double) is null then %1$s::varchar end"
                .formatted(c));
      else selection.add("%s::double, null::varchar".formatted(c));
    }
    String query = "select %s from %s".formatted(String.join(", ", selection), source);
    double[][] columns = new double[inputs.size()][CHUNK];
    boolean[] skipped = new boolean[CHUNK];
    long row = 0;
    long left = 0;
    try (var statement = connection.prepare(query);
        var result = statement.query()) {
      while (result.nextChunk()) {
        var chunk = result.chunk();
        int size = (int) chunk.rowCount();
        if (size > skipped.length) {
          skipped = new boolean[size];
          for (int j = 0; j < columns.length; j++) columns[j] = new double[size];
        }
        Arrays.fill(skipped, false);
        for (int j = 0; j < columns.length; j++)
          convert(
              inputs.get(j),
              chunk.vector(2L * j),
              chunk.vector(2L * j + 1),
              size,
              row,
              missing,
              columns[j],
              skipped);
        for (int i = 0; i < size; i++) if (skipped[i]) left++;
        chunks.accept(size, columns, skipped);
        row += size;
      }
    } catch (SQLException e) {
      throw unreadable(name, e);
    }
    return new Count(row - left, left);
  }

  private void convert(
      Input input,
      DuckDBReadableVector numbers,
      DuckDBReadableVector texts,
      int size,
      long before,
      Missing missing,
      double[] out,
      boolean[] skipped) {
    for (int i = 0; i < size; i++) {
      boolean known;
      if (input.time != null) {
        String value = texts.isNull(i) ? null : texts.getString(i);
        known = value != null && TimeScale.recognizes(value);
        out[i] = known && value != null ? input.time.parse(value) : Double.NaN;
      } else {
        out[i] = numbers.isNull(i) ? Double.NaN : numbers.getDouble(i);
        known = Double.isFinite(out[i]);
      }
      if (known) continue;
      if (missing == Missing.ERROR)
        throw absent(input, before + i + 1, texts.isNull(i) ? null : texts.getString(i), out[i]);
      skipped[i] = true;
    }
  }

  private IllegalArgumentException absent(
      Input input, long row, @Nullable String value, double number) {
    String what =
        value != null
            ? "'%s', not a %s".formatted(value, input.time == null ? "number" : "date or timestamp")
            : Double.isInfinite(number) ? "infinite" : "missing";
    return new IllegalArgumentException(
        "row %,d of '%s': column '%s' is %s; correct or drop the row, or pass --missing skip"
            .formatted(row, name, input.name, what));
  }

  private static IllegalArgumentException unreadable(String name, SQLException e) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("unknown error");
    return new IllegalArgumentException("'%s' cannot be read: %s".formatted(name, message), e);
  }

  private static String quoted(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  private static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IOException(e);
    } finally {
      if (spool != null) Files.deleteIfExists(spool);
    }
  }

  /// Standard input as a file whose extension tells its format.
  private static final class Spool {
    static Path of(InputStream in) throws IOException {
      Path file = Files.createTempFile("lovelace-", ".csv");
      try {
        Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        if (Files.size(file) == 0) throw new IllegalArgumentException("standard input is empty");
        String suffix = suffix(file);
        Path named = file.resolveSibling(file.getFileName() + suffix);
        return suffix.isEmpty() ? file : Files.move(file, named);
      } catch (IOException | RuntimeException e) {
        Files.deleteIfExists(file);
        throw e;
      }
    }

    private static String suffix(Path file) throws IOException {
      try (var in = new BufferedInputStream(Files.newInputStream(file))) {
        byte[] start = peek(in);
        if (start[0] == 0x1f && start[1] == (byte) 0x8b)
          return isJson(peek(new BufferedInputStream(new GZIPInputStream(in))))
              ? ".json.gz"
              : ".gz";
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
}
