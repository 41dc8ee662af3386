package lovelace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import lovelace.forecast.Forecaster;
import picocli.CommandLine;

/// A quick backtest of a table that holds one short series, for people who have not yet asked for a
/// forecast.
final class ForecastTrial {

  /// The most rows. Within them a backtest takes less than a second.
  private static final int MOST = 500;

  private static final int WINDOWS = 3;

  private ForecastTrial() {}

  /// The scores in a few words; empty if the table holds several series, or one that is too short,
  /// too long or has several seasons.
  static Optional<String> scores(String table, String time, String target, int horizon) {
    SeriesOptions options = new SeriesOptions();
    CommandLine.populateCommand(options, "--id=none", "--time=" + time, "--target=" + target);
    try (ProgressLine line = new ProgressLine(nowhere());
        Table opened = Table.open(table, null, InputStream.nullInputStream(), nowhere());
        SeriesKnown known = SeriesKnown.open(new KnownOptions(), opened)) {
      SeriesColumns found = SeriesColumns.find(opened, options);
      SeriesTable series = SeriesTable.read(opened, found, options.isOne());
      if (series.rowCount() > MOST || series.rowCount() > series.times().moments().size())
        return Optional.empty();
      SeriesSteps steps = SeriesSteps.find(series, options);
      if (steps.seasons().length > 1) return Optional.empty();
      known.read(series, options);
      Forecaster forecaster =
          options.on(Forecaster.DEFAULT).withHorizon(horizon).withSeasons(steps.seasons());
      ForecastColumns columns = new ForecastColumns();
      Backtest backtest = new Backtest(series, steps, known, forecaster, WINDOWS, horizon, false);
      List<String> names = Backtest.names(found, columns);
      try (SeriesResult rows =
          new SeriesResult(series, "lovelace_backtest", List.of("cutoff", time), names)) {
        Backtest.Results results = backtest.run(rows, columns, Optional.empty(), line);
        if (results.ours().count() == 0) return Optional.empty();
        return Optional.of(
            String.format(
                Locale.ROOT,
                "MASE %.3f in a backtest, seasonal naive %.3f",
                results.ours().mase(),
                results.naive().mase()));
      }
    } catch (IllegalArgumentException | IOException e) {
      return Optional.empty(); // the command itself says what is wrong
    }
  }

  private static PrintWriter nowhere() {
    return new PrintWriter(Writer.nullWriter());
  }
}
