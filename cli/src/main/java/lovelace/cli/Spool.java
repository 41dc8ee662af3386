package lovelace.cli;

import static lovelace.cli.Database.quoted;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import lovelace.model.Provenance;
import org.duckdb.DuckDBAppender;

/// Keeps what can be read only once, standard input and the answer of a query, to be read again.
final class Spool {

  private static final int FETCH = 10_000;

  private Spool() {}

  /// Standard input as a temporary file whose extension tells its format.
  static Path input(InputStream in) throws IOException {
    Path file = Files.createTempFile("lovelace-", ".csv");
    file.toFile().deleteOnExit(); // interrupted: leave nothing behind
    try {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      if (Files.size(file) == 0) throw new IllegalArgumentException("standard input is empty");
      String suffix = suffix(file);
      Path named = file.resolveSibling(file.getFileName() + suffix);
      named.toFile().deleteOnExit();
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

  /// The answer of a query over files, and over the table named `input` where there is one.
  static Relation query(Database database, String sql) throws SQLException {
    database.execute("create temp table spool as " + bare(sql));
    return Relation.table("--sql", "spool");
  }

  /// The query as it may stand inside another.
  private static String bare(String sql) {
    String query = sql.strip().replaceFirst(";+\\s*$", "");
    if (!query.matches("(?is)(select|with|from|values|\\()\\b?.*"))
      throw new IllegalArgumentException("--sql must be a query, select …, got '" + sql + "'");
    return query;
  }

  /// The answer of a query that a database elsewhere gives.
  static Relation query(Database database, String url, String sql) throws SQLException {
    String name = Provenance.withoutSecrets(url);
    try (Connection there = connect(url, name)) {
      there.setAutoCommit(false); // some drivers stream only inside a transaction
      try (var statement = there.createStatement()) {
        statement.setFetchSize(FETCH);
        try (ResultSet rows = statement.executeQuery(bare(sql))) {
          copy(rows, database);
        }
      } finally {
        there.rollback();
      }
    }
    return Relation.table(name, "spool");
  }

  private static Connection connect(String url, String name) throws SQLException {
    if (DriverManager.drivers().noneMatch(driver -> accepts(driver, url)))
      throw new IllegalArgumentException(
          "there is no JDBC driver for '%s'; put its jar on the class path, LOVELACE_CLASSPATH=driver.jar"
              .formatted(name));
    return DriverManager.getConnection(url);
  }

  private static boolean accepts(java.sql.Driver driver, String url) {
    try {
      return driver.acceptsURL(url);
    } catch (SQLException e) {
      return false;
    }
  }

  private enum Type {
    WHOLE("bigint"),
    NUMBER("double"),
    FLAG("boolean"),
    DATE("date"),
    TIME("timestamp"),
    TEXT("varchar");

    private final String sql;

    Type(String sql) {
      this.sql = sql;
    }
  }

  private static Type type(int jdbc) {
    return switch (jdbc) {
      case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> Type.WHOLE;
      case Types.REAL, Types.FLOAT, Types.DOUBLE, Types.DECIMAL, Types.NUMERIC -> Type.NUMBER;
      case Types.BOOLEAN, Types.BIT -> Type.FLAG;
      case Types.DATE -> Type.DATE;
      case Types.TIMESTAMP -> Type.TIME;
      default -> Type.TEXT;
    };
  }

  private static void copy(ResultSet rows, Database database) throws SQLException {
    ResultSetMetaData about = rows.getMetaData();
    List<Type> types = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    for (int c = 1; c <= about.getColumnCount(); c++) {
      Type type = type(about.getColumnType(c));
      types.add(type);
      columns.add(quoted(about.getColumnLabel(c)) + " " + type.sql);
    }
    database.execute("create table spool(%s)".formatted(String.join(", ", columns)));
    try (DuckDBAppender appender = database.connection().createAppender("main", "spool")) {
      while (rows.next()) {
        appender.beginRow();
        for (int c = 0; c < types.size(); c++) append(rows, c + 1, types.get(c), appender);
        appender.endRow();
      }
    }
  }

  private static void append(ResultSet rows, int column, Type type, DuckDBAppender appender)
      throws SQLException {
    Object value =
        switch (type) {
          case WHOLE, NUMBER -> rows.getObject(column);
          case FLAG -> rows.getBoolean(column);
          case DATE -> rows.getObject(column, LocalDate.class);
          case TIME -> rows.getObject(column, LocalDateTime.class);
          case TEXT -> rows.getString(column);
        };
    if (value == null || rows.wasNull()) {
      appender.appendNull();
      return;
    }
    switch (type) {
      case WHOLE -> appender.append(((Number) value).longValue());
      case NUMBER ->
          appender.append(
              value instanceof BigDecimal b ? b.doubleValue() : ((Number) value).doubleValue());
      case FLAG -> appender.append((boolean) (Boolean) value);
      case DATE -> appender.append((LocalDate) value);
      case TIME -> appender.append((LocalDateTime) value);
      case TEXT -> appender.append((String) value);
    }
  }
}
