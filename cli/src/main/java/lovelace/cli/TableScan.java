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
import lovelace.cli.Table.Kind;
import lovelace.cli.Table.Rows;
import lovelace.data.Column;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;

/// Reads the rows of a table as numbers, and reports values that are not numbers with their rows.
record TableScan(
    String name,
    Database database,
    Relation relation,
    List<Field> fields,
    List<RasterColumn> sampled) {

  /// The number of rows read at a time.
  static final int CHUNK = 2048;

  /// A value of a column, and the first row that has it.
  record First(String value, long row) {}

  /// Receives rows, column by column, and which of them to skip. The arrays are reused.
  interface Chunks {
    void accept(int count, double[][] columns, boolean[] skipped) throws SQLException;
  }

  /// Reads columns as numbers in the table's order. The memory does not depend on the number of
  /// rows.
  Count all(Reading reading, Chunks chunks) throws IOException {
    List<Column> wanted = reading.columns();
    var selection = new ArrayList<String>();
    int[] texts = new int[wanted.size()]; // the position of a column's text, if it has one
    for (int j = 0; j < texts.length; j++) {
      requireKind(wanted.get(j));
      selection.add(reading.isText(j) ? "null::double" : number(wanted.get(j), ""));
      texts[j] = reading.isText(j) || !isTyped(wanted.get(j)) ? 0 : -1;
    }
    for (int j = 0; j < texts.length; j++) {
      if (texts[j] < 0) continue;
      texts[j] = selection.size();
      String c = quoted(wanted.get(j).name());
      selection.add(
          reading.isText(j)
              ? text(wanted.get(j), "")
              : "case when %s is null then %s::varchar end"
                  .formatted(number(wanted.get(j), ""), c));
    }
    double[][] columns = new double[wanted.size()][CHUNK];
    boolean[] skipped = new boolean[CHUNK];
    long row = 0;
    long left = 0;
    try (var chunk = new ChunkScan(database, query(selection), selection.size())) {
      while (chunk.next()) {
        int size = chunk.rows();
        if (size > skipped.length) {
          skipped = new boolean[size];
          for (int j = 0; j < columns.length; j++) columns[j] = new double[size];
        }
        Arrays.fill(skipped, false);
        for (int j = 0; j < columns.length; j++)
          convert(
              reading,
              j,
              chunk.column(j),
              texts[j] < 0 ? null : chunk.column(texts[j]),
              size,
              row,
              columns[j],
              skipped);
        for (int i = 0; i < size; i++) {
          if (skipped[i]) left++;
          else check(reading, columns, i, row);
        }
        chunks.accept(size, columns, skipped);
        row += size;
      }
    } catch (SQLException e) {
      throw Database.unreadable(name, e);
    }
    return new Count(row - left, left);
  }

  private void check(Reading reading, double[][] columns, int i, long before) {
    String refusal = reading.refusal(columns, i);
    if (refusal != null)
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "row %,d of '%s': %s", before + i + 1, name, refusal));
  }

  private String query(List<String> selection) {
    return "select %s from %s".formatted(String.join(", ", selection), relation.source());
  }

  /// Whether DuckDB gives a column numbers, and not text that may be numbers.
  private boolean isTyped(Column column) {
    return !relation.text() && field(column.name()).kind() == Kind.NUMBER;
  }

  /// SQL of a column as numbers; null where a value is not a number.
  ///
  /// @param table the prefix of the column's name
  String number(Column column, String table) {
    String c = table + quoted(column.name());
    if (isTyped(column)) return c + "::double";
    return field(column.name()).type().equals("BOOLEAN")
        ? "coalesce(try_cast(%1$s as double), try_cast(%1$s as boolean)::double)".formatted(c)
        : "try_cast(%s as double)".formatted(c);
  }

  /// SQL of a column of times or words as text. Texts that mean a missing word become null.
  String text(Column column, String table) {
    String c = table + quoted(column.name());
    return column.isText() ? words(c) : c + "::varchar";
  }

  private String words(String column) {
    String word = "trim(%s::varchar)".formatted(column);
    return relation.text()
        ? "case when list_contains(%s, %s) then null else %s end"
            .formatted(Relation.ABSENT, word, word)
        : word;
  }

  /// Reads columns of text until their kind is clear.
  List<TextFacts> texts(List<String> columns) throws IOException {
    List<TextFacts> facts = columns.stream().map(TextFacts::new).toList();
    if (facts.isEmpty()) return facts;
    List<String> selection = columns.stream().map(c -> words(quoted(c))).toList();
    try (var chunk = new ChunkScan(database, query(selection), selection.size())) {
      while (!facts.stream().allMatch(TextFacts::isClear) && chunk.next()) {
        int size = chunk.rows();
        for (int j = 0; j < facts.size(); j++) {
          TextFacts of = facts.get(j);
          DuckDBReadableVector values = chunk.column(j);
          for (int i = 0; i < size && !of.isClear(); i++)
            if (values.isNull(i)) of.seeMissing();
            else of.see(values.getString(i));
        }
      }
    } catch (SQLException e) {
      throw Database.unreadable(name, e);
    }
    return facts;
  }

  /// The first `most` different values of a column in the order of their rows.
  List<First> firstOf(String column, int most) throws IOException {
    String c = quoted(column);
    boolean number = field(column).kind() == Kind.NUMBER && !field(column).type().equals("BOOLEAN");
    String value = number ? "try_cast(%s as double)".formatted(c) : words(c);
    String query =
        String.format(
            Locale.ROOT,
            "select v::varchar, min(r) from (select row_number() over () r, %s v from %s) where v is not null group by v order by 2 limit %d",
            value,
            relation.source(),
            most);
    List<First> all = new ArrayList<>();
    try (var statement = database.connection().createStatement();
        var rows = statement.executeQuery(query)) {
      while (rows.next()) {
        String text = rows.getString(1);
        all.add(new First(number ? text.replaceFirst("\\.0$", "") : text, rows.getLong(2)));
      }
    } catch (SQLException e) {
      throw Database.unreadable(name, e);
    }
    return all;
  }

  private void convert(
      Reading reading,
      int column,
      DuckDBReadableVector numbers,
      @Nullable DuckDBReadableVector texts,
      int size,
      long before,
      double[] out,
      boolean[] skipped) {
    boolean text = reading.isText(column);
    for (int i = 0; i < size; i++) {
      double value = text ? Double.NaN : numbers.getDouble(i, Double.NaN);
      if (text && texts != null)
        out[i] = reading.text(column, texts.isNull(i) ? null : texts.getString(i));
      else out[i] = reading.number(column, value);
      if (Math.abs(out[i]) < Double.POSITIVE_INFINITY) continue;
      String written = texts == null || texts.isNull(i) ? null : texts.getString(i);
      String refusal = reading.refusal(column, written, value);
      if (refusal != null)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "row %,d of '%s': column '%s' %s",
                before + i + 1,
                name,
                reading.columns().get(column).name(),
                explained(reading.columns().get(column).name(), before + i, refusal)));
      skipped[i] = true;
    }
  }

  /// Adds to the reason why a row cannot be read. If the value comes from a raster, it tells the
  /// row's place.
  private String explained(String column, long row, String refusal) {
    for (RasterColumn of : sampled)
      if (of.name().equals(column)) {
        String query =
            "select %s, %s from %s limit 1 offset %s"
                .formatted(
                    quoted(of.place().east()), quoted(of.place().north()), relation.source(), row);
        try (var second = database.connection().duplicate(); // the first connection is reading rows
            var statement = second.createStatement();
            var at = statement.executeQuery(query)) {
          return at.next() ? of.refusal(at.getString(1), at.getString(2)) : refusal;
        } catch (SQLException e) {
          return refusal;
        }
      }
    return refusal;
  }

  /// Passes one in `every` rows of Parquet files, chosen by a hash of the row number.
  void some(Reading reading, long every, long seed, Rows rows) throws IOException {
    var selection = new ArrayList<String>();
    for (Column column : reading.columns()) selection.add(quoted(column.name()) + "::double");
    String query =
        String.format(
            Locale.ROOT,
            "select %s from read_parquet(%s, file_row_number=true) where hash(file_row_number + %d) %% %d = 0",
            String.join(", ", selection),
            relation.file(),
            seed & 0xffff,
            every);
    try (var chunk = new ChunkScan(database, query, selection.size())) {
      while (chunk.next()) {
        int size = chunk.rows();
        double[][] columns = new double[selection.size()][size];
        for (int j = 0; j < columns.length; j++)
          for (int i = 0; i < size; i++)
            columns[j][i] = reading.number(j, chunk.column(j).getDouble(i, Double.NaN));
        rows.accept(size, columns);
      }
    } catch (SQLException e) {
      throw Database.unreadable(name, e);
    }
  }

  /// Fails if a column of times is asked for as numbers.
  void requireKind(Column column) {
    if (column.time().isEmpty() && !column.isText() && field(column.name()).kind() == Kind.TIME)
      throw new IllegalArgumentException(
          "column '%s' of '%s' holds times, and a number is needed".formatted(column.name(), name));
  }

  /// The column of that name. For an unknown name, the error lists the columns.
  Field field(String column) {
    for (Field field : fields) if (field.name().equals(column)) return field;
    List<String> names = fields.stream().map(Field::name).toList();
    String nearest = Nearest.of(column, names);
    throw new IllegalArgumentException(
        "'%s' has no column '%s'%s has %s"
            .formatted(
                name,
                column,
                nearest == null ? "; it" : ", did you mean '" + nearest + "'? It",
                String.join(", ", names)));
  }
}
