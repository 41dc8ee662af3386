package lovelace.cli;

import static lovelace.cli.Database.quoted;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.forecast.ForecastFile;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.StoredSeries;
import lovelace.forecast.StoredTable;
import lovelace.forecast.TimeSeries;
import lovelace.io.WriteLock;
import org.duckdb.DuckDBAppender;

/// A file of forecasts as a table of its series, so that a command forecasts them as those of any
/// other table.
final class StoredForecasts {

  private static final String ROWS = "lovelace_stored";

  private final Path path;
  private final ForecastFile file;
  private final ForecastModel model;
  private final StoredTable form;

  private StoredForecasts(Path path, ForecastFile file) throws IOException {
    this.path = path;
    this.file = file;
    model = file.model();
    form = file.table();
  }

  /// Opens a file that exists.
  static StoredForecasts open(Path path) throws IOException {
    return new StoredForecasts(path, ForecastFiles.open(path));
  }

  ForecastModel model() {
    return model;
  }

  /// The columns of the table.
  SeriesColumns columns() {
    return new SeriesColumns(
        form.ids(), form.time(), List.of(form.target()), false, List.of(), false);
  }

  /// The series of the table, sorted.
  SeriesTable series(Table table) throws IOException {
    return SeriesTable.read(table, columns(), form.ids().isEmpty(), Optional.of(form.form()));
  }

  /// Their steps.
  SeriesSteps steps(SeriesTable series) {
    return SeriesSteps.stored(series.times(), form.frequency(), path, model.options());
  }

  /// The rows of the series as a table.
  Table table() throws IOException {
    return table(file);
  }

  private Table table(ForecastFile source) throws IOException {
    int width = form.ids().size();
    String columns =
        IntStream.range(0, width)
            .mapToObj(i -> "i" + i + " varchar, ")
            .collect(Collectors.joining());
    String ids =
        IntStream.range(0, width)
            .mapToObj(
                i ->
                    "i%s::%s as %s, "
                        .formatted(i, form.idTypes().get(i), quoted(form.ids().get(i))))
            .collect(Collectors.joining());
    String rows = "(select %st%s as %s, v as %s from %s)";
    String time = quoted(form.time());
    String value = quoted(form.target());
    try {
      return Table.made(
          path.toString(),
          database -> {
            database.execute("create table %s(%st varchar, v double)".formatted(ROWS, columns));
            try (var appender = database.connection().createAppender("main", ROWS)) {
              source.forEach(each -> append(appender, each));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            return new Relation(
                path.toString(),
                rows.formatted(ids, "", time, value, ROWS),
                rows.formatted(ids, "::" + form.timeType(), time, value, ROWS),
                false,
                "");
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void append(DuckDBAppender appender, StoredSeries each) throws IOException {
    try {
      int size = each.values().size();
      for (int t = 0; t < Math.max(1, size); t++) {
        if (size > 0 && Double.isNaN(each.values().value(t))) continue;
        appender.beginRow();
        for (String id : each.ids()) {
          if (id == null) appender.appendNull();
          else appender.append(id);
        }
        appender.append(form.form().format(each.steps().at(each.first() + t)));
        if (size == 0) appender.appendNull();
        else appender.append(each.values().value(t));
        appender.endRow();
      }
    } catch (SQLException e) {
      throw new IOException("the series cannot be kept: " + e.getMessage(), e);
    }
  }

  /// The rows that an update added.
  ///
  /// @param stored the file that was written, opened
  /// @param changes of the terms of the library, in words
  record Added(
      StoredForecasts stored, long rows, long series, long fresh, long gaps, String changes) {

    /// Says what was added.
    void print(PrintWriter print) {
      print.printf(
          Locale.ROOT,
          "%-11s %s, %s: %,d values added to %,d series, %,d of them new%s%n",
          "updated",
          stored.path,
          ModelReport.size(stored.file.bytes()),
          rows,
          series,
          fresh,
          gaps == 0
              ? ""
              : String.format(
                  Locale.ROOT, "; %,d %s without a value", gaps, gaps == 1 ? "step" : "steps"));
      if (!changes.isEmpty()) print.printf("%-11s %s%n", "changed", changes);
    }
  }

  /// Adds the rows of a table to a file, and writes it, or another. It is written whole or not at
  /// all.
  static Added update(Path path, Table rows, boolean wide, Path target, PrintWriter err)
      throws IOException {
    try (WriteLock lock = ForecastFiles.lock(target, err)) {
      ForecastJournal.settle(path, target);
      StoredForecasts old = open(path);
      MoreSeries more = MoreSeries.read(rows, old.form, path, wide, old.model.options());
      long[] gaps = {0};
      TermChanges changes = new TermChanges(old.model);
      try (ForecastFile.Writer out = ForecastFile.create(target, old.model, old.form)) {
        old.file.forEach(
            each -> {
              StoredSeries longer = more.continued(each);
              gaps[0] += longer.values().gaps() - each.values().gaps();
              out.add(longer);
              changes.add(each.values(), longer.values());
            });
        for (StoredSeries each : more.fresh()) {
          gaps[0] += each.values().gaps();
          out.add(each);
        }
        out.finish();
      }
      if (lock.isMissing())
        err.println(
            "lovelace: the file system of '%s' has no locks; let only one command at a time write it"
                .formatted(target));
      return new Added(
          open(target), more.values(), more.count(), more.fresh().size(), gaps[0], changes.words());
    }
  }

  /// The number of values that are there.
  static long seen(TimeSeries series) {
    return (long) series.size() - series.gaps();
  }
}
