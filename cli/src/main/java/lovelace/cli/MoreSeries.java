package lovelace.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import lovelace.cli.Table.Field;
import lovelace.forecast.Forecaster;
import lovelace.forecast.StoredSeries;
import lovelace.forecast.StoredTable;
import lovelace.forecast.time.Frequency;
import lovelace.forecast.time.Moment;
import org.jspecify.annotations.Nullable;

/// More values of the series of a file of forecasts. Times must follow the last one of their
/// series; between them may be steps without a value. Series with new ids are added.
final class MoreSeries {

  private static final int BATCH = 2_000;

  private final String table;
  private final Path file;
  private final StoredTable form;
  private final Map<List<@Nullable String>, PlacedSeries> waiting = new LinkedHashMap<>();
  private final int count;
  private long values;

  private MoreSeries(String table, Path file, StoredTable form, SeriesTable rows, SeriesSteps steps)
      throws IOException {
    this.table = table;
    this.file = file;
    this.form = form;
    SeriesIds ids = new SeriesIds(rows);
    for (int from = 0; from < rows.count(); from += BATCH)
      for (SeriesTable.Rows each : rows.between(from, from + BATCH)) {
        PlacedSeries placed = steps.place(each);
        if (placed.values().size() == 0) refuseUnplaced(placed);
        values += StoredForecasts.seen(placed.values());
        waiting.put(ids.of(each.number()), placed);
      }
    count = waiting.size();
  }

  private void refuseUnplaced(PlacedSeries placed) {
    if (placed.remarks().stream().allMatch(each -> each.startsWith("no values"))) return;
    throw new IllegalArgumentException(
        "%s of '%s': %s; '%s' has steps of %s (%s), so correct the times, or leave the series out"
            .formatted(
                name(placed.values().id()),
                table,
                placed.remarks().getLast().replace("; so no forecast", ""),
                file,
                form.frequency().text(),
                form.frequency().words()));
  }

  /// Reads the rows of a table whose columns are those of a file.
  ///
  /// @param wide whether each column is a series
  static MoreSeries read(Table rows, StoredTable form, Path file, boolean wide, Forecaster options)
      throws IOException {
    rows.requireRows();
    SeriesColumns columns = columns(rows, form, file, wide);
    SeriesTable series =
        SeriesTable.read(rows, columns, form.ids().isEmpty(), Optional.of(form.form()));
    SeriesSteps steps = SeriesSteps.stored(series.times(), form.frequency(), file, options);
    return new MoreSeries(rows.name(), file, form, series, steps);
  }

  private static SeriesColumns columns(Table rows, StoredTable form, Path file, boolean wide) {
    if (wide) {
      if (form.ids().size() != 1)
        throw new IllegalArgumentException(
            "--series-in-columns names a series by one word, and the series of '%s' have the columns %s; give a table with these"
                .formatted(file, String.join(", ", form.ids())));
      require(rows, form.time(), file);
      List<String> numbers =
          rows.fields().stream()
              .filter(f -> f.kind() == Table.Kind.NUMBER && !f.name().equals(form.time()))
              .map(Field::name)
              .toList();
      return new SeriesColumns(List.of(), form.time(), numbers, true, List.of(), false);
    }
    List<String> used = new ArrayList<>(form.ids());
    used.add(form.time());
    used.add(form.target());
    for (String name : used) require(rows, name, file);
    return new SeriesColumns(
        form.ids(),
        form.time(),
        List.of(form.target()),
        false,
        rows.fields().stream().map(Field::name).filter(n -> !used.contains(n)).toList(),
        false);
  }

  private static void require(Table rows, String name, Path file) {
    if (rows.fields().stream().anyMatch(field -> field.name().equals(name))) return;
    throw new IllegalArgumentException(
        "'%s' has no column '%s', which the series of '%s' have; its columns are %s; name them as there"
            .formatted(rows.name(), name, file, rows.listing()));
  }

  /// A series of the file with the values that follow.
  StoredSeries continued(StoredSeries old) {
    PlacedSeries more = waiting.remove(old.ids());
    if (more == null || more.values().size() == 0) return old;
    if (old.values().size() == 0)
      return new StoredSeries(old.ids(), more.steps(), more.first(), more.values());
    long from = place(old, more);
    if (from < old.end())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s of '%s' has a value at %s, and in '%s' it ends at %s; leave out rows up to there, or forecast the whole table again",
              name(old.values().id()),
              table,
              form.form().format(old.steps().at(from)),
              file,
              form.form().format(old.steps().at(old.end() - 1))));
    return old.then(from, more.values());
  }

  /// The number of the first new step among those of the file.
  private long place(StoredSeries old, PlacedSeries more) {
    Frequency steps = old.steps();
    if (steps.equals(more.steps())) return more.first();
    Moment first = more.steps().at(more.first());
    try {
      return steps.index(first);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s of '%s': %s; correct the times, or leave the series out"
              .formatted(name(old.values().id()), table, e.getMessage()),
          e);
    }
  }

  private static String name(String id) {
    return id.isEmpty() ? "the series" : "series '%s'".formatted(id);
  }

  /// The series that are not in the file. Asked for after all of the file were continued.
  List<StoredSeries> fresh() {
    List<StoredSeries> fresh = new ArrayList<>();
    for (Map.Entry<List<@Nullable String>, PlacedSeries> each : waiting.entrySet()) {
      PlacedSeries placed = each.getValue();
      fresh.add(new StoredSeries(each.getKey(), placed.steps(), placed.first(), placed.values()));
    }
    return fresh;
  }

  /// The number of series with rows.
  int count() {
    return count;
  }

  /// The number of values.
  long values() {
    return values;
  }
}
