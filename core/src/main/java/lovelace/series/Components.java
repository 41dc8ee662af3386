package lovelace.series;

import java.util.List;

/// The parts of a series over its history and the horizon after it.
///
/// All parts are in the units of the values, and at every step of the history that has a value they
/// add up to it. On a scale that is not that of the values, such as the logarithm, a part is what
/// it adds to those before it: with g the map back to values and `z₁, z₂, …` the parts on the
/// scale, part i is `g(z₁ + … + zᵢ) − g(z₁ + … + zᵢ₋₁)`.
///
/// @param first the step of the first row; earlier values are not used
/// @param parts in the order in which they are added
public record Components(int first, List<Part> parts) {

  public Components {
    parts = List.copyOf(parts);
  }

  /// The kinds of parts, in their order.
  public enum Kind {
    /// The level with its slope.
    TREND,
    /// A season. Its name is the period in steps.
    SEASON,
    /// Deviations that fade.
    DEVIATION,
    /// Columns that are known in the future. Columns that are not zeros and ones count from their
    /// mean in the history.
    EFFECT,
    /// The rest: noise.
    REMAINDER
  }

  /// One part.
  ///
  /// @param name tells parts of one kind apart
  /// @param estimate by row
  /// @param quantiles by row, then level
  @SuppressWarnings("ArrayRecordComponent")
  public record Part(Kind kind, String name, double[] estimate, double[][] quantiles) {}
}
