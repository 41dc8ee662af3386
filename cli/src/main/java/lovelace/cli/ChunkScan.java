package lovelace.cli;

import java.sql.SQLException;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBPreparedStatement;
import org.duckdb.DuckDBReadableVector;

/// The rows of a query, some thousands at a time.
///
/// DuckDB ends such a result without a word if it fails after the first rows, and the rows after
/// them would be missing. So the query gets one more row, which says that it is the last, and an
/// end without it is a failure.
final class ChunkScan implements AutoCloseable {

  private final Database database;
  private final String query;
  private final int columns;
  private final DuckDBPreparedStatement statement;
  private final DuckDBChunkedResult result;
  private int rows;
  private boolean ended;

  /// @param columns how many columns the query has
  ChunkScan(Database database, String query, int columns) throws SQLException {
    this.database = database;
    this.query = query;
    this.columns = columns;
    statement =
        database
            .connection()
            .prepare(
                "select *, false from (%s) union all select %strue"
                    .formatted(query, "null, ".repeat(columns)));
    boolean ready = false;
    try {
      result = statement.query();
      ready = true;
    } finally {
      if (!ready) statement.close();
    }
  }

  /// Goes to the next rows; false where there are no more.
  boolean next() throws SQLException {
    while (!ended && result.nextChunk()) {
      DuckDBDataChunkReader chunk = result.chunk();
      rows = Math.toIntExact(chunk.rowCount());
      ended = rows > 0 && chunk.vector(columns).getBoolean(rows - 1);
      if (ended) rows--;
      if (rows > 0) return true;
    }
    if (ended) return false;
    throw database.told( // of a query that needs all rows
        "select count(columns(*)) from (%s)".formatted(query),
        new SQLException("DuckDB gave only the first rows, and does not say why"));
  }

  /// How many rows there are this time.
  int rows() {
    return rows;
  }

  /// Their values in a column, which counts from 0.
  DuckDBReadableVector column(int column) {
    return result.chunk().vector(column);
  }

  @Override
  public void close() throws SQLException {
    try (statement;
        result) {
      ended = true;
    }
  }
}
