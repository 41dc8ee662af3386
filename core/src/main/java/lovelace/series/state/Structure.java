package lovelace.series.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Which states a long series has, with their variances and memories to be learned: a level that
/// walks, deviations that fade, and seasons that change by fading around those that stay.
///
/// Parameters are logarithms: the variance of the walk a step; variance and memory in steps of each
/// deviation; variance and memory in periods of each season. Variances are relative to the noise.
///
/// @param walk whether the level walks
/// @param memories where the search for the memory of each deviation starts, in steps
/// @param periods of the seasons that change
@SuppressWarnings("ArrayRecordComponent")
record Structure(boolean walk, double[] memories, double[] periods) {

  /// The most harmonics of a season that changes.
  private static final int HARMONICS = 10;

  private static final double FIRST_WALK = 1e-3, FIRST_DEVIATION = 0.5, FIRST_SEASON = 0.2;

  private static final double FIRST_PERIODS = 10;

  /// The standard deviations of the priors of variances and memories, on the logarithmic scale.
  private static final double WIDTH = 3, MEMORY_WIDTH = 1.5;

  /// The number of parameters.
  int size() {
    return (walk ? 1 : 0) + 2 * memories.length + 2 * periods.length;
  }

  /// The parameters at which a search starts, which are the centres of their priors.
  double[] start() {
    double[] x = new double[size()];
    int i = 0;
    if (walk) x[i++] = Math.log(FIRST_WALK);
    for (double memory : memories) {
      x[i++] = Math.log(FIRST_DEVIATION);
      x[i++] = Math.log(memory);
    }
    for (int s = 0; s < periods.length; s++) {
      x[i++] = Math.log(FIRST_SEASON);
      x[i++] = Math.log(FIRST_PERIODS);
    }
    return x;
  }

  /// Adds minus the logarithm of the prior to a loss, and its slopes to the gradient.
  double prior(double[] x, double[] gradient) {
    double[] centre = start();
    double loss = 0;
    for (int i = 0; i < x.length; i++) {
      boolean memory = (i - (walk ? 1 : 0)) % 2 == 1 && i > 0;
      double width = memory ? MEMORY_WIDTH : WIDTH;
      double d = (x[i] - centre[i]) / width;
      loss += 0.5 * d * d;
      gradient[i] += d / width;
    }
    return loss;
  }

  /// The states for some parameters.
  Chain chain(double[] x, boolean whole) {
    List<Block> blocks = new ArrayList<>();
    List<Integer> terms = new ArrayList<>();
    int i = 0;
    if (walk) {
      blocks.add(new Block.Walk(Math.exp(x[i++])));
      terms.add(Chain.LEVEL);
    }
    for (int m = 0; m < memories.length; m++) {
      blocks.add(new Block.Fading(Math.exp(x[i]), Math.exp(-x[i + 1])));
      terms.add(Chain.DEVIATION);
      i += 2;
    }
    for (double period : periods) {
      double[] w = shares(period);
      for (int j = 1; j < w.length; j++) {
        double angle = 2 * Math.PI * j / period;
        blocks.add(
            new Block.Turning(angle, Math.exp(x[i]) * w[j], Math.exp(-x[i + 1]) / period, 0));
        terms.add(Chain.SEASON);
      }
      i += 2;
    }
    return new Chain(blocks, terms, whole);
  }

  /// How the variance of a season is divided among its harmonics: `1/(1 + j²)`.
  private static double[] shares(double period) {
    int most = Math.min(HARMONICS, (int) Math.ceil(period / 2) - 1);
    double[] w = new double[Math.max(most, 1) + 1];
    for (int j = 1; j < w.length; j++) w[j] = 1. / (1 + j * j);
    double sum = Arrays.stream(w).sum();
    for (int j = 1; j < w.length; j++) w[j] /= sum;
    return w;
  }

  /// The number of states.
  int states() {
    return chain(start(), true).size;
  }
}
