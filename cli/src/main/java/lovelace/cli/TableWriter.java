package lovelace.cli;

import static lovelace.cli.Database.literal;
import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import lovelace.cli.Table.Added;
import lovelace.cli.Table.Count;
import lovelace.cli.Table.Extension;
import lovelace.cli.Table.Field;
import lovelace.data.Column;

/// Writes a table with added columns that are computed from its rows.
record TableWriter(
    String name, Database database, Relation relation, List<Field> fields, TableScan scan) {

  /// Writes all columns and the added ones to a file in the format of its extension (`.csv`,
  /// `.tsv`, `.parquet`, `.json`, and the text formats with `.gz`), or as CSV to a stream if `out`
  /// is `-`. A skipped row has no added values.
  Count extend(
      Reading reading, List<Added> added, Extension extension, String out, OutputStream stream)
      throws IOException {
    requireNew(added);
    String options = Output.options(out);
    double[][] values = new double[added.size()][TableScan.CHUNK];
    try (var statement = database.connection().createStatement()) {
      var definition = new ArrayList<String>();
      var selection = new ArrayList<String>();
      for (int j = 0; j < added.size(); j++) {
        definition.add("a" + j + " double");
        String target = added.get(j).flag() ? "(e.a%d = 1)" : "e.a%d";
        selection.add(target.formatted(j) + " as " + quoted(added.get(j).name()));
      }
      statement.execute(
          "create or replace table extra(%s)".formatted(String.join(", ", definition)));
      Count count;
      try (var second = database.connection().duplicate();
          var appender = second.createAppender("main", "extra")) {
        count =
            scan.all(
                reading,
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
      String from = options.contains("csv") ? relation.source() : relation.typedSource();
      String query =
          "select t.*, %s from %s t positional join extra e"
              .formatted(String.join(", ", selection), from);
      write(query, options, out, stream);
      statement.execute("drop table extra");
      return count;
    } catch (SQLException e) {
      throw Database.unreadable(name, e);
    }
  }

  /// Like [#extend], for a function that depends only on a row's inputs. Threads may call it at the
  /// same time. It reads the table once, and the memory does not depend on the number of rows.
  void map(Reading reading, List<Added> added, Extension function, String out, OutputStream stream)
      throws IOException {
    requireNew(added);
    String options = Output.options(out);
    String from = options.contains("csv") ? relation.source() : relation.typedSource();
    var arguments = new ArrayList<String>();
    for (int j = 0; j < reading.columns().size(); j++) {
      Column column = reading.columns().get(j);
      scan.requireKind(column);
      arguments.add(reading.isText(j) ? scan.text(column, "t.") : scan.number(column, "t."));
    }
    try {
      var mapping = new RowFunction(reading, added, function, database.connection());
      String query = mapping.query(from, arguments);
      write(query, options, out, stream);
    } catch (SQLException e) {
      scan.all(reading, (count, columns, skipped) -> {}); // names the row that cannot be read
      throw Database.unreadable(name, e);
    }
  }

  /// Writes a query's rows. A file appears only when it is complete; a stream gets row by row as
  /// they are made.
  private void write(String query, String options, String out, OutputStream stream)
      throws IOException, SQLException {
    if (Output.isStandard(out)) RowStream.write(database.connection(), query, out, stream);
    else
      Output.write(
          out,
          file ->
              database.execute("copy (%s) to %s (%s)".formatted(query, literal(file), options)));
  }

  private void requireNew(List<Added> added) {
    for (Added a : added)
      if (fields.stream().anyMatch(f -> f.name().equalsIgnoreCase(a.name())))
        throw new IllegalArgumentException(
            "'%s' already has a column '%s', and the result adds one with that name; rename yours first"
                .formatted(name, a.name()));
  }
}
