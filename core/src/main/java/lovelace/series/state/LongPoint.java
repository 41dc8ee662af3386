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

  /// A forecast at an origin.
  @SuppressWarnings("ArrayRecordComponent")
  private record Forecast(double[] places, double[] spreads, int freedom) {}

  LongPoint(int scale, double evidence, List<Ahead> ahead) {
    this.scale = scale;
    this.evidence = evidence;
    forecasts =
        ahead.stream().map(a -> new Forecast(a.place, a.spreads(), a.freedom())).toList();
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
}
