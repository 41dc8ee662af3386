package lovelace.bayesopt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Tuner.Noise;
import lovelace.bayesopt.Tuner.Observation;

/// Decides whether the values show that evaluations are noisy. Points that were evaluated several
/// times decide. If there are none, the model decides: there is evidence if the data are at least
/// 20 times likelier with noise than without (3 nats; Kass and Raftery 1995 call that strong).
final class NoiseEvidence {

  private static final double NATS = 3;

  /// Values of one point that differ by less than this fraction differ only by rounding.
  private static final double ROUNDING = 1e-9;

  private int block = -1; // observations behind the model's last answer
  private double gain;

  /// The evidence of points that were evaluated several times; empty if there are none.
  static Optional<Noise> repeated(List<Observation> values) {
    Map<Point, List<Double>> places = new HashMap<>();
    for (Observation o : values)
      places.computeIfAbsent(o.point(), p -> new ArrayList<>()).add(o.value());
    Optional<Noise> shown = Optional.empty();
    for (List<Double> at : places.values()) {
      if (at.size() < 2) continue;
      double low = at.stream().mapToDouble(v -> v).min().orElseThrow();
      double high = at.stream().mapToDouble(v -> v).max().orElseThrow();
      if (high - low > ROUNDING * Math.max(Math.abs(low), Math.abs(high)))
        return Optional.of(Noise.REPEATED);
      shown = Optional.of(Noise.UNSEEN);
    }
    return shown;
  }

  /// The evidence of the model.
  ///
  /// @param learned the number of observations that it learned from
  /// @param nats how much likelier the data are with noise; called once for each `learned`
  Noise modelled(int learned, DoubleSupplier nats) {
    if (block != learned) {
      gain = nats.getAsDouble();
      block = learned;
    }
    return gain >= NATS ? Noise.LIKELY : Noise.UNSEEN;
  }
}
