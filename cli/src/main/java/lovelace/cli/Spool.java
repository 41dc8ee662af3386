package lovelace.cli;

import static lovelace.cli.Database.quoted;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import lovelace.model.Provenance;
import org.duckdb.DuckDBAppender;

/// Stores the answer of a query, so that it can be read more than once.
final class Spool {

  private static final int FETCH = 10_000;

  private Spool() {}

  /// The answer of a query over files, and over the table named `input` if there is one.
  static Relation query(Database database, String sql) throws SQLException {
    database.execute("create temp table spool as " + bare(sql));
    return Relation.table("--sql", "spool");
  }

  /// The query in a form that can stand inside another.
  private static String bare(String sql) {
    String query = sql.strip().replaceFirst(";+\\s*$", "");
    if (!query.matches("(?is)(select|with|from|values|\\()\\b?.*"))
      throw new IllegalArgumentException("--sql must be a query, select …, got '" + sql + "'");
    return query;
  }

  /// The answer of a query to another database.
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
