package lovelace.cli;

import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import lovelace.data.TimeScale;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;

/// Finds the scale of a column of times, and the row of a time that does not match the others.
record TimeColumn(String table, Database database, Relation relation, String column) {

  /// The form of a month, a date or a timestamp.
  private static final String ISO = "^\\s*\\d{4}-\\d\\d(-\\d\\d([T ].*)?)?\\s*$";

  /// The form of quarters, which [TimeScale] reads as their first months.
  private static final String QUARTER =
      "^\\s*(\\d{4}[- ]?[Qq][1-4]|[Qq][1-4][- ]?\\d{4}|[1-4][Qq][- ]?\\d{4})\\s*$";

  private static final String FIRST_OF_MONTH = "^\\d{4}-\\d\\d(-01([T ]00:00(:00(\\.0+)?)?.*)?)?$";

  private static final String ZONE = "(Z|[+-]\\d\\d(:?\\d\\d)?)$";

  /// The scale that suits the times of the column. It ignores texts that are not times, because the
  /// reader of the rows refuses or skips them.
  TimeScale scale() throws IOException {
    String query =
        """
        select min(c), max(c), arg_min(c, zone), arg_max(c, zone),
          any_value(c) filter (where not regexp_matches(c, '%s')),
          any_value(c) filter (where regexp_matches(c, '\\d:\\d\\d:(0[1-9]|[1-5])')),
          any_value(c) filter (where regexp_matches(c, '\\.\\d*[1-9]')),
          any_value(c) filter (where length(c) > 7), min(q)
        from (
          select case when regexp_matches(v, '%s') then v end c, regexp_extract(c, '%s') zone,
            case when regexp_matches(v, '%s') then v end q
          from (select %s::varchar v from %s))
        """
            .formatted(FIRST_OF_MONTH, ISO, ZONE, QUARTER, quoted(column), relation.source());
    try {
      List<String> times =
          database.strings(query).stream().distinct().filter(TimeScale::recognizes).toList();
      if (times.isEmpty()) throw noTime();
      TimeScale first = TimeScale.of(column, times.subList(0, 1));
      if (!times.stream().allMatch(time -> first.refusal(time).isEmpty())) throw mixedZones();
      return TimeScale.of(column, times);
    } catch (SQLException e) {
      throw Database.unreadable(table, e);
    }
  }

  /// Names the first text of a column that is not a time.
  private IllegalArgumentException noTime() throws SQLException {
    Found text = first(each -> true);
    return text == null
        ? new IllegalArgumentException("column '%s' of '%s' has no values".formatted(column, table))
        : text.refused("not a date or timestamp; " + TimeScale.FORMS);
  }

  /// Names the first time with a zone among times without, or the reverse.
  private IllegalArgumentException mixedZones() throws SQLException {
    Found start = first(TimeScale::recognizes);
    if (start == null) throw new IllegalStateException("no times in " + column);
    TimeScale scale = TimeScale.of(column, List.of(start.text));
    Found other = first(each -> TimeScale.recognizes(each) && scale.refusal(each).isPresent());
    if (other == null) throw new IllegalStateException("all times alike in " + column);
    return other.refused(scale.refusal(other.text).orElseThrow());
  }

  /// The text of a row, which counts from 1.
  private record Found(TimeColumn of, String text, long row) {

    IllegalArgumentException refused(String why) {
      return new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "row %,d of '%s': column '%s' is '%s', %s",
              row,
              of.table,
              of.column,
              text,
              why));
    }
  }

  /// The first text that a search accepts, in the order of the rows.
  private @Nullable Found first(Predicate<String> wanted) throws SQLException {
    String query = "select %s::varchar from %s".formatted(quoted(column), relation.source());
    long before = 0;
    try (var chunk = new ChunkScan(database, query, 1)) {
      while (chunk.next()) {
        DuckDBReadableVector texts = chunk.column(0);
        for (int i = 0; i < chunk.rows(); i++) {
          String text = texts.isNull(i) ? null : texts.getString(i);
          if (text != null && wanted.test(text)) return new Found(this, text, before + i + 1);
        }
        before += chunk.rows();
      }
    }
    return null;
  }
}
