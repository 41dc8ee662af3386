package lovelace.cli;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The words of series in the columns of ids, some thousand series at a time.
final class SeriesIds {

  private static final int BATCH = 2_000;

  private final SeriesTable table;
  private final int width;
  private int from;
  private List<List<@Nullable String>> batch = List.of();

  SeriesIds(SeriesTable table) {
    this.table = table;
    width = table.columns().idNames().size();
  }

  /// The types of the columns.
  List<String> types() throws IOException {
    List<String> types = new ArrayList<>();
    try (var statement = table.database().connection().createStatement();
        var rows = statement.executeQuery("describe " + SeriesTable.IDS)) {
      while (rows.next())
        if (rows.getString(1).matches("i\\d+")) types.add(String.valueOf(rows.getString(2)));
    } catch (SQLException e) {
      throw Database.unreadable(table.name(), e);
    }
    return types;
  }

  /// The words of a series; null where the table has none.
  List<@Nullable String> of(int number) throws IOException {
    if (width == 0) return List.of();
    if (number < from || number >= from + batch.size()) read(number / BATCH * BATCH);
    return batch.get(number - from);
  }

  private void read(int first) throws IOException {
    String columns =
        IntStream.range(0, width)
            .mapToObj(i -> "i%s::varchar".formatted(i))
            .collect(Collectors.joining(", "));
    String query =
        "select %s from %s where number >= %s and number < %s order by number"
            .formatted(columns, SeriesTable.IDS, first, first + BATCH);
    List<List<@Nullable String>> all = new ArrayList<>();
    try (var statement = table.database().connection().createStatement();
        var rows = statement.executeQuery(query)) {
      while (rows.next()) {
        List<@Nullable String> words = new ArrayList<>();
        for (int i = 0; i < width; i++) words.add(rows.getString(i + 1));
        all.add(words);
      }
    } catch (SQLException e) {
      throw Database.unreadable(table.name(), e);
    }
    from = first;
    batch = all;
  }
}
