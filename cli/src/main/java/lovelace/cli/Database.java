package lovelace.cli;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import lovelace.model.Provenance;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;
import org.jspecify.annotations.Nullable;

/// DuckDB in this process. It reads and writes tables, and never installs anything from the
/// network.
final class Database implements AutoCloseable {

  private static final AtomicReference<@Nullable FutureTask<DuckDBConnection>> AHEAD =
      new AtomicReference<>();

  /// The most letters of an error reason, which may contain a row of a table.
  private static final int LONGEST = 200;

  /// The memory limit of each database in bytes.
  private static final AtomicLong MOST = new AtomicLong(Memory.database(Long.MAX_VALUE));

  private final DuckDBConnection connection;

  private Database(DuckDBConnection connection) {
    this.connection = connection;
  }

  /// Limits every database opened from now on to its share of this process's memory.
  static void keepWithin(long bytes) {
    MOST.set(Memory.database(bytes));
  }

  /// The same for a command that sorts the series of whole tables.
  static void keepSeriesWithin(long bytes) {
    MOST.set(Memory.series(bytes));
  }

  /// Connects for the first database on another thread, so that the driver and its library load
  /// while the command reads its options and its model.
  static void connectAhead() {
    var task = new FutureTask<>(Database::connect);
    AHEAD.set(task);
    Thread.ofPlatform().daemon().name("DuckDB").start(task);
  }

  /// Waits for a connection that was never used, because the process must not end while its library
  /// loads.
  static void forget() {
    FutureTask<DuckDBConnection> ahead = AHEAD.getAndSet(null);
    if (ahead == null) return;
    try {
      ahead.get().close();
    } catch (ExecutionException | SQLException e) {
      // the connection was not needed
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static DuckDBConnection connect() throws SQLException {
    var streaming = new Properties(); // rows arrive while the query runs
    streaming.setProperty(DuckDBDriver.JDBC_STREAM_RESULTS, "true");
    return DriverManager.getConnection("jdbc:duckdb:", streaming).unwrap(DuckDBConnection.class);
  }

  /// The connection that was prepared ahead, or a new one.
  private static DuckDBConnection connection(@Nullable FutureTask<DuckDBConnection> ahead)
      throws SQLException {
    if (ahead == null) return connect();
    try {
      return ahead.get();
    } catch (ExecutionException e) {
      return connect(); // the new attempt reports the error
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted", e);
    }
  }

  /// Opens an empty database of its own. If memory runs out, it writes to the folder of temporary
  /// files.
  static Database open() throws SQLException {
    DuckDBConnection connection = connection(AHEAD.getAndSet(null));
    Database database = new Database(connection);
    boolean ready = false;
    try {
      database.execute("set autoinstall_known_extensions = false");
      database.execute("set memory_limit = '" + (MOST.get() >> 10) + " KiB'");
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

  /// The values of a query's first row. A null becomes the empty string.
  List<String> strings(String query) throws SQLException {
    return strings(query, false);
  }

  /// The first row's values, or the elements of its only list. A null becomes the empty string.
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
    } catch (SQLException e) {
      throw told(query, e);
    }
    return found;
  }

  /// Finds the real error of a failed query. If its rows arrive while it runs, the first error says
  /// only that it has no result.
  SQLException told(String query, SQLException first) {
    try (var statement = connection.prepare(query);
        var result = statement.query()) {
      result.nextChunk();
      return first;
    } catch (SQLException e) {
      return e;
    }
  }

  static String quoted(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /// Says in one line why DuckDB cannot read a table, without passwords.
  static IllegalArgumentException unreadable(String name, SQLException e) {
    IllegalArgumentException fault = TextLimits.fault(name);
    if (fault != null) return fault;
    String message = reason(String.valueOf(e.getMessage()));
    Throwable cause = e.getCause(); // such as UnknownHostException; its text may contain a password
    if (cause != null) message += " (%s)".formatted(Errors.kind(cause));
    return new IllegalArgumentException(
        Provenance.withoutSecrets("'%s' cannot be read: %s".formatted(name, message)), e);
  }

  /// The first line of a message. If it is about a line of a text file, the reason follows on a
  /// later line and is added.
  private static String reason(String message) {
    List<String> lines =
        message
            .lines()
            .takeWhile(line -> !line.startsWith("Possible "))
            .filter(line -> !line.isBlank())
            .toList();
    if (lines.isEmpty()) return "unknown error";
    String last = lines.getLast();
    return lines.getFirst().contains("CSV Error on Line") && lines.size() > 2
        ? lines.getFirst() + ": " + last.substring(0, Math.min(last.length(), LONGEST))
        : lines.getFirst();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
