package lovelace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import lovelace.forecast.Forecast;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.Forecaster;
import lovelace.forecast.TimeSeries;
import lovelace.linear.Parallel;

/// Forecasts from earlier times of every series, compared with the values that followed.
///
/// @param windows how many times, the last of them a horizon before the end of each series
/// @param stride how many steps lie between them
/// @param refit whether weights are learned anew for each window, from the values before it
record Backtest(
    SeriesTable table,
    SeriesSteps steps,
    SeriesKnown known,
    Forecaster forecaster,
    int windows,
    int stride,
    boolean refit) {

  /// How many series are in memory at once, and from how many weights are learned.
  private static final int BATCH = 2_000;

  /// The fewest values before a forecast.
  private static final int LEAST = 3;

  /// The results of a backtest.
  ///
  /// @param ours the scores of the forecasts
  /// @param naive the scores of the last season again and again
  /// @param learnedFrom the number of series that weights were learned from
  /// @param learned the number of cuts before which weights were learned
  /// @param used the number of series that were long enough for at least one window
  /// @param skipped how many windows began before a series had enough values
  record Results(
      SeriesScores ours,
      SeriesScores naive,
      int learnedFrom,
      int learned,
      long used,
      long skipped) {}

  /// The names of the numbers of each step: the value, and the columns of its forecast.
  static List<String> names(SeriesColumns found, ForecastColumns columns) {
    List<String> all = new ArrayList<>();
    all.add(found.wide() ? "y" : found.values().getFirst());
    all.addAll(columns.names());
    return all;
  }

  /// The season by which errors are scaled.
  int season() {
    return steps.season();
  }

  private int horizon() {
    return forecaster.horizon();
  }

  /// The number of values before the forecast of a window, which counts from 0.
  private int cut(TimeSeries series, int window) {
    return Math.toIntExact(
        Math.max(-1L, series.size() - horizon() - (windows - 1L - window) * stride));
  }

  /// Whether there are enough values before a window. Two seasons must be seen if they are before
  /// the last window of the series, because none is known from fewer.
  private boolean isLongEnough(TimeSeries series, int window) {
    int cut = cut(series, window);
    int least = Math.max(LEAST, season() + 1);
    int two = 2 * season() + 1;
    return cut >= least && (season() == 1 || cut >= two || cut(series, windows - 1) < two);
  }

  /// The series with what was known at each of their steps.
  private List<PlacedSeries> knowing(List<SeriesTable.Rows> rows) throws IOException {
    List<PlacedSeries> all = new ArrayList<>();
    for (SeriesTable.Rows each : rows) all.add(steps.place(each));
    return known.attach(all, each -> 0, 0, 0);
  }

  /// The model of each window.
  ///
  /// @param learned how often weights were learned
  private record Models(List<ForecastModel> byWindow, int learned) {}

  /// Learns before each window, until most series have three seasons of values before one. Later
  /// windows use what was learned there, unless each is to learn anew.
  private Models models(ProgressLine line) throws IOException {
    line.begin("learning");
    List<PlacedSeries> some = knowing(table.sample(BATCH));
    known.requireSome();
    List<ForecastModel> models = new ArrayList<>();
    int learned = 0;
    for (int w = 0; w < windows; w++) {
      int window = w;
      List<TimeSeries> before = some.stream().map(each -> before(each.values(), window)).toList();
      boolean none = before.stream().allMatch(each -> each.size() == 0);
      if (none && w < windows - 1) continue;
      models.add(forecaster.learn(before));
      learned++;
      line.say(() -> String.format(Locale.ROOT, "window %,d of %,d", window + 1, windows));
      if (!refit && isSettled(before)) break;
    }
    // Windows that no series reaches are first; those after the last learning use its weights.
    int first = 0;
    while (first < windows - 1 && !reaches(some, first)) first++;
    List<ForecastModel> all = new ArrayList<>();
    for (int w = 0; w < windows; w++)
      all.add(models.get(Math.clamp(w - first, 0, models.size() - 1)));
    return new Models(all, learned);
  }

  private boolean reaches(List<PlacedSeries> some, int window) {
    return some.stream().anyMatch(each -> isLongEnough(each.values(), window));
  }

  /// Whether most of those series that are there have three seasons of values.
  private boolean isSettled(List<TimeSeries> before) {
    if (season() == 1) return true;
    long there = before.stream().filter(each -> each.size() > 0).count();
    long settled = before.stream().filter(each -> each.size() >= settled()).count();
    return 2 * settled > there;
  }

  /// The number of values from which weights are learned once.
  int settled() {
    return 3 * season();
  }

  /// The part of a series before a window; nothing if that is too short.
  private TimeSeries before(TimeSeries series, int window) {
    return series.first(isLongEnough(series, window) ? cut(series, window) : 0);
  }

  /// Forecasts and scores all series.
  ///
  /// @param gallery collects a picture; empty if none is asked for
  Results run(
      SeriesResult rows,
      ForecastColumns columns,
      Optional<BacktestGallery> gallery,
      ProgressLine line)
      throws IOException {
    Models models = models(line);
    double began = line.seconds();
    SeriesScores ours = new SeriesScores(columns.levels());
    SeriesScores naive = new SeriesScores(columns.levels());
    long used = 0;
    long skipped = 0;
    for (int from = 0; from < table.count(); from += BATCH) {
      List<PlacedSeries> batch = knowing(table.between(from, from + BATCH));
      for (PlacedSeries each : batch) if (isLongEnough(each.values(), windows - 1)) used++;
      for (int w = 0; w < windows; w++) {
        int window = w;
        List<PlacedSeries> able =
            batch.stream().filter(each -> isLongEnough(each.values(), window)).toList();
        skipped += batch.size() - able.size();
        window(models.byWindow.get(w), able, window, columns, rows, gallery, ours, naive);
        int done =
            Math.min(table.count(), from + BATCH) - (batch.size() * (windows - 1 - w)) / windows;
        line.say(
            () ->
                String.format(
                    Locale.ROOT,
                    "%,d of %,d series, %.0f s left",
                    done,
                    table.count(),
                    (line.seconds() - began) / Math.max(1, done) * (table.count() - done)));
      }
      gallery.ifPresent(picture -> picture.end(batch));
    }
    return new Results(
        ours, naive, models.byWindow.getLast().learnedFrom(), models.learned, used, skipped);
  }

  /// One forecast that is scored.
  @SuppressWarnings("ArrayRecordComponent")
  private record Scored(
      double[] actual,
      double[][] ours,
      double[][] naive,
      SeriesScores.Scale scale,
      double[][] row) {}

  private void window(
      ForecastModel model,
      List<PlacedSeries> series,
      int window,
      ForecastColumns columns,
      SeriesResult rows,
      Optional<BacktestGallery> gallery,
      SeriesScores ours,
      SeriesScores naive)
      throws IOException {
    List<TimeSeries> before =
        series.stream().map(each -> each.values().first(cut(each.values(), window))).toList();
    List<Forecast> forecasts = model.forecast(before);
    Scored[] scored = new Scored[series.size()];
    Parallel.forEach(
        scored.length,
        i -> {
          TimeSeries all = series.get(i).values();
          int cut = cut(all, window);
          int lead = cut - before.get(i).size(); // missing values before the cutoff
          int count = Math.max(0, horizon() - lead);
          double[] values = all.values();
          SeriesScores.Scale scale = SeriesScores.Scale.of(values, cut, season());
          Forecast forecast = forecasts.get(i);
          double[][] row = new double[count][];
          for (int k = 0; k < count; k++) row[k] = columns.at(forecast, lead + k);
          scored[i] =
              new Scored(
                  Arrays.copyOfRange(values, cut, cut + horizon()),
                  ours.quantiles(forecast::quantiles, lead, count),
                  naive.quantiles(new SeasonalNaive(values, cut, season(), scale), 0, count),
                  scale,
                  row);
        });
    for (int i = 0; i < scored.length; i++) {
      Scored one = scored[i];
      ours.add(one.actual, one.ours, one.scale);
      naive.add(one.actual, one.naive, one.scale);
      PlacedSeries each = series.get(i);
      int cut = cut(each.values(), window);
      long first = each.first() + cut;
      if (gallery.isPresent())
        gallery
            .get()
            .add(
                each,
                window,
                cut,
                cut - before.get(i).size(),
                forecasts.get(i),
                Arrays.stream(one.row).mapToDouble(row -> row[0]).toArray(),
                one.scale.absolute());
      for (int k = 0; k < one.row.length; k++) {
        double[] values = new double[one.row[k].length + 1];
        values[0] = one.actual[k];
        System.arraycopy(one.row[k], 0, values, 1, one.row[k].length);
        rows.add(
            each.number(), List.of(each.steps().at(first - 1), each.steps().at(first + k)), values);
      }
    }
  }
}
