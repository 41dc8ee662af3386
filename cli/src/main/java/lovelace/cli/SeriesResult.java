package lovelace.cli;

import static lovelace.cli.Database.literal;
import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lovelace.forecast.time.Moment;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/// A table of results for the series of a table. DuckDB holds it until it is written.
///
/// Its columns are the ids, times, texts, and numbers.
final class SeriesResult implements AutoCloseable {

  private final SeriesTable series;
  private final String name;
  private final List<String> times;
  private final List<String> texts;
  private final List<String> numbers;
  private final DuckDBConnection connection;
  private final DuckDBAppender appender;
  private long rows;

  /// @param name of the table in the database
  /// @param times the names of the columns of times
  /// @param numbers the names of the columns of numbers
  SeriesResult(SeriesTable series, String name, List<String> times, List<String> numbers)
      throws IOException {
    this(series, name, times, List.of(), numbers);
  }

  /// @param texts the names of the columns of texts
  SeriesResult(
      SeriesTable series, String name, List<String> times, List<String> texts, List<String> numbers)
      throws IOException {
    this.texts = texts;
    this.series = series;
    this.name = name;
    this.times = times;
    this.numbers = numbers;
    List<String> all = new ArrayList<>(series.columns().idNames());
    all.addAll(times);
    all.addAll(texts);
    all.addAll(numbers);
    for (int i = 0; i < all.size(); i++)
      for (int j = 0; j < i; j++)
        if (all.get(i).equalsIgnoreCase(all.get(j)))
          throw new IllegalArgumentException(
              "'%s' has a column '%s', and the result adds one with that name; rename yours first"
                  .formatted(series.name(), all.get(j)));
    String columns =
        Stream.of(
                IntStream.range(0, times.size()).mapToObj(i -> "t" + i + " varchar"),
                IntStream.range(0, texts.size()).mapToObj(i -> "x" + i + " varchar"),
                IntStream.range(0, numbers.size()).mapToObj(i -> "c" + i + " double"))
            .flatMap(each -> each)
            .collect(Collectors.joining(", "));
    try {
      series
          .database()
          .execute(
              "create or replace table %s(number integer, place bigint, %s)"
                  .formatted(name, columns));
      connection = series.database().connection().duplicate().unwrap(DuckDBConnection.class);
      appender = connection.createAppender("main", name);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /// Adds a row.
  void add(int number, List<Moment> at, double... values) throws IOException {
    add(number, at, List.of(), values);
  }

  /// Adds a row with texts.
  void add(int number, List<Moment> at, List<String> words, double... values) throws IOException {
    try {
      appender.beginRow();
      appender.append(number);
      appender.append(rows++);
      for (Moment each : at) appender.append(series.times().form().format(each));
      for (String word : words) appender.append(word);
      for (double value : values)
        if (Double.isNaN(value)) appender.appendNull();
        else appender.append(value);
      appender.endRow();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /// The number of rows.
  long rows() {
    return rows;
  }

  /// Ends the rows. They can be written from now on.
  void end() throws IOException {
    try {
      appender.flush();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /// The rows as a query.
  ///
  /// @param typed whether times get the type that they have in the table
  private String query(boolean typed) {
    List<String> selection = new ArrayList<>();
    List<String> ids = series.columns().idNames();
    for (int i = 0; i < ids.size(); i++)
      selection.add("i.i%s as %s".formatted(i, quoted(ids.get(i))));
    String type = series.timeType();
    for (int i = 0; i < times.size(); i++)
      selection.add(
          (typed && !type.equals("VARCHAR") ? "r.t%s::" + type : "r.t%s").formatted(i)
              + " as "
              + quoted(times.get(i)));
    for (int i = 0; i < texts.size(); i++)
      selection.add("r.x%s as %s".formatted(i, quoted(texts.get(i))));
    for (int i = 0; i < numbers.size(); i++)
      selection.add(
          (numbers.get(i).equals("draw") ? "r.c%s::integer" : "r.c%s").formatted(i)
              + " as "
              + quoted(numbers.get(i)));
    return "select %s from %s r join %s i on r.number = i.number order by r.place"
        .formatted(String.join(", ", selection), name, SeriesTable.IDS);
  }

  /// Writes the rows to a file in the format of its extension, or to a stream.
  void write(String out, OutputStream stream) throws IOException {
    String options = Output.isStandard(out) ? "" : Output.options(out);
    try {
      if (Output.isStandard(out))
        RowStream.write(series.database().connection(), query(false), out, stream);
      else
        Output.write(
            out,
            file ->
                series
                    .database()
                    .execute(
                        "copy (%s) to %s (%s)"
                            .formatted(
                                query(options.equals("format parquet")), literal(file), options)));
    } catch (SQLException e) {
      throw new IOException("'%s' cannot be written: %s".formatted(out, e.getMessage()), e);
    }
  }

  /// Prints the first rows.
  void print(PrintWriter out, int most) throws IOException {
    List<List<String>> shown = new ArrayList<>();
    List<String> head = new ArrayList<>(series.columns().idNames());
    head.addAll(times);
    head.addAll(this.texts);
    int words = head.size();
    head.addAll(numbers);
    shown.add(head);
    try (var statement = series.database().connection().createStatement();
        var result = statement.executeQuery(query(false) + " limit " + most)) {
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 0; i < head.size(); i++) {
          String text = result.getString(i + 1);
          row.add(text == null ? "" : i < words ? text : number(Double.parseDouble(text)));
        }
        shown.add(row);
      }
    } catch (SQLException e) {
      throw failed(e);
    }
    Bench.align(out, shown);
    if (rows > most)
      out.printf(
          Locale.ROOT, "… the first %d of %,d rows; --out FILE writes all of them%n", most, rows);
  }

  /// A number with five digits.
  static String number(double value) {
    double size = Math.abs(value);
    if (size < 1e-300 || (value == Math.rint(value) && size < 1e7))
      return Long.toString((long) value);
    if (size >= 1e7 || size < 1e-3) return String.format(Locale.ROOT, "%.4e", value);
    int decimals = Math.clamp((int) (4 - Math.floor(Math.log10(size))), 0, 7);
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  private IOException failed(SQLException e) {
    return new IOException("the results cannot be kept: " + e.getMessage(), e);
  }

  @Override
  public void close() throws IOException {
    try (connection;
        appender) {
      rows = 0;
    } catch (SQLException e) {
      throw failed(e);
    }
  }
}
