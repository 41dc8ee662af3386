package lovelace.forecast;

import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import lovelace.series.Anomalies;
import lovelace.series.CalibratedMixture;
import lovelace.series.Calibration;
import lovelace.series.Coefficients;
import lovelace.series.Components;
import lovelace.series.Explained;
import lovelace.series.Fitted;
import lovelace.series.History;
import lovelace.series.Library;
import lovelace.series.LongSeries;
import lovelace.series.Outlook;
import lovelace.series.Reading;
import lovelace.series.Weights;
import lovelace.series.counts.Support;
import lovelace.series.state.Times;
import org.jspecify.annotations.Nullable;

/// The facts learned of long and rich series, which are forecast by state spaces of their own:
/// whether these forecast values that were held out better than the library does, and how wide
/// their intervals must be to hold.
///
/// A series is long if it has more values than the library uses and a season that is too long for
/// these or columns, or twice as many values and two seasons. It is rich if it has three seasons.
///
/// @param used whether long series are forecast by state spaces
/// @param calibration of their intervals
record LongPart(boolean used, Calibration calibration) {

  static final LongPart NONE = new LongPart(false, Calibration.NONE);

  /// From how many long series is learned, at most.
  private static final int SERIES = 6;

  /// A horizon that is longer than this part of the library's most values leaves it too few origins
  /// to be compared.
  private static final double COMPARED = 1 / 6.;

  /// The fewest periods of a season in a history.
  private static final double PERIODS = 1.99;

  /// The numbers that stand for it.
  double[] numbers() {
    List<Double> all = new ArrayList<>();
    all.add(used ? 1. : 0.);
    for (double[] factors : calibration.factors()) for (double f : factors) all.add(f);
    return all.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /// Reads its numbers.
  static LongPart of(double... numbers) {
    int levels = Calibration.NONE.factors()[0].length;
    if (numbers.length < 1 + levels || (numbers.length - 1) % levels != 0)
      throw new IllegalArgumentException("long series with " + numbers.length + " numbers");
    double[][] factors = new double[(numbers.length - 1) / levels][];
    for (int i = 0; i < factors.length; i++)
      factors[i] = Arrays.copyOfRange(numbers, 1 + i * levels, 1 + (i + 1) * levels);
    return new LongPart(numbers[0] == 1, new Calibration(factors));
  }

  /// The seasons of a series of some length. Asked-for seasons need one period.
  private static double[] seasons(Forecaster options, int size) {
    return Arrays.stream(options.seasons()).filter(p -> p <= size).toArray();
  }

  /// Whether a series is long or rich, and its values are numbers.
  static boolean isOne(Forecaster options, TimeSeries series) {
    return isLong(options, series) && Supports.of(options, series) == Support.NUMBERS;
  }

  private static boolean isLong(Forecaster options, TimeSeries series) {
    int size = series.size();
    if (size - series.gaps() <= 3 * options.horizon() / 2 || size - series.gaps() < 60)
      return false;
    double[] seasons = seasons(options, size);
    if (Arrays.stream(seasons).filter(p -> PERIODS * p <= size).count() >= 3) return true;
    if (size <= Library.MOST) return false;
    return series.covariates().isPresent()
        || (seasons.length > 0 && 2 * seasons[seasons.length - 1] > Library.MOST)
        || (seasons.length > 1 && size > 2 * Library.MOST);
  }

  /// Whether the library need not be learned: all series are long, and the horizon is too long to
  /// compare the two.
  static boolean alone(Forecaster options, List<TimeSeries> series) {
    return options.horizon() > COMPARED * Library.MOST
        && !series.isEmpty()
        && series.stream().allMatch(each -> isOne(options, each));
  }

  /// Learns from series.
  ///
  /// @param readings of the library under its weights, by series; none if it is not compared
  static LongPart learn(
      Forecaster options, List<TimeSeries> series, List<Reading> readings, Weights weights) {
    int[] able =
        IntStream.range(0, series.size()).filter(i -> isOne(options, series.get(i))).toArray();
    int count = Math.min(able.length, SERIES);
    List<double[]> shares = new ArrayList<>();
    double gain = 0;
    for (int a = 0; a < count; a++) {
      int i = able[(int) ((long) a * able.length / count)];
      LongSeries fit =
          fit(options, Cleaned.all(options, List.of(series.get(i))).getFirst().series());
      int held = fit.held().length;
      for (int o = 0; o < held; o++) shares.add(fit.heldShares(o));
      if (readings.isEmpty() || held == 0) continue;
      Reading reading = readings.get(i);
      int both = Math.min(held, reading.held().size());
      if (both > 0)
        gain += fit.score(both) - LongSeries.score(reading, weights, options.horizon(), both);
    }
    return count == 0 || gain < 0 ? NONE : new LongPart(true, Calibration.of(shares));
  }

  /// Whether a series is forecast by a state space.
  boolean takes(Forecaster options, TimeSeries series) {
    return used && isOne(options, series);
  }

  private static LongSeries fit(Forecaster options, TimeSeries series) {
    History history = options.history(series, options.warps()).withVarying();
    return LongSeries.of(
        history,
        Times.steps(series.size() + options.horizon()),
        seasons(options, series.size()),
        options.horizon());
  }

  /// The forecast of a long series, with its reasons. The fit is only kept while there is memory,
  /// and made again if it is gone.
  ///
  /// @param series without its outliers
  /// @param given with them
  Kept forecast(Forecaster options, TimeSeries series, TimeSeries given) {
    return new Kept(options, series, given, calibration);
  }

  /// A forecast whose fit may be made again. Its distributions are small and stay; only paths and
  /// reasons need the fit.
  static final class Kept implements Outlook, Explained {
    private final Forecaster options;
    private final TimeSeries series;
    private final TimeSeries given;
    private final Calibration calibration;
    private final CalibratedMixture distributions;
    private SoftReference<LongSeries> fit;

    private Kept(Forecaster options, TimeSeries series, TimeSeries given, Calibration calibration) {
      this.options = options;
      this.series = series;
      this.given = given;
      this.calibration = calibration;
      LongSeries made = LongPart.fit(options, series);
      fit = new SoftReference<>(made);
      CalibratedMixture whole = made.outlook(calibration);
      distributions =
          new CalibratedMixture(
              whole.mixture(),
              whole.calibration(),
              whole.horizon(),
              (count, random) -> fit().outlook(calibration).paths(count, random));
    }

    private synchronized LongSeries fit() {
      @Nullable LongSeries kept = fit.get();
      if (kept != null) return kept;
      LongSeries again = LongPart.fit(options, series);
      fit = new SoftReference<>(again);
      return again;
    }

    private Explained explained() {
      return fit().explained(calibration, given.array());
    }

    @Override
    public double cdf(int step, double y) {
      return distributions.cdf(step, y);
    }

    @Override
    public double[] quantiles(int step, double... levels) {
      return distributions.quantiles(step, levels);
    }

    @Override
    public double[][] paths(int count, SplittableRandom random) {
      return distributions.paths(count, random);
    }

    @Override
    public Components components(UnaryOperator<String> group, double... levels) {
      return explained().components(group, levels);
    }

    @Override
    public Fitted fitted(double... levels) {
      return explained().fitted(levels);
    }

    @Override
    public Anomalies anomalies(double rate) {
      return explained().anomalies(rate);
    }

    @Override
    public Coefficients coefficients(double... levels) {
      return explained().coefficients(levels);
    }
  }
}
