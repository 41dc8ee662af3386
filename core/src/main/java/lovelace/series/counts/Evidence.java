package lovelace.series.counts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The evidence of one series about the points of a library.
///
/// @param evidence the log predictive mass of the values, each before it was seen
/// @param score the same of whole horizons at earlier origins
/// @param held the same before values that are held out, and the masses of these
@SuppressWarnings("ArrayRecordComponent")
record Evidence(double[] evidence, double[] score, List<Held> held) {

  /// How many earlier origins are scored.
  private static final int ORIGINS = 4;

  /// How many times the last values are held out, a horizon apart.
  private static final int HELD = 3;

  /// At most as many steps of a horizon are scored, at equal distances.
  private static final int SCORED = 16;

  /// At most as many last values make the evidence.
  private static final int COUNTED = 200;

  /// The fewest values before an origin.
  private static final int LEAST = 4;

  private static final double NEVER = -600;

  /// Values held out after an origin.
  ///
  /// @param mass by step and point, relative to the largest of the step
  /// @param top the logarithm of the largest, by step
  record Held(double[] evidence, double[] score, double[][] mass, double[] top) {}

  /// Reads a series by fresh tracks.
  ///
  /// @param y NaN is a gap
  /// @param learning whether to hold out the last values
  static Evidence of(Track[] tracks, double[] y, int horizon, boolean learning, int longest) {
    int n = y.length;
    int possible = Math.max(0, (n - LEAST) / horizon);
    int times = learning ? Math.min(HELD, possible) : 0;
    int origins = Math.min(possible, ORIGINS + times);
    int from = Math.min(n / 4, Math.max(10, 2 * longest));
    from = Math.max(from, n - times * horizon - COUNTED);
    int size = tracks.length;
    double[][] before = new double[origins + 1][size];
    double[][] scores = new double[origins + 1][size];
    double[][][] logs = new double[times + 1][0][];
    for (int o = 1; o <= times; o++) logs[o] = new double[horizon][size];
    int stride = (horizon + SCORED - 1) / SCORED;
    for (int j = 0; j < size; j++) {
      Track track = tracks[j];
      double sum = 0;
      for (int t = 0; t < n; t++) {
        int o = (n - t) % horizon == 0 ? (n - t) / horizon : 0;
        if (o > 0 && o <= origins) {
          before[o][j] = sum;
          Future ahead = track.ahead(horizon);
          boolean all = o <= times;
          for (int k = 0; k < horizon; k++) {
            if ((!all && k % stride != 0) || Double.isNaN(y[t + k])) continue;
            double log = Math.max(ahead.log(k, y[t + k]), NEVER);
            if (k % stride == 0) scores[o][j] += stride * log;
            if (all) logs[o][k][j] = log;
          }
        }
        if (t >= from && !Double.isNaN(y[t])) sum += Math.max(track.log(y[t]), NEVER);
        track.step(y[t]);
      }
      before[0][j] = sum;
    }
    List<Held> held = new ArrayList<>();
    for (int o = 1; o <= times; o++)
      held.add(held(before[o], total(scores, o + 1), y, n - o * horizon, logs[o]));
    return new Evidence(before[0], total(scores, 1), held);
  }

  /// The sum of the scores of some origins.
  private static double[] total(double[][] scores, int first) {
    double[] sum = new double[scores[0].length];
    for (int o = first; o < Math.min(scores.length, first + ORIGINS); o++)
      for (int j = 0; j < sum.length; j++) sum[j] += scores[o][j];
    return sum;
  }

  private static Held held(
      double[] evidence, double[] score, double[] y, int first, double[][] logs) {
    List<double[]> mass = new ArrayList<>();
    List<Double> top = new ArrayList<>();
    for (int k = 0; k < logs.length; k++) {
      if (Double.isNaN(y[first + k])) continue;
      double largest = Arrays.stream(logs[k]).max().orElse(0);
      mass.add(Arrays.stream(logs[k]).map(log -> Math.exp(log - largest)).toArray());
      top.add(largest);
    }
    return new Held(
        evidence,
        score,
        mass.toArray(double[][]::new),
        top.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
