package lovelace.cli;

import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import lovelace.cli.KnownColumns.Known;
import lovelace.forecast.time.Moment;
import lovelace.forecast.time.TimeForm;
import org.duckdb.DuckDBReadableVector;

/// The values of columns that are known in the future, by series and time. DuckDB holds them beside
/// the series.
///
/// The rows of the history are those of the table. Where it has no row, or no value, that of the
/// table of the future counts.
final class KnownTable {

  /// The table in the database: `number` of the series, null for all; `time`; `plan`; values `c0`,
  /// `c1`, ….
  private static final String ROWS = "lovelace_known";

  private static final String TIMES = "lovelace_known_times";

  private final SeriesTable series;
  private final Optional<Table> plan;
  private final KnownColumns columns;
  private final List<Moment> moments = new ArrayList<>();
  private final List<Values> forAll = new ArrayList<>();
  private final List<Set<Integer>> seen = new ArrayList<>(); // words of any history, by column
  private String remark = "";

  /// Values of one series, or of all.
  ///
  /// @param times numbers of [#moments]
  /// @param plan whether a row is from the table of the future
  /// @param values by column, then row; the number of the word of a text, NaN where missing
  @SuppressWarnings("ArrayRecordComponent")
  record Values(int[] times, boolean[] plan, double[][] values) {}

  private KnownTable(SeriesTable series, Optional<Table> plan, KnownColumns columns) {
    this.series = series;
    this.plan = plan;
    this.columns = columns;
  }

  /// Reads the columns of both tables into the database of the series.
  static KnownTable read(
      SeriesTable series, Table table, Optional<Table> plan, KnownColumns columns)
      throws IOException {
    KnownTable known = new KnownTable(series, plan, columns);
    try {
      known.times();
      known.store(table);
      if (plan.isPresent()) known.refuseDuplicates(plan.get());
      known.forAll.addAll(known.query("number is null", List.of(-1)).values());
      known.words();
    } catch (SQLException e) {
      throw Database.unreadable(plan.map(Table::name).orElse(series.name()), e);
    }
    return known;
  }

  /// The columns.
  KnownColumns columns() {
    return columns;
  }

  /// The times of the values by their numbers.
  List<Moment> moments() {
    return moments;
  }

  /// The name of the table of the future, or of the series, for remedies.
  String source() {
    return plan.map(Table::name).orElse(series.name());
  }

  /// A remark for people on rows that belong to no series; empty without such rows.
  String remark() {
    return remark;
  }

  /// A time as the table writes it.
  String format(Moment moment) {
    return series.times().form().format(moment);
  }

  /// Whether any history has a word.
  boolean isSeen(int column, int word) {
    return seen.get(column).contains(word);
  }

  /// Every different text of a time, with its number.
  private void times() throws IOException, SQLException {
    Database database = series.database();
    Map<String, Moment> all = new HashMap<>();
    List<Moment> own = series.times().moments();
    try (var chunk = new ChunkScan(database, "select t, code from " + SeriesTimes.TABLE, 2)) {
      while (chunk.next())
        for (int i = 0; i < chunk.rows(); i++)
          all.put(chunk.column(0).getString(i), own.get(chunk.column(1).getInt(i)));
    }
    if (plan.isPresent()) {
      Table table = plan.get();
      String time = time(table);
      String query =
          "select t, min(r) as r from (select %s::varchar as t, row_number() over () as r from %s) group by t order by r"
              .formatted(quoted(time), table.relation().source());
      try (var chunk = new ChunkScan(database, query, 2)) {
        while (chunk.next()) {
          DuckDBReadableVector text = chunk.column(0);
          for (int i = 0; i < chunk.rows(); i++) {
            long row = chunk.column(1).getLong(i);
            if (text.isNull(i)) throw wrongTime(row, "", "is empty");
            String t = text.getString(i);
            if (all.containsKey(t)) continue;
            try {
              all.put(t, parse(t));
            } catch (IllegalArgumentException e) {
              throw wrongTime(row, t, String.valueOf(e.getMessage()));
            }
          }
        }
      }
    }
    moments.addAll(new HashSet<>(all.values()));
    moments.sort(null);
    Map<Moment, Integer> codes = new HashMap<>();
    for (int i = 0; i < moments.size(); i++) codes.put(moments.get(i), i);
    database.execute("create or replace table %s(t varchar, code integer)".formatted(TIMES));
    try (var appender = database.connection().createAppender("main", TIMES)) {
      for (Map.Entry<String, Moment> each : all.entrySet()) {
        appender.beginRow();
        appender.append(each.getKey());
        appender.append(codes.get(each.getValue()));
        appender.endRow();
      }
    }
  }

  /// Reads a time of the future. A day and its midnight are the same.
  private Moment parse(String text) {
    TimeForm form = series.times().form();
    String day = text.strip();
    if (form.kind() == TimeForm.Kind.TIME && day.matches("\\d{4}-\\d\\d-\\d\\d"))
      return form.parse(day + " 00:00:00");
    if (form.kind() == TimeForm.Kind.DATE) day = day.replaceFirst("[ T]00:00(:00)?$", "");
    return form.parse(day);
  }

  private IllegalArgumentException wrongTime(long row, String text, String reason) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "row %,d of '%s', column '%s': %s; times must be written as in '%s'",
            row,
            source(),
            series.columns().time(),
            text.isEmpty() ? "the time " + reason : reason,
            series.name()));
  }

  private String time(Table table) {
    String time = series.columns().time();
    if (!KnownColumns.has(table, time))
      throw new IllegalArgumentException(
          "--future: '%s' has no column '%s', which holds the times of '%s'; its columns are %s. Rename the one with the times"
              .formatted(table.name(), time, series.name(), table.listing()));
    return time;
  }

  private void store(Table table) throws SQLException {
    SeriesColumns parts = series.columns();
    List<String> ids = parts.wide() ? List.of() : parts.ids();
    List<String> selects = new ArrayList<>();
    boolean some = columns.columns().stream().anyMatch(Known::table);
    if (some) selects.add(rows(table, ids, parts.wide(), false));
    if (plan.isPresent()) {
      List<String> shared =
          parts.idNames().stream().filter(id -> KnownColumns.has(plan.get(), id)).toList();
      selects.add(rows(plan.get(), shared, shared.isEmpty() && !parts.idNames().isEmpty(), true));
      if (!shared.isEmpty()) remark(plan.get(), shared);
    }
    series
        .database()
        .execute(
            "create or replace table %s as select * from (%s) order by number, time, plan"
                .formatted(ROWS, String.join(" union all ", selects)));
  }

  /// The rows of a table as number, time and values.
  private String rows(Table table, List<String> ids, boolean forAll, boolean future) {
    List<String> values = new ArrayList<>();
    for (int j = 0; j < columns.columns().size(); j++) {
      Known each = columns.columns().get(j);
      boolean there = future ? each.plan() : each.table();
      String text = KnownColumns.text(table, each.name());
      String value =
          !there
              ? "null::double"
              : each.isText() ? KnownColumns.code(each, text) : KnownColumns.number(text);
      values.add(value + " as c" + j);
    }
    return "select %s as number, s.code as time, %s as plan, %s from %s q join %s s on s.t = q.%s::varchar %s"
        .formatted(
            forAll ? "null::integer" : ids.isEmpty() ? "0::integer" : "n.number",
            future,
            String.join(", ", values),
            table.relation().source(),
            TIMES,
            quoted(series.columns().time()),
            ids.isEmpty() ? "" : "join " + SeriesTable.IDS + " n on " + same(ids));
  }

  /// SQL that is true where a row has the ids of a series.
  private String same(List<String> ids) {
    return ids.stream()
        .map(
            id ->
                "q.%s::varchar is not distinct from n.i%s::varchar"
                    .formatted(quoted(id), series.columns().idNames().indexOf(id)))
        .collect(Collectors.joining(" and "));
  }

  /// Counts the rows of the future whose ids no series has.
  private void remark(Table table, List<String> ids) throws SQLException {
    String names =
        ids.stream()
            .map(id -> quoted(id) + "::varchar")
            .collect(Collectors.joining(" || ', ' || "));
    List<String> found =
        series
            .database()
            .strings(
                "select count(*), min(%s) from %s q where not exists (select 1 from %s n where %s)"
                    .formatted(names, table.relation().source(), SeriesTable.IDS, same(ids)));
    long count = Long.parseLong(found.get(0));
    if (count > 0)
      remark =
          String.format(
              Locale.ROOT,
              "%,d %s of '%s' %s to no series of '%s', such as '%s', and %s not used",
              count,
              count == 1 ? "row" : "rows",
              table.name(),
              count == 1 ? "belongs" : "belong",
              series.name(),
              found.get(1),
              count == 1 ? "is" : "are");
  }

  /// Two rows of the future for one series and time must agree.
  private void refuseDuplicates(Table table) throws SQLException {
    for (int j = 0; j < columns.columns().size(); j++) {
      Known each = columns.columns().get(j);
      List<String> found =
          series
              .database()
              .strings(
                  "select number, time, min(c%s), max(c%s) from %s where plan group by number, time having count(distinct c%s) > 1 order by number, time limit 1"
                      .formatted(j, j, ROWS, j));
      if (found.isEmpty()) continue;
      String id = found.get(0).isEmpty() ? "" : id(Integer.parseInt(found.get(0)));
      throw new IllegalArgumentException(
          "'%s' has several rows of %s%s, and column '%s' is %s in one and %s in another; keep one of them"
              .formatted(
                  table.name(),
                  id.isEmpty() ? "" : id + " at ",
                  series.times().form().format(moments.get(Integer.parseInt(found.get(1)))),
                  each.name(),
                  value(each, found.get(2)),
                  value(each, found.get(3))));
    }
  }

  private static String value(Known column, String number) {
    double value = Double.parseDouble(number);
    return column.isText()
        ? "'" + column.words().get((int) value) + "'"
        : ForecastColumns.number(value);
  }

  private String id(int number) throws SQLException {
    if (series.columns().idNames().isEmpty()) return "";
    String ids =
        java.util.stream.IntStream.range(0, series.columns().idNames().size())
            .mapToObj("coalesce(i%s::varchar, '')"::formatted)
            .collect(Collectors.joining(" || ', ' || "));
    return series
        .database()
        .strings("select %s from %s where number = %s".formatted(ids, SeriesTable.IDS, number))
        .getFirst();
  }

  /// Finds the words that histories have.
  private void words() throws SQLException {
    for (int j = 0; j < columns.columns().size(); j++) {
      Set<Integer> words = new HashSet<>();
      seen.add(words);
      if (!columns.columns().get(j).isText()) continue;
      String query =
          """
          select distinct c%s from %s k join (
            select v.number, max(s.code) as last from lovelace_values v
            join %s m on m.code = v.time join %s s on s.t = m.t
            where v.value is not null group by v.number) e
          on k.time <= e.last and (k.number = e.number or k.number is null)
          where c%s is not null
          """
              .formatted(j, ROWS, SeriesTimes.TABLE, TIMES, j);
      try (var chunk = new ChunkScan(series.database(), query, 1)) {
        while (chunk.next())
          for (int i = 0; i < chunk.rows(); i++) words.add((int) chunk.column(0).getDouble(i));
      }
    }
  }

  /// The values of some series, by number. Values for all series are among each.
  Map<Integer, List<Values>> of(List<Integer> numbers) throws IOException {
    Map<Integer, List<Values>> all = new HashMap<>();
    if (numbers.isEmpty()) return all;
    int from = numbers.stream().min(Integer::compare).orElseThrow();
    int to = numbers.stream().max(Integer::compare).orElseThrow();
    String which =
        to - from < 2 * numbers.size()
            ? "number between %s and %s".formatted(from, to)
            : "number in (%s)"
                .formatted(numbers.stream().map(String::valueOf).collect(Collectors.joining(",")));
    Map<Integer, Values> own;
    try {
      own = query(which, numbers);
    } catch (SQLException e) {
      throw Database.unreadable(source(), e);
    }
    for (int number : numbers) {
      List<Values> values = new ArrayList<>(forAll);
      Values each = own.get(number);
      if (each != null) values.add(each);
      all.put(number, values);
    }
    return all;
  }

  private Map<Integer, Values> query(String which, List<Integer> numbers) throws SQLException {
    int count = columns.columns().size();
    Map<Integer, Values> all = new HashMap<>();
    Set<Integer> wanted = new HashSet<>(numbers);
    StringBuilder selection = new StringBuilder("coalesce(number, -1), time, plan");
    for (int j = 0; j < count; j++) selection.append(", c").append(j);
    String query =
        "select %s from %s where %s order by number, time, plan".formatted(selection, ROWS, which);
    Buffer buffer = new Buffer(count);
    int now = -2;
    try (var chunk = new ChunkScan(series.database(), query, 3 + count)) {
      while (chunk.next()) {
        for (int i = 0; i < chunk.rows(); i++) {
          int number = chunk.column(0).getInt(i);
          if (number != now) {
            if (wanted.contains(now)) all.put(now, buffer.values());
            buffer.size = 0;
            now = number;
          }
          buffer.begin(chunk.column(1).getInt(i), chunk.column(2).getBoolean(i));
          for (int j = 0; j < count; j++) {
            DuckDBReadableVector value = chunk.column(3 + j);
            double v = value.isNull(i) ? Double.NaN : value.getDouble(i);
            buffer.values[j][buffer.size - 1] = Double.isFinite(v) ? v : Double.NaN;
          }
        }
      }
    }
    if (wanted.contains(now)) all.put(now, buffer.values());
    return all;
  }

  /// Rows of one series while they are read.
  private static final class Buffer {
    private int[] times = new int[256];
    private boolean[] plan = new boolean[256];
    private final double[][] values;
    private int size;

    Buffer(int columns) {
      values = new double[columns][256];
    }

    void begin(int time, boolean future) {
      if (size == times.length) {
        times = Arrays.copyOf(times, 2 * size);
        plan = Arrays.copyOf(plan, 2 * size);
        for (int j = 0; j < values.length; j++) values[j] = Arrays.copyOf(values[j], 2 * size);
      }
      times[size] = time;
      plan[size++] = future;
    }

    Values values() {
      double[][] own = new double[values.length][];
      for (int j = 0; j < own.length; j++) own[j] = Arrays.copyOf(values[j], size);
      return new Values(Arrays.copyOf(times, size), Arrays.copyOf(plan, size), own);
    }
  }
}
