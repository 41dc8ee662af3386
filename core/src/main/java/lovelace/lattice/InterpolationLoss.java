package lovelace.lattice;

import lovelace.grid.AdditiveGrid;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.grid.Stencils;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Kernel;
import lovelace.latticekernel.LatticeKernel;
import lovelace.statistics.AdditiveStatistics;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;

/// Estimates the loss of a function by interpolation from the points of a lattice. Let the residual
/// be `e(x) = f(x) − w(x)ᵀu`:
///
/// ```
/// ε²(x) = Var e(x) = k(x,x) − 2wᵀk(U,x) + wᵀKw
/// ```
///
/// The predictor of the interpolated process is a linear function αᵀy of the data with `σ²‖α‖² ≤
/// v`, where v is its variance. Under the exact process its mean squared error exceeds the smallest
/// possible one by about `Var(e(x) − αᵀe_X) ≤ ε²(x) + v λ/σ²`, where λ is the largest eigenvalue of
/// the residuals' covariance at the rows. Residuals at places more than a few cells apart are
/// nearly uncorrelated, so λ is about ε² times the number of rows within reach of a cell.
public final class InterpolationLoss {

  /// The factor from the root of a mean square to the largest of a few dozen errors.
  private static final double SPREAD = 3;

  private InterpolationLoss() {}

  /// ε² for cells with the given steps. The place x is in the middle of its cell along every axis.
  public static double middle(Kernel kernel, double[] x, double[] step) {
    int d = x.length;
    double[] keys = {-0.0625, 0.5625, 0.5625, -0.0625};
    int s = 1 << (2 * d);
    double[] points = new double[s * d];
    double[] weight = new double[s];
    for (int i = 0; i < s; i++) {
      weight[i] = 1;
      for (int a = 0; a < d; a++) {
        int j = (i >> (2 * a)) & 3;
        points[i * d + a] = x[a] + (j - 1.5) * step[a];
        weight[i] *= keys[j];
      }
    }
    double[] k = new double[s];
    kernel.matrix(x, 1, points, s, k);
    double[] between = new double[s * s];
    kernel.matrix(points, s, points, s, between);
    double loss = kernel.variance(x, 0);
    for (int i = 0; i < s; i++) {
      loss -= 2 * weight[i] * k[i];
      for (int j = 0; j < s; j++) loss += weight[i] * weight[j] * between[i * s + j];
    }
    return Math.max(0, loss);
  }

  /// The share of the posterior's variance that interpolation adds to the mean squared error, for
  /// given ε² and v and a number of rows per cell.
  public static double excess(
      double loss, double variance, double noise, double rows, int dimensions) {
    return loss / variance + 0.5 * loss * (1 + Math.pow(1.5, dimensions) * rows) / noise;
  }

  /// Estimates the largest errors of a conditioned process at its check points: of the mean in
  /// standard deviations, and of the variance, relative.
  public static double[] estimate(LatticeDistribution found, double[] places) {
    LatticeProblem problem = found.problem();
    LatticeKernel kernel = problem.kernel();
    Lattice lattice = problem.statistics().lattice();
    Kernel own = kernel.kernel().withoutWhite();
    int d = lattice.dimensions();
    Stencils points = Stencils.of(lattice, places);
    double[] prior = kernel.quadratics(points);
    int[] index = new int[points.width()];
    double[] weight = new double[points.width()];
    double rows = rowsPerCell(problem.statistics());
    double mean = 0;
    double variance = 0;
    for (int p = 0; p < points.count(); p++) {
      points.copy(p, index, weight);
      double before = own.variance(places, p * d);
      double with = covariances(kernel, own, lattice, places, p, index, weight);
      double loss = Math.max(0, before - 2 * with + prior[p]);
      double v = Math.max(found.covariance().variance(index, weight), found.covariance().floor());
      double share = excess(loss, v, problem.noise(), rows, d);
      mean = Math.max(mean, share);
      // The prior's own variance is off by k(x,x) − wᵀKw, of either sign. If the data are
      // informative, they remove most of that. Standard deviations differ by no more than that of
      // e.
      double shift = Math.min(Math.abs(before - prior[p]) / v, 2 * Math.sqrt(share));
      variance = Math.max(variance, share + shift);
    }
    return new double[] {SPREAD * Math.sqrt(mean), SPREAD * variance};
  }

  /// `wᵀk(U, x)`.
  private static double covariances(
      LatticeKernel kernel,
      Kernel own,
      Lattice lattice,
      double[] places,
      int p,
      int[] index,
      double[] weight) {
    int d = lattice.dimensions();
    double sum = 0;
    switch (lattice) {
      case Grid grid -> {
        double[] nodes = new double[index.length * d];
        for (int i = 0; i < index.length; i++)
          System.arraycopy(grid.point(index[i]), 0, nodes, i * d, d);
        double[] k = new double[index.length];
        double[] x = java.util.Arrays.copyOfRange(places, p * d, (p + 1) * d);
        own.matrix(x, 1, nodes, index.length, k);
        for (int i = 0; i < k.length; i++) sum += weight[i] * k[i];
      }
      case AdditiveGrid grid -> {
        double[] k = kernel.column(places, p * d);
        for (int i = 0; i < index.length; i++) sum += weight[i] * k[index[i]];
      }
    }
    return sum;
  }

  /// The number of rows that share a cell with a row.
  private static double rowsPerCell(Statistics statistics) {
    double most = 0;
    switch (statistics) {
      case GridStatistics grid -> most = sharing(grid.cellCounts());
      case AdditiveStatistics sum -> {
        for (int c = 0; c < sum.grid().components(); c++)
          most = Math.max(most, sharing(sum.cellCounts(c)));
      }
    }
    return most;
  }

  private static double sharing(long[] counts) {
    double rows = 0;
    double squares = 0;
    for (long count : counts) {
      rows += count;
      squares += (double) count * count;
    }
    return rows == 0 ? 0 : squares / rows;
  }
}
