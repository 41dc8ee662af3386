package lovelace.cli;

import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The country of each series, from a column of the table.
final class SeriesCountries {

  private SeriesCountries() {}

  /// Reads the column. Series without a country are left out.
  static Map<Integer, String> read(SeriesTable series, Table table, String column)
      throws IOException {
    if (!KnownColumns.has(table, column))
      throw new IllegalArgumentException(
          "--holidays-by: there is no column '%s'; '%s' has %s"
              .formatted(column, table.name(), table.listing()));
    if (series.columns().wide())
      throw new IllegalArgumentException(
          "--holidays-by takes the country of each series from a column, and --series-in-columns makes series of columns; name the country with --holidays");
    List<String> ids = series.columns().ids();
    String same =
        IntStream.range(0, ids.size())
            .mapToObj(
                i ->
                    "q.%s::varchar is not distinct from n.i%s::varchar"
                        .formatted(quoted(ids.get(i)), i))
            .collect(Collectors.joining(" and "));
    String query =
        "select n.number, min(v), max(v) from (select *, %s as v from %s) q join %s n on %s where v is not null group by n.number order by n.number"
            .formatted(
                KnownColumns.text(table, column),
                table.relation().source(),
                SeriesTable.IDS,
                same.isEmpty() ? "true" : same);
    Map<Integer, String> all = new HashMap<>();
    try (var chunk = new ChunkScan(series.database(), query, 3)) {
      while (chunk.next())
        for (int i = 0; i < chunk.rows(); i++) {
          String first = chunk.column(1).getString(i);
          String last = chunk.column(2).getString(i);
          if (!first.equals(last))
            throw new IllegalArgumentException(
                "--holidays-by: column '%s' of '%s' has '%s' and '%s' within one series; each series needs one country"
                    .formatted(column, table.name(), first, last));
          all.put(chunk.column(0).getInt(i), first);
        }
    } catch (SQLException e) {
      throw Database.unreadable(table.name(), e);
    }
    if (all.isEmpty())
      throw new IllegalArgumentException(
          "--holidays-by: column '%s' of '%s' is empty; it needs codes such as DE"
              .formatted(column, table.name()));
    return all;
  }
}
