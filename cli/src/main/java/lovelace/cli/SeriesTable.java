package lovelace.cli;

import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.forecast.time.Moment;
import lovelace.forecast.time.TimeForm;
import org.duckdb.DuckDBReadableVector;

/// The series of a table, sorted by id and time. DuckDB holds them, and any part of them can be
/// read: the memory of Java does not depend on their number.
///
/// Series are numbered from 0 in the order of their ids, and times from 0 in their own order.
final class SeriesTable {

  /// Values of one series in the order of their times, as the table has them: a time may come
  /// twice, and a value may be NaN or infinite.
  ///
  /// @param number of the series
  /// @param id in words; empty if the table is one series
  /// @param times numbers of the times
  @SuppressWarnings("ArrayRecordComponent")
  record Rows(int number, String id, int[] times, double[] values) {}

  /// The tables in the database: `number` and ids `i0`, `i1`, …; `number`, `time` and `value`.
  static final String IDS = "lovelace_ids";

  private static final String VALUES = "lovelace_values";

  private final Table table;
  private final Database database;
  private final SeriesColumns columns;
  private final String rows;
  private final List<String> ids;
  private final SeriesTimes times;
  private final int count;
  private final long rowCount;

  private SeriesTable(Table table, SeriesColumns columns, Optional<TimeForm> form)
      throws IOException, SQLException {
    this.table = table;
    this.columns = columns;
    database = table.database();
    ids = IntStream.range(0, columns.idNames().size()).mapToObj(i -> "i" + i).toList();
    rows = rows();
    refuseWords();
    times = SeriesTimes.read(table, columns.time(), form);
    store();
    count = Integer.parseInt(database.strings("select count(*) from " + IDS).getFirst());
    rowCount = Long.parseLong(database.strings("select count(*) from " + VALUES).getFirst());
  }

  /// Reads a table, and sorts its series.
  static SeriesTable read(Table table, SeriesColumns columns, boolean one) throws IOException {
    return read(table, columns, one, Optional.empty());
  }

  /// The same.
  ///
  /// @param form how times are written; empty if the times tell
  static SeriesTable read(Table table, SeriesColumns columns, boolean one, Optional<TimeForm> form)
      throws IOException {
    try {
      SeriesTable series = new SeriesTable(table, columns, form);
      if (!one && columns.idNames().isEmpty() && !columns.unused().isEmpty())
        series.refuseRepeats();
      return series;
    } catch (SQLException e) {
      throw Database.unreadable(table.name(), e);
    }
  }

  /// The rows as ids, time `t` and value `v`, which is text where the table may hold text.
  private String rows() {
    String source = table.relation().source();
    String time = quoted(columns.time()) + "::varchar as t";
    if (columns.wide()) {
      String names =
          columns.values().stream().map(Database::literal).collect(Collectors.joining(", "));
      String values =
          columns.values().stream()
              .map(name -> quoted(name) + "::varchar")
              .collect(Collectors.joining(", "));
      return "(select %s, unnest([%s]) as i0, unnest([%s]) as v from %s)"
          .formatted(time, names, values, source);
    }
    String id =
        IntStream.range(0, ids.size())
            .mapToObj(i -> quoted(columns.ids().get(i)) + " as i" + i + ", ")
            .collect(Collectors.joining());
    return "(select %s%s, %s as v from %s)"
        .formatted(id, time, quoted(columns.values().getFirst()), source);
  }

  /// Whether values may be text.
  private boolean mayBeText() {
    return columns.wide() || table.relation().text();
  }

  /// SQL of a value that is there, as text; null where it is missing.
  private static String present() {
    return "case when trim(v) not in (%s) then v end"
        .formatted(Relation.ABSENT.substring(1, Relation.ABSENT.length() - 1));
  }

  private void refuseWords() throws SQLException {
    if (!mayBeText()) return;
    String wrong = "%s is not null and try_cast(v as double) is null".formatted(present());
    if (database.strings("select 1 from %s where %s limit 1".formatted(rows, wrong)).isEmpty())
      return;
    List<String> first =
        database.strings(
            "select r, v from (select row_number() over () as r, * from %s) where %s order by r limit 1"
                .formatted(rows, wrong));
    long row = Long.parseLong(first.getFirst()) - 1;
    int several = columns.values().size();
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "row %,d of '%s': column '%s' is '%s', not a number; correct it, or leave it empty if the value is missing",
            row / several + 1,
            table.name(),
            columns.values().get((int) (row % several)),
            first.get(1)));
  }

  /// Several rows of one time mean that some other column tells series apart.
  private void refuseRepeats() throws SQLException {
    List<String> found =
        database.strings(
            "select time, count(*) from %s group by time having count(*) > 1 order by time limit 1"
                .formatted(VALUES));
    if (found.isEmpty()) return;
    throw new IllegalArgumentException(
        "'%s' has %s rows of %s; name the columns that tell series apart with --id, among %s, or pass --id none to take the means of such rows"
            .formatted(
                table.name(),
                found.get(1),
                times.form().format(times.moments().get(Integer.parseInt(found.getFirst()))),
                String.join(", ", columns.unused())));
  }

  private void store() throws SQLException {
    String id = String.join(", ", ids);
    database.execute(
        ids.isEmpty()
            ? "create or replace table %s as select 0::integer as number".formatted(IDS)
            : "create or replace table %s as select (row_number() over (order by %s) - 1)::integer as number, %s from (select distinct %s from %s)"
                .formatted(IDS, id, id, id, rows));
    String same =
        ids.isEmpty()
            ? "true"
            : ids.stream()
                .map(i -> "q.%s is not distinct from n.%s".formatted(i, i))
                .collect(Collectors.joining(" and "));
    String value = mayBeText() ? "try_cast(%s as double)".formatted(present()) : "v::double";
    database.execute(
        """
        create or replace table %s as
        select n.number, s.code as time, %s as value
        from %s q join %s n on %s join %s s on s.t = q.t
        order by number, time, value
        """
            .formatted(VALUES, value, rows, IDS, same, SeriesTimes.TABLE));
  }

  /// The times of the table.
  SeriesTimes times() {
    return times;
  }

  /// The columns of the table.
  SeriesColumns columns() {
    return columns;
  }

  /// The database that holds the series.
  Database database() {
    return database;
  }

  /// The name of the table in messages.
  String name() {
    return table.name();
  }

  /// The number of series.
  int count() {
    return count;
  }

  /// The number of rows of all series.
  long rowCount() {
    return rowCount;
  }

  /// The last time that has a value, of all series.
  Moment lastTime() throws IOException {
    try {
      String code =
          database
              .strings(
                  "select coalesce(max(time) filter (value is not null), max(time)) from " + VALUES)
              .getFirst();
      return times.moments().get(Integer.parseInt(code));
    } catch (SQLException e) {
      throw Database.unreadable(table.name(), e);
    }
  }

  /// The type that DuckDB gives the column of times.
  String timeType() {
    return table.field(columns.time()).type();
  }

  /// Series with numbers in a range.
  List<Rows> between(int from, int to) throws IOException {
    return where("number >= %s and number < %s".formatted(from, to));
  }

  /// At most some series, chosen by a hash of their ids.
  List<Rows> sample(int most) throws IOException {
    if (count <= most) return between(0, count);
    String hash =
        ids.stream()
            .map("coalesce(%s::varchar, '')"::formatted)
            .collect(Collectors.joining(" || '|' || "));
    return where(
        "number in (select number from %s order by md5(%s), number limit %s)"
            .formatted(IDS, hash, most));
  }

  private List<Rows> where(String which) throws IOException {
    List<Rows> all = new ArrayList<>();
    String name =
        ids.isEmpty()
            ? "''"
            : ids.stream()
                .map("coalesce(%s::varchar, '')"::formatted)
                .collect(Collectors.joining(" || ', ' || "));
    String query = "select number, %s from %s where %s order by number".formatted(name, IDS, which);
    List<Integer> numbers = new ArrayList<>();
    List<String> names = new ArrayList<>();
    try {
      try (var chunk = new ChunkScan(database, query, 2)) {
        while (chunk.next())
          for (int i = 0; i < chunk.rows(); i++) {
            numbers.add(chunk.column(0).getInt(i));
            names.add(chunk.column(1).getString(i));
          }
      }
      query =
          "select number, time, value from %s where %s order by number, time, value"
              .formatted(VALUES, which);
      Collector collector = new Collector(numbers, names, all);
      try (var chunk = new ChunkScan(database, query, 3)) {
        while (chunk.next()) {
          DuckDBReadableVector value = chunk.column(2);
          for (int i = 0; i < chunk.rows(); i++)
            collector.add(
                chunk.column(0).getInt(i),
                chunk.column(1).getInt(i),
                value.isNull(i) ? Double.NaN : value.getDouble(i));
        }
      }
      collector.end();
      return all;
    } catch (SQLException e) {
      throw Database.unreadable(table.name(), e);
    }
  }

  /// Collects rows into series.
  private static final class Collector {
    private final List<Integer> numbers;
    private final List<String> names;
    private final List<Rows> all;
    private int[] times = new int[256];
    private double[] values = new double[256];
    private int size;

    Collector(List<Integer> numbers, List<String> names, List<Rows> all) {
      this.numbers = numbers;
      this.names = names;
      this.all = all;
    }

    void add(int number, int time, double value) {
      while (numbers.get(all.size()) != number) end();
      if (size == times.length) {
        times = Arrays.copyOf(times, 2 * size);
        values = Arrays.copyOf(values, 2 * size);
      }
      times[size] = time;
      values[size++] = value;
    }

    void end() {
      if (all.size() == numbers.size()) return;
      int at = all.size();
      all.add(
          new Rows(
              numbers.get(at),
              names.get(at),
              Arrays.copyOf(times, size),
              Arrays.copyOf(values, size)));
      size = 0;
    }
  }
}
