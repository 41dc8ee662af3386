package lovelace.plot;

import java.time.LocalDateTime;
import lovelace.data.TimeScale;
import org.jspecify.annotations.Nullable;

/// The dates of a column for the labels of an axis.
record Calendar(TimeScale scale) implements Scale.Clock {

  /// The limit of calendars. A scale may go beyond any calendar that can be labelled.
  private static final double LIMIT = 1e8;

  static Scale.@Nullable Clock of(@Nullable TimeScale scale) {
    return scale == null ? null : new Calendar(scale);
  }

  @Override
  public LocalDateTime time(double value) {
    return scale.time(Math.clamp(value, -LIMIT, LIMIT));
  }

  @Override
  public double value(LocalDateTime time) {
    return scale.number(time);
  }
}
