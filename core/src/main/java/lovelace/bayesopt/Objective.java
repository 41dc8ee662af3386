package lovelace.bayesopt;

import java.util.List;
import java.util.Optional;
import lovelace.bayesopt.Tuner.Best;
import lovelace.bayesopt.Tuner.Noise;
import lovelace.bayesopt.Tuner.Observation;
import lovelace.bayesopt.surrogate.Output;
import lovelace.bayesopt.surrogate.Surrogate;
import org.jspecify.annotations.Nullable;

/// Models the objective and chooses the best observation. The sign of the objective is such that
/// large is good. Failures have no value, so this class ignores them.
final class Objective {

  private final Tuning tuning;
  private final int d;
  private final Output output;
  private final NoiseEvidence evidence = new NoiseEvidence();

  Objective(Tuning tuning, int dimensions) {
    this.tuning = tuning;
    d = dimensions;
    output = new Output(tuning.surrogates(), d, tuning.noise());
  }

  /// The evaluations that returned a value.
  static List<Observation> values(List<Observation> history) {
    return history.stream().filter(o -> !o.failed()).toList();
  }

  /// The positions of observations in the unit cube, row after row.
  static double[] inputs(List<Observation> observations, int dimensions) {
    double[] x = new double[observations.size() * dimensions];
    for (int i = 0; i < observations.size(); i++)
      System.arraycopy(observations.get(i).point().unit(), 0, x, i * dimensions, dimensions);
    return x;
  }

  private double[] inputs(List<Observation> observations) {
    return inputs(observations, d);
  }

  private double signed(double value) {
    return tuning.maximize() ? value : -value;
  }

  private double[] signed(List<Observation> values) {
    return values.stream().mapToDouble(o -> signed(o.value())).toArray();
  }

  Output output() {
    return output;
  }

  String learn(List<Observation> values) {
    return output.learn(inputs(values), signed(values));
  }

  Surrogate surrogate(List<Observation> history) {
    List<Observation> values = values(history);
    return output.surrogate(inputs(values), signed(values));
  }

  /// The best feasible value in standardised units; NaN if there is none.
  double incumbent(List<Observation> history, Surrogate surrogate) {
    Observation best = modelled(history);
    if (best == null) return Double.NaN;
    if (tuning.noise() == 0) return output.standardized(signed(best.value()));
    double[] mean = new double[1];
    surrogate.predict(1, best.point().unit(), mean, new double[1]);
    return mean[0];
  }

  /// The feasible observation with the best modelled value. If there is no noise or no model, the
  /// best value decides. Null if none is feasible.
  private @Nullable Observation modelled(List<Observation> history) {
    if (tuning.noise() == 0 || output.block() == 0) return observed(history);
    List<Observation> feasible = history.stream().filter(Observation::feasible).toList();
    double[] merit = new double[feasible.size()];
    if (merit.length == 0) return null;
    surrogate(history).predict(merit.length, inputs(feasible), merit, new double[merit.length]);
    int best = 0;
    for (int i = 1; i < merit.length; i++) if (merit[i] > merit[best]) best = i;
    return feasible.get(best);
  }

  /// The feasible observation with the best value, or the first of several; null if none is
  /// feasible.
  private @Nullable Observation observed(List<Observation> history) {
    Observation best = null;
    for (Observation o : history)
      if (o.feasible() && (best == null || signed(o.value()) > signed(best.value()))) best = o;
    return best;
  }

  /// The best feasible observation, and why it was chosen.
  Optional<Best> best(List<Observation> history) {
    Observation observed = observed(history);
    Observation modelled = modelled(history);
    if (observed == null || modelled == null) return Optional.empty();
    Noise noise = noise(history, observed.equals(modelled));
    return Optional.of(new Best(noise.isPresent() ? modelled : observed, observed, noise));
  }

  /// The noise of evaluations, as far as it is known. Asks the model only if that matters.
  private Noise noise(List<Observation> history, boolean agreed) {
    if (tuning.noise() == 0) return Noise.NONE;
    if (tuning.noise() > 0) return Noise.GIVEN;
    List<Observation> values = values(history);
    return NoiseEvidence.repeated(values)
        .orElseGet(
            () ->
                agreed
                    ? Noise.UNSEEN
                    : evidence.modelled(
                        output.block(), () -> output.noiseGain(inputs(values), signed(values))));
  }
}
