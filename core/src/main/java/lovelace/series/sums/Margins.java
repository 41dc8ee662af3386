package lovelace.series.sums;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.linear.Blas;
import lovelace.linear.Gaussian;
import lovelace.series.Outlook;

/// The base forecast of one series as sorted draws of each step, and how its steps depend on each
/// other.
final class Margins {

  /// The quantiles between which draws are interpolated, at equal distances of normal scores.
  private static final int NODES = 49;

  /// The paths that tell how steps depend on each other.
  private static final int PATHS = 100;

  /// The part of the correlations between steps that is taken off, so that few paths give a matrix
  /// that can be factorised.
  private static final double OFF = 0.02;

  private final double[][] sorted; // by step, then rank
  private final double[] width; // by step
  private final boolean whole;
  private final double[] factor; // steps × steps
  private final int steps;

  /// @param first the step of the base forecast that comes first
  Margins(Outlook base, int first, int steps, int draws, SplittableRandom random) {
    this.steps = steps;
    sorted = new double[steps][];
    width = new double[steps];
    double far = Gaussian.quantile(1 - 0.5 / draws);
    double[] z = new double[NODES];
    double[] levels = new double[NODES];
    for (int g = 0; g < NODES; g++) {
      z[g] = far * (2. * g / (NODES - 1) - 1);
      levels[g] = Gaussian.cdf(z[g]);
    }
    double[][] nodes = new double[steps][];
    boolean all = true;
    for (int k = 0; k < steps; k++) {
      nodes[k] = base.quantiles(first + k, levels);
      all &= Arrays.stream(nodes[k]).allMatch(q -> q == Math.rint(q));
    }
    whole = all;
    double[] ranks = new double[draws];
    for (int d = 0; d < draws; d++) ranks[d] = (d + 0.5) / draws;
    for (int k = 0; k < steps; k++) {
      sorted[k] = whole ? base.quantiles(first + k, ranks) : between(nodes[k], z, ranks);
      double half = at(sorted[k], 0.84) - at(sorted[k], 0.16);
      double sd = Math.sqrt(Math.max(0, variance(sorted[k])));
      width[k] = half > 0 ? half / 2 : sd;
    }
    factor = factor(base, first, random);
  }

  private static double at(double[] sorted, double level) {
    return sorted[(int) (level * (sorted.length - 1))];
  }

  private static double variance(double[] values) {
    double mean = Arrays.stream(values).average().orElse(0);
    return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElse(0);
  }

  private static double[] between(double[] nodes, double[] z, double[] ranks) {
    double[] values = new double[ranks.length];
    int g = 0;
    for (int d = 0; d < values.length; d++) {
      double x = Gaussian.quantile(ranks[d]);
      while (g < z.length - 2 && z[g + 1] < x) g++;
      double share = Math.clamp((x - z[g]) / (z[g + 1] - z[g]), 0, 1);
      values[d] = nodes[g] + share * (nodes[g + 1] - nodes[g]);
    }
    return values;
  }

  /// The Cholesky factor of the correlations between the normal scores of steps.
  private double[] factor(Outlook base, int first, SplittableRandom random) {
    double[] c = new double[steps * steps];
    for (int k = 0; k < steps; k++) c[k * steps + k] = 1;
    if (steps == 1) return c;
    int count = Math.max(PATHS, 2 * steps);
    double[][] paths = base.paths(count, random);
    double[][] scores = new double[steps][count];
    for (int k = 0; k < steps; k++) {
      double[] values = new double[count];
      for (int p = 0; p < count; p++) values[p] = paths[p][first + k];
      int[] order = order(values);
      for (int r = 0; r < count; r++) scores[k][order[r]] = Gaussian.quantile((r + 0.5) / count);
    }
    for (int k = 0; k < steps; k++)
      for (int l = 0; l < k; l++)
        c[k * steps + l] =
            (1 - OFF)
                * Blas.dot(count, scores[k], 0, scores[l], 0)
                / Math.sqrt(
                    Blas.dot(count, scores[k], 0, scores[k], 0)
                        * Blas.dot(count, scores[l], 0, scores[l], 0));
    int pivot = Blas.potrf(steps, c, 0, steps);
    if (pivot != 0) throw new IllegalStateException("correlations have pivot " + pivot + " ≤ 0");
    return c;
  }

  /// The places of values from the smallest to the largest; equal ones in their order.
  static int[] order(double[] values) {
    return IntStream.range(0, values.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> values[i]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /// Whether all values are whole numbers.
  boolean isWhole() {
    return whole;
  }

  /// Half the width of two thirds of the draws at a step.
  double width(int step) {
    return width[step];
  }

  /// The smallest draw at a step.
  double least(int step) {
    return sorted[step][0];
  }

  /// Puts the sorted values of every step in the order of scores that depend on each other as the
  /// steps do (Schaake shuffle, Clark et al. 2004).
  ///
  /// @param innovations by step, then draw
  /// @return by step, then draw
  float[][] shuffled(double[][] innovations) {
    int draws = sorted[0].length;
    float[][] result = new float[steps][draws];
    double[] score = new double[draws];
    for (int k = 0; k < steps; k++) {
      Arrays.fill(score, 0);
      for (int l = 0; l <= k; l++)
        Blas.axpy(draws, factor[k * steps + l], innovations[l], 0, score, 0);
      int[] order = order(score);
      for (int r = 0; r < draws; r++) result[k][order[r]] = (float) sorted[k][r];
    }
    return result;
  }
}
