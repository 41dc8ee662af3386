package lovelace.lattice;

import lovelace.grid.AdditiveCells;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.CellPolynomials;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.inference.LatticeCovariance;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.latticekernel.LocalKriging;
import org.jspecify.annotations.Nullable;

/// Mean and variance of f at points inside a lattice: by the polynomials of each cell, by kriging
/// from the points of a cell, or by the covariances of grids side by side. Immutable.
final class LatticeTables {

  private final Lattice lattice;
  private final double[] mean; // of the lattice values, including the prior mean
  private final @Nullable CellPolynomials cells;
  private final @Nullable KrigedCells kriged; // if f between grid points is kriged
  private final @Nullable AdditiveCells sums; // of an additive lattice with few points

  private LatticeTables(
      Lattice lattice,
      double[] mean,
      @Nullable CellPolynomials cells,
      @Nullable KrigedCells kriged,
      @Nullable AdditiveCells sums) {
    this.lattice = lattice;
    this.mean = mean;
    this.cells = cells;
    this.kriged = kriged;
    this.sums = sums;
  }

  /// The tables for the result of an engine, with the means of the lattice values.
  static LatticeTables of(LatticeDistribution found, double[] mean) {
    LatticeProblem problem = found.problem();
    Lattice lattice = problem.statistics().lattice();
    LatticeCovariance covariance = found.covariance();
    CellPolynomials cells =
        lattice instanceof Grid grid && grid.dimensions() < 4
            ? CellPolynomials.of(grid, mean, found.stencil())
            : null;
    AdditiveCells sums =
        lattice instanceof AdditiveGrid grid && mean.length <= AdditiveCells.MOST
            ? AdditiveCells.assemble(grid, mean, covariance.triangle())
            : null;
    KrigedCells kriged =
        covariance.kriges() ? kriged(cells, found.stencil(), problem.hyperparameters()) : null;
    return new LatticeTables(lattice, mean, cells, kriged, sums);
  }

  /// Assembles tables from [#table] and [#entries], the entries one after another, null if f is
  /// interpolated.
  static LatticeTables assemble(
      Lattice lattice,
      Hyperparameters hyperparameters,
      double[] mean,
      double[] table,
      double @Nullable [] entries) {
    CellPolynomials cells =
        lattice instanceof Grid grid && grid.dimensions() < 4
            ? CellPolynomials.assemble(grid, mean, true, table)
            : null;
    AdditiveCells sums =
        lattice instanceof AdditiveGrid grid && mean.length <= AdditiveCells.MOST
            ? AdditiveCells.assemble(grid, mean, table)
            : null;
    if (cells == null && sums == null && table.length > 0)
      throw new IllegalArgumentException("this lattice has no tables, but tables were given");
    StencilMatrix kept =
        entries != null && entries.length > 0 && lattice instanceof Grid grid
            ? StencilMatrix.unpack(grid, entries)
            : null;
    KrigedCells kriged = entries == null ? null : kriged(cells, kept, hyperparameters);
    return new LatticeTables(lattice, mean, cells, kriged, sums);
  }

  private static KrigedCells kriged(
      @Nullable CellPolynomials cells, @Nullable StencilMatrix entries, Hyperparameters h) {
    if (cells == null)
      throw new IllegalArgumentException(
          "kriging between grid points needs one grid of one to three axes; use another engine");
    return new KrigedCells(cells, entries, h);
  }

  /// The means of the lattice values, not copied: read only.
  double[] mean() {
    return mean;
  }

  /// The size of the rounding error of a variance from the tables.
  double floor() {
    return sums != null ? sums.floor() : kriged != null ? kriged.floor() : 0;
  }

  /// About how many bytes they keep.
  long bytes() {
    return 8L * (2L * mean.length + table().length + (kriged == null ? 0 : mean.length))
        + 8L * entries().length * mean.length;
  }

  /// Whether a lattice of its kind has tables.
  boolean exist() {
    return cells != null || sums != null;
  }

  /// The coefficients of [CellPolynomials#table], or the covariances of [AdditiveCells#table], not
  /// copied: read only; empty if the lattice has neither.
  double[] table() {
    return cells != null ? cells.table() : sums != null ? sums.table() : new double[0];
  }

  /// Whether f between grid points is kriged from the points of its stencil.
  boolean kriges() {
    return kriged != null;
  }

  /// The variance above which polynomials are used although f is kriged; 0 if it is not.
  double smoothFrom() {
    return kriged == null ? 0 : kriged.enough();
  }

  /// The diagonals of P that kriging needs beside [#table], as [StencilMatrix] stores them, not
  /// copied: read only. Empty if f is not kriged, and with three axes, for which the table has
  /// them.
  double[][] entries() {
    StencilMatrix kept = kriged == null ? null : kriged.entries();
    if (kept == null) return new double[0][];
    double[][] diagonals = new double[kept.diagonalCount()][];
    for (int k = 0; k < diagonals.length; k++) diagonals[k] = kept.diagonal(k);
    return diagonals;
  }

  /// Writes the weights of f on the lattice values at the point that starts at `x[xo]`, like
  /// [Lattice#stencil]. Returns the variance of the residual: zero if f is interpolated, that of
  /// kriging if it is kriged, NaN outside the lattice.
  double weights(double[] x, int xo, int[] index, double[] weight) {
    if (kriged != null) return kriged.kriging().weights(x, xo, index, weight);
    return lattice.stencil(x, xo, index, weight) ? 0 : Double.NaN;
  }

  /// Like [#weights]. Also writes the derivatives of the weights to `slope`, like
  /// [Lattice#stencilGradient].
  double weights(double[] x, int xo, int[] index, double[] weight, double[] slope) {
    if (kriged != null)
      return kriged
          .kriging()
          .gradient(x, xo, index, weight, slope, new double[lattice.dimensions()]);
    return lattice.stencilGradient(x, xo, index, weight, slope) ? 0 : Double.NaN;
  }

  /// The weights of f on the lattice values at points inside the lattice, row-major: `f = wᵀu`,
  /// plus the residuals of [#kriging] if f is kriged.
  Stencils stencils(double[] points) {
    return kriged != null ? kriged.kriging().stencils(points) : Stencils.of(lattice, points);
  }

  /// The mean of f at points with these weights.
  double[] means(double[] points, Stencils stencils) {
    if (kriged != null) return kriged.means(points, stencils);
    double[] means = new double[stencils.count()];
    for (int p = 0; p < means.length; p++) means[p] = stencils.dot(p, mean, 0);
    return means;
  }

  /// The function with these values at the lattice points. Takes ownership of the values. The
  /// residuals of kriging come from the seed.
  SampledFunction function(double[] values, long seed, double sign) {
    return kriged == null
        ? new SampledFunction(lattice, values)
        : kriged.function(values, seed, sign);
  }

  /// The kriging between grid points; null if f is interpolated.
  @Nullable LocalKriging kriging() {
    return kriged == null ? null : kriged.kriging();
  }

  /// The mean of f at a point inside the lattice, given its weights.
  double mean(double[] x, int xo, int[] index, double[] weight) {
    if (kriged != null) return kriged.mean(x, xo, index, weight);
    double sum = 0;
    for (int k = 0; k < index.length; k++) sum += weight[k] * mean[index[k]];
    return sum;
  }

  /// Writes the mean to `out[0]` and the variance to `out[1]` at a point. Returns whether the
  /// tables have them.
  boolean evaluate(double[] x, int xo, double[] out) {
    if (kriged != null) return kriged.evaluate(x, xo, out);
    if (cells != null) return cells.evaluate(x, xo, out);
    return sums != null && sums.evaluate(x, xo, out);
  }

  /// Like [#evaluate], with the gradients of both.
  boolean gradient(double[] x, int xo, double[] out) {
    return (kriged != null && kriged.gradient(x, xo, out))
        || (cells != null && cells.gradient(x, xo, out))
        || (sums != null && sums.gradient(x, xo, out));
  }

  /// Intervals that certainly contain the variances of the interpolated or kriged process, `[lower,
  /// upper]` per point. The points must lie inside the lattice.
  double[][] certify(double[] points, int count, LatticeCovariance covariance) {
    if (kriged == null) return covariance.certify(points);
    int d = lattice.dimensions();
    double[][] bounds = new double[2][count];
    int[] index = new int[lattice.stencilSize()];
    double[] weight = new double[index.length];
    for (int p = 0; p < count; p++) {
      double loss = kriged.kriging().weights(points, p * d, index, weight);
      if (Double.isNaN(loss))
        throw new IllegalArgumentException("point " + p + " lies outside the " + lattice);
      double[][] own = new double[2][1];
      covariance.certify(Stencils.single(index, weight), own[0], own[1]);
      bounds[0][p] = own[0][0] + Math.max(0, loss - kriged.floor());
      bounds[1][p] = own[1][0] + loss + kriged.floor();
    }
    return bounds;
  }
}
