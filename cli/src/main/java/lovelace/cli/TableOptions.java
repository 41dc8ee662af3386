package lovelace.cli;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The options, beside TABLE, of a command that reads a table.
final class TableOptions {

  @Option(
      names = "--sql",
      paramLabel = "QUERY",
      description =
          "Read the result of this query, such as select … from 'a.parquet' join 'b.csv' …. If "
              + "TABLE is a file, the query calls it input. If TABLE is a JDBC URL, that database "
              + "runs the query.")
  private @Nullable String sql;

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandSpec spec;

  /// Whether there is a query.
  boolean given() {
    return sql != null;
  }

  /// Opens the table that was named, or the answer of the query.
  Table open(@Nullable String table) throws IOException {
    return Table.open(table, sql, System.in, spec.commandLine().getErr());
  }
}
