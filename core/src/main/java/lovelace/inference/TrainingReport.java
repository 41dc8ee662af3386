package lovelace.inference;

import java.util.List;
import lovelace.optimize.Optimum;

/// How a training went.
///
/// @param engine which engine evaluated the likelihood
/// @param reason why the optimiser stopped
/// @param trace every accepted step of the winning run: objective (minus the log posterior),
///   gradient norm, free parameters
/// @param iterations the winning run's steps
/// @param evaluations the winning run's likelihoods
/// @param starts how many runs there were
/// @param converged whether the winning run converged
/// @param cancelled whether training was cancelled
/// @param seconds wall time of all runs
public record TrainingReport(
    String engine,
    String reason,
    List<Optimum.Step> trace,
    int iterations,
    int evaluations,
    int starts,
    boolean converged,
    boolean cancelled,
    double seconds) {

  static TrainingReport of(String engine, Optimum optimum, int starts, long begin) {
    return new TrainingReport(
        engine,
        optimum.reason(),
        optimum.trace(),
        optimum.iterations(),
        optimum.evaluations(),
        starts,
        optimum.converged(),
        optimum.cancelled(),
        (System.nanoTime() - begin) * 1e-9);
  }

  static TrainingReport untrained(String engine, long begin) {
    return new TrainingReport(
        engine,
        "every parameter is fixed",
        List.of(),
        0,
        1,
        0,
        true,
        false,
        (System.nanoTime() - begin) * 1e-9);
  }
}
