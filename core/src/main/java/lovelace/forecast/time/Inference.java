package lovelace.forecast.time;

import java.util.List;
import java.util.Optional;

/// The frequency that the times of a series say, and how well they follow it.
///
/// @param frequency the frequency; empty if no step explains the times
/// @param missing the steps between the first and the last time that no row has
/// @param duplicates the rows whose time an earlier row has
/// @param reason how the frequency was found, or why there is none, in words for people
public record Inference(
    Optional<Frequency> frequency, long missing, long duplicates, String reason) {

  /// The frequency that most of many series say.
  ///
  /// Series that lie on steps of the same length in another place, such as weeks on other days,
  /// keep their own place.
  ///
  /// @param frequency the frequency of most series; empty if none has one
  /// @param series each series under the step of that frequency; why there is none if it disagrees
  /// @param disagreeing the numbers, from 0, of series whose times lie on no such steps
  /// @param reason how the frequency was found, in words for people
  public record OfMany(
      Optional<Frequency> frequency,
      List<Inference> series,
      List<Integer> disagreeing,
      String reason) {
    public OfMany {
      series = List.copyOf(series);
      disagreeing = List.copyOf(disagreeing);
    }
  }
}
