package lovelace.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.List;
import lovelace.forecast.Forecaster;
import lovelace.forecast.ValueKind;

/// One run of `lovelace forecast` over a table whose times lie on no regular steps.
///
/// @param shown how many rows the screen gets
record IrregularRun(
    Table opened,
    SeriesColumns found,
    SeriesTable all,
    SeriesOptions series,
    ForecastColumns columns,
    ForecastOutputs outputs,
    int shown) {

  /// Refuses options that need regular steps.
  void check(
      boolean from, boolean known, boolean model, boolean explained, boolean fresh, boolean plot) {
    refuse(from, "--from counts steps");
    refuse(series.gaps() == Forecaster.Gaps.ZERO, "--gaps zero needs regular steps");
    ValueKind kind = series.on(Forecaster.DEFAULT).likelihood();
    refuse(
        kind == ValueKind.COUNTS || kind == ValueKind.AMOUNTS,
        "--likelihood counts and amounts need regular steps");
    refuse(known, "columns known in the future need regular steps");
    refuse(model, "--model keeps regular steps");
    refuse(fresh, "--new needs regular steps");
    refuse(plot, "--plot needs regular steps");
    refuse(
        explained,
        "components, fitted values, anomalies, coefficients and sums need regular steps");
  }

  private void refuse(boolean asked, String rule) {
    if (asked)
      throw new IllegalArgumentException(
          "%s, and the times of '%s' lie on none, or others are named; leave it out, or name the step with --frequency"
              .formatted(rule, opened.name()));
  }

  void run(
      IrregularTimes times, int horizon, ProgressLine line, PrintWriter out, OutputStream stream)
      throws IOException {
    line.wipe();
    out.printf("%-11s %s%n", "columns", found.words());
    if (!found.unused().isEmpty())
      out.printf("%-11s %s%n", "not used", String.join(", ", found.unused()));
    out.printf("%-11s %s%n", "frequency", times.words());
    out.flush();
    ForecastReport report = new ForecastReport();
    String time = found.time();
    try (SeriesResult rows =
            new SeriesResult(all, "lovelace_forecast", List.of(time), columns.names());
        SeriesResult draws =
            new SeriesResult(all, "lovelace_draws", List.of(time), List.of("draw", "value"));
        SeriesResult totals =
            new SeriesResult(all, "lovelace_totals", List.of("from", "to"), columns.names())) {
      new IrregularWork(all, times, series, horizon, line)
          .run(
              columns,
              outputs,
              new IrregularWork.Results(
                  rows,
                  outputs.drawsFile().isPresent() ? List.of(draws) : List.of(),
                  outputs.total() > 0 ? List.of(totals) : List.of()),
              report);
      line.begin("writing");
      rows.end();
      draws.end();
      totals.end();
      if (outputs.drawsFile().isPresent()) draws.write(outputs.drawsFile().get(), stream);
      if (outputs.totalFile().isPresent()) totals.write(outputs.totalFile().get(), stream);
      if (outputs.rows().isPresent()) rows.write(outputs.rows().get(), stream);
      line.wipe();
      report.print(out, "each series from itself; all its values count", false);
      if (outputs.rows().isEmpty()) rows.print(out, shown);
      if (outputs.total() > 0 && outputs.totalFile().isEmpty()) totals.print(out, shown);
      out.flush();
      if (outputs.report().isPresent()) {
        report.put("table", opened.name());
        report.put("frequency", IrregularOptions.WORD);
        report.put("seasons", times.seasons());
        Output.write(outputs.report().get(), Json.of(report.json()) + "\n");
      }
    }
  }
}
