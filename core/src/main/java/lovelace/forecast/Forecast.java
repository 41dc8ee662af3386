package lovelace.forecast;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.series.Outlook;
import org.jspecify.annotations.Nullable;

/// The forecast of one series: a distribution for each step of the horizon, and joint paths.
public final class Forecast {

  /// How a forecast came about.
  public enum Kind {
    /// By the library of processes.
    LIBRARY,
    /// By state spaces learned from the series itself, because it is long or has many seasons.
    LONG,
    /// By the library, from so few values that the spread is hardly known.
    SHORT,
    /// All values are the same.
    CONSTANT,
    /// From one value and the changes of the other series.
    ONE,
    /// The series has no value, and no forecast.
    NONE
  }

  private final TimeSeries series;
  private final Kind kind;
  private final int horizon;
  private final @Nullable Outlook outlook;

  /// @param outlook null without a forecast
  Forecast(TimeSeries series, Kind kind, int horizon, @Nullable Outlook outlook) {
    this.series = series;
    this.kind = kind;
    this.horizon = horizon;
    this.outlook = outlook;
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
    if (outlook == null) {
      double[] none = new double[levels.length];
      Arrays.fill(none, Double.NaN);
      return none;
    }
    return outlook.quantiles(step, levels);
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

  /// The mean. Where a forecast has none, because it is a mixture on a logarithmic scale, it is the
  /// mean of 40 quantiles at equal distances, without the ends of the tails.
  public double mean(int step) {
    requireStep(step);
    return outlook == null ? Double.NaN : outlook.mean(step);
  }

  /// P(value ≤ y) at a step.
  public double probability(int step, double y) {
    requireStep(step);
    return outlook == null ? Double.NaN : outlook.cdf(step, y);
  }

  /// Joint paths over the horizon.
  ///
  /// @return by path, then step; none without a forecast
  public double[][] sample(int count, SplittableRandom random) {
    if (count < 0) throw new IllegalArgumentException("count must be ≥ 0, got " + count);
    return outlook == null ? new double[0][] : outlook.paths(count, random);
  }
}
