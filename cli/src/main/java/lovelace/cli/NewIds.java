package lovelace.cli;

import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lovelace.cli.Table.Kind;
import lovelace.forecast.Newcomers;
import lovelace.forecast.Traits;

/// Ids that a table does not have, and the columns that stay the same in a series.
///
/// @param columns that stay the same
/// @param ids in words, in their order
/// @param traits of the new ids
/// @param known traits of the series of the table, by number
record NewIds(
    List<String> columns, List<String> ids, List<Traits> traits, Map<Integer, Traits> known) {

  private static final String ROWS = "lovelace_new";

  /// Reads new ids, and numbers them after the series of the table. Without columns that stay the
  /// same there are none, unless they were asked for.
  ///
  /// @param from the table of new ids, or of the future
  /// @param asked whether it is known to hold new ids
  static NewIds read(SeriesTable series, Table table, Table from, List<String> named, boolean asked)
      throws IOException {
    String option = asked ? "--new" : "--future";
    SeriesColumns parts = series.columns();
    if (parts.wide() || parts.ids().isEmpty()) {
      if (!asked) return none();
      throw new IllegalArgumentException(
          "--new forecasts ids that '%s' does not have, and it has no column of ids; name it with --id"
              .formatted(table.name()));
    }
    for (String id : parts.ids())
      if (!KnownColumns.has(from, id)) {
        if (!asked) return none();
        throw new IllegalArgumentException(
            "--new: '%s' has no column '%s', which tells series apart; its columns are %s"
                .formatted(from.name(), id, from.listing()));
      }
    try {
      List<String> columns = columns(table, from, parts, named, asked);
      if (columns.isEmpty()) return none();
      String places =
          IntStream.range(0, parts.ids().size())
              .mapToObj(i -> "n.i%s::varchar is not distinct from q.i%s".formatted(i, i))
              .collect(Collectors.joining(" and "));
      series
          .database()
          .execute(
              "create or replace table %s as select * from (%s) q where not exists (select 1 from %s n where %s)"
                  .formatted(ROWS, grouped(from, parts, columns), SeriesTable.IDS, places));
      String order =
          IntStream.range(0, parts.ids().size())
              .mapToObj(i -> "i" + i)
              .collect(Collectors.joining(", "));
      series
          .database()
          .execute(
              "insert into %s select (row_number() over (order by %s) - 1 + %s)::integer, %s from %s"
                  .formatted(SeriesTable.IDS, order, series.count(), order, ROWS));
      List<String> ids = new ArrayList<>();
      List<Traits> traits = new ArrayList<>();
      String name =
          IntStream.range(0, parts.ids().size())
              .mapToObj(i -> "coalesce(i" + i + ", '')")
              .collect(Collectors.joining(" || ', ' || "));
      read(
          series,
          "select 0, %s, %s from %s order by %s".formatted(name, ends(columns), ROWS, order),
          table,
          from,
          columns,
          (number, id, each) -> {
            ids.add(id);
            traits.add(each);
          });
      if (ids.isEmpty() && asked)
        throw new IllegalArgumentException(
            "%s: all ids of '%s' are in '%s' too, so none is new; leave the option out"
                .formatted(option, from.name(), table.name()));
      Map<Integer, Traits> known = new HashMap<>();
      if (!ids.isEmpty())
        read(
            series,
            "select n.number, %s, %s from (%s) q join %s n on %s where n.number < %s order by n.number"
                .formatted(
                    name.replace("(i", "(q.i"),
                    ends(columns),
                    grouped(table, parts, columns),
                    SeriesTable.IDS,
                    places,
                    series.count()),
            table,
            table,
            columns,
            (number, id, each) -> known.put(number, each));
      return new NewIds(columns, ids, traits, known);
    } catch (SQLException e) {
      throw Database.unreadable(from.name(), e);
    }
  }

  private static NewIds none() {
    return new NewIds(List.of(), List.of(), List.of(), Map.of());
  }

  /// The columns that are named, or all that stay the same in both tables.
  private static List<String> columns(
      Table table, Table from, SeriesColumns parts, List<String> named, boolean asked)
      throws IOException {
    List<String> columns = new ArrayList<>();
    if (!named.isEmpty()) {
      for (String name : named) {
        for (Table each : List.of(table, from))
          if (!KnownColumns.has(each, name))
            throw new IllegalArgumentException(
                "--static: '%s' has no column '%s'; its columns are %s"
                    .formatted(each.name(), name, each.listing()));
        if (table.field(name).kind() == Kind.TIME)
          throw new IllegalArgumentException(
              "--static: column '%s' holds times; write what matters about them as a number, such as the age in years"
                  .formatted(name));
        columns.add(name);
      }
    } else {
      List<String> used =
          Stream.concat(parts.ids().stream(), Stream.of(parts.time(), parts.values().getFirst()))
              .toList();
      for (Table.Field field : table.fields())
        if (!used.contains(field.name())
            && field.kind() != Kind.TIME
            && KnownColumns.has(from, field.name())
            && KnownColumns.isConstant(table, parts, field.name())
            && KnownColumns.isConstant(from, parts, field.name())) columns.add(field.name());
      if (columns.isEmpty() && asked)
        throw new IllegalArgumentException(
            "--new: '%s' and '%s' share no column that stays the same in each series, so nothing tells which series are alike; add one to both, such as region"
                .formatted(table.name(), from.name()));
    }
    if (columns.size() > Newcomers.MOST_TRAITS)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--static: at most %d columns tell which series are alike, got %s; name those that matter most",
              Newcomers.MOST_TRAITS,
              String.join(", ", columns)));
    return columns;
  }

  /// A row for each id, with the smallest and largest text of each column.
  private static String grouped(Table table, SeriesColumns parts, List<String> columns) {
    List<String> selection = new ArrayList<>();
    for (int i = 0; i < parts.ids().size(); i++)
      selection.add("%s::varchar as i%s".formatted(quoted(parts.ids().get(i)), i));
    for (int c = 0; c < columns.size(); c++) {
      String text = KnownColumns.text(table, columns.get(c));
      selection.add("min(%s) as low%s, max(%s) as high%s".formatted(text, c, text, c));
    }
    String by =
        IntStream.rangeClosed(1, parts.ids().size())
            .mapToObj(String::valueOf)
            .collect(Collectors.joining(", "));
    return "select %s from %s group by %s"
        .formatted(String.join(", ", selection), table.relation().source(), by);
  }

  private static String ends(List<String> columns) {
    return IntStream.range(0, columns.size())
        .mapToObj(c -> "low%s, high%s".formatted(c, c))
        .collect(Collectors.joining(", "));
  }

  private interface Receiver {
    void accept(int number, String id, Traits traits);
  }

  private static void read(
      SeriesTable series,
      String query,
      Table table,
      Table from,
      List<String> columns,
      Receiver receiver)
      throws SQLException {
    try (var chunk = new ChunkScan(series.database(), query, 2 + 2 * columns.size())) {
      while (chunk.next())
        for (int i = 0; i < chunk.rows(); i++) {
          String id = chunk.column(1).getString(i);
          List<String> words = new ArrayList<>();
          List<Double> numbers = new ArrayList<>();
          for (int c = 0; c < columns.size(); c++) {
            boolean missing = chunk.column(2 + 2 * c).isNull(i);
            String low = missing ? "" : chunk.column(2 + 2 * c).getString(i);
            String high = missing ? "" : chunk.column(3 + 2 * c).getString(i);
            if (!low.equals(high))
              throw new IllegalArgumentException(
                  "--static: column '%s' of '%s' is '%s' and '%s' within series %s; it must stay the same"
                      .formatted(columns.get(c), from.name(), low, high, id));
            if (table.field(columns.get(c)).kind() == Kind.NUMBER)
              numbers.add(number(low, columns.get(c), from, id));
            else words.add(low);
          }
          receiver.accept(chunk.column(0).getInt(i), id, new Traits(words, numbers));
        }
    }
  }

  private static double number(String text, String column, Table from, String id) {
    if (text.isEmpty()) return Double.NaN;
    if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false"))
      return text.equalsIgnoreCase("true") ? 1 : 0;
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "--static: column '%s' of '%s' is '%s' for series %s, and it holds numbers elsewhere; correct it"
              .formatted(column, from.name(), text, id),
          e);
    }
  }
}
