package lovelace.series.state;

import java.util.List;
import java.util.SplittableRandom;

/// One state space of a [LongFit] under one scale of the values: its evidence, and its forecasts at
/// each of the origins and at the end.
public final class LongPoint {

  private final int scale;
  private final double evidence;
  private final List<Forecast> forecasts;
  private final Ahead last;
  private final LongFit fit;
  private final Chain chain;
  private final Regression regression;
  private final double[] priors;

  /// A forecast at an origin.
  @SuppressWarnings("ArrayRecordComponent")
  private record Forecast(double[] places, double[] spreads, int freedom) {}

  /// @param regression of all values
  /// @param priors variances of the coefficients
  LongPoint(
      int scale,
      double evidence,
      List<Ahead> ahead,
      LongFit fit,
      Chain chain,
      Regression regression,
      double[] priors) {
    this.fit = fit;
    this.chain = chain;
    this.regression = regression;
    this.priors = priors;
    this.scale = scale;
    this.evidence = evidence;
    forecasts = ahead.stream().map(a -> new Forecast(a.place, a.spreads(), a.freedom())).toList();
    last = ahead.getLast();
  }

  /// The number of the scale.
  public int scale() {
    return scale;
  }

  /// The log evidence of all values up to a constant, with the slope of the scale.
  public double evidence() {
    return evidence;
  }

  /// The number of origins; the end comes after them.
  public int origins() {
    return forecasts.size() - 1;
  }

  /// The places of a forecast, less the centre of the scale.
  public double[] places(int origin) {
    return forecasts.get(origin).places.clone();
  }

  /// The spreads of a forecast: scales of Student's t.
  public double[] spreads(int origin) {
    return forecasts.get(origin).spreads.clone();
  }

  /// Degrees of freedom of a forecast.
  public int freedom(int origin) {
    return forecasts.get(origin).freedom;
  }

  /// A joint path after the last value, less the centre of the scale.
  public double[] path(SplittableRandom random) {
    return last.path(0, random);
  }

  /// The parts of the history and the horizon, less the centre of the scale.
  ///
  /// @param groups the number of the group of each known column
  public LongParts parts(int... groups) {
    return fit.parts(chain, regression, scale, groups);
  }

  /// Tests for outliers and shifts.
  public ShockSearch shocks() {
    return fit.shocks(chain, priors, scale);
  }

  /// Forecasts of every value from those before it, less the centre of the scale.
  public OneAhead oneAhead() {
    return fit.oneAhead(chain, priors, scale);
  }

  /// The sum of squares that is left.
  public double squares() {
    return regression.squares[0];
  }

  /// The coefficient of a known column in its unit, and its spread.
  public double[] coefficient(int column) {
    return fit.coefficient(regression, column);
  }
}
