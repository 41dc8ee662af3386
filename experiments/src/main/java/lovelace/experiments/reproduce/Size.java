package lovelace.experiments.reproduce;

import lovelace.experiments.WarmMedian;

/// The size of a run: that of the paper, one for a reader's two minutes, or one for a test's
/// seconds.
///
/// @param name the name in the results
/// @param rows the most rows of the largest set
/// @param exactRows the most rows for an exact process
/// @param axis grid points an axis in two dimensions
/// @param line grid points in one dimension
/// @param samplePoints points of a joint sample
/// @param samples draws of it
/// @param repeats how many measurements of a covariance error are averaged
/// @param queries evaluations of a search
/// @param maxima draws of a maximum
/// @param iterationPoints test points at which the error is measured after each number of
///   iterations
/// @param warmup seconds to warm a measurement up
/// @param networkSteps steps of the network's warm-up
/// @param jointSteps joint steps of network and process
/// @param network the sizes of its layers
/// @param ladder the number of sizes at which a complexity is measured
public record Size(
    String name,
    int rows,
    int exactRows,
    int axis,
    int line,
    int samplePoints,
    int samples,
    int repeats,
    int queries,
    int maxima,
    int iterationPoints,
    double warmup,
    int networkSteps,
    int jointSteps,
    Network network,
    int ladder) {

  /// The layers of a network, from the first hidden one to the features.
  public enum Network {
    PAPER,
    SMALL;

    int[] layers() {
      return this == PAPER ? new int[] {1000, 500, 50, 2} : new int[] {64, 32, 2};
    }
  }

  public static final Size FULL =
      new Size(
          "full",
          Integer.MAX_VALUE,
          16_000,
          100,
          10_000,
          10_000,
          1000,
          100,
          100,
          2000,
          48,
          0.3,
          800,
          12,
          Network.PAPER,
          5);

  public static final Size QUICK =
      new Size(
          "quick",
          2000,
          2000,
          64,
          2000,
          1000,
          300,
          20,
          30,
          500,
          24,
          0.02,
          150,
          2,
          Network.SMALL,
          3);

  /// For tests.
  static final Size TRIAL =
      new Size("trial", 200, 200, 24, 400, 150, 100, 1, 12, 50, 6, 0, 20, 1, Network.SMALL, 2);

  /// The same with joint samples at `points` points.
  public Size withSamplePoints(int points) {
    if (!(points >= 100 && points <= 20_000))
      throw new IllegalArgumentException(
          "the points of a sample must be 100 to 20,000, got " + points);
    return new Size(
        name,
        rows,
        exactRows,
        axis,
        line,
        points,
        samples,
        repeats,
        queries,
        maxima,
        iterationPoints,
        warmup,
        networkSteps,
        jointSteps,
        network,
        ladder);
  }

  /// A clock for measurements of this size.
  WarmMedian clock() {
    return new WarmMedian(warmup, full() ? 1 : 0.1);
  }

  boolean full() {
    return name.equals(FULL.name);
  }
}
