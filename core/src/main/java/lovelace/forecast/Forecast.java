package lovelace.forecast;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
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
    /// The series has no value. It is forecast by others with similar traits.
    NEW,
    /// The series has no value, and no forecast.
    NONE
  }

  private final TimeSeries series;
  private final Kind kind;
  private final int horizon;
  private final @Nullable Outlook outlook;
  private final ValueKind likelihood;
  private final Reasons reasons;

  /// @param outlook null without a forecast
  Forecast(TimeSeries series, Kind kind, int horizon, @Nullable Outlook outlook) {
    this(series, kind, horizon, outlook, ValueKind.NUMBERS, Reasons.NONE);
  }

  /// @param likelihood the kind of values that the outlook is of
  Forecast(
      TimeSeries series,
      Kind kind,
      int horizon,
      @Nullable Outlook outlook,
      ValueKind likelihood,
      Reasons reasons) {
    this.reasons = reasons;
    this.series = series;
    this.kind = kind;
    this.horizon = horizon;
    this.outlook = outlook;
    this.likelihood = likelihood;
  }

  public String id() {
    return series.id();
  }

  public Kind kind() {
    return kind;
  }

  /// The kind of values that are forecast: numbers, counts or amounts.
  public ValueKind likelihood() {
    return likelihood;
  }

  /// The series that is continued.
  public TimeSeries series() {
    return series;
  }

  /// The distributions and paths.
  Outlook outlook() {
    return Objects.requireNonNull(outlook, "there is no forecast");
  }

  /// The number of steps.
  public int horizon() {
    return horizon;
  }

  /// The forecast as a distribution. A series without values stays at 0.
  Outlook outlookOrZero() {
    return outlook == null ? new Zero(horizon) : outlook;
  }

  /// The quantiles at a step, which is counted from 0. NaN without a forecast.
  ///
  /// @param levels between 0 and 1, ascending
  public double[] quantiles(int step, double... levels) {
    requireStep(step);
    requireLevels(levels);
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

  private static void requireLevels(double... levels) {
    for (int i = 0; i < levels.length; i++) {
      if (!(levels[i] > 0 && levels[i] < 1))
        throw new IllegalArgumentException("a level must lie between 0 and 1, got " + levels[i]);
      if (i > 0 && levels[i] < levels[i - 1])
        throw new IllegalArgumentException(
            "levels must ascend, got " + levels[i] + " after " + levels[i - 1]);
    }
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

  /// The outliers of the history that the forecast leaves out.
  public List<Outlier> outliers() {
    return reasons.outliers();
  }

  /// The parts of the history and the forecast; none without a process of the series.
  ///
  /// @param levels of quantiles, between 0 and 1, ascending
  public List<Component> components(double... levels) {
    return components(UnaryOperator.identity(), levels);
  }

  /// The parts of the history and the forecast, with effects of columns summed by groups.
  ///
  /// @param group the name of the part that a column belongs to
  public List<Component> components(UnaryOperator<String> group, double... levels) {
    requireLevels(levels);
    return reasons.components(group, levels);
  }

  /// Forecasts of the history one step ahead; none without a process of the series.
  ///
  /// @param levels of quantiles, between 0 and 1, ascending
  public FittedValues fitted(double... levels) {
    requireLevels(levels);
    return reasons.fitted(levels);
  }

  /// The outliers, shifts of the level and changed seasons of the history. Of series that have
  /// none, one of 20 gets one.
  public List<Anomaly> anomalies() {
    return anomalies(0.05);
  }

  /// The anomalies of the history.
  ///
  /// @param rate the share of series without anomalies that may get one
  public List<Anomaly> anomalies(double rate) {
    return reasons.anomalies(rate);
  }

  /// The effects of the columns that are known in the future; none without columns.
  ///
  /// @param levels of quantiles, between 0 and 1, ascending
  public List<Coefficient> coefficients(double... levels) {
    requireLevels(levels);
    return reasons.coefficients(levels);
  }

  /// Nothing at every step.
  private record Zero(int horizon) implements Outlook {
    @Override
    public double cdf(int step, double y) {
      return y < 0 ? 0 : 1;
    }

    @Override
    public double[] quantiles(int step, double... levels) {
      return new double[levels.length];
    }

    @Override
    public double[][] paths(int count, SplittableRandom random) {
      return new double[count][horizon];
    }
  }
}
