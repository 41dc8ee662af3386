package lovelace.deep;

/// The state of training after a step.
///
/// @param phase the phase of training
/// @param step the number of the step in its phase, from 1
/// @param of the largest number of steps in the phase
/// @param objective in the warm-up, the mean squared error of its last batches in units of the
///   target's variance; in joint steps, minus the log posterior density per training row
/// @param heldOutNlpd the NLPD of the held-out rows, with the noise that fits them best; NaN if
///   there are none
/// @param heldOutRmse the root mean squared error of the held-out rows; NaN if there are none
/// @param networkSeconds the time of the forward and backward pass of the network and of its
///   update, in this phase so far
/// @param processSeconds the time of everything else in the steps: statistics, engine, gradient at
///   the features
public record Step(
    Phase phase,
    int step,
    int of,
    double objective,
    double heldOutNlpd,
    double heldOutRmse,
    double networkSeconds,
    double processSeconds) {

  /// The phases of training.
  public enum Phase {
    WARM_UP,
    JOINT
  }

  /// Receives every scored step. If it returns false, training ends with the best parameters so
  /// far.
  @FunctionalInterface
  public interface Watcher {
    /// Ignores every step.
    Watcher NONE = step -> true;

    boolean accept(Step step);
  }
}
