package lovelace.laplace;

import java.util.Arrays;
import lovelace.data.Dataset;
import lovelace.grid.Grid;
import lovelace.grid.Stencils;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.latticekernel.LatticeKernel;
import lovelace.sites.SiteGp;
import lovelace.sparse.ConditioningSets;
import lovelace.sparse.LatticePrecision;
import lovelace.sparse.LocalRegressions;

/// The prior covariance that an engine works with, dense, between any points: m × m.
interface Covariances {

  double[] between(Kernel kernel, double[] points);

  /// The kernel itself.
  static Covariances exact(int d) {
    return (kernel, points) -> {
      int m = points.length / d;
      double[] k = new double[m * m];
      for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) k[i * m + j] = kernel.value(points, i * d, points, j * d);
      return k;
    };
  }

  /// The kernel between the nodes of a grid, interpolated: `S K Sᵀ`.
  static Covariances interpolated(Grid grid) {
    return (kernel, points) ->
        interpolated(grid, exact(grid.dimensions()).between(kernel, grid.points()), points);
  }

  /// The inverse of the sparse precision over the nodes of a grid. Neighbours are those of `held`.
  static Covariances sparse(Grid grid, Kernel held, int neighbours) {
    ConditioningSets sets = ConditioningSets.of(block(grid, held), neighbours);
    return (kernel, points) -> {
      LatticePrecision precision =
          LatticePrecision.of(LocalRegressions.of(sets, block(grid, kernel)));
      int m = grid.size();
      double[] q = new double[m * m];
      double[] identity = new double[m * m];
      for (int i = 0; i < m; i++) {
        double[] e = new double[m];
        double[] column = new double[m];
        e[i] = 1;
        precision.apply(e, column);
        System.arraycopy(column, 0, q, i * m, m);
        identity[i * m + i] = 1;
      }
      return interpolated(grid, DenseLaplace.solve(q, identity, m), points);
    };
  }

  private static LatticeKernel.Block block(Grid grid, Kernel kernel) {
    return LatticeKernel.of(grid, kernel).blocks().getFirst();
  }

  private static double[] interpolated(Grid grid, double[] k, double[] points) {
    int m = grid.size();
    Stencils stencils = Stencils.of(grid, points);
    int n = stencils.count();
    double[] half = new double[n * m];
    for (int i = 0; i < n; i++)
      for (int s = 0; s < stencils.width(); s++)
        for (int j = 0; j < m; j++)
          half[i * m + j] += stencils.weight(i, s) * k[stencils.index(i, s) * m + j];
    double[] out = new double[n * n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int s = 0; s < stencils.width(); s++)
          out[i * n + j] += half[i * m + stencils.index(j, s)] * stencils.weight(j, s);
    return out;
  }

  /// The covariance of sites before there are observations: given rows that say next to nothing. It
  /// is checked against dense algebra beside the class.
  static Covariances sites(double[] places, Grid grid, int d, int neighbours) {
    int n = places.length / d;
    double[] nothing = new double[n];
    Arrays.fill(nothing, 1e-13);
    Dataset rows = Dataset.of(places, d, new double[n], nothing);
    return (kernel, points) ->
        SiteGp.of(rows, grid, Hyperparameters.of(kernel, 1, PriorMean.ZERO), neighbours)
            .covariance(points, points);
  }
}
