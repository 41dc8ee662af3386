package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import lovelace.forecast.ForecastFile;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.StoredTable;
import lovelace.forecast.time.Moment;
import org.jspecify.annotations.Nullable;

/// Reports on a file of forecasts.
final class StoredReport {

  /// How many terms of a kind are shown.
  private static final int SHOWN = 3;

  private final ForecastFile file;
  private final ForecastModel model;
  private long values;
  private long gaps;
  private long empty;
  private @Nullable Moment first;
  private @Nullable Moment last;

  private StoredReport(Path path) throws IOException {
    file = ForecastFiles.open(path);
    model = file.model();
    file.forEach(
        each -> {
          values += StoredForecasts.seen(each.values());
          gaps += each.values().gaps();
          if (each.values().size() == 0) {
            empty++;
            return;
          }
          Moment from = each.steps().at(each.first());
          Moment to = each.steps().at(each.end() - 1);
          if (first == null || from.compareTo(first) < 0) first = from;
          if (last == null || to.compareTo(last) > 0) last = to;
        });
  }

  static StoredReport read(Path path) throws IOException {
    return new StoredReport(path);
  }

  private String time(@Nullable Moment moment) {
    return moment == null ? "" : file.table().form().format(moment);
  }

  /// The report as JSON has it.
  Map<String, Object> json() {
    StoredTable table = file.table();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("kind", "forecasts");
    all.put("version", file.version());
    all.put("bytes", file.bytes());
    all.put("id", table.ids());
    all.put("time", table.time());
    all.put("target", table.target());
    all.put("frequency", table.frequency().text());
    all.put("series", file.series());
    all.put("series_without_values", empty);
    all.put("values", values);
    all.put("steps_missing", gaps);
    all.put("first", time(first));
    all.put("last", time(last));
    all.put("horizon", model.options().horizon());
    all.put("gaps", model.options().gaps().toString().toLowerCase(Locale.ROOT));
    all.put("between", model.options().bounds());
    all.put("seasons", model.seasons());
    all.put("window", model.window());
    all.put("learned_from", model.learnedFrom());
    all.put("weights", model.terms());
    return all;
  }

  void print(PrintWriter out) {
    StoredTable table = file.table();
    line(
        out,
        "forecasts",
        String.format(
            Locale.ROOT,
            "%,d series with %,d values, %s, version %d%s",
            file.series(),
            values,
            ModelReport.size(file.bytes()),
            file.version(),
            file.isOfOtherLibrary() ? "; its weights are learned again by this program" : ""));
    line(
        out,
        "columns",
        "%stime %s, target %s"
            .formatted(
                table.ids().isEmpty()
                    ? "one series, "
                    : "id %s, ".formatted(String.join(", ", table.ids())),
                table.time(),
                table.target()));
    line(
        out, "frequency", "%s (%s)".formatted(table.frequency().text(), table.frequency().words()));
    if (first != null) line(out, "times", time(first) + " to " + time(last));
    if (gaps > 0)
      line(
          out,
          "gaps",
          String.format(
              Locale.ROOT,
              "%,d %s without a value, taken as %s",
              gaps,
              gaps == 1 ? "step" : "steps",
              model.options().gaps().toString().toLowerCase(Locale.ROOT)));
    if (empty > 0)
      line(out, "empty", String.format(Locale.ROOT, "%,d series without values", empty));
    line(out, "horizon", String.format(Locale.ROOT, "%,d steps", model.options().horizon()));
    line(out, "learned", ForecastReport.learned(model));
    model
        .terms()
        .forEach(
            (kind, terms) ->
                line(
                    out,
                    kind,
                    terms.entrySet().stream()
                        .limit(SHOWN)
                        .map(
                            each ->
                                String.format(
                                    Locale.ROOT,
                                    "%.0f %% %s",
                                    100 * each.getValue(),
                                    each.getKey()))
                        .collect(Collectors.joining(", "))));
  }

  private static void line(PrintWriter out, String name, String text) {
    out.printf("%-11s %s%n", name, text);
  }
}
