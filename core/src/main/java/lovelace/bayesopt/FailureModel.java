package lovelace.bayesopt;

import java.util.List;
import lovelace.bayesopt.Tuner.Observation;
import lovelace.bayesopt.surrogate.Output;
import lovelace.bayesopt.surrogate.Surrogate;
import lovelace.bayesopt.surrogate.Surrogates;
import org.jspecify.annotations.Nullable;

/// Models where evaluations fail: 0 for an evaluation that succeeded and 1 for one that failed. It
/// learns its noise. A place is avoided to the extent that its value may exceed one half. Failures
/// that do not depend on the place are noise of this model, and do not make it avoid places.
final class FailureModel {

  /// From this many coordinates on, learning would compare groups of coordinates, which takes long.
  private static final int MANY = 6;

  private final int d;
  private final Output failures;

  FailureModel(int dimensions) {
    d = dimensions;
    Surrogates plain = Surrogates.DEFAULT;
    failures =
        new Output(
            d < MANY ? plain : plain.withKind(Surrogates.Kind.EXACT), dimensions, Double.NaN);
  }

  /// The number of evaluations that it last learned from; 0 if there were none.
  int block() {
    return failures.block();
  }

  /// Restores what an earlier run learned from the first `count` evaluations.
  void restore(int count, String text) {
    failures.restore(count, text);
  }

  /// Learns from all evaluations. Returns the text for [#restore].
  String learn(List<Observation> history) {
    return failures.learn(Objective.inputs(history, d), labels(history));
  }

  /// Tells where evaluations fail; null if none has failed yet.
  @Nullable Failing places(List<Observation> history) {
    if (failures.block() == 0) return null;
    Surrogate surrogate = failures.surrogate(Objective.inputs(history, d), labels(history));
    return new Failing(surrogate, failures.standardized(0.5));
  }

  private static double[] labels(List<Observation> history) {
    return history.stream().mapToDouble(o -> o.failed() ? 1 : 0).toArray();
  }
}
