package lovelace.laplace;

import java.util.Arrays;
import java.util.Optional;
import lovelace.kernel.Hyperparameters;
import lovelace.posterior.Posterior;

/// What a model knows of Laplace's approximation besides its posterior, which is that of working
/// observations.
///
/// @param hyperparameters with the likelihood's parameters
/// @param data what was observed, where it can be added to: the model holds its rows, or all lie on
///   nodes of its lattice
/// @param noise the posterior of the log of the noise's deviation, where that varies
/// @param rows how many rows were observed
/// @param steps how many Newton steps led to the mode
/// @param residual the length of the last step, in posterior standard deviations
/// @param window of a model of the intensity of events, whose observations are the counts of its
///   cells
public record Fitted(
    Hyperparameters hyperparameters,
    Optional<Observations> data,
    Optional<Posterior> noise,
    long rows,
    int steps,
    double residual,
    Optional<Window> window) {

  /// The same of the counts of a window's cells, or of no window.
  public Fitted of(Optional<Window> other) {
    return new Fitted(hyperparameters, data, noise, rows, steps, residual, other);
  }

  /// How many rows of its table a model stands for: events, where cells count them.
  public long tableRows() {
    return window.isEmpty() ? rows : Math.round(Arrays.stream(data.orElseThrow().values()).sum());
  }
}
