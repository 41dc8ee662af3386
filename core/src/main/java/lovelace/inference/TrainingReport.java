package lovelace.inference;

import java.util.Arrays;
import java.util.List;
import lovelace.kernel.Hyperparameters;
import lovelace.optimize.Optimizer.Optimum;

/// How a training went.
///
/// @param engine which engine evaluated the likelihood
/// @param reason why the optimiser stopped
/// @param parameters the names of the parameters in a step, fixed ones included
/// @param trace every accepted step of the winning run, the start first
/// @param iterations the winning run's steps
/// @param evaluations the winning run's likelihoods
/// @param starts how many runs there were
/// @param converged whether the winning run converged
/// @param cancelled whether training was cancelled
/// @param timeUp whether training stopped because its time was up
/// @param seconds wall time of all runs
public record TrainingReport(
    String engine,
    String reason,
    List<String> parameters,
    List<Step> trace,
    int iterations,
    int evaluations,
    int starts,
    boolean converged,
    boolean cancelled,
    boolean timeUp,
    double seconds) {

  /// A step of training.
  ///
  /// @param evaluations likelihoods so far
  /// @param objective minus the log posterior
  /// @param gradientNorm the largest entry of the objective's projected gradient in the free
  ///   parameters
  /// @param parameters all values, natural scale, in the order of their names
  public record Step(
      int iteration,
      int evaluations,
      double objective,
      double gradientNorm,
      List<Double> parameters) {

    public Step {
      parameters = List.copyOf(parameters);
    }
  }

  /// The steps of an optimiser over the free parameters of some hyperparameters.
  public static List<Step> trace(Hyperparameters form, Optimum optimum) {
    return optimum.trace().stream()
        .map(
            s -> {
              double[] x = s.x().stream().mapToDouble(Double::doubleValue).toArray();
              List<Double> values = Arrays.stream(form.fromFree(x).values()).boxed().toList();
              return new Step(s.iteration(), s.evaluations(), s.value(), s.gradientNorm(), values);
            })
        .toList();
  }

  static TrainingReport of(
      String engine, Hyperparameters form, Optimum optimum, int starts, long begin) {
    return new TrainingReport(
        engine,
        optimum.reason(),
        form.names(),
        trace(form, optimum),
        optimum.iterations(),
        optimum.evaluations(),
        starts,
        optimum.converged(),
        optimum.cancelled(),
        optimum.timeUp(),
        (System.nanoTime() - begin) * 1e-9);
  }

  static TrainingReport untrained(String engine, long begin) {
    return new TrainingReport(
        engine,
        "every parameter is fixed",
        List.of(),
        List.of(),
        0,
        1,
        0,
        true,
        false,
        false,
        (System.nanoTime() - begin) * 1e-9);
  }
}
