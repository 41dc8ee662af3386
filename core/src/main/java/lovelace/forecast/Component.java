package lovelace.forecast;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import lovelace.series.Components;

/// One part of a series and its forecast, in the units of the values.
///
/// At each step of the history that has a value, the estimates of all parts add up to it. Where the
/// processes work on logarithms or another scale, a part is what it adds to those before it: the
/// trend first, then seasons, deviations, effects, and the remainder. So a season that multiplies
/// grows with the trend, and `1 + season/trend` is its factor.
///
/// @param kind of the part
/// @param name such as `trend`, `season 12`, or that of a column
/// @param first the step of the series of the first row; the last row is that of the horizon
/// @param estimate by row
/// @param quantiles by row, then level: of the part, with those before it at their means
@SuppressWarnings("ArrayRecordComponent")
public record Component(
    Kind kind, String name, int first, double[] estimate, double[][] quantiles) {

  /// The kinds of parts.
  public enum Kind {
    /// The level with its slope.
    TREND,
    /// A season.
    SEASON,
    /// Deviations that fade.
    DEVIATION,
    /// Columns known in the future. Other columns than zeros and ones count from their mean in the
    /// history.
    EFFECT,
    /// Noise. In the history it is the rest of the value, and in the future it is 0 with the
    /// interval of noise.
    REMAINDER;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static List<Component> of(Components components) {
    List<Component> all = new ArrayList<>();
    for (Components.Part part : components.parts())
      all.add(
          new Component(
              Kind.valueOf(part.kind().name()),
              part.name(),
              components.first(),
              part.estimate(),
              part.quantiles()));
    return all;
  }
}
