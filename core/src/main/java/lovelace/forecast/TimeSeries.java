package lovelace.forecast;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import lovelace.series.Covariates;

/// Values at equal steps. NaN is a gap. Gaps at both ends are cut off: the first and the last value
/// are there. Immutable.
public final class TimeSeries {

  private final String id;
  private final double[] values;

  private final Optional<Covariates> covariates;

  private TimeSeries(String id, double[] values, Optional<Covariates> covariates) {
    this.id = id;
    this.values = values;
    this.covariates = covariates;
  }

  /// A series of values, oldest first.
  ///
  /// @param id its name in results and messages
  public static TimeSeries of(String id, double... values) {
    int from = 0;
    int to = values.length;
    while (from < to && Double.isNaN(values[from])) from++;
    while (from < to && Double.isNaN(values[to - 1])) to--;
    for (int t = from; t < to; t++)
      if (Double.isInfinite(values[t]))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "series '%s': value %,d is %s; values must be finite, or NaN for a gap",
                id,
                t + 1,
                values[t]));
    return new TimeSeries(id, Arrays.copyOfRange(values, from, to), Optional.empty());
  }

  /// The same series with columns that are known for its steps and for the horizon after them, such
  /// as prices or holidays. Series that share columns are forecast faster than series with columns
  /// of their own.
  ///
  /// @param columns whose first row is the step of the first value; see [Columns#from]
  public TimeSeries with(Columns columns) {
    return new TimeSeries(id, values, Optional.of(columns.covariates()));
  }

  Optional<Covariates> covariates() {
    return covariates;
  }

  public String id() {
    return id;
  }

  /// The number of steps from the first to the last value.
  public int size() {
    return values.length;
  }

  /// The value at a step, NaN in a gap.
  public double value(int step) {
    return values[step];
  }

  /// A copy of the values.
  public double[] values() {
    return values.clone();
  }

  /// The number of steps without a value.
  public int gaps() {
    int gaps = 0;
    for (double value : values) if (Double.isNaN(value)) gaps++;
    return gaps;
  }

  /// The same series with the values of another after its last one.
  TimeSeries then(TimeSeries next) {
    return then(0, next);
  }

  /// The same series with the values of another after its last one and a gap.
  TimeSeries then(int gap, TimeSeries next) {
    int from = values.length + gap;
    double[] both = Arrays.copyOf(values, Math.addExact(from, next.values.length));
    Arrays.fill(both, values.length, from, Double.NaN);
    System.arraycopy(next.values, 0, both, from, next.values.length);
    return new TimeSeries(id, both, covariates);
  }

  /// The same series up to some step.
  public TimeSeries first(int steps) {
    double[] some = Arrays.copyOf(values, Math.min(steps, values.length));
    return new TimeSeries(id, of(id, some).values, covariates);
  }

  /// The same series with zeros in its gaps.
  TimeSeries zerosInGaps() {
    double[] filled = Arrays.stream(values).map(v -> Double.isNaN(v) ? 0 : v).toArray();
    return new TimeSeries(id, filled, covariates);
  }

  /// The same series without some values between the first and the last.
  TimeSeries without(List<Outlier> outliers) {
    if (outliers.isEmpty()) return this;
    double[] left = values.clone();
    for (Outlier each : outliers) left[each.step()] = Double.NaN;
    return new TimeSeries(id, left, covariates);
  }

  double[] array() {
    return values;
  }
}
