package lovelace.sparse;

import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.statistics.GridStatistics;
import org.jspecify.annotations.Nullable;

/// The sums of rows by nodes, if each row lies on a node. Then G is diagonal, and its entries are
/// the weights of the nodes.
final class NodeData {

  /// Interpolation weights below this are due to rounding of a row's place.
  private static final double ROUNDING = 1e-9;

  /// Weights smaller than this share of the largest are rounding too.
  private static final double NOTHING = 1e-12;

  private final double[] weights;
  private final int observed;

  private NodeData(double[] weights, int observed) {
    this.weights = weights;
    this.observed = observed;
  }

  /// The sum of the weights of each node's rows, 0 if there are none. Not to be modified.
  double[] weights() {
    return weights;
  }

  /// The number of nodes with rows.
  int observed() {
    return observed;
  }

  /// The rows of the nodes; null if some row lies between nodes.
  static @Nullable NodeData of(GridStatistics statistics) {
    StencilMatrix gram = statistics.stencil();
    double[] own = gram.diagonal(0);
    for (int k = 1; k < gram.diagonalCount(); k++) {
      double[] diagonal = gram.diagonal(k);
      int shift = gram.shift(k);
      for (int i = 0; i + shift < own.length; i++)
        if (Math.abs(diagonal[i]) > ROUNDING * Math.max(own[i], own[i + shift])) return null;
    }
    double most = 0;
    for (double weight : own) most = Math.max(most, weight);
    double[] weights = new double[own.length];
    int observed = 0;
    for (int i = 0; i < own.length; i++)
      if (own[i] > NOTHING * most) {
        weights[i] = own[i];
        observed++;
      }
    return new NodeData(weights, observed);
  }

  /// The place of the node whose rows differ most among themselves.
  static double[] mostUnequal(GridStatistics statistics) {
    int d = statistics.grid().dimensions();
    int targets = (int) Math.round(Math.pow(7, d));
    int worst = 0;
    double most = -1;
    for (int c = 0; c < statistics.occupiedCells(); c++) {
      double[] sums = statistics.occupiedMoments(c);
      double scatter = sums[sums.length - 2] - sums[targets] * sums[targets] / sums[0];
      if (scatter > most) {
        most = scatter;
        worst = c;
      }
    }
    double[] averages = statistics.averages();
    Grid grid = statistics.grid();
    double[] place = new double[d];
    for (int a = 0; a < d; a++) {
      double step = grid.axis(a).step();
      double at = (averages[worst * (d + 1) + a] - grid.axis(a).origin()) / step;
      place[a] = grid.axis(a).at((int) Math.rint(at));
    }
    return place;
  }
}
