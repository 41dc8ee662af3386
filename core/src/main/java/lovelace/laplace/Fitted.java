package lovelace.laplace;

import java.util.Arrays;
import java.util.Optional;
import lovelace.kernel.Hyperparameters;
import lovelace.posterior.Posterior;

/// The facts about Laplace's approximation that a model keeps besides its posterior, which is that
/// of working observations.
///
/// @param hyperparameters with the likelihood's parameters
/// @param data the observations, if they can be added to: the model holds its rows, or all lie on
///   nodes of its lattice
/// @param noise the posterior of the log of the noise's deviation, if that varies
/// @param rows the number of observed rows
/// @param steps the number of Newton steps to the mode
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

  /// The same for the counts of a window's cells, or for no window.
  public Fitted of(Optional<Window> other) {
    return new Fitted(hyperparameters, data, noise, rows, steps, residual, other);
  }

  /// The number of rows of its table that a model represents. If cells count events, it is the
  /// number of events.
  public long tableRows() {
    return window.isEmpty() ? rows : Math.round(Arrays.stream(data.orElseThrow().values()).sum());
  }
}
