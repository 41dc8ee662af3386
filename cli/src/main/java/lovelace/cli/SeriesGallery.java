package lovelace.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongToDoubleFunction;
import lovelace.forecast.Forecast;
import lovelace.forecast.time.Frequency;
import lovelace.forecast.time.Moment;
import lovelace.forecast.time.TimeForm;
import lovelace.plot.SeriesPicture;
import lovelace.plot.SeriesPicture.Drawn;
import lovelace.plot.SeriesPicture.Fan;

/// Collects the series that a picture shows while they stream past. A file of pixels gets the first
/// twelve, and a page at most some thousand: if there are more, the largest and the most anomalous.
/// Memory does not grow with the number of series.
final class SeriesGallery {

  /// The most series of a page, and the numbers that it holds.
  private static final int PAGE = 5_000;

  private static final long NUMBERS = 4_000_000;

  /// The most series of a file of pixels.
  private static final int IMAGE = 12;

  private static final int LEVELS = SeriesPicture.levels().length;

  private final Path file;
  private final SeriesTable table;
  private final int horizon;
  private final int season;
  private final boolean page;
  private final int most;
  private final int length;
  private final SeriesChoice<Drawn> choice;
  private final Map<Frequency, LongToDoubleFunction> places = new HashMap<>();
  private long seen;
  private long without;
  private boolean shortened;

  /// @param windows how many times each series is forecast, at most
  SeriesGallery(Path file, SeriesTable table, SeriesSteps steps, int horizon, long windows) {
    this.file = file;
    this.table = table;
    this.horizon = horizon;
    season = steps.season();
    page = file.toString().toLowerCase(Locale.ROOT).endsWith(".html");
    long each = 100 + (2 + LEVELS) * (long) horizon;
    most = page ? Math.clamp(NUMBERS / each, 50, PAGE) : IMAGE;
    choice = new SeriesChoice<>(most);
    long numbers = NUMBERS / Math.max(1, Math.min(most, table.count()));
    long left = windows == 1 ? numbers - LEVELS * (long) horizon : numbers / (1 + LEVELS);
    length = Math.clamp(left, 24 + 2 * horizon, 1_000_000);
  }

  /// Adds a series with its forecast.
  ///
  /// @param lead how many steps lie between its last value and the forecast
  void add(PlacedSeries series, Forecast forecast, int lead) {
    if (forecast.kind() == Forecast.Kind.NONE) {
      without++;
      return;
    }
    double size = SeriesFacts.size(series.values());
    double anomaly = SeriesFacts.anomaly(series.values(), season);
    if (!wants(size, anomaly)) return;
    Fan fan = fan(forecast, lead, series.end() + lead, horizon);
    double[] facts = {
      SeriesFacts.growth(series.values(), lead, medians(fan), season),
      size,
      SeriesFacts.spread(fan, size),
      anomaly
    };
    keep(series, List.of(fan), facts, size, anomaly);
  }

  /// Counts a series that no window is long enough for.
  void skip() {
    without++;
  }

  /// Whether a series may be drawn. Counts it.
  boolean wants(double size, double anomaly) {
    seen++;
    return page ? choice.wants(size, anomaly) : seen <= IMAGE;
  }

  /// Keeps a series that [#wants] asked for.
  void keep(PlacedSeries series, List<Fan> fans, double[] facts, double size, double anomaly) {
    double[] values = series.values().values();
    int left = Math.max(0, values.length - length);
    shortened |= left > 0;
    long first = series.first() + left;
    String id = series.values().id();
    Drawn drawn =
        new Drawn(
            id.isEmpty() ? label(table) : id,
            places.computeIfAbsent(series.steps(), this::place),
            first,
            Arrays.copyOfRange(values, left, values.length),
            fans.stream().filter(fan -> fan.from() >= first).toList(),
            facts);
    choice.add(series.number(), size, anomaly, drawn);
  }

  /// The fan over some steps of a forecast.
  ///
  /// @param lead the step of the forecast that comes first
  /// @param from the number of that step in the series
  static Fan fan(Forecast forecast, int lead, long from, int count) {
    double[][] quantiles = new double[count][];
    for (int k = 0; k < count; k++)
      quantiles[k] = forecast.quantiles(lead + k, SeriesPicture.levels());
    return new Fan(from, quantiles);
  }

  private static double[] medians(Fan fan) {
    return Arrays.stream(fan.quantiles()).mapToDouble(step -> step[LEVELS / 2]).toArray();
  }

  /// The name of the values.
  static String label(SeriesTable table) {
    return table.columns().wide() ? "value" : table.columns().values().getFirst();
  }

  private LongToDoubleFunction place(Frequency steps) {
    boolean number = table.times().form().kind() == TimeForm.Kind.NUMBER;
    return step -> {
      Moment at = steps.at(step);
      return number ? at.number().doubleValue() : 1e3 * at.whole() + at.nano() / 1e6;
    };
  }

  private String note(int shown) {
    List<String> notes = new ArrayList<>();
    if (page && seen > shown)
      notes.add(
          String.format(
              Locale.ROOT,
              "%,d of %,d series are on this page: the largest and the most anomalous",
              shown,
              seen));
    if (!page && seen > shown)
      notes.add(String.format(Locale.ROOT, "the first %d of %,d series", shown, seen));
    if (without > 0)
      notes.add(
          String.format(
              Locale.ROOT,
              "%,d series without a forecast %s not shown",
              without,
              without == 1 ? "is" : "are"));
    if (page && shortened)
      notes.add(String.format(Locale.ROOT, "at most the last %,d steps of each", length));
    return String.join("; ", notes);
  }

  /// Writes the picture.
  ///
  /// @param picture with title and facts, and without series
  /// @return what was drawn, in one line
  String write(SeriesPicture picture) throws IOException {
    List<Drawn> all = choice.chosen();
    TimeForm form = table.times().form();
    picture
        .labels(table.columns().time(), label(table))
        .times(times(form.kind()), form.zone())
        .note(note(all.size()));
    for (Drawn each : all) picture.add(each);
    picture.write(file);
    return String.format(Locale.ROOT, "%s, %,d of %,d series", file, all.size(), seen + without);
  }

  private static SeriesPicture.Times times(TimeForm.Kind kind) {
    return switch (kind) {
      case YEAR -> SeriesPicture.Times.YEAR;
      case QUARTER -> SeriesPicture.Times.QUARTER;
      case MONTH -> SeriesPicture.Times.MONTH;
      case DATE -> SeriesPicture.Times.DATE;
      case TIME, INSTANT -> SeriesPicture.Times.TIME;
      case NUMBER -> SeriesPicture.Times.NUMBER;
    };
  }

  /// The picture of forecasts.
  String writeForecasts(SeriesSteps steps) throws IOException {
    String value = label(table);
    return write(
        SeriesPicture.titled("Forecast of " + value)
            .subtitle(
                String.format(
                    Locale.ROOT,
                    "The next %s (%s); intervals of 50, 80 and 95 %%",
                    horizon == 1 ? "step" : String.format(Locale.ROOT, "%,d steps", horizon),
                    steps.frequency().words()))
            .facts(SeriesFacts.OF_FORECASTS));
  }
}
