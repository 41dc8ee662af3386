package lovelace.bayesopt.surrogate;

import java.util.Arrays;
import lovelace.grid.Grid;

/// The weights with which points in the plane are interpolated from a grid: the first grid index,
/// four weights and their slopes along each axis.
final class GridWeights {

  private static final double ON_GRID = 1e-12;

  final int[] base; // 2 per point
  final double[] weight; // 2 × 4 per point
  final double[] slope;
  final int[] node; // on the grid: which of the four along each axis, else −1

  private GridWeights(int[] base, double[] weight, double[] slope, int[] node) {
    this.base = base;
    this.weight = weight;
    this.slope = slope;
    this.node = node;
  }

  GridWeights(Grid grid, double[] x, int count) {
    this(new int[2 * count], new double[8 * count], new double[8 * count], new int[2 * count]);
    int[] index = new int[16];
    double[] w = new double[16];
    double[] gradient = new double[32];
    int q = grid.axis(1).points();
    for (int i = 0; i < count; i++) {
      if (!grid.stencilGradient(x, 2 * i, index, w, gradient))
        throw new IllegalArgumentException(
            "a point lies outside the unit square: %s, %s".formatted(x[2 * i], x[2 * i + 1]));
      base[2 * i] = index[0] / q;
      base[2 * i + 1] = index[0] % q;
      // the weights of an axis add up to one, its slopes to zero
      for (int k = 0; k < 16; k++) {
        weight[8 * i + k / 4] += w[k];
        weight[8 * i + 4 + k % 4] += w[k];
        slope[8 * i + k / 4] += gradient[k];
        slope[8 * i + 4 + k % 4] += gradient[16 + k];
      }
      for (int a = 0; a < 2; a++) {
        node[2 * i + a] = -1;
        for (int k = 0; k < 4; k++)
          if (Math.abs(weight[8 * i + 4 * a + k] - 1) < ON_GRID) node[2 * i + a] = k;
      }
    }
  }

  boolean onGrid(int i) {
    return node[2 * i] >= 0 && node[2 * i + 1] >= 0;
  }

  GridWeights and(GridWeights other) {
    return new GridWeights(
        joined(base, other.base),
        joined(weight, other.weight),
        joined(slope, other.slope),
        joined(node, other.node));
  }

  private static int[] joined(int[] a, int[] b) {
    int[] all = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, all, a.length, b.length);
    return all;
  }

  private static double[] joined(double[] a, double[] b) {
    double[] all = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, all, a.length, b.length);
    return all;
  }
}
