package lovelace.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lovelace.series.CalibratedMixture;
import lovelace.series.Calibration;
import lovelace.series.Forecasting;
import lovelace.series.History;
import lovelace.series.Library;
import lovelace.series.Mixture;
import lovelace.series.Reader;
import lovelace.series.Reading;
import lovelace.series.TermWeights;
import lovelace.series.Weights;
import lovelace.series.counts.CountModel;

/// Forecasts series by what was learned from a table of them: the weights of the processes, and the
/// calibration of intervals. It keeps no series. Immutable.
public final class ForecastModel {

  /// How many series are read at once.
  private static final int BATCH = 2_000;

  /// The fewest values from which the spread is known well.
  private static final int SHORT = 6;

  private final Forecaster options;
  private final Library library;
  private final int window;
  private final Weights weights;
  private final Calibration calibration;
  private final double change;
  private final int learnedFrom;
  private final CountModel counts;
  private final LongPart longPart;

  ForecastModel(
      Forecaster options,
      Library library,
      int window,
      Weights weights,
      Calibration calibration,
      double change,
      int learnedFrom,
      CountModel counts) {
    this(
        options, library, window, weights, calibration, change, learnedFrom, counts, LongPart.NONE);
  }

  private ForecastModel(
      Forecaster options,
      Library library,
      int window,
      Weights weights,
      Calibration calibration,
      double change,
      int learnedFrom,
      CountModel counts,
      LongPart longPart) {
    this.options = options;
    this.library = library;
    this.window = window;
    this.weights = weights;
    this.calibration = calibration;
    this.change = change;
    this.learnedFrom = learnedFrom;
    this.counts = counts;
    this.longPart = longPart;
  }

  /// The options that it was learned with.
  public Forecaster options() {
    return options;
  }

  /// The number of series that weights were learned from.
  public int learnedFrom() {
    return learnedFrom;
  }

  /// The most last values of a series that a forecast uses.
  public int window() {
    return window;
  }

  Weights weights() {
    return weights;
  }

  Calibration calibration() {
    return calibration;
  }

  /// The part that was learned of counts and amounts.
  CountModel counts() {
    return counts;
  }

  double change() {
    return change;
  }

  /// The same with what was learned of long series.
  ForecastModel with(LongPart part) {
    return new ForecastModel(
        options, library, window, weights, calibration, change, learnedFrom, counts, part);
  }

  LongPart longPart() {
    return longPart;
  }

  /// The periods of the seasons of long series, in steps. Empty if values held out were not
  /// forecast better by state spaces over whole histories, or if there are no long series.
  public Optional<double[]> longSeasons() {
    return longPart.used() ? Optional.of(options.seasons()) : Optional.empty();
  }

  /// The periods of the seasons that values held out chose, in steps.
  public double[] seasons() {
    return library.seasons();
  }

  /// How much each term counts before a series is seen: by kind of term (`level`, `slope`,
  /// `season`, `scale`), then in words, from the largest. The weights of a kind add up to 1.
  public Map<String, Map<String, Double>> terms() {
    return TermWeights.of(library, weights);
  }

  /// How much each term counts in the forecasts of series: the means over those that the library
  /// forecasts, by kind of term, then in words. Empty if there are none.
  public Map<String, Map<String, Double>> terms(List<TimeSeries> series) {
    List<History> histories = new ArrayList<>();
    for (Cleaned each : Cleaned.all(options, series)) {
      TimeSeries meant = each.series();
      if (meant.size() < 2 || longPart.takes(options, meant)) continue;
      History history = options.history(meant, library, window);
      if (history.seen() > 1) histories.add(history);
    }
    if (histories.isEmpty()) return Map.of();
    Forecasting forecasting = new Forecasting(library, options.horizon(), weights);
    List<Reading> readings = new Reader(library, options.horizon()).read(histories, false);
    return TermWeights.of(library, forecasting.meanShares(readings));
  }

  /// Forecasts series after their last values, in their order.
  public List<Forecast> forecast(List<TimeSeries> series) {
    List<Forecast> all = new ArrayList<>();
    for (int from = 0; from < series.size(); from += BATCH)
      all.addAll(batch(series.subList(from, Math.min(series.size(), from + BATCH))));
    return all;
  }

  private List<Forecast> batch(List<TimeSeries> series) {
    List<History> histories = new ArrayList<>();
    boolean[] able = new boolean[series.size()];
    List<Cleaned> cleaned = Cleaned.all(options, series);
    for (int i = 0; i < able.length; i++) {
      TimeSeries meant = cleaned.get(i).series();
      if (meant.size() < 2 || longPart.takes(options, meant)) continue;
      History history = options.history(meant, library, window);
      able[i] = history.seen() > 1; // a long gap may leave one value
      if (able[i]) histories.add(history);
    }
    List<Reading> readings = new Reader(library, options.horizon()).read(histories, false);
    Forecasting forecasting = new Forecasting(library, options.horizon(), weights);
    List<Mixture> mixtures = forecasting.forecast(histories, readings, false);
    List<Forecast> all = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < able.length; i++) {
      TimeSeries each = series.get(i);
      if (each.size() == 0) {
        all.add(none(each));
      } else if (longPart.takes(options, cleaned.get(i).series())) {
        LongPart.Kept kept =
            longPart.forecast(options, cleaned.get(i).series(), options.meant(each));
        all.add(
            new Forecast(
                each,
                Forecast.Kind.LONG,
                options.horizon(),
                kept,
                ValueKind.NUMBERS,
                new Reasons(kept, cleaned.get(i).outliers())));
      } else if (!able[i]) {
        all.add(one(each));
      } else {
        History history = histories.get(next);
        Reading reading = readings.get(next);
        Mixture mixture = mixtures.get(next++);
        double[] given = options.meant(each).array();
        all.add(
            Supports.forecast(
                this,
                each,
                cleaned.get(i).series(),
                kind(cleaned.get(i).series()),
                new CalibratedMixture(
                    mixture,
                    calibration,
                    options.horizon(),
                    (count, random) ->
                        forecasting.paths(history, reading, mixture, calibration, count, random)),
                new Reasons(
                    forecasting.explained(history, reading, calibration, given),
                    cleaned.get(i).outliers())));
      }
    }
    return all;
  }

  private static Forecast.Kind kind(TimeSeries series) {
    double[] values = Arrays.stream(series.array()).filter(v -> !Double.isNaN(v)).toArray();
    if (Arrays.stream(values).allMatch(v -> v == values[0])) return Forecast.Kind.CONSTANT;
    return values.length < SHORT ? Forecast.Kind.SHORT : Forecast.Kind.LIBRARY;
  }

  private Forecast none(TimeSeries series) {
    return new Forecast(series, Forecast.Kind.NONE, options.horizon(), null);
  }

  /// From the last value: it stays, with changes as those of the other series.
  private Forecast one(TimeSeries series) {
    Mixture mixture =
        Forecasting.walk(
            series.value(series.size() - 1), change, options.horizon(), library.warps());
    return Supports.forecast(
        this,
        series,
        options.meant(series),
        Forecast.Kind.ONE,
        new CalibratedMixture(
            mixture,
            Calibration.NONE,
            options.horizon(),
            (count, random) -> Forecasting.walks(mixture, options.horizon(), count, random)),
        Reasons.NONE);
  }
}
