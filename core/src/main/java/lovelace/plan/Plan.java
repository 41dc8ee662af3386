package lovelace.plan;

/// How a model is to be computed. Updates and merges follow it.
///
/// @param engine the engine that was asked for; `AUTO` where it is chosen, also anew by an update
/// @param tolerance the relative error of variances that was asked for
/// @param seed for what is random
public record Plan(Engine engine, double tolerance, long seed) {

  public Plan {
    if (!(tolerance > 0 && tolerance < 1))
      throw new IllegalArgumentException("tolerance must lie between 0 and 1, got " + tolerance);
  }
}
