package lovelace.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A fit that took longer than `--time` allows. Comparing and learning stop in time; the steps that
/// a model needs do not.
///
/// @param limit seconds that were allowed
/// @param taken seconds of the fit
record Overtime(double limit, double taken) {

  /// The share by which a fit may pass its limit without a message. Work stops only where it looks
  /// at the clock.
  private static final double SLACK = 0.05;

  /// The overtime of a fit; empty if it kept to its limit.
  static Optional<Overtime> of(Duration limit, Duration taken) {
    double allowed = limit.toNanos() * 1e-9;
    double seconds = taken.toNanos() * 1e-9;
    return seconds > allowed * (1 + SLACK)
        ? Optional.of(new Overtime(allowed, seconds))
        : Optional.empty();
  }

  /// One line for people.
  String line() {
    return String.format(
        Locale.ROOT,
        "lovelace: the fit took %.3g s, %.3g s longer than --time %.3g allows: comparing and learning keep to their shares, but the table is always read and the posterior always computed; for a better model give more time",
        taken,
        taken - limit,
        limit);
  }

  /// The same as JSON.
  Map<String, Object> json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("limit", limit);
    all.put("taken", taken);
    return all;
  }
}
