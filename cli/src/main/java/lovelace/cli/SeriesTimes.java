package lovelace.cli;

import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.sql.SQLException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import lovelace.forecast.time.Moment;
import lovelace.forecast.time.TimeForm;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;

/// The different times of a table, numbered from 0 in their order.
///
/// @param form how the table writes them
/// @param moments the times by number
record SeriesTimes(TimeForm form, List<Moment> moments) {

  /// The table of the database that has the number of every text.
  static final String TABLE = "lovelace_times";

  SeriesTimes {
    moments = List.copyOf(moments);
  }

  /// Reads every different text of a column once.
  ///
  /// @param known how times are written; empty if the texts tell
  static SeriesTimes read(Table table, String column, Optional<TimeForm> known)
      throws IOException, SQLException {
    Database database = table.database();
    List<@Nullable String> texts = new ArrayList<>();
    List<Long> first = new ArrayList<>();
    String query =
        "select t, min(r) as r from (select %s::varchar as t, row_number() over () as r from %s) group by t order by r"
            .formatted(quoted(column), table.relation().source());
    try (var chunk = new ChunkScan(database, query, 2)) {
      while (chunk.next()) {
        DuckDBReadableVector text = chunk.column(0);
        for (int i = 0; i < chunk.rows(); i++) {
          texts.add(text.isNull(i) ? null : text.getString(i));
          first.add(chunk.column(1).getLong(i));
        }
      }
    }
    TimeForm.Column read;
    try {
      read =
          known.isPresent()
              ? as(known.get(), table.name(), column, texts, first)
              : TimeForm.read(table.name(), column, texts);
    } catch (IllegalArgumentException e) {
      if (known.isEmpty())
        TimeForm.read(table.name(), column, asInTable(texts, first)); // names the row of the table
      throw e;
    }
    List<Moment> moments = read.moments().stream().distinct().sorted().toList();
    database.execute("create or replace table %s(t varchar, code integer)".formatted(TABLE));
    try (var appender = database.connection().createAppender("main", TABLE)) {
      for (int i = 0; i < texts.size(); i++) {
        appender.beginRow();
        appender.append(texts.get(i));
        appender.append(Collections.binarySearch(moments, read.moments().get(i)));
        appender.endRow();
      }
    }
    return new SeriesTimes(read.form(), moments);
  }

  /// Reads texts in a form that is known.
  private static TimeForm.Column as(
      TimeForm form, String table, String column, List<@Nullable String> texts, List<Long> first) {
    List<Moment> moments = new ArrayList<>(texts.size());
    for (int i = 0; i < texts.size(); i++) {
      String text = texts.get(i);
      try {
        moments.add(form.parse(text == null ? "" : text));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "row %,d of '%s': column '%s': %s",
                first.get(i),
                table,
                column,
                e.getMessage()),
            e);
      }
    }
    return new TimeForm.Column(form, moments);
  }

  /// The texts at the rows where each comes first, and the first text elsewhere. Read from the
  /// beginning to the end.
  private static List<@Nullable String> asInTable(List<@Nullable String> texts, List<Long> first) {
    return new AbstractList<>() {
      @Override
      public @Nullable String get(int index) {
        int at = Collections.binarySearch(first, index + 1L);
        return at < 0 ? texts.getFirst() : texts.get(at);
      }

      @Override
      public int size() {
        return Math.toIntExact(first.getLast());
      }
    };
  }

  /// The moments of some numbers.
  List<Moment> of(int... numbers) {
    List<Moment> some = new ArrayList<>(numbers.length);
    for (int number : numbers) some.add(moments.get(number));
    return some;
  }
}
