package lovelace.forecast;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import lovelace.series.Calibration;
import lovelace.series.Mixture;
import org.jspecify.annotations.Nullable;

/// The forecast of one series: a distribution for each step of the horizon, and joint paths.
public final class Forecast {

  /// How a forecast came about.
  public enum Kind {
    /// By the library of processes.
    LIBRARY,
    /// By the library, from so few values that the spread is hardly known.
    SHORT,
    /// All values are the same.
    CONSTANT,
    /// From one value and the changes of the other series.
    ONE,
    /// The series has no value, and no forecast.
    NONE
  }

  /// How many quantiles the mean is taken over.
  private static final int MEAN = 40;

  private final TimeSeries series;
  private final Kind kind;
  private final int horizon;
  private final @Nullable Mixture mixture;
  private final Calibration calibration;
  private final BiFunction<Integer, SplittableRandom, double[][]> paths;

  Forecast(
      TimeSeries series,
      Kind kind,
      int horizon,
      @Nullable Mixture mixture,
      Calibration calibration,
      BiFunction<Integer, SplittableRandom, double[][]> paths) {
    this.series = series;
    this.kind = kind;
    this.horizon = horizon;
    this.mixture = mixture;
    this.calibration = calibration;
    this.paths = paths;
  }

  public String id() {
    return series.id();
  }

  public Kind kind() {
    return kind;
  }

  /// The series that is continued.
  public TimeSeries series() {
    return series;
  }

  /// The number of steps.
  public int horizon() {
    return horizon;
  }

  /// The quantiles at a step, which is counted from 0. NaN without a forecast.
  ///
  /// @param levels between 0 and 1, ascending
  public double[] quantiles(int step, double... levels) {
    requireStep(step);
    for (int i = 0; i < levels.length; i++) {
      if (!(levels[i] > 0 && levels[i] < 1))
        throw new IllegalArgumentException("a level must lie between 0 and 1, got " + levels[i]);
      if (i > 0 && levels[i] < levels[i - 1])
        throw new IllegalArgumentException(
            "levels must ascend, got " + levels[i] + " after " + levels[i - 1]);
    }
    if (mixture == null) {
      double[] none = new double[levels.length];
      Arrays.fill(none, Double.NaN);
      return none;
    }
    double[] looked = new double[levels.length];
    for (int i = 0; i < looked.length; i++) looked[i] = calibration.level(step, horizon, levels[i]);
    return mixture.quantiles(step, looked);
  }

  /// The quantile at a step.
  public double quantile(int step, double level) {
    return quantiles(step, level)[0];
  }

  private void requireStep(int step) {
    if (step < 0 || step >= horizon)
      throw new IllegalArgumentException(
          "step must lie between 0 and " + (horizon - 1) + ", got " + step);
  }

  /// The point forecast.
  public double median(int step) {
    return quantile(step, 0.5);
  }

  /// The mean of 40 quantiles at equal distances. It leaves out the ends of the tails, because a
  /// mixture of Student's t on a logarithmic scale has no mean.
  public double mean(int step) {
    double[] levels = new double[MEAN];
    for (int i = 0; i < MEAN; i++) levels[i] = (i + 0.5) / MEAN;
    return Arrays.stream(quantiles(step, levels)).average().orElseThrow();
  }

  /// P(value ≤ y) at a step.
  public double probability(int step, double y) {
    requireStep(step);
    return mixture == null ? Double.NaN : calibration.share(step, horizon, mixture.cdf(step, y));
  }

  /// Joint paths over the horizon.
  ///
  /// @return by path, then step; none without a forecast
  public double[][] sample(int count, SplittableRandom random) {
    if (count < 0) throw new IllegalArgumentException("count must be ≥ 0, got " + count);
    if (mixture == null) return new double[0][];
    return paths.apply(count, random);
  }
}
