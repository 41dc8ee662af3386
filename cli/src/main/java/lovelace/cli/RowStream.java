package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// Writes the rows of a query while they are made, as CSV or JSON in the form of files from DuckDB.
final class RowStream {

  private static final int FIRST = 64; // rows that are passed on at once, for a quick look
  private static final int BUFFER = 1 << 16;

  private RowStream() {}

  /// Writes the rows in the format of [Output#STANDARD] or [Output#STANDARD_JSON].
  static void write(DuckDBConnection connection, String query, String how, OutputStream stream)
      throws IOException, SQLException {
    Writer out = new BufferedWriter(new OutputStreamWriter(stream, UTF_8), BUFFER);
    if (how.equals(Output.STANDARD_JSON)) json(connection, query, out);
    else csv(connection, query, out);
    out.flush();
  }

  private static void json(DuckDBConnection connection, String query, Writer out)
      throws IOException, SQLException {
    try (var statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("select to_json(r)::varchar from (%s) r".formatted(query))) {
      for (long row = 1; rows.next(); row++) {
        out.write(rows.getString(1));
        out.write('\n');
        if (row == FIRST) out.flush();
      }
    }
  }

  private static void csv(DuckDBConnection connection, String query, Writer out)
      throws IOException, SQLException {
    // one statement: DuckDB names the columns and turns every value into text
    try (var statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("select columns(*)::varchar from (%s)".formatted(query))) {
      csv(rows, out);
    }
  }

  private static void csv(ResultSet rows, Writer out) throws IOException, SQLException {
    ResultSetMetaData about = rows.getMetaData();
    int columns = about.getColumnCount();
    for (int c = 1; c <= columns; c++) field(about.getColumnName(c), c, out);
    out.write('\n');
    for (long row = 1; rows.next(); row++) {
      for (int c = 1; c <= columns; c++) field(rows.getString(c), c, out);
      out.write('\n');
      if (row == FIRST) out.flush();
    }
  }

  /// Writes a field. A missing value is nothing, an empty text a pair of quotes.
  private static void field(@Nullable String value, int column, Writer out) throws IOException {
    if (column > 1) out.write(',');
    if (value == null) return;
    boolean plain = !value.isEmpty();
    for (int i = 0; i < value.length() && plain; i++)
      plain =
          switch (value.charAt(i)) {
            case ',', '"', '\n', '\r' -> false;
            default -> true;
          };
    out.write(plain ? value : '"' + value.replace("\"", "\"\"") + '"');
  }
}
