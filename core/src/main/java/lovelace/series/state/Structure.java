package lovelace.series.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Which states a long series has, with their variances and memories to be learned: a level that
/// walks, its slope, deviations that fade, and seasons that change by fading around those that
/// stay.
///
/// Parameters are logarithms: the variance of the walk a step; the variance of the slope and its
/// memory in steps; variance and memory in steps of each deviation; variance and memory in periods
/// of each season. Variances are relative to the noise.
///
/// @param level how the level changes
/// @param memories where the search for the memory of each deviation starts, in steps
/// @param periods of the seasons that change
@SuppressWarnings("ArrayRecordComponent")
record Structure(Level level, double[] memories, double[] periods) {

  /// How a level changes, and the number of its parameters.
  enum Level {
    /// Not at all.
    FIXED(0),
    /// By independent steps.
    WALK(1),
    /// By steps, and by a slope that fades and changes.
    SLOPE(3);

    final int parameters;

    Level(int parameters) {
      this.parameters = parameters;
    }
  }

  /// The most harmonics of a season that changes.
  private static final int HARMONICS = 10;

  private static final double FIRST_WALK = 3e-3, FIRST_DEVIATION = 0.5, FIRST_SEASON = 0.2;
  private static final double FIRST_SLOPE = 1e-3, SLOPE_MEMORY = 10, PERIODS = 10;

  private static final double[] SHIFTS = {-2, 0, 2, 4, 6};

  /// The standard deviations of the priors of variances and memories, on the logarithmic scale.
  private static final double WIDTH = 3, MEMORY_WIDTH = 1.5;

  /// The number of parameters.
  int size() {
    return level.parameters + 2 * memories.length + 2 * periods.length;
  }

  /// The parameters at which a search starts, which are the centres of their priors.
  double[] start() {
    List<Double> x = new ArrayList<>();
    if (level != Level.FIXED) x.add(FIRST_WALK);
    if (level == Level.SLOPE) {
      x.add(FIRST_SLOPE);
      x.add(SLOPE_MEMORY);
    }
    for (double memory : memories) {
      x.add(FIRST_DEVIATION);
      x.add(memory);
    }
    for (int s = 0; s < periods.length; s++) {
      x.add(FIRST_SEASON);
      x.add(PERIODS);
    }
    return x.stream().mapToDouble(Math::log).toArray();
  }

  /// Adds minus the logarithm of the prior to a loss, and its slopes to the gradient.
  double prior(double[] x, double[] gradient) {
    double[] centre = start();
    int first = level == Level.FIXED ? 0 : 1; // then variances and memories in turn
    double loss = 0;
    for (int i = 0; i < x.length; i++) {
      double width = i >= first && (i - first) % 2 == 1 ? MEMORY_WIDTH : WIDTH;
      double d = (x[i] - centre[i]) / width;
      loss += 0.5 * d * d;
      gradient[i] += d / width;
    }
    return loss;
  }

  /// Parameters among which a short series chooses: all variances are larger by one factor.
  List<double[]> grid() {
    if (size() == 0) return List.of(start());
    int first = level == Level.FIXED ? 0 : 1;
    List<double[]> all = new ArrayList<>();
    for (double shift : SHIFTS) {
      double[] x = start();
      for (int i = 0; i < x.length; i++) if (i < first || (i - first) % 2 == 0) x[i] += shift;
      all.add(x);
    }
    return all;
  }

  /// The states for some parameters.
  Chain chain(double[] x, boolean whole) {
    List<Block> blocks = new ArrayList<>();
    List<Integer> terms = new ArrayList<>();
    int i = level.parameters;
    if (level == Level.WALK) blocks.add(new Block.Walk(Math.exp(x[0])));
    if (level == Level.SLOPE) {
      double damping = Math.exp(-Math.exp(-x[2]));
      double variance = Math.exp(x[1]);
      blocks.add(
          new Block.Sloping(Math.exp(x[0]), damping, variance * (1 - damping * damping), variance));
    }
    if (level != Level.FIXED) terms.add(Chain.LEVEL);
    for (int m = 0; m < memories.length; m++) {
      blocks.add(new Block.Fading(Math.exp(x[i]), Math.exp(-x[i + 1])));
      terms.add(Chain.DEVIATION);
      i += 2;
    }
    for (int s = 0; s < periods.length; s++) {
      double period = periods[s];
      double[] w = shares(period);
      for (int j = 1; j < w.length; j++) {
        double angle = 2 * Math.PI * j / period;
        blocks.add(
            new Block.Turning(angle, Math.exp(x[i]) * w[j], Math.exp(-x[i + 1]) / period, 0));
        terms.add(Chain.SEASON + s);
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
