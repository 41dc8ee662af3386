package lovelace.cli;

import static lovelace.cli.Database.literal;
import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import lovelace.data.Column;
import lovelace.data.TimeScale;
import lovelace.model.Provenance;
import org.jspecify.annotations.Nullable;

/// A table, read through DuckDB a few thousand rows at a time.
///
/// It may be CSV or TSV (a first line with the names; also `.gz`), Parquet, JSON lines, a glob of
/// such files, `-` for standard input, or the answer of a query. Input that can be read only once
/// is copied ([Spool]). Numbers keep every bit. Rows count from 1, the first one after the names.
final class Table implements AutoCloseable {

  /// The kinds of content of a column.
  enum Kind {
    NUMBER,
    TIME,
    TEXT
  }

  /// A column: its name, kind, and the type DuckDB gives it.
  record Field(String name, Kind kind, String type) {}

  /// A column that [TableWriter#extend] and [TableWriter#map] add: a number, a flag that is 0 or 1,
  /// or for [TableWriter#map] an expression of SQL over the other added columns.
  record Added(String name, boolean flag, @Nullable String expression) {

    static Added number(String name) {
      return new Added(name, false, null);
    }

    static Added flag(String name) {
      return new Added(name, true, null);
    }

    static Added expression(String name, String sql) {
      return new Added(name, false, sql);
    }
  }

  /// Receives rows, column by column. The arrays are reused for the next rows.
  interface Rows {
    void accept(int count, double[][] columns);
  }

  /// Computes added columns from the input columns. Both arrays are reused.
  interface Extension {
    void apply(int count, double[][] columns, double[][] added);
  }

  /// The number of rows read, and of rows left out.
  record Count(long read, long skipped) {}

  private final String name;
  private final Database database;
  private final @Nullable StreamSpool spool;
  private final List<RasterColumn> sampled = new ArrayList<>();
  private Relation relation;
  private List<Field> fields;
  private TableScan scan;
  private TableWriter writer;

  private Table(Database database, Relation relation, @Nullable StreamSpool spool)
      throws SQLException {
    name = relation.name();
    this.database = database;
    this.relation = relation;
    this.spool = spool;
    fields = describe();
    scan = new TableScan(name, database, relation, fields, List.of());
    writer = new TableWriter(name, database, relation, fields, scan);
  }

  /// Adds a column whose values come from a raster, at the places of the rows. The table closes the
  /// raster.
  void add(RasterColumn column) throws IOException {
    if (fields.stream().anyMatch(f -> f.name.equalsIgnoreCase(column.name())))
      throw new IllegalArgumentException(
          "'%s' has a column '%s', and %s takes it from a raster; leave out one of the two"
              .formatted(name, column.name(), column.option()));
    try {
      relation = relation.with(column.name(), column.register(database.connection()));
    } catch (SQLException e) {
      throw Database.unreadable(name, e);
    }
    sampled.add(column);
    List<Field> all = new ArrayList<>(fields);
    all.add(new Field(column.name(), Kind.NUMBER, "DOUBLE"));
    fields = List.copyOf(all);
    scan = new TableScan(name, database, relation, fields, List.copyOf(sampled));
    writer = new TableWriter(name, database, relation, fields, scan);
  }

  /// Whether a column's values come from a raster.
  boolean isSampled(String column) {
    return sampled.stream().anyMatch(s -> s.name().equals(column));
  }

  /// Opens a file, a glob, or standard input for `-`.
  static Table open(String location, InputStream in) throws IOException {
    return open(location, null, in);
  }

  /// Opens a table with rows that an option names.
  static Table of(String option, String file) throws IOException {
    if (Files.notExists(Path.of(file)) && !file.matches(".*[*?\\[].*"))
      throw new IllegalArgumentException(
          "%s: there is no file '%s'; name a table".formatted(option, file));
    try {
      Table table = open(file, InputStream.nullInputStream());
      boolean ready = false;
      try {
        table.requireRows();
        ready = true;
        return table;
      } finally {
        if (!ready) table.close();
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
    }
  }

  /// Opens a table, or the answer of a query if there is one. The query reads files and the table,
  /// which it calls `input`; or it reads the database that a JDBC URL names.
  static Table open(@Nullable String location, @Nullable String sql, InputStream in)
      throws IOException {
    return open(location, sql, in, new PrintWriter(Writer.nullWriter()));
  }

  /// The same. Reports on `err` the progress of copying input that can be read only once.
  static Table open(
      @Nullable String location, @Nullable String sql, InputStream in, PrintWriter err)
      throws IOException {
    if (location == null && sql == null)
      throw new IllegalArgumentException("name a TABLE, or say what to read with --sql");
    boolean remote = location != null && location.startsWith("jdbc:");
    if (location != null && remote && sql == null)
      throw new IllegalArgumentException(
          "'%s' is a database; say what to read with --sql 'select …'"
              .formatted(Provenance.withoutSecrets(location)));
    boolean standard = location != null && location.equals("-");
    String name =
        location == null
            ? "--sql"
            : standard ? "standard input" : Provenance.withoutSecrets(location);
    StreamSpool spool = standard ? StreamSpool.input(in, err) : null;
    Database database = null;
    boolean opened = false;
    try {
      if (location != null && spool == null && !remote && !FilePattern.isGlob(location)) {
        if (StreamSpool.isStream(Path.of(location)))
          spool = StreamSpool.input(Path.of(location), err);
      }
      if (location != null && spool == null && !remote && !FilePattern.isGlob(location)) {
        Relation.check(Path.of(location));
        Relation.requireText(Path.of(location));
      }
      database = Database.open();
      Table table = new Table(database, relation(database, name, location, spool, sql), spool);
      opened = true;
      return table;
    } catch (SQLException e) {
      throw Database.unreadable(name, e);
    } finally {
      if (!opened) tidy(database, spool);
    }
  }

  /// Makes a relation within a database.
  interface Maker {
    Relation relation(Database database) throws SQLException;
  }

  /// Opens a table that a query makes while it is read.
  static Table made(String name, Maker maker) throws IOException {
    Database database = null;
    boolean opened = false;
    try {
      database = Database.open();
      Table table = new Table(database, maker.relation(database), null);
      opened = true;
      return table;
    } catch (SQLException e) {
      throw Database.unreadable(name, e);
    } finally {
      if (!opened) tidy(database, null);
    }
  }

  private static Relation relation(
      Database database,
      String name,
      @Nullable String location,
      @Nullable StreamSpool spool,
      @Nullable String sql)
      throws IOException, SQLException {
    if (location != null && location.startsWith("jdbc:") && sql != null)
      return Spool.query(database, location, sql);
    if (location != null) {
      Relation file =
          Relation.file(database, name, spool == null ? location : spool.file().toString());
      if (sql == null) return file;
      database.execute("create view input as select * from " + file.typedSource());
    }
    if (sql == null) throw new IllegalStateException("nothing to read");
    return Spool.query(database, sql);
  }

  private static void tidy(@Nullable Database database, @Nullable StreamSpool spool)
      throws IOException {
    try (database) {
      if (spool != null) spool.close();
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  private List<Field> describe() throws SQLException {
    var found = new ArrayList<Field>();
    String query = "describe select * from " + relation.typedSource();
    try (var statement = database.connection().createStatement();
        var rows = statement.executeQuery(query)) {
      while (rows.next()) {
        String type = rows.getString(2);
        found.add(new Field(rows.getString(1), kind(type), type));
      }
    } catch (SQLException e) {
      throw database.told(query, e);
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

  /// Whether a column of text contains times. Months such as `1949-01` are text to DuckDB.
  private boolean holdsTimes(String column) throws SQLException {
    String c = quoted(column);
    List<String> some =
        database.strings(
            "select list(c) from (select %s::varchar c from %s where %s is not null limit 20)"
                .formatted(c, relation.source(), c),
            true);
    return !some.isEmpty() && some.stream().allMatch(TimeScale::recognizes);
  }

  /// The name of the table in messages.
  String name() {
    return name;
  }

  /// The database that reads the table.
  Database database() {
    return database;
  }

  /// The table as the database reads it.
  Relation relation() {
    return relation;
  }

  /// The columns in their order.
  List<Field> fields() {
    return fields;
  }

  /// The column of that name. For an unknown name, the error lists the columns.
  Field field(String column) {
    return scan.field(column);
  }

  /// The columns with their kinds, as messages list them.
  String listing() {
    return fields.stream()
        .map(f -> "%s (%s)".formatted(f.name, f.kind.toString().toLowerCase(Locale.ROOT)))
        .collect(Collectors.joining(", "));
  }

  /// Fails if there are names of columns but no rows.
  void requireRows() throws IOException {
    try {
      if (!database.strings("select 1 from %s limit 1".formatted(relation.source())).isEmpty())
        return;
      throw new IllegalArgumentException(
          "'%s' has names of columns (%s) and no rows; add rows below them"
              .formatted(name, String.join(", ", fields.stream().map(Field::name).toList())));
    } catch (SQLException e) {
      throw Database.unreadable(name, e);
    }
  }

  /// The first value of a column that is not a number, with its row; empty if all are numbers.
  String firstText(String column) throws IOException {
    String query =
        "select r, v from (select row_number() over () r, %s::varchar v from %s) where v is not null and try_cast(v as double) is null limit 1"
            .formatted(quoted(column), relation.source());
    try {
      List<String> found = database.strings(query);
      return found.isEmpty() ? "" : "row %s: '%s'".formatted(found.get(0), found.get(1));
    } catch (SQLException e) {
      throw Database.unreadable(name, e);
    }
  }

  /// The column as numbers. A column of times gets the scale that suits them.
  Column column(String column) throws IOException {
    Field field = field(column);
    if (field.kind != Kind.TIME) return Column.of(column);
    return Column.of(column, new TimeColumn(name, database, relation, column).scale());
  }

  /// Reads columns of text until their kind is clear.
  List<TextFacts> texts(List<String> columns) throws IOException {
    return scan.texts(columns);
  }

  /// The first `most` different values of a column in the order of their rows.
  List<TableScan.First> firstOf(String column, int most) throws IOException {
    return scan.firstOf(column, most);
  }

  /// All rows, before any is left out. Values that are missing or cannot be read are NaN.
  Count chunks(Reading reading, TableScan.Chunks chunks) throws IOException {
    return scan.all(reading, chunks);
  }

  /// Reads columns as numbers in the table's order. The memory does not depend on the number of
  /// rows.
  Count read(Reading reading, Rows rows) throws IOException {
    return scan.all(
        reading,
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

  /// Passes one in `every` rows of Parquet files, chosen by a hash of the row number.
  void sample(Reading reading, long every, long seed, Rows rows) throws IOException {
    scan.some(reading, every, seed, rows);
  }

  /// The smallest and largest values of columns from the files' own statistics, one pair per
  /// column, and then the number of rows; null if the statistics lack these.
  double @Nullable [] ranges(List<Column> inputs) throws IOException {
    if (!relation.hasStatistics()) return null;
    double[] found = new double[2 * inputs.size() + 1];
    try {
      for (int j = 0; j < inputs.size(); j++) {
        Column input = inputs.get(j);
        if (input.time().isPresent()
            || input.isText()
            || !field(input.name()).type.matches("DOUBLE|FLOAT|BIGINT|INTEGER")) return null;
        List<String> of =
            database.strings(
                """
                select min(stats_min_value::double), max(stats_max_value::double),
                  coalesce(sum(num_values), 0), bool_and(stats_min_value is not null
                    and stats_max_value is not null and coalesce(stats_null_count, 1) = 0)
                from parquet_metadata(%s) where path_in_schema = %s
                """
                    .formatted(relation.file(), literal(input.name())));
        if (!of.get(3).equals("true")) return null;
        found[2 * j] = Double.parseDouble(of.get(0));
        found[2 * j + 1] = Double.parseDouble(of.get(1));
        found[2 * inputs.size()] = Double.parseDouble(of.get(2));
        if (!Double.isFinite(found[2 * j + 1] - found[2 * j])) return null;
      }
      return found;
    } catch (SQLException e) {
      return null; // a reading finds out what the statistics do not tell
    }
  }

  /// Writes the table with added columns.
  TableWriter writer() {
    return writer;
  }

  @Override
  public void close() throws IOException {
    try {
      for (RasterColumn column : sampled) column.close();
    } finally {
      tidy(database, spool);
    }
  }
}
