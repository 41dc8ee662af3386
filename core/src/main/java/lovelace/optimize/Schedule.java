package lovelace.optimize;

/// How a learning rate changes over a run.
@FunctionalInterface
public interface Schedule {

  /// Always the full rate.
  Schedule CONSTANT = progress -> 1;

  /// Half a cosine, from the full rate to zero.
  Schedule COSINE = progress -> 0.5 * (1 + Math.cos(Math.PI * progress));

  /// A tenth of the rate after half of the run, a hundredth after three quarters.
  Schedule STEPS = progress -> progress < 0.5 ? 1 : progress < 0.75 ? 0.1 : 0.01;

  /// The factor on the rate after the given part of the run, from 0 (included) to 1 (excluded).
  double factor(double progress);
}
