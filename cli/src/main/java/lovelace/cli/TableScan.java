package lovelace.cli;

import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.cli.Table.Count;
import lovelace.cli.Table.Field;
import lovelace.cli.Table.Input;
import lovelace.cli.Table.Kind;
import lovelace.cli.Table.Missing;
import lovelace.cli.Table.Rows;
import lovelace.data.TimeScale;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;

/// Reads the rows of a table as numbers, and says which value of which row is none.
record TableScan(String name, Database database, Relation relation, List<Field> fields) {

  /// Rows that are read at a time.
  static final int CHUNK = 2048;

  /// Takes rows, column by column, and which of them to skip; the arrays are used again.
  interface Chunks {
    void accept(int count, double[][] columns, boolean[] skipped) throws SQLException;
  }

  /// Reads columns as numbers in the table's order, in memory that does not grow with it.
  Count all(List<Input> inputs, Missing missing, Chunks chunks) throws IOException {
    var selection = new ArrayList<String>();
    int[] texts = new int[inputs.size()]; // where a column's text stands, if it has one
    for (int j = 0; j < texts.length; j++) {
      Input input = inputs.get(j);
      requireKind(input);
      String c = quoted(input.name());
      boolean typed = !relation.text() && kind(input) == Kind.NUMBER;
      selection.add(
          input.time() != null
              ? "null::double"
              : (typed ? "%s::double" : "try_cast(%s as double)").formatted(c));
      texts[j] = typed && input.time() == null ? -1 : 1;
    }
    for (int j = 0; j < texts.length; j++) {
      if (texts[j] < 0) continue;
      String c = quoted(inputs.get(j).name());
      texts[j] = selection.size();
      selection.add(
          inputs.get(j).time() != null
              ? c + "::varchar"
              : "case when try_cast(%1$s as double) is null then %1$s::varchar end".formatted(c));
    }
    String query = "select %s from %s".formatted(String.join(", ", selection), relation.source());
    double[][] columns = new double[inputs.size()][CHUNK];
    boolean[] skipped = new boolean[CHUNK];
    long row = 0;
    long left = 0;
    try (var statement = database.connection().prepare(query);
        var result = statement.query()) {
      while (result.nextChunk()) {
        var chunk = result.chunk();
        int size = (int) chunk.rowCount();
        if (size > skipped.length) {
          skipped = new boolean[size];
          for (int j = 0; j < columns.length; j++) columns[j] = new double[size];
        }
        Arrays.fill(skipped, false);
        for (int j = 0; j < columns.length; j++)
          convert(
              inputs.get(j),
              chunk.vector(j),
              texts[j] < 0 ? null : chunk.vector(texts[j]),
              size,
              row,
              missing,
              columns[j],
              skipped);
        for (int i = 0; i < size; i++) if (skipped[i]) left++;
        chunks.accept(size, columns, skipped);
        row += size;
      }
    } catch (SQLException e) {
      throw Database.unreadable(name, e);
    }
    return new Count(row - left, left);
  }

  private void convert(
      Input input,
      DuckDBReadableVector numbers,
      @Nullable DuckDBReadableVector texts,
      int size,
      long before,
      Missing missing,
      double[] out,
      boolean[] skipped) {
    TimeScale time = input.time();
    for (int i = 0; i < size; i++) {
      if (time == null || texts == null) {
        out[i] = numbers.getDouble(i, Double.NaN);
      } else {
        String value = texts.isNull(i) ? null : texts.getString(i);
        out[i] = value != null && TimeScale.recognizes(value) ? time.parse(value) : Double.NaN;
      }
      if (Math.abs(out[i]) < Double.POSITIVE_INFINITY) continue;
      if (missing == Missing.ERROR)
        throw absent(
            input,
            before + i + 1,
            texts == null || texts.isNull(i) ? null : texts.getString(i),
            out[i]);
      skipped[i] = true;
    }
  }

  private IllegalArgumentException absent(
      Input input, long row, @Nullable String value, double number) {
    String what =
        value != null
            ? "'%s', not a %s"
                .formatted(value, input.time() == null ? "number" : "date or timestamp")
            : Double.isInfinite(number) ? "infinite" : "missing";
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "row %,d of '%s': column '%s' is %s; correct or drop the row, or pass --missing skip",
            row,
            name,
            input.name(),
            what));
  }

  /// Hands over every so many-th row of Parquet files, chosen by a hash of its number.
  void some(List<Input> inputs, long every, long seed, Rows rows) throws IOException {
    var selection = new ArrayList<String>();
    for (Input input : inputs) selection.add(quoted(input.name()) + "::double");
    String query =
        String.format(
            Locale.ROOT,
            "select %s from read_parquet(%s, file_row_number=true) where hash(file_row_number + %d) %% %d = 0",
            String.join(", ", selection),
            relation.file(),
            seed & 0xffff,
            every);
    try (var statement = database.connection().prepare(query);
        var result = statement.query()) {
      while (result.nextChunk()) {
        var chunk = result.chunk();
        int size = (int) chunk.rowCount();
        double[][] columns = new double[inputs.size()][size];
        for (int j = 0; j < columns.length; j++)
          convert(
              inputs.get(j),
              chunk.vector(j),
              null,
              size,
              0,
              Missing.SKIP,
              columns[j],
              new boolean[size]);
        rows.accept(size, columns);
      }
    } catch (SQLException e) {
      throw Database.unreadable(name, e);
    }
  }

  /// Fails where times are asked for as numbers.
  void requireKind(Input input) {
    if (input.time() == null && kind(input) == Kind.TIME)
      throw new IllegalArgumentException(
          "column '%s' of '%s' holds times, a number is needed".formatted(input.name(), name));
  }

  private Kind kind(Input input) {
    return field(input.name()).kind();
  }

  /// The column of that name; an unknown name is an error that lists what is there.
  Field field(String column) {
    for (Field field : fields) if (field.name().equals(column)) return field;
    List<String> names = fields.stream().map(Field::name).toList();
    String nearest = Nearest.of(column, names);
    throw new IllegalArgumentException(
        "'%s' has no column '%s'%s; it has %s"
            .formatted(
                name,
                column,
                nearest == null ? "" : ", did you mean '" + nearest + "'?",
                String.join(", ", names)));
  }
}
