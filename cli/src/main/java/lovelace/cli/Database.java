package lovelace.cli;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import lovelace.model.Provenance;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/// DuckDB in this process, which reads and writes tables. Nothing is ever installed from the
/// network.
final class Database implements AutoCloseable {

  private final DuckDBConnection connection;

  private Database(DuckDBConnection connection) {
    this.connection = connection;
  }

  /// A database of its own, empty, that spills to the folder of temporary files.
  static Database open() throws SQLException {
    var streaming = new Properties(); // rows are handed over while the query runs
    streaming.setProperty(DuckDBDriver.JDBC_STREAM_RESULTS, "true");
    var connection =
        DriverManager.getConnection("jdbc:duckdb:", streaming).unwrap(DuckDBConnection.class);
    Database database = new Database(connection);
    boolean ready = false;
    try {
      database.execute("set autoinstall_known_extensions = false");
      database.execute("set memory_limit = '1GiB'");
      Path temporary =
          Path.of(
              System.getProperty("java.io.tmpdir", "/tmp"),
              "lovelace-" + ProcessHandle.current().pid());
      database.execute("set temp_directory = " + literal(temporary.toString()));
      ready = true;
      return database;
    } finally {
      if (!ready) connection.close();
    }
  }

  DuckDBConnection connection() {
    return connection;
  }

  void execute(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /// The values of a query's first row; null is the empty string.
  List<String> strings(String query) throws SQLException {
    return strings(query, false);
  }

  /// The first row's values, or the elements of its only list; null is the empty string.
  List<String> strings(String query, boolean list) throws SQLException {
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

  static String quoted(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /// What DuckDB says of a table that it cannot read, in one line and without passwords.
  static IllegalArgumentException unreadable(String name, SQLException e) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("unknown error");
    return new IllegalArgumentException(
        Provenance.withoutSecrets("'%s' cannot be read: %s".formatted(name, message)), e);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
