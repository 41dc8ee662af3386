package lovelace.cli;

import static lovelace.cli.Database.literal;
import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A table of results. It is filled by columns and written as other tables are.
final class ResultTable {

  private final List<String> names = new ArrayList<>();
  private final List<List<? extends @Nullable Object>> columns = new ArrayList<>();

  /// Adds a column of whole numbers, numbers or texts. A null is a missing value. Two columns must
  /// not have the same name.
  void add(String name, List<? extends @Nullable Object> values) {
    if (names.stream().anyMatch(name::equalsIgnoreCase))
      throw new IllegalArgumentException(
          "the input already has a column '%s', and the result adds one with that name; rename yours first"
              .formatted(name));
    names.add(name);
    columns.add(values);
  }

  /// Adds a column of numbers.
  void add(String name, double[] values) {
    List<Double> all = new ArrayList<>(values.length);
    for (double value : values) all.add(value);
    add(name, all);
  }

  /// Writes the table to a file in the format of its extension, or as CSV to a stream if `out` is
  /// `-`.
  void write(String out, OutputStream stream) throws IOException {
    String options = Output.options(out);
    try (Database database = Database.open()) {
      List<String> types = columns.stream().map(ResultTable::type).toList();
      List<String> definition = new ArrayList<>();
      for (int j = 0; j < columns.size(); j++)
        definition.add(quoted(names.get(j)) + " " + types.get(j));
      database.execute("create table result(%s)".formatted(String.join(", ", definition)));
      try (var appender = database.connection().createAppender("main", "result")) {
        for (int i = 0; i < columns.getFirst().size(); i++) {
          appender.beginRow();
          for (int j = 0; j < types.size(); j++) {
            Object value = columns.get(j).get(i);
            switch (types.get(j)) {
              case "bigint" -> {
                if (value instanceof Long whole) appender.append(whole.longValue());
                else appender.appendNull();
              }
              case "double" -> {
                if (value instanceof Number number) appender.append(number.doubleValue());
                else appender.appendNull();
              }
              default -> {
                if (value == null) appender.appendNull();
                else appender.append(value.toString());
              }
            }
          }
          appender.endRow();
        }
      }
      if (Output.isStandard(out))
        RowStream.write(database.connection(), "select * from result", out, stream);
      else
        Output.write(
            out,
            file -> database.execute("copy result to %s (%s)".formatted(literal(file), options)));
    } catch (SQLException e) {
      throw new IOException("'%s' cannot be written: %s".formatted(out, e.getMessage()), e);
    }
  }

  /// The SQL type that holds all values of a column.
  private static String type(List<? extends @Nullable Object> values) {
    boolean whole = true;
    boolean number = true;
    for (Object value : values) {
      if (value == null) continue;
      whole &= value instanceof Long;
      number &= value instanceof Number;
    }
    return whole ? "bigint" : number ? "double" : "varchar";
  }
}
