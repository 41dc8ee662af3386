package lovelace.cli;

import java.sql.SQLException;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBPreparedStatement;
import org.duckdb.DuckDBReadableVector;

/// Reads the rows of a query, a few thousand at a time.
///
/// If DuckDB fails after the first rows, it ends such a result without an error, and the remaining
/// rows would be missing. So the query gets one more row that marks the end, and an end without it
/// is a failure.
final class ChunkScan implements AutoCloseable {

  private final Database database;
  private final String query;
  private final int columns;
  private final DuckDBPreparedStatement statement;
  private final DuckDBChunkedResult result;
  private int rows;
  private boolean ended;

  /// @param columns the number of columns of the query
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

  /// Goes to the next chunk. Returns false if there is none.
  boolean next() throws SQLException {
    while (!ended && result.nextChunk()) {
      DuckDBDataChunkReader chunk = result.chunk();
      rows = Math.toIntExact(chunk.rowCount());
      ended = rows > 0 && chunk.vector(columns).getBoolean(rows - 1);
      if (ended) rows--;
      if (rows > 0) return true;
    }
    if (ended) return false;
    throw database.told( // from a query that needs all rows
        "select count(columns(*)) from (%s)".formatted(query),
        new SQLException("DuckDB gave only the first rows, and does not say why"));
  }

  /// The number of rows in this chunk.
  int rows() {
    return rows;
  }

  /// The values of this chunk in a column, which counts from 0.
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
