package lovelace.bayesopt;

import lovelace.bayesopt.surrogate.Surrogates;

/// How a [Tuner] searches.
///
/// @param maximize whether large values are good
/// @param acquisition what makes a point worth evaluating
/// @param surrogates which model of the objective is kept
/// @param initial evaluations at evenly spread points before the model is asked
/// @param noise the standard deviation of the noise of an evaluation; 0 for a noiseless objective,
///   NaN to learn it
/// @param constraints how many further outputs must be at most 0
/// @param budget evaluations after which the search has finished
/// @param improvement the expected improvement, in the objective's units, below which it has
///   finished; 0 to go on
/// @param relearn hyperparameters are learned anew when the observations have grown by this share
/// @param seed the number all chance follows from
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
    long seed) {

  /// Minimises by max-value entropy search, after 10 spread points, learning the noise; no end;
  /// relearns when the observations have grown by 5 %.
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
        seed);
  }

  /// The standard deviation of the noise; 0 for none, NaN to learn it.
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
        value);
  }
}
