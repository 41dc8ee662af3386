package lovelace.sparse;

import lovelace.grid.Grid;
import lovelace.inference.LatticeProblem;
import lovelace.latticekernel.LatticeKernel;

/// The number of nodes that each node is regressed on.
final class NeighbourLadder {

  /// The numbers to choose from, ascending, for grids of one to three axes.
  private static final int[][] NEIGHBOURS = {
    {12, 24, 40}, {24, 40, 80}, {24, 40, 64, 80, 120, 160}
  };

  /// The start of the search for k: the divergence per node that corresponds to a relative error of
  /// variances, for grids of one to three axes.
  private static final double[] DIVERGENCE = {0.005, 0.005, 0.05};

  /// The largest divergence per node of a kernel for which this engine is suitable.
  private static final double CARRIED = 0.03;

  private NeighbourLadder() {}

  /// The number of nodes that each one is regressed on if nothing needs more.
  static int fewest(int dimensions) {
    return NEIGHBOURS[dimensions - 1][0];
  }

  /// The numbers to try on a grid, ascending.
  static int[] of(int dimensions) {
    return NEIGHBOURS[dimensions - 1];
  }

  /// Whether local regressions represent a kernel. They do if twice the number of neighbours hardly
  /// changes them.
  static boolean carries(LatticeKernel.Block block) {
    Grid grid = block.grid();
    int k = fewest(grid.dimensions());
    return 0.5 * (logVariances(block, k) - logVariances(block, 2 * k)) <= CARRIED * grid.size();
  }

  /// The number to begin with: the smallest that the divergence from the next number allows.
  static int first(LatticeProblem problem, int[] ladder, double tolerance) {
    LatticeKernel.Block block = problem.kernel().blocks().getFirst();
    double enough = DIVERGENCE[block.grid().dimensions() - 1] * tolerance;
    double few = logVariances(block, ladder[0]);
    int at = 0;
    while (at + 1 < ladder.length) {
      double many;
      try {
        many = logVariances(block, ladder[at + 1]);
      } catch (ArithmeticException tooSmooth) {
        break;
      }
      if (0.5 * (few - many) / block.grid().size() <= enough) break;
      few = many;
      at++;
    }
    return at;
  }

  /// Σ log D with k neighbours. Half the difference of two of them is the Kullback–Leibler
  /// divergence between the priors.
  private static double logVariances(LatticeKernel.Block block, int k) {
    return LocalRegressions.of(ConditioningSets.of(block, k), block).logVariances();
  }
}
