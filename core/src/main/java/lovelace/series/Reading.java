package lovelace.series;

import java.util.List;

/// The evidence of one series about the points of a library.
///
/// @param length the number of values
/// @param evidence the log evidence of each point, the largest 0
/// @param score the sum of log predictive densities of whole horizons at earlier origins, the
///   largest 0; all 0 if the series is too short
/// @param held the same for the values before later ones, the latest origin first; empty if the
///   series is too short or this was not asked for
@SuppressWarnings("ArrayRecordComponent")
public record Reading(int length, float[] evidence, float[] score, List<Held> held) {

  /// A point that cannot have made the values.
  static final float NEVER = -1e30f;

  /// The values before an origin, and how each point forecasts those after it.
  ///
  /// @param length the number of values before
  /// @param evidence of the values before
  /// @param score at origins before
  /// @param density by step and point, relative to the largest of the step
  /// @param top the logarithm of the largest density of each step, in units of the series
  public record Held(
      int length, float[] evidence, float[] score, float[][] density, double[] top) {}
}
