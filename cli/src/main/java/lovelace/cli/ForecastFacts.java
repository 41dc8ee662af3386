package lovelace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import lovelace.forecast.ForecastModel;

/// The facts of a forecast for its report, also if it was interrupted.
record ForecastFacts(
    ForecastReport report, String table, SeriesSteps steps, ForecastModel model, int horizon) {

  /// Writes the report, if one is asked for.
  void write(ForecastOutputs outputs) throws IOException {
    if (outputs.report().isEmpty()) return;
    report.put("table", table);
    report.put("frequency", steps.frequency().text());
    report.put("seasons", model.seasons());
    report.put("horizon", horizon);
    report.put("learned_from", model.learnedFrom());
    Output.write(outputs.report().get(), Json.of(report.json()) + "\n");
  }

  /// Notes that some series are finished, and others not.
  void finished(int done, int all) {
    report.put("interrupted", true);
    report.put("series_finished", done);
    report.put("series_of_table", all);
  }

  /// Says where the finished series are.
  String saved(ForecastOutputs outputs, int done, int all) {
    List<String> files = new ArrayList<>();
    outputs.rows().filter(file -> !Output.isStandard(file)).ifPresent(files::add);
    outputs.drawsFile().ifPresent(files::add);
    outputs.totalFile().ifPresent(files::add);
    if (outputs.rows().filter(Output::isStandard).isPresent()) files.add("standard output");
    return files.isEmpty()
        ? String.format(
            Locale.ROOT,
            "%,d of %,d series were finished; --out FILE would have kept them",
            done,
            all)
        : String.format(
            Locale.ROOT,
            "%s %s the %,d of %,d series that were finished",
            String.join(" and ", files),
            files.size() == 1 ? "has" : "have",
            done,
            all);
  }
}
