package lovelace.statistics;

import lovelace.grid.AdditiveGrid;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.grid.StencilMatrix;
import lovelace.linear.Dense;
import lovelace.linear.Parallel;

/// Bounds how far rounding may have moved G. The error of a sum over the observations of a cell is
/// a multiple of ε times the weight of the cell, whatever the size of the sum. In directions that
/// the data hardly determine, such an error looks like information. Immutable.
public final class GramRounding {

  private static final double EPSILON = 0x1p-52;

  /// The largest sum of |w| of a point along one axis.
  private static final double LEBESGUE = 1.25;

  private final Lattice lattice;
  private final int[] shifts;
  private final int[] corners;
  private final double[] errors;

  private GramRounding(Lattice lattice, int[] shifts, int[] corners, double[] errors) {
    this.lattice = lattice;
    this.shifts = shifts;
    this.corners = corners;
    this.errors = errors;
  }

  public static GramRounding of(Statistics statistics) {
    return switch (statistics) {
      case GridStatistics s -> {
        Grid grid = s.grid();
        int[] corners = new int[s.occupiedCells()];
        double[] errors = new double[corners.length];
        for (int c = 0; c < corners.length; c++) {
          corners[c] = grid.corner(s.occupiedCell(c));
          errors[c] = error(s.occupiedMoments(c)[0], s.occupiedCount(c));
        }
        yield new GramRounding(grid, grid.stencilShifts(), corners, errors);
      }
      case AdditiveStatistics s ->
          new GramRounding(
              s.grid(), new int[0], new int[0], new double[] {error(s.weightSum(), s.count())});
    };
  }

  /// The rounding error of an entry of G that sums `count` observations of this total weight. Each
  /// addition costs at most half an ε of the sum so far, always with the same sign if inputs
  /// repeat. Turning moments into entries adds a few roundings.
  private static double error(double weight, long count) {
    return EPSILON * weight * ((double) count + 8);
  }

  /// A bound on `|eᵀδGe|` for the lattice vector that starts at `e[eo]`.
  public double quadratic(double[] e, int eo) {
    return switch (lattice) {
      case Grid grid -> {
        double sum = 0;
        for (int c = 0; c < corners.length; c++) {
          double cell = 0;
          int corner = eo + corners[c];
          for (int shift : shifts) cell += Math.abs(e[corner + shift]);
          sum += errors[c] * cell * cell;
        }
        yield sum;
      }
      case AdditiveGrid grid -> {
        double all = 0;
        for (int c = 0; c < grid.components(); c++) {
          Grid own = grid.component(c).grid();
          double largest = 0;
          for (int i = 0; i < own.size(); i++)
            largest = Math.max(largest, Math.abs(e[eo + grid.start(c) + i]));
          all += Math.pow(LEBESGUE, own.dimensions()) * largest;
        }
        yield errors[0] * all * all;
      }
    };
  }

  /// A bound on `(Pw)ᵀδG(Pw)/wᵀPw` for all w, given the entries of P on one grid. Uses `|(Pw)ⱼ| ≤
  /// √(wᵀPw) √Pⱼⱼ`, which holds for any covariance.
  public double relative(StencilMatrix entries) {
    double[] deviations = entries.diagonal(0).clone();
    for (int i = 0; i < deviations.length; i++)
      deviations[i] = Math.sqrt(Math.max(0, deviations[i]));
    return quadratic(deviations, 0);
  }

  /// A bound on `‖w − GPw/σ²‖₁/√(wᵀPw)` for all lattice points w, where `least` is their smallest
  /// variance. By Cauchy and Schwarz over the observations, `‖GPw‖₁ ≤ Λ √(Σd tr(GP) wᵀPw)`. Σd is
  /// the sum of the weights, and Λ is the largest sum of |w| of a point. `freedom` is `tr(GP)/σ²`.
  public static double predictor(
      Statistics statistics, double least, double freedom, double noise) {
    double spread = Math.pow(LEBESGUE, statistics.lattice().dimensions());
    return 1 / Math.sqrt(least) + spread * Math.sqrt(statistics.weightSum() * freedom / noise);
  }

  /// The smallest variance at a lattice point.
  public static double least(StencilMatrix entries) {
    double least = Double.POSITIVE_INFINITY;
    for (double v : entries.diagonal(0)) least = Math.min(least, v);
    return least;
  }

  /// As [#quadratic] for `count` lattice vectors. Row i of e holds their values at point i.
  public double[] quadratics(int count, double[] e) {
    double[] sums = new double[count];
    double[] columns = Dense.transposed(lattice.size(), count, e);
    Parallel.forEach(count, p -> sums[p] = quadratic(columns, p * lattice.size()));
    return sums;
  }
}
