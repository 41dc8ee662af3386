package lovelace.deep;

/// How training stands after a step.
///
/// @param phase what is being done
/// @param step the number of the step in its phase, from 1
/// @param of the most steps of the phase
/// @param objective of the warm-up the mean squared error of its last batches in units of the
///   target's variance; of joint steps minus the log posterior density per training row
/// @param heldOutNlpd the NLPD of the rows held out, with the noise that fits them best; NaN where
///   none are
/// @param heldOutRmse the root mean squared error of the rows held out; NaN where none are
/// @param networkSeconds what the network's forward and backward pass and its update took, in this
///   phase so far
/// @param processSeconds what all else of the steps took: statistics, engine, gradient at the
///   features
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

  /// Is told of every step that was scored; false ends training with the best so far.
  @FunctionalInterface
  public interface Watcher {
    /// Tells nobody.
    Watcher NONE = step -> true;

    boolean accept(Step step);
  }
}
