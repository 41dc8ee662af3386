package lovelace.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.Forecaster;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `lovelace forecast`: continues the series of a table.
@Command(
    name = "forecast",
    customSynopsis = {"lovelace forecast TABLE --horizon N [--out FILE] [OPTIONS]"},
    description = {
      "Forecast the series of a table.",
      "The table has a row for each series and time: columns unique_id, ds and y, or others that "
          + "--id, --time and --target name. Rows may come in any order, and series may be many or "
          + "one. Each series continues from its own last value.",
      "",
      "The result has the ids, the time, median and mean, and the ends of intervals. A library of "
          + "processes with levels, slopes and seasons is averaged for each series. How much each "
          + "process counts, and how wide intervals must be to hold, is learned from at most 1,000 "
          + "series of the table.",
      "",
      "Examples:",
      "  lovelace forecast sales.csv --horizon 12",
      "  lovelace forecast sales.parquet --id shop,item --horizon 28 --out next.parquet",
      "  lovelace forecast hourly.csv --horizon 48 --season 24,168 --levels 50,90 --out next.csv",
      "  lovelace forecast sales.csv --horizon 14 --total 7 --total-out week.csv",
      "  lovelace forecast visits.csv --at next-visits.csv --out next.csv"
    })
final class ForecastCommand implements Callable<Integer> {

  /// How many rows the screen gets.
  private static final int SHOWN = 12;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TABLE",
      description =
          "A table: CSV, TSV, Parquet or JSON lines, also with .gz. - is standard input. With "
              + "--sql it may be a JDBC URL.")
  private @Nullable String table;

  @Mixin private final TableOptions tables = new TableOptions();

  @Option(
      names = "--horizon",
      paramLabel = "N",
      description = "The number of steps to forecast (required, unless there is --at).")
  private @Nullable Integer horizon;

  @Mixin private final IrregularOptions irregular = new IrregularOptions();

  @Mixin private final SeriesOptions series = new SeriesOptions();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Let all forecasts start at this time, from the values before it (default: after the "
              + "last value of each series).")
  private @Nullable String from;

  @Mixin private final ForecastColumns columns = new ForecastColumns();

  @Mixin private final ForecastOutputs outputs = new ForecastOutputs();

  @Mixin private final ForecastExplanations explanations = new ForecastExplanations();

  @Override
  public Integer call() throws IOException {
    irregular.check(Optional.ofNullable(horizon));
    int horizon = Objects.requireNonNullElse(this.horizon, IrregularOptions.MOST);
    series.check();
    columns.check();
    outputs.check(horizon);
    explanations.check();
    PrintWriter err = spec.commandLine().getErr();
    PrintWriter out = outputs.rowsOnOut() ? err : spec.commandLine().getOut();
    try (ProgressLine line = new ProgressLine(err);
        Table opened = tables.open(table)) {
      line.begin("reading the table");
      SeriesColumns found = SeriesColumns.find(opened, series);
      SeriesTable all = SeriesTable.read(opened, found, series.isOne());
      Optional<IrregularTimes> times = IrregularTimes.find(all, series, irregular);
      if (times.isPresent()) {
        var run = new IrregularRun(opened, found, all, series, columns, outputs, SHOWN);
        run.check(from != null);
        run.run(times.get(), horizon, line, out, stream());
        return 0;
      }
      SeriesSteps steps = SeriesSteps.find(all, series);
      ForecastStart start = ForecastStart.of(Optional.ofNullable(from), steps.form(), horizon);
      line.wipe();
      steps.print(out, found);
      ForecastReport report = new ForecastReport();
      String time = found.time();
      try (SeriesResult rows =
              new SeriesResult(all, "lovelace_forecast", List.of(time), columns.names());
          SeriesResult draws =
              new SeriesResult(all, "lovelace_draws", List.of(time), List.of("draw", "value"));
          SeriesResult totals =
              new SeriesResult(all, "lovelace_totals", List.of("from", "to"), columns.names());
          ExplanationTables explained = explanations.open(all, time, columns)) {
        ForecastWork work = new ForecastWork(all, steps, series, start, horizon, line);
        ForecastModel model = work.learn();
        work.run(
            model,
            columns,
            outputs,
            new ForecastWork.Results(
                rows,
                outputs.drawsFile().isPresent() ? List.of(draws) : List.of(),
                outputs.total() > 0 ? List.of(totals) : List.of(),
                explained),
            report);
        line.begin("writing");
        rows.end();
        draws.end();
        totals.end();
        if (outputs.drawsFile().isPresent()) draws.write(outputs.drawsFile().get(), stream());
        if (outputs.totalFile().isPresent()) totals.write(outputs.totalFile().get(), stream());
        explained.write(stream());
        if (outputs.rows().isPresent()) rows.write(outputs.rows().get(), stream());
        line.wipe();
        report.print(out, model, series.gaps() == Forecaster.Gaps.ZERO);
        if (outputs.rows().isEmpty()) rows.print(out, SHOWN);
        if (outputs.total() > 0 && outputs.totalFile().isEmpty()) totals.print(out, SHOWN);
        out.flush();
        if (outputs.report().isPresent()) {
          report.put("table", opened.name());
          report.put("frequency", steps.frequency().text());
          report.put("seasons", model.seasons());
          report.put("horizon", horizon);
          report.put("learned_from", model.learnedFrom());
          Output.write(outputs.report().get(), Json.of(report.json()) + "\n");
        }
      }
    }
    return 0;
  }

  private OutputStream stream() {
    return Models.stream(spec.commandLine().getOut());
  }
}
