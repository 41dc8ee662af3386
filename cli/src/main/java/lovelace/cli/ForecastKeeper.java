package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import lovelace.forecast.Forecast;
import lovelace.forecast.ForecastFile;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.StoredSeries;
import lovelace.forecast.StoredTable;
import lovelace.io.WriteLock;

/// Writes the series of a table into a file of forecasts while they are forecast.
final class ForecastKeeper implements ForecastSink, AutoCloseable {

  private final Path file;
  private final SeriesIds ids;
  private final WriteLock lock;
  private final ForecastFile.Writer out;
  private long series;
  private long values;
  private boolean finished = false;

  private ForecastKeeper(Path file, SeriesIds ids, WriteLock lock, ForecastFile.Writer out) {
    this.file = file;
    this.ids = ids;
    this.lock = lock;
    this.out = out;
  }

  /// Begins to write a file.
  static ForecastKeeper begin(
      Path file, SeriesTable table, SeriesSteps steps, ForecastModel model, PrintWriter err)
      throws IOException {
    SeriesIds ids = new SeriesIds(table);
    SeriesColumns columns = table.columns();
    StoredTable form =
        new StoredTable(
            columns.idNames(),
            ids.types(),
            columns.time(),
            table.timeType(),
            columns.wide() ? "y" : columns.values().getFirst(),
            steps.form(),
            steps.frequency());
    WriteLock lock = ForecastFiles.lock(file, err);
    boolean begun = false;
    try {
      ForecastJournal.settle(Path.of(""), file);
      var keeper = new ForecastKeeper(file, ids, lock, ForecastFile.create(file, model, form));
      begun = true;
      return keeper;
    } finally {
      if (!begun) lock.close();
    }
  }

  @Override
  public void add(PlacedSeries each, Forecast forecast) throws IOException {
    series++;
    values += (long) each.values().size() - each.values().gaps();
    out.add(new StoredSeries(ids.of(each.number()), each.steps(), each.first(), each.values()));
  }

  /// Puts the file in its place, and says what it holds.
  void finish(PrintWriter print) throws IOException {
    out.finish();
    finished = true;
    print.printf(
        Locale.ROOT,
        "%-11s %s, %s: %,d series with %,d values; go on with 'lovelace forecast --update %s TABLE'%n",
        "model",
        file,
        ModelReport.size(ForecastFile.open(file).bytes()),
        series,
        values,
        file);
  }

  /// Leaves an old file as it was, unless the new one is finished.
  @Override
  public void close() throws IOException {
    try (lock) {
      if (!finished) out.close();
    }
  }
}
