package lovelace.optimize;

/// Told of every accepted step of an optimiser.
@FunctionalInterface
public interface Progress {

  /// Listens to nothing, cancels nothing.
  Progress NONE = (iteration, value, gradientNorm, x) -> true;

  /// Iteration 0 is the start. `gradientNorm` is the largest entry of the projected gradient; x is
  /// the optimiser's own array: read, do not keep. Returning false cancels.
  boolean step(int iteration, double value, double gradientNorm, double[] x);
}
