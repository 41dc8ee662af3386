package lovelace.deep;

import lovelace.optimize.Adam.Schedule;

/// How a deep kernel learns.
///
/// The *warm-up* comes first: the network alone, with a linear output, fits the target by least
/// squares in small batches. Then come the *joint* steps: network, kernel, noise and mean follow
/// the gradient of the marginal likelihood of all training rows. Both phases keep the parameters
/// with the best negative log predictive density (NLPD) of the held-out rows, and stop if it has
/// not improved for long.
///
/// @param warmUp the largest number of warm-up steps; 0 for none
/// @param batch the number of rows in a warm-up step
/// @param warmUpRate the learning rate of the warm-up
/// @param steps the largest number of joint steps; 0 for none
/// @param networkRate the learning rate of the network in joint steps
/// @param processRate the learning rate of kernel, noise and mean, whose positive parameters move
///   on a log scale
/// @param schedule how rates change over a phase
/// @param weightDecay the fraction of the learning rate by which weights shrink in a step
/// @param clip the largest length of the gradient of the objective per row; longer gradients are
///   cut
/// @param patience the number of successive scorings without a better NLPD after which a phase ends
/// @param scoring the number of warm-up steps between scorings; every joint step is scored
/// @param heldOut the fraction of rows held out, which decide when to stop and are used to
///   calibrate; 0 for none
/// @param seed the seed for the start, the held-out rows, batches and dropout
public record Settings(
    int warmUp,
    int batch,
    double warmUpRate,
    int steps,
    double networkRate,
    double processRate,
    Schedule schedule,
    double weightDecay,
    double clip,
    int patience,
    int scoring,
    double heldOut,
    long seed) {

  public static final Settings DEFAULT =
      new Settings(4000, 64, 1e-3, 100, 1e-4, 0.03, Schedule.COSINE, 1, 1, 30, 100, 0.1, 1);

  public Settings {
    require(warmUp >= 0, "warmUp", warmUp, ">= 0");
    require(batch >= 1, "batch", batch, ">= 1");
    require(warmUpRate > 0, "warmUpRate", warmUpRate, "> 0");
    require(steps >= 0, "steps", steps, ">= 0");
    require(networkRate >= 0, "networkRate", networkRate, ">= 0");
    require(processRate >= 0, "processRate", processRate, ">= 0");
    require(weightDecay >= 0, "weightDecay", weightDecay, ">= 0");
    require(clip > 0, "clip", clip, "> 0");
    require(patience >= 1, "patience", patience, ">= 1");
    require(scoring >= 1, "scoring", scoring, ">= 1");
    require(heldOut >= 0 && heldOut <= 0.5, "heldOut", heldOut, "between 0 and 0.5");
  }

  private static void require(boolean holds, String name, Object value, String rule) {
    if (!holds)
      throw new IllegalArgumentException("%s must be %s, got %s".formatted(name, rule, value));
  }

  public Settings withWarmUp(int most, int rows, double rate) {
    return new Settings(
        most,
        rows,
        rate,
        steps,
        networkRate,
        processRate,
        schedule,
        weightDecay,
        clip,
        patience,
        scoring,
        heldOut,
        seed);
  }

  public Settings withSteps(int value) {
    return new Settings(
        warmUp,
        batch,
        warmUpRate,
        value,
        networkRate,
        processRate,
        schedule,
        weightDecay,
        clip,
        patience,
        scoring,
        heldOut,
        seed);
  }

  public Settings withRates(double network, double process) {
    return new Settings(
        warmUp,
        batch,
        warmUpRate,
        steps,
        network,
        process,
        schedule,
        weightDecay,
        clip,
        patience,
        scoring,
        heldOut,
        seed);
  }

  public Settings withSchedule(Schedule value) {
    return new Settings(
        warmUp,
        batch,
        warmUpRate,
        steps,
        networkRate,
        processRate,
        value,
        weightDecay,
        clip,
        patience,
        scoring,
        heldOut,
        seed);
  }

  public Settings withWeightDecay(double value) {
    return new Settings(
        warmUp,
        batch,
        warmUpRate,
        steps,
        networkRate,
        processRate,
        schedule,
        value,
        clip,
        patience,
        scoring,
        heldOut,
        seed);
  }

  public Settings withClip(double value) {
    return new Settings(
        warmUp,
        batch,
        warmUpRate,
        steps,
        networkRate,
        processRate,
        schedule,
        weightDecay,
        value,
        patience,
        scoring,
        heldOut,
        seed);
  }

  public Settings withPatience(int value, int every) {
    return new Settings(
        warmUp,
        batch,
        warmUpRate,
        steps,
        networkRate,
        processRate,
        schedule,
        weightDecay,
        clip,
        value,
        every,
        heldOut,
        seed);
  }

  public Settings withHeldOut(double share) {
    return new Settings(
        warmUp,
        batch,
        warmUpRate,
        steps,
        networkRate,
        processRate,
        schedule,
        weightDecay,
        clip,
        patience,
        scoring,
        share,
        seed);
  }

  public Settings withSeed(long value) {
    return new Settings(
        warmUp,
        batch,
        warmUpRate,
        steps,
        networkRate,
        processRate,
        schedule,
        weightDecay,
        clip,
        patience,
        scoring,
        heldOut,
        value);
  }
}
