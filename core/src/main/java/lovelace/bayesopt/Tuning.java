package lovelace.bayesopt;

import lovelace.bayesopt.surrogate.Surrogates;

/// Options of a [Tuner].
///
/// @param maximize whether large values are good
/// @param acquisition the rule that chooses the next point
/// @param surrogates which model of the objective is used
/// @param initial the number of evaluations at evenly spread points before the model is used
/// @param noise the standard deviation of the noise of an evaluation; 0 for a noiseless objective,
///   NaN to learn it
/// @param constraints the number of further outputs that must be at most 0
/// @param budget the number of evaluations after which the search has finished
/// @param improvement the search has finished once the expected improvement, in the unit of the
///   objective, is below this; 0 to continue
/// @param relearn the parameters are learned again when the number of observations has grown by
///   this fraction
/// @param retries how often a point is asked for again if its evaluation fails
/// @param seed determines everything that is random
public record Tuning(
    boolean maximize,
    Acquisition acquisition,
    Surrogates surrogates,
    int initial,
    double noise,
    int constraints,
    int budget,
    double improvement,
    double relearn,
    int retries,
    long seed) {

  /// Minimises by max-value entropy search after 10 spread points, and learns the noise. It has no
  /// budget, and learns the parameters again when the number of observations has grown by 5 %. A
  /// point whose evaluation fails is asked for once more.
  public static final Tuning DEFAULT =
      new Tuning(
          false,
          Acquisition.MES,
          Surrogates.DEFAULT,
          10,
          Double.NaN,
          0,
          Integer.MAX_VALUE,
          0,
          0.05,
          1,
          1);

  public Tuning {
    if (initial < 2) throw new IllegalArgumentException("initial must be >= 2, got " + initial);
    if (noise < 0 || noise == Double.POSITIVE_INFINITY)
      throw new IllegalArgumentException("noise must be >= 0, or NaN to learn it, got " + noise);
    if (constraints < 0)
      throw new IllegalArgumentException("constraints must be >= 0, got " + constraints);
    if (budget < 1) throw new IllegalArgumentException("budget must be >= 1, got " + budget);
    if (!(improvement >= 0))
      throw new IllegalArgumentException("improvement must be >= 0, got " + improvement);
    if (!(relearn >= 0)) throw new IllegalArgumentException("relearn must be >= 0, got " + relearn);
    if (retries < 0) throw new IllegalArgumentException("retries must be >= 0, got " + retries);
  }

  public Tuning withMaximize(boolean value) {
    return new Tuning(
        value,
        acquisition,
        surrogates,
        initial,
        noise,
        constraints,
        budget,
        improvement,
        relearn,
        retries,
        seed);
  }

  public Tuning withAcquisition(Acquisition value) {
    return new Tuning(
        maximize,
        value,
        surrogates,
        initial,
        noise,
        constraints,
        budget,
        improvement,
        relearn,
        retries,
        seed);
  }

  public Tuning withSurrogates(Surrogates value) {
    return new Tuning(
        maximize,
        acquisition,
        value,
        initial,
        noise,
        constraints,
        budget,
        improvement,
        relearn,
        retries,
        seed);
  }

  public Tuning withInitial(int value) {
    return new Tuning(
        maximize,
        acquisition,
        surrogates,
        value,
        noise,
        constraints,
        budget,
        improvement,
        relearn,
        retries,
        seed);
  }

  /// Sets the standard deviation of the noise; 0 for none, NaN to learn it.
  public Tuning withNoise(double value) {
    return new Tuning(
        maximize,
        acquisition,
        surrogates,
        initial,
        value,
        constraints,
        budget,
        improvement,
        relearn,
        retries,
        seed);
  }

  public Tuning withConstraints(int value) {
    return new Tuning(
        maximize,
        acquisition,
        surrogates,
        initial,
        noise,
        value,
        budget,
        improvement,
        relearn,
        retries,
        seed);
  }

  public Tuning withBudget(int value) {
    return new Tuning(
        maximize,
        acquisition,
        surrogates,
        initial,
        noise,
        constraints,
        value,
        improvement,
        relearn,
        retries,
        seed);
  }

  public Tuning withImprovement(double value) {
    return new Tuning(
        maximize,
        acquisition,
        surrogates,
        initial,
        noise,
        constraints,
        budget,
        value,
        relearn,
        retries,
        seed);
  }

  public Tuning withRelearn(double value) {
    return new Tuning(
        maximize,
        acquisition,
        surrogates,
        initial,
        noise,
        constraints,
        budget,
        improvement,
        value,
        retries,
        seed);
  }

  /// Sets how often a point is asked for again if its evaluation fails.
  public Tuning withRetries(int value) {
    return new Tuning(
        maximize,
        acquisition,
        surrogates,
        initial,
        noise,
        constraints,
        budget,
        improvement,
        relearn,
        value,
        seed);
  }

  public Tuning withSeed(long value) {
    return new Tuning(
        maximize,
        acquisition,
        surrogates,
        initial,
        noise,
        constraints,
        budget,
        improvement,
        relearn,
        retries,
        value);
  }
}
