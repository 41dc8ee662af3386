package lovelace.bayesopt;

import java.util.List;
import lovelace.bayesopt.Tuner.Observation;
import lovelace.bayesopt.surrogate.Output;
import lovelace.bayesopt.surrogate.Surrogate;
import lovelace.bayesopt.surrogate.Surrogates;
import org.jspecify.annotations.Nullable;

/// Where evaluations fail: a model of 0 for an evaluation that succeeded and 1 for one that failed,
/// which learns its noise. A place is avoided as far as its value may exceed one half. Failures
/// that have nothing to do with the place are noise of this model, and avoid nothing.
final class FailureModel {

  /// From so many coordinates on, groups of coordinates would be compared, which takes long.
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

  /// The number of evaluations that it last learned from; 0 if there is none.
  int block() {
    return failures.block();
  }

  /// Takes up what was learned from the first `count` evaluations in an earlier run.
  void restore(int count, String text) {
    failures.restore(count, text);
  }

  /// Learns from all evaluations; returns the text to restore it from.
  String learn(List<Observation> history) {
    return failures.learn(Objective.inputs(history, d), labels(history));
  }

  /// Where evaluations fail; null as long as none has.
  @Nullable Failing places(List<Observation> history) {
    if (failures.block() == 0) return null;
    Surrogate surrogate = failures.surrogate(Objective.inputs(history, d), labels(history));
    return new Failing(surrogate, failures.standardized(0.5));
  }

  private static double[] labels(List<Observation> history) {
    return history.stream().mapToDouble(o -> o.failed() ? 1 : 0).toArray();
  }
}
