package lovelace.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import lovelace.series.Calibration;
import lovelace.series.Covariates;
import lovelace.series.Forecasting;
import lovelace.series.History;
import lovelace.series.Learner;
import lovelace.series.Library;
import lovelace.series.Mixture;
import lovelace.series.Reader;
import lovelace.series.Reading;
import lovelace.series.Warp;
import lovelace.series.Weights;
import lovelace.series.counts.CountModel;
import org.jspecify.annotations.Nullable;

/// Learns to forecast from series: how much each process of a library counts, and how wide
/// intervals must be to hold. Immutable.
///
/// ```java
/// Forecasts next = Forecaster.DEFAULT.withHorizon(12).withSeasons(12).fit(series);
/// double sales = next.of("shop 7").median(0);
/// ```
public final class Forecaster {

  /// A horizon of one step, no seasons.
  public static final Forecaster DEFAULT =
      new Forecaster(
          1, new double[0], Optional.empty(), Gaps.MISSING, Outliers.MISSING, ValueKind.AUTO);

  /// The meaning of a step without a value.
  public enum Gaps {
    /// The value is not known.
    MISSING,
    /// Nothing happened: the value is 0.
    ZERO
  }

  /// The treatment of outliers in the history.
  public enum Outliers {
    /// They count as all values do.
    KEEP,
    /// Gross and isolated ones count as missing.
    MISSING
  }

  /// The most series that weights are learned from, and the most numbers kept for it.
  private static final int LEARNING_SERIES = 1_000;

  /// Seasons are tried apart if the longer is more than this many times the shorter.
  private static final double FAR = 20;

  private static final long LEARNING_NUMBERS = 40_000_000;

  private final int horizon;
  private final double[] seasons;
  private final Optional<Warp.Between> bounds;
  private final Gaps gaps;
  private final Outliers outliers;
  private final ValueKind likelihood;

  private Forecaster(
      int horizon,
      double[] seasons,
      Optional<Warp.Between> bounds,
      Gaps gaps,
      Outliers outliers,
      ValueKind likelihood) {
    if (bounds.isPresent() && (likelihood == ValueKind.COUNTS || likelihood == ValueKind.AMOUNTS))
      throw new IllegalArgumentException(
          "bounds are for numbers, and the likelihood is %s; leave out one of the two"
              .formatted(likelihood.name().toLowerCase(Locale.ROOT)));
    this.outliers = outliers;
    this.horizon = horizon;
    this.seasons = seasons;
    this.bounds = bounds;
    this.gaps = gaps;
    this.likelihood = likelihood;
  }

  /// Sets the number of steps to forecast, 1 to 10,000.
  public Forecaster withHorizon(int steps) {
    if (steps < 1 || steps > 10_000)
      throw new IllegalArgumentException(
          "the horizon must lie between 1 and 10,000 steps, got " + steps);
    return new Forecaster(steps, seasons, bounds, gaps, outliers, likelihood);
  }

  /// Sets the periods of the seasons in steps, such as 12 for months. A period need not be whole.
  public Forecaster withSeasons(double... periods) {
    double[] sorted = periods.clone();
    Arrays.sort(sorted);
    for (double period : sorted)
      if (!(period >= 2 && period < 1e6))
        throw new IllegalArgumentException(
            "the period of a season must lie between 2 and 1,000,000 steps, got " + period);
    return new Forecaster(horizon, sorted, bounds, gaps, outliers, likelihood);
  }

  /// Keeps values and forecasts between bounds, such as 0 and 100 for shares.
  public Forecaster withBounds(double low, double high) {
    if (!(low < high && Double.isFinite(high - low)))
      throw new IllegalArgumentException(
          "the lower bound must be below the upper one, got %s and %s".formatted(low, high));
    return new Forecaster(
        horizon, seasons, Optional.of(new Warp.Between(low, high)), gaps, outliers, likelihood);
  }

  /// Sets the meaning of gaps.
  public Forecaster withGaps(Gaps meaning) {
    return new Forecaster(horizon, seasons, bounds, meaning, outliers, likelihood);
  }

  /// Sets the treatment of outliers in the history.
  public Forecaster withOutliers(Outliers treatment) {
    return new Forecaster(horizon, seasons, bounds, gaps, treatment, likelihood);
  }

  /// Sets which values series have.
  public Forecaster withLikelihood(ValueKind kind) {
    return new Forecaster(horizon, seasons, bounds, gaps, outliers, kind);
  }

  public int horizon() {
    return horizon;
  }

  /// The bounds of values, none or two.
  public double[] bounds() {
    return bounds.map(b -> new double[] {b.low(), b.high()}).orElse(new double[0]);
  }

  /// The periods of the seasons to try.
  public double[] seasons() {
    return seasons.clone();
  }

  public Gaps gaps() {
    return gaps;
  }

  public Outliers outliers() {
    return outliers;
  }

  public ValueKind likelihood() {
    return likelihood;
  }

  /// Learns from series and forecasts them.
  public Forecasts fit(List<TimeSeries> series) {
    requireOwnIds(series);
    ForecastModel model = learn(series);
    return new Forecasts(model, model.forecast(series));
  }

  private static void requireOwnIds(List<TimeSeries> series) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < series.size(); i++) {
      Integer before = places.put(series.get(i).id(), i);
      if (before != null)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "series %,d and %,d both have the id '%s'; give each series an id of its own",
                before + 1,
                i + 1,
                series.get(i).id()));
    }
  }

  /// Forecasts a series at any times after its last value, from values at any times. Its periods
  /// and its times have one unit. Everything is learned from the series itself.
  ///
  /// @param at ascending, after the last value
  public Forecast forecast(IrregularSeries series, double... at) {
    return IrregularPart.forecast(this, series, at);
  }

  /// Learns from series. Of many, some are chosen at equal distances. Values held out choose which
  /// seasons and how much of the histories are used.
  public ForecastModel learn(List<TimeSeries> given) {
    List<TimeSeries> series = given.stream().map(this::meant).toList();
    if (LongPart.alone(this, series)) return longOnly(series);
    Map<TimeSeries, TimeSeries> cleaned = new HashMap<>();
    @Nullable Learned best = null;
    for (double[] periods : seasonsFor(series)) {
      Library library = Library.of(periods, warps());
      for (int window : windows(series, library)) {
        Learned next = learn(series, cleaned, library, window);
        if (best == null || next.score > best.score) best = next;
      }
    }
    Learned learned = Objects.requireNonNull(best);
    return learned
        .model(series)
        .with(LongPart.learn(this, learned.some, learned.readings, learned.weights));
  }

  /// The model of long series alone. The library keeps the weights that it starts with.
  private ForecastModel longOnly(List<TimeSeries> series) {
    Library library = Library.of(seasonsFor(series).getFirst(), warps());
    Weights start = Weights.start(library);
    int window = library.windows(horizon)[0];
    return new ForecastModel(
            this,
            library,
            window,
            start,
            Calibration.START,
            change(series),
            series.size(),
            CountModel.start(library.seasons()))
        .with(LongPart.learn(this, series, List.of(), start));
  }

  /// The lengths of histories to try. Each holds what columns are known by: a year of days has
  /// every holiday once.
  private int[] windows(List<TimeSeries> series, Library library) {
    Map<Covariates, Integer> rows = new HashMap<>();
    for (TimeSeries each : series)
      each.covariates().ifPresent(known -> rows.merge(known, each.size(), Math::max));
    int reach =
        rows.entrySet().stream().mapToInt(e -> e.getKey().reach(e.getValue())).max().orElse(0);
    return Arrays.stream(library.windows(horizon))
        .map(window -> Math.clamp(reach, window, Math.max(window, Library.MOST)))
        .distinct()
        .toArray();
  }

  /// @param cleaned those series that are without their outliers already
  private Learned learn(
      List<TimeSeries> series, Map<TimeSeries, TimeSeries> cleaned, Library library, int window) {
    List<TimeSeries> some = some(series, library);
    List<TimeSeries> fresh = some.stream().filter(each -> !cleaned.containsKey(each)).toList();
    List<Cleaned> more = Cleaned.all(this, fresh);
    for (int i = 0; i < fresh.size(); i++) cleaned.put(fresh.get(i), more.get(i).series());
    List<TimeSeries> used =
        some.stream().map(each -> Objects.requireNonNull(cleaned.get(each))).toList();
    List<History> histories = new ArrayList<>();
    for (TimeSeries each : used) histories.add(history(each, library, window));
    List<Reading> readings = new Reader(library, horizon).read(histories, true);
    Learner learner = new Learner(library, horizon, readings);
    Weights weights = learner.learn(Weights.start(library));
    double score = Learner.score(horizon, weights, readings);
    return new Learned(
        library, window, some, used, histories, readings, weights, learner.series(), score);
  }

  /// Weights of a library, with the series that they were learned from.
  private final class Learned {
    private final Library library;
    private final int window;
    private final List<TimeSeries> some;
    private final List<TimeSeries> used; // without their outliers
    private final List<History> histories;
    private final List<Reading> readings;
    private final Weights weights;
    private final int series;
    private final double score;

    Learned(
        Library library,
        int window,
        List<TimeSeries> some,
        List<TimeSeries> used,
        List<History> histories,
        List<Reading> readings,
        Weights weights,
        int series,
        double score) {
      this.library = library;
      this.window = window;
      this.some = some;
      this.used = used;
      this.histories = histories;
      this.readings = readings;
      this.weights = weights;
      this.series = series;
      this.score = score;
    }

    /// The model, with the calibration by the values that were held out.
    ForecastModel model(List<TimeSeries> all) {
      Forecasting forecasting = new Forecasting(library, horizon, weights);
      List<double[]> shares = new ArrayList<>();
      List<Mixture> held = forecasting.forecast(histories, readings, true);
      for (int i = 0; i < held.size(); i++) {
        if (readings.get(i).held().isEmpty()) continue;
        int before = readings.get(i).held().getFirst().length();
        History history = histories.get(i);
        double[] share = new double[Math.min(horizon, history.size() - before)];
        for (int k = 0; k < share.length; k++)
          share[k] =
              history.isObserved(before + k)
                  ? held.get(i).cdf(k, history.value(before + k))
                  : Double.NaN;
        shares.add(share);
      }
      Calibration calibration = Calibration.of(shares);
      return new ForecastModel(
          Forecaster.this,
          library,
          window,
          weights,
          calibration,
          change(some(all, library)),
          series,
          Supports.learn(Forecaster.this, library, used, histories, readings, held, calibration));
    }
  }

  /// The seasons to try: the two shortest of which at least two periods fit in the longest history,
  /// or the shortest alone where the next is far longer.
  private List<double[]> seasonsFor(List<TimeSeries> series) {
    int longest = series.stream().mapToInt(TimeSeries::size).max().orElse(0);
    double[] fit =
        Arrays.stream(seasons)
            .filter(period -> 2 * period <= Math.min(longest, Library.MOST))
            .toArray();
    if (fit.length < 2) return List.of(fit);
    double[] two = Arrays.copyOf(fit, 2);
    // Years of days need windows in which weeks alone would do better with fewer values.
    return two[1] > FAR * two[0] ? List.of(new double[] {two[0]}, two) : List.of(two);
  }

  List<Warp> warps() {
    return bounds.<List<Warp>>map(List::of).orElse(Library.POWERS);
  }

  /// Series with enough values to hold some out, at equal distances.
  private List<TimeSeries> some(List<TimeSeries> series, Library library) {
    List<TimeSeries> able =
        series.stream().filter(each -> each.size() - each.gaps() > library.least() + 1).toList();
    long each = 3L * library.size() * (Math.min(horizon, 60) + 2);
    int most = Math.clamp(LEARNING_NUMBERS / each, 50, LEARNING_SERIES);
    if (able.size() <= most) return able;
    List<TimeSeries> some = new ArrayList<>();
    for (int i = 0; i < most; i++) some.add(able.get((int) ((long) i * able.size() / most)));
    return some;
  }

  /// The median over series of the mean change from step to step, relative to the mean size.
  private static double change(List<TimeSeries> series) {
    double[] changes =
        series.stream()
            .mapToDouble(
                each -> {
                  double[] y = each.array();
                  double change = 0;
                  double size = 0;
                  for (int t = 1; t < y.length; t++) {
                    if (Double.isNaN(y[t]) || Double.isNaN(y[t - 1])) continue;
                    change += Math.abs(y[t] - y[t - 1]);
                    size += Math.abs(y[t]);
                  }
                  return size > 0 ? change / size : Double.NaN;
                })
            .filter(Double::isFinite)
            .sorted()
            .toArray();
    return changes.length == 0 ? 0.3 : changes[changes.length / 2];
  }

  /// The series with its gaps as they are meant.
  TimeSeries meant(TimeSeries series) {
    return gaps == Gaps.ZERO ? series.zerosInGaps() : series;
  }

  /// The last values of a series, with gaps filled on straight lines.
  History history(TimeSeries series, Library library, int window) {
    return history(series, library.warps()).last(window).withVarying();
  }

  /// All values of a series under some scales.
  History history(TimeSeries series, List<Warp> scales) {
    bounds.ifPresent(
        between -> {
          for (double value : series.array())
            if (!Double.isNaN(value) && !between.takes(value))
              throw new IllegalArgumentException(
                  String.format(
                      Locale.ROOT,
                      "series '%s' has the value %s, which is not between %s and %s; move the bounds or leave the series out",
                      series.id(),
                      value,
                      between.low(),
                      between.high()));
        });
    History history = History.of(series.array(), scales);
    if (series.covariates().isPresent()) {
      Covariates columns = series.covariates().get();
      if (columns.rows() < series.size() + horizon)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "series '%s' needs columns for its %,d steps and the %,d of the horizon, and has them for %,d; add the values of the horizon",
                series.id(),
                series.size(),
                horizon,
                columns.rows()));
      history = history.with(columns);
    }
    return history;
  }
}
